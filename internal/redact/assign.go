package redact

import "strings"

// strength is how sure a name makes it that its value is a secret.
type strength int

const (
	weak   strength = iota + 1 // the value must look random
	medium                     // the value must have letters and digits
	strong                     // any value that is no placeholder
)

// secretNames are the words by which a name says that its value is secret, in
// lower case, with what they promise.
var secretNames = []struct {
	word string
	strength
}{
	{"password", strong},
	{"passwd", strong},
	{"passphrase", strong},
	{"passwort", strong},
	{"contraseña", strong},
	{"pwd", medium},
	{"secret", medium},
	{"token", medium},
	{"apikey", medium},
	{"api_key", medium},
	{"api-key", medium},
	{"api key", medium},
	{"access_key", medium},
	{"accesskey", medium},
	{"access-key", medium},
	{"access key", medium},
	{"private_key", medium},
	{"privatekey", medium},
	{"private-key", medium},
	{"private key", medium},
	{"auth_key", medium},
	{"authkey", medium},
	{"auth-key", medium},
	{"encryption_key", medium},
	{"encryptionkey", medium},
	{"signing_key", medium},
	{"signingkey", medium},
	{"master_key", medium},
	{"masterkey", medium},
	{"account_key", medium},
	{"accountkey", medium},
	{"sharedaccesskey", medium},
	{"account-key", medium},
	{"storage_key", medium},
	{"session_key", medium},
	{"license_key", weak},
	{"deploy_key", medium},
	{"app_key", medium},
	{"appkey", medium},
	{"service_key", medium},
	{"servicekey", medium},
	{"credential", weak},
	{"_auth", weak},
	{"authorization", weak},
	{"_pat", weak},
	{"_pass", strong},
	{"dbpass", strong},
	{"userpass", strong},
	{"webhook", weak},
	{"_key", weak},
	{"-key", weak},
	{"cookie", weak},
	{"client_srt", weak},
	{"salt", weak},
	{"pin_code", weak},
	{"otp", weak},
	{"hmac", weak},
	{"bearer", weak},
	{"_dsn", weak},
}

// innocent are the endings of names that are about a secret without holding
// one.
var innocent = []string{
	"_id", "-id", "id", "_ids", "_name", "name", "_names", "_url", "-url", "url", "_uri", "uri", "_path", "-path", "path", "_file", "file", "_dir", "_length", "length", "_len", "_size", "size", "_type", "type", "_count", "count",
	"_version", "version", "_field", "field", "_param", "_header", "header", "_prefix", "prefix", "_suffix", "_format", "_regex", "_pattern", "_policy", "_provider", "_manager", "_store", "_env", "_var", "_index", "_limit", "_budget", "_usage", "_hint", "_label", "_title", "_placeholder", "_expiry", "_expires", "_expires_in", "_expiration", "_ttl", "_timeout", "_enabled", "_required", "_exists", "_algorithm", "_endpoint", "_arn", "_ref", "_vault", "_rotation",
	"public_key", "publickey", "public-key", "publictoken", "public_token", "primary_key", "foreign_key", "sort_key", "partition_key", "cache_key", "cache-key", "hash_key", "bucket_key", "schema_key", "host_key", "object_key", "idempotency_key", "map_key", "json_key",
	"max_tokens", "input_tokens", "output_tokens", "total_tokens", "maxtokens", "pre_tokens", "pretokens", "tokens", "keyid", "keys",
}

// nameRules find values given to names that say they are secret, in
// configuration, code, environments, headers, flags and JSON.
func nameRules() []rule {
	var rules []rule
	for _, n := range secretNames {
		rules = append(rules, rule{text: n.word, fold: true, find: func(t *scanner, at int) int { return t.named(n.word, n.strength, at) }})
	}
	return rules
}

