package redact

import "strings"

// personal replaces what says who works here and on which machines.
func (t *scanner) personal(home, user string) {
	t.homes(home)
	t.mails()
	t.addresses()
	t.hosts()
	t.names(user)
}

// homes shortens home directories to ~, the given one and those that follow a
// system's custom.
func (t *scanner) homes(home string) {
	home = strings.TrimRight(home, `/\`)
	if len(home) > 1 {
		for _, h := range []string{home, strings.ReplaceAll(home, `\`, `\\`), strings.ReplaceAll(home, `\`, "/")} {
			each(t.s, h, func(at int) int {
				to := at + len(h)
				if (at == 0 || !nameChars.has(t.s[at-1])) && (to == len(t.s) || !nameChars.has(t.s[to]) || t.s[to] == '.' && (to+1 == len(t.s) || !word.has(t.s[to+1]))) {
					t.replace(at, to, "~")
				}
				return to
			})
		}
	}
	for _, parent := range []string{"/home/", "/Users/", "/mnt/c/Users/", "/c/Users/", `:\Users\`, `:\\Users\\`, ":/Users/", "-Users-", "-home-"} {
		each(t.s, parent, func(at int) int { return t.otherHome(at, parent) })
	}
}

// sharedHomes are names below the parent of home directories that belong to
// nobody.
var sharedHomes = words("shared public default all runner_temp linuxbrew user username you your-name yourname me name lib src")

func (t *scanner) otherHome(at int, parent string) int {
	from := at + len(parent)
	chars := set(digits + letters + "_-.@+")
	if parent[0] == '-' {
		chars = set(digits + letters + "_")
	}
	to := chars.run(t.s, from)
	if strings.HasSuffix(t.s[from:to], ".") {
		to--
	}
	name := t.s[from:to]
	if name == "" || sharedHomes[lowerASCII(name)] {
		return from
	}
	switch parent[0] {
	case ':':
		if at == 0 || !set(letters).has(t.s[at-1]) || at > 1 && alnum.has(t.s[at-2]) && !escaped(t.s, at-1) {
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
	default:
		if at > 0 && (nameChars.has(t.s[at-1]) || t.s[at-1] == '~' || t.s[at-1] == '}') && !escaped(t.s, at) {
			return from
		}
	}
	t.replace(at, to, "~")
	return to
}

var mailChars = set(digits + letters + "._%+-")

// machineMail are local parts and domains that name no person.
var machineMail = words("git noreply no-reply donotreply hg svn example user username you name foo bar test")

// mails replaces e-mail addresses, but those of machines and documentation.
func (t *scanner) mails() {
	each(t.s, "@", func(at int) int {
		from, to := mailChars.back(t.s, at, 64), set(digits+letters+".-").run(t.s, at+1)
		for to > at && (t.s[to-1] == '.' || t.s[to-1] == '-') {
			to--
		}
		if escapedAt := strings.LastIndexByte(t.s[max(0, from-1):at], '\\'); escapedAt == 0 && from+1 < at && from > 0 {
			from++ // the n of \n
		}
		from += len(t.s[from:at]) - len(strings.TrimLeft(t.s[from:at], ".%+-"))
		local, domain := t.low[from:at], t.low[at+1:to]
		if local == "" || !mailDomain(domain) || machineMail[local] || strings.HasSuffix(domain, "noreply.github.com") || strings.HasPrefix(domain, "example.") || strings.Contains(domain, ".example") {
			return at + 1
		}
		if to < len(t.s) && t.s[to] == '/' || from > 0 && t.s[from-1] == '/' && !strings.HasPrefix(t.s[max(0, from-2):], "//") {
			return at + 1 // a package's version or an address with a path
		}
		t.replace(from, to, markMail)
		return to
	})
}

// notDomains are endings of files and versions that look like domains.
var notDomains = words("js ts tsx jsx mjs cjs go py rs rb c h cc cpp json yaml yml toml md txt sh png jpg svg css html lock local test invalid x")

func mailDomain(d string) bool {
	dot := strings.LastIndexByte(d, '.')
	if dot <= 0 {
		return false
	}
	top := d[dot+1:]
	return len(top) >= 2 && len(top) <= 18 && set(lowers).only(top) && !notDomains[top] && alnum.has(d[0])
}

// addresses replaces private IPv4 addresses.
func (t *scanner) addresses() {
	for _, p := range []string{"10.", "192.168.", "172."} {
		each(t.s, p, func(at int) int {
			if at > 0 && (nameChars.has(t.s[at-1]) && !escaped(t.s, at)) {
				return at + 1
			}
			to, ok := privateIP(t.s, at)
			if ok {
				t.replace(at, to, markIP)
				return to
			}
			return at + 1
		})
	}
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
	private := n[0] == 10 || n[0] == 192 && n[1] == 168 || n[0] == 172 && n[1] >= 16 && n[1] <= 31
	return at, private && !(n[0] == 10 && n[1] == 0 && n[2] == 0 && n[3] == 0)
}

// hosts replaces names of internal machines where an address names them.
func (t *scanner) hosts() {
	for _, zone := range []string{".internal", ".corp", ".intranet", ".lan", ".local", ".home.arpa"} {
		each(t.low, zone, func(at int) int {
			end := at + len(zone)
			if end < len(t.s) && (word.has(t.s[end]) || t.s[end] == '-' || t.s[end] == '.' && end+1 < len(t.s) && alnum.has(t.s[end+1])) {
				return end
			}
			from := set(digits+letters+"-.").back(t.s, at, 128)
			if from == at || t.s[from] == '.' {
				return end
			}
			before := t.s[:from]
			port := end < len(t.s) && t.s[end] == ':' && digit.run(t.s, end+1) > end+1
			if port || strings.HasSuffix(before, "://") || strings.HasSuffix(before, "@") || strings.HasSuffix(before, "ssh ") || strings.HasSuffix(before, "ping ") || strings.HasSuffix(before, "host ") {
				if host := t.low[from:end]; !strings.HasPrefix(host, "host.docker.") && !strings.HasPrefix(host, "kubernetes.docker.") {
					t.replace(from, end, markHost)
				}
			}
			return end
		})
	}
}

// commonNames are login names that say nothing, or that are words of their
// own: they are left alone outside of paths.
var commonNames = words(`root user admin dev developer runner ubuntu debian fedora arch alpine node vscode git test tester testing build builder ci app web www
	data default guest local host server system main master work home code docker container ec2-user centos pi vagrant jenkins github gitlab agent claude codex gemini
	mark will bill grant art rob pat sue jack may june april august rose summer hope faith joy grace dean drew chase cliff dale dawn frank gene glen hunter ivy
	jean josh ken lance lane lee max miles nick norm ray reed rich rod rusty sandy stone terry trace ty van wade ward wolf young key go core api src lib log db`)

// names replaces the login name where it stands as a word of its own.
func (t *scanner) names(user string) {
	if len(user) < 3 || commonNames[lowerASCII(user)] {
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
