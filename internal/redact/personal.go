package redact

import (
	"iter"
	"strings"

	"github.com/lessons-cli/lessons/internal/lists"
)

// person replaces what belongs to the person at the machine.
func (t *scanner) person(home, user string) {
	t.ownHome(home)
	t.names(user)
}

// ownHome shortens the given home directory to ~.
func (t *scanner) ownHome(home string) {
	for h := range spellings(home) {
		each(t.s, h, func(at int) int {
			to := at + len(h)
			if (at == 0 || !nameChars.has(t.s[at-1]) || escaped(t.s, at)) && pathEnds(t.s, to) {
				t.replace(at, to, "~")
			}
			return to
		})
	}
}

// spellings returns the ways in which a home directory is written.
func spellings(home string) iter.Seq[string] {
	home = strings.TrimRight(home, `/\`)
	return func(yield func(string) bool) {
		if len(home) < 2 || !yield(home) || !strings.Contains(home, `\`) {
			return
		}
		_ = yield(strings.ReplaceAll(home, `\`, `\\`)) && yield(strings.ReplaceAll(home, `\`, "/"))
	}
}

// pathEnds says whether no name goes on at at; a full stop may end a sentence.
func pathEnds(s string, at int) bool {
	return at == len(s) || !nameChars.has(s[at]) || s[at] == '.' && (at+1 == len(s) || !word.has(s[at+1]))
}

// homeRules shorten home directories that follow a system's custom, and find
// addresses of people and machines.
func homeRules() []rule {
	rules := []rule{}
	for _, parent := range []string{"/home/", "/var/home/", "/usr/home/", "/export/home/", "/data/home/", "/Users/", "/mnt/c/Users/", "/c/Users/", `:\Users\`, `:\\Users\\`, ":/Users/", `\Users\`, `\\Users\\`, "-Users-", "-home-"} {
		rules = append(rules, rule{text: parent, find: func(t *scanner, at int) int { return t.otherHome(at, parent) }})
	}
	for _, p := range []string{"10.", "192.168.", "172.", "100.", "169.254."} {
		rules = append(rules, rule{text: p, find: (*scanner).address})
	}
	for _, p := range []string{"fc", "fd", "fe80:"} {
		rules = append(rules, rule{text: p, fold: true, find: (*scanner).localIPv6})
	}
	return rules
}

// sharedHomes are names below the parent of home directories that belong to
// nobody.
var sharedHomes = lists.LazyWords(`shared public default all runner_temp linuxbrew user username you your-name yourname me name lib src`)

var ownerChars = set(digits + letters + "_-.@+")

func (t *scanner) otherHome(at int, parent string) int {
	from := at + len(parent)
	chars := ownerChars
	if parent[0] == '-' {
		chars = word
	}
	to := chars.run(t.s, from)
	if strings.HasSuffix(t.s[from:to], ".") {
		to--
	}
	name := t.s[from:to]
	if name == "" || sharedHomes()[lowerASCII(name)] {
		return from
	}
	switch parent[0] {
	case ':':
		if at == 0 || !letter.has(t.s[at-1]) || at > 1 && alnum.has(t.s[at-2]) && !escaped(t.s, at-1) {
			return from
		}
		at--
	case '-':
		// A folder that an agent names after a path.
		if at > 0 && t.s[at-1] != '/' && t.s[at-1] != '\\' || to == len(t.s) || t.s[to] != '-' {
			return from
		}
		t.replace(at, to, "-~")
		return to
	case '\\':
		// Below a share's name.
		t.replace(from, to, markUser)
		return to
	default:
		if option := at > 1 && t.s[at-2] == '-' && letter.has(t.s[at-1]); option && (at == 2 || !nameChars.has(t.s[at-3])) {
			break // -I/home/…
		}
		if at > 0 && (nameChars.has(t.s[at-1]) || t.s[at-1] == '~' || t.s[at-1] == '}') && !escaped(t.s, at) {
			return from
		}
	}
	t.replace(at, to, "~")
	return to
}

var mailChars = set(digits + letters + "._%+-")

// machineMail are local parts and domains that name no person.
var machineMail = lists.LazyWords(`git noreply no-reply donotreply hg svn example user username you name foo bar test`)

var domainChars = set(digits + letters + ".-")

// mail replaces the e-mail address round the @ at at, unless it is a machine's
// or of documentation.
func (t *scanner) mail(at int) {
	from, to := mailChars.back(t.s, at, 64), domainChars.run(t.s[:min(len(t.s), at+256)], at+1)
	for to > at && (t.s[to-1] == '.' || t.s[to-1] == '-') {
		to--
	}
	if escaped(t.s, from+1) && from+1 < at {
		from++ // the n of \n
	}
	from += len(t.s[from:at]) - len(strings.TrimLeft(t.s[from:at], ".%+-"))
	if from == at || to <= at+1 {
		return
	}
	local, domain := t.low[from:at], t.low[at+1:to]
	if !mailDomain(domain) || machineMail()[local] || strings.HasSuffix(domain, "noreply.github.com") || strings.HasPrefix(domain, "example.") || strings.Contains(domain, ".example") {
		return
	}
	if to < len(t.s) && t.s[to] == '/' || from > 0 && t.s[from-1] == '/' && !strings.HasPrefix(t.s[max(0, from-2):], "//") {
		return // a package's version, or an address with a path
	}
	t.replace(from, to, markMail)
}

// notDomains are endings of files and versions that look like domains.
var notDomains = lists.LazyWords(`js ts tsx jsx mjs cjs go py rs rb c h cc cpp json yaml yml toml md txt sh png jpg svg css html lock local test invalid x`)

func mailDomain(d string) bool {
	dot := strings.LastIndexByte(d, '.')
	if dot <= 0 {
		return false
	}
	top := d[dot+1:]
	return len(top) >= 2 && len(top) <= 18 && lower.only(top) && !notDomains()[top] && alnum.has(d[0])
}

// address replaces a private IPv4 address.
func (t *scanner) address(at int) int {
	if at > 0 && nameChars.has(t.s[at-1]) && !escaped(t.s, at) {
		return at + 1
	}
	if to, ok := privateIP(t.s, at); ok {
		t.replace(at, to, markIP)
		return to
	}
	return at + 1
}

// privateIP reads four numbers from at on.
func privateIP(s string, at int) (int, bool) {
	var n [4]int
	for i := range n {
		end := digit.run(s, at)
		if end == at || end-at > 3 || end-at > 1 && s[at] == '0' {
			return 0, false
		}
		for ; at < end; at++ {
			n[i] = n[i]*10 + int(s[at]-'0')
		}
		if n[i] > 255 {
			return 0, false
		}
		if i < 3 {
			if at == len(s) || s[at] != '.' {
				return 0, false
			}
			at++
		}
	}
	if at < len(s) && (word.has(s[at]) || s[at] == '-' || s[at] == '.' && at+1 < len(s) && digit.has(s[at+1])) {
		return 0, false
	}
	if n[3] == 0 && at < len(s) && s[at] == '/' {
		return 0, false // a network, as plans name them
	}
	private := n[0] == 10 || n[0] == 192 && n[1] == 168 || n[0] == 172 && n[1] >= 16 && n[1] <= 31 ||
		n[0] == 100 && n[1] >= 64 && n[1] <= 127 || n[0] == 169 && n[1] == 254
	return at, private && !(n[0] == 10 && n[1] == 0 && n[2] == 0 && n[3] == 0)
}

// localIPv6 replaces an address that holds in one network only: fc00::/7 and
// fe80::/10.
func (t *scanner) localIPv6(at int) int {
	to := ipv6Chars.run(t.s, at)
	address := t.s[at:to]
	first, _, _ := strings.Cut(address, ":")
	colons := strings.Count(address, ":")
	if len(first) == 4 && (strings.Contains(address, "::") || colons == 7) && len(address) >= 8 && colons <= 7 &&
		(at == 0 || !word.has(t.s[at-1]) && t.s[at-1] != ':' || escaped(t.s, at)) && (to == len(t.s) || !word.has(t.s[to])) {
		t.replace(at, to, markIP)
	}
	return to
}

var ipv6Chars = set(digits + "abcdefABCDEF:")

// hostRules replace names of internal machines where an address names them, and
// e-mail addresses.
func hostRules() []rule {
	return lists.Map([]string{".internal", ".corp", ".intranet", ".lan", ".local", ".home.arpa"}, func(zone string) rule {
		return rule{text: zone, fold: true, find: func(t *scanner, at int) int { return t.host(at, at+len(zone)) }}
	})
}

func (t *scanner) host(at, end int) int {
	if end < len(t.s) && (word.has(t.s[end]) || t.s[end] == '-' || t.s[end] == '.' && end+1 < len(t.s) && alnum.has(t.s[end+1])) {
		return end
	}
	from := domainChars.back(t.s, at, 128)
	if from == at || t.s[from] == '.' {
		return end
	}
	named := end < len(t.s) && t.s[end] == ':' && digit.run(t.s, end+1) > end+1
	for _, lead := range []string{"://", "@"} {
		named = named || strings.HasSuffix(t.s[:from], lead)
	}
	lead := strings.TrimRight(t.low[max(0, from-24):from], " :=\"'\\")
	if word := lead[letter.back(lead, len(lead), 24):]; len(lead) < from-max(0, from-24) {
		named = named || hostWords()[word]
	}
	for _, zone := range []string{".home.arpa", ".intranet", ".cluster.local"} {
		named = named || strings.HasSuffix(t.low[:end], zone)
	}
	if host := t.low[from:end]; named && !strings.HasSuffix(host, ".docker.internal") {
		t.replace(from, end, markHost)
	}
	return end
}

// hostWords are words before the name of a machine.
var hostWords = lists.LazyWords(`host hostname server lookup enotfound ssh scp sftp ping dig nslookup telnet nc rsync curl wget domain upstream proxy endpoint address tcp machine node`)

// commonNames are login names that say nothing, or that are words of their
// own: they are left alone outside of paths.
var commonNames = lists.LazyWords(`root user admin dev developer runner ubuntu debian fedora arch alpine node vscode git test tester testing build builder ci app web www
	data default guest local host server system main master work home code docker container ec2-user centos pi vagrant jenkins github gitlab agent claude codex gemini
	mark will bill grant art rob pat sue jack may june april august rose summer hope faith joy grace dean drew chase cliff dale dawn frank gene glen hunter ivy
	jean josh ken lance lane lee max miles nick norm ray reed rich rod rusty sandy stone terry trace ty van wade ward wolf young key go core api src lib log db`)

// telling says whether a login name says whose it is.
func telling(user string) bool { return len(user) >= 3 && !commonNames()[lowerASCII(user)] }

// names replaces the login name where it stands as a word of its own.
func (t *scanner) names(user string) {
	if !telling(user) {
		return
	}
	each(t.low, lowerASCII(user), func(at int) int {
		to := at + len(user)
		marked := at > 0 && to < len(t.s) && t.s[at-1] == '[' && t.s[to] == ']'
		if !marked && (at == 0 || !alnum.has(t.s[at-1]) || escaped(t.s, at)) && (to == len(t.s) || !alnum.has(t.s[to])) {
			t.replace(at, to, markUser)
		}
		return to
	})
}