// named looks at a name that has a word for a secret in it at at.
func (t *scanner) named(secret string, s strength, at int) int {
	end := at + len(secret)
	if !startsWord(t.s, at) {
		return end
	}
	begin, name := nameChars.back(t.s, at, 64), nameChars.run(t.s[:min(len(t.s), end+48)], end)
	full := strings.TrimRight(t.low[begin:name], "-.")
	if name-end > 40 || begin > 0 && t.s[begin-1] == '/' && s == strong || innocently(full, secret) {
		return end
	}
	from, to, quoted, ok := t.valueAfter(begin, name)
	if !ok {
		if s >= medium {
			t.nearby(name)
		}
		return end
	}
	if !secretValue(t.s[from:to], full, s, quoted, t.proseAfter(to)) {
		return end
	}
	to = t.valueEnd(from, to, quoted)
	t.drop(from, to)
	if quoted {
		t.others(to)
	}
	return to
}

// others redacts the values that follow a quoted one in a list.
func (t *scanner) others(at int) {
	for range 32 {
		next := at + 1
		next = space.run(t.s, min(len(t.s), next))
		if next >= len(t.s) || t.s[next] != ',' {
			return
		}
		from, to, quoted, ok := t.value(space.run(t.s, next+1))
		if !ok || !quoted {
			return
		}
		if random(t.s[from:to]) {
			t.drop(from, to)
		}
		at = to
	}
}

// startsWord says whether a name's word begins at at: not inside of a longer
// word of lower-case letters, as in "compassword".
func startsWord(s string, at int) bool {
	if at == 0 || !alnum.has(s[at]) || !alnum.has(s[at-1]) || escaped(s, at) {
		return true
	}
	return upper.has(s[at]) && lower.has(s[at-1]) || upper.has(s[at-1]) && upper.has(s[at]) || digit.has(s[at-1]) || shortLead(s, at)
}

// shortLead allows words glued to a lead of lower-case letters: dbpassword,
// mytoken, clientsecret.
func shortLead(s string, at int) bool {
	from := lower.back(s, at, 16)
	switch s[from:at] {
	case "db", "my", "user", "client", "auth", "access", "refresh", "bot", "api", "admin", "root", "http", "smtp", "ftp", "mail", "web", "app", "session", "shared", "old", "new", "vault", "pg", "mysql", "redis", "x", "id", "o", "the", "csrf", "github", "gitlab", "slack", "npm", "aws", "azure", "gcp", "login", "sudo", "ssh", "key", "trust", "store", "keystore":
		return from == 0 || !alnum.has(s[from-1])
	}
	return false
}

func innocently(name, word string) bool {
	for _, e := range innocent {
		if strings.HasSuffix(name, e) && len(e) <= len(name) && !strings.HasSuffix(word, e) {
			return true
		}
	}
	return strings.HasPrefix(name, "public") || strings.HasPrefix(name, "no_") || strings.HasPrefix(name, "has_") || strings.HasPrefix(name, "is_") || strings.HasPrefix(name, "num_") || strings.Contains(name, "keyboard") || strings.Contains(name, "keyword")
}

// valueAfter returns the value of the name s[begin:end]: behind a separator, in
// quotes or up to a delimiter, in the next line where the separator ends its
// own.
func (t *scanner) valueAfter(begin, end int) (from, to int, quoted, ok bool) {
	s := t.s
	i := end
	for i < len(s) && i-end < 4 && (strings.IndexByte("\"'`])", s[i]) >= 0 || s[i] == '\\' && i+1 < len(s) && s[i+1] == '"') {
		i++
	}
	closed := i > end
	i = blank.run(s, i)
	sep := i
	for i < len(s) && i-sep < 3 && strings.IndexByte(":=>,", s[i]) >= 0 {
		i++
	}
	switch s[sep:i] {
	case ":", "=", ":=", "=>":
	case ",":
		if !closed {
			return 0, 0, false, false
		}
		i = blank.run(s, i)
		return t.value(i)
	case "":
		if !strings.HasPrefix(s[begin:end], "--") || sep == end {
			return 0, 0, false, false
		}
	default:
		return 0, 0, false, false
	}
	bare := s[sep:i] == ":"
	i = blank.run(s, i)
	if block := yamlBlock.run(s, i); block > i {
		i, bare = block, false
	}
	if strings.HasPrefix(strings.TrimPrefix(s[i:min(len(s), i+2)], "\r"), "\n") {
		if i, ok = t.nextLine(begin, i, bare); !ok {
			return 0, 0, false, false
		}
	}
	return t.value(i)
}

// nextLine returns where the value stands of a name whose separator ends its
// line and whose value has the next line to itself. A bare colon ends many other
// lines: the name must begin its line then.
func (t *scanner) nextLine(begin, at int, bare bool) (int, bool) {
	lead := t.s[max(0, begin-40):begin]
	lead = lead[strings.LastIndexByte(lead, '\n')+1:]
	if bare && strings.Trim(lead, " \t\"'-") != "" {
		return 0, false
	}
	line := at + strings.IndexByte(t.s[at:], '\n') + 1
	i := blank.run(t.s, line)
	_, to, _, ok := t.value(i)
	rest := t.s[to:min(len(t.s), to+8)]
	rest, _, _ = strings.Cut(rest, "\n")
	return i, ok && i > line && strings.Trim(rest, " \t\r\"',;") == ""
}

// value reads the value that begins at i.
func (t *scanner) value(i int) (from, to int, quoted, ok bool) {
	s := t.s
	for _, lead := range []string{"!!binary ", "str(", "b\"", "b'", "f\"", "r\"", "u\"", "u'", "Bearer ", "bearer ", "Basic ", "token "} {
		if strings.HasPrefix(s[i:], lead) {
			i += len(strings.TrimRight(lead, "\"'"))
			break
		}
	}
	if i >= len(s) {
		return 0, 0, false, false
	}
	open := ""
	for _, q := range []string{`\"`, `"""`, `"`, `'`, "`"} {
		if strings.HasPrefix(s[i:], q) {
			open = q
			break
		}
	}
	from = i + len(open)
	to = quotedEnd(s, from, min(len(s), from+maxJudged), open)
	if open == "" {
		for to > i && strings.IndexByte(".:?!", s[to-1]) >= 0 {
			to--
		}
	}
	return from, to, open != "", to > from
}

// maxJudged is how much of a value is looked at to decide whether it is a
// secret, in bytes.
const maxJudged = 512

// valueEnd returns where a value ends of which s[from:to] was looked at.
func (t *scanner) valueEnd(from, to int, quoted bool) int {
	if to-from < maxJudged-4 {
		return to
	}
	open := ""
	if quoted {
		open = t.s[from-1 : from]
	}
	return quotedEnd(t.s, from, len(t.s), open)
}

// quotedEnd returns where a value ends that begins at from: at the quote that
// opened it or at the end of the line, and without a quote at a delimiter.
func quotedEnd(s string, from, limit int, open string) int {
	to := from
	for to < limit {
		switch {
		case open == "":
			if strings.IndexByte(" \t\r\n\"'`,;&<>)}|", s[to]) >= 0 || literalEscape(s, to) {
				return to
			}
		case strings.HasPrefix(s[to:], open), s[to] == '\n' && len(open) < 3:
			return to
		case open == `"` && s[to] == '\\' && to+1 < limit:
			to++
		}
		to++
	}
	return limit
}

// literalEscape says whether a backslash and a letter at i stand for a line's
// end or a quote inside of a longer literal.
func literalEscape(s string, i int) bool {
	return s[i] == '\\' && i+1 < len(s) && strings.IndexByte("nrt\"'", s[i+1]) >= 0
}

// proseAfter says whether the line goes on with words behind a value, as a
// sentence does.
func (t *scanner) proseAfter(at int) bool {
	next := blank.run(t.s, at)
	return next > at && next < len(t.s) && letter.has(t.s[next])
}

// secretValue decides whether v is a secret, given to a name that promises one.
func secretValue(v, name string, s strength, quoted, prose bool) bool {
	if len(v) < 4 || placeholder(v) || !quoted && code(v) || strings.HasPrefix(v, "http://") || strings.HasPrefix(v, "https://") && !strings.Contains(v, "hooks") {
		return false
	}
	if quoted && strings.Count(v, " ") > 2 && s < strong {
		return false // a sentence
	}
	if s > weak && random(v) {
		return true
	}
	switch s {
	case strong:
		return strongValue(v, quoted, prose)
	case medium:
		if uuid(v) {
			return strings.Contains(name, "secret") || strings.Contains(name, "token")
		}
		if pathLike(v) || digit.only(v) || len(v) < 8 || screaming(v) {
			return false
		}
		return digit.any(v) && letter.any(v) && (quoted || !word.only(v) || digits3(v)) || len(v) >= 20 && mixed(v) && entropy(v) > 3.5 && !strings.Contains(v, " ") && !camelWords(v)
	}
	return random(v) && entropy(v) >= 3.5 && !uuid(v) && !hash(v)
}

// strongValue decides for names such as password.
func strongValue(v string, quoted, prose bool) bool {
	plain := letter.only(v)
	switch {
	case quoted:
		return strings.Count(v, " ") < 5 || digit.any(v)
	case plain && prose, plain && !lower.any(v):
		return false // a sentence, or a constant
	case plain:
		return len(v) >= 6 && !camel(v)
	case strings.HasPrefix(v, "-"), pathLike(v) && !digit.any(v):
		return false
	case digit.only(v):
		return len(v) >= 4 && v != "0000"
	}
	return true
}

// camel says whether a word is written likeThis, as names in code are.
func camel(v string) bool { return lower.has(v[0]) && upper.any(v) && !digit.any(v) }

// camelWords says whether a value without digits is made of words, as names in
// code are: its runs of lower-case letters are long.
func camelWords(v string) bool {
	if digit.any(v) {
		return false
	}
	runs, length := 0, 0
	for i := range len(v) {
		if lower.has(v[i]) {
			length++
			if i == 0 || !lower.has(v[i-1]) {
				runs++
			}
		}
	}
	return runs > 0 && length >= 3*runs
}

// screaming says whether v is a constant's name.
func screaming(v string) bool {
	return constant.only(v) && strings.ContainsAny(v, "_-") && !digits3(v)
}

// hash says whether v has the length of a commit or a checksum.
func hash(v string) bool {
	return hexChars.only(v) && (len(v) == 40 || len(v) == 64 || len(v) == 32)
}

var (
	secretChars = set(digits + letters + "+/=_-.~")
	yamlBlock   = set("|>-+")
	constant    = set(uppers + digits + "_-")
)

// nearbyBytes is how far behind the word for a secret a value may stand in
// running text.
const nearbyBytes = 64

// nearby looks for a random value in the words that follow one like "token".
func (t *scanner) nearby(at int) {
	end := min(len(t.s), at+nearbyBytes)
	if nl := strings.IndexByte(t.s[at:end], '\n'); nl >= 0 {
		end = at + nl
	}
	for i := at; i < end; {
		if !secretChars.has(t.s[i]) {
			i++
			continue
		}
		to := secretChars.run(t.s, i)
		v := strings.TrimRight(t.s[i:to], ".=-")
		if len(v) >= 20 && random(v) && entropy(v) >= 3.5 && !hash(v) && !uuid(v) && !code(v) && mixedThree(v) {
			t.drop(i, i+len(v))
		}
		i = to
	}
}

// mixedThree says whether v has digits and letters of both cases, or is hex.
func mixedThree(v string) bool {
	return digits3(v) && (upper.any(v) && lower.any(v) || hexChars.only(v))
}
