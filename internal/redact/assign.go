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
	{"password", strong}, {"passwd", strong}, {"passphrase", strong}, {"passwort", strong}, {"contraseña", strong}, {"pwd", medium},
	{"secret", medium}, {"token", medium}, {"apikey", medium}, {"api_key", medium}, {"api-key", medium}, {"api key", medium},
	{"access_key", medium}, {"accesskey", medium}, {"access-key", medium}, {"access key", medium}, {"private_key", medium}, {"privatekey", medium}, {"private-key", medium}, {"private key", medium},
	{"auth_key", medium}, {"authkey", medium}, {"auth-key", medium}, {"encryption_key", medium}, {"encryptionkey", medium}, {"signing_key", medium}, {"signingkey", medium}, {"master_key", medium}, {"masterkey", medium},
	{"account_key", medium}, {"accountkey", medium}, {"sharedaccesskey", medium}, {"account-key", medium}, {"storage_key", medium}, {"session_key", medium}, {"license_key", weak}, {"deploy_key", medium}, {"app_key", medium}, {"appkey", medium}, {"service_key", medium}, {"servicekey", medium},
	{"credential", weak}, {"_auth", weak}, {"authorization", weak}, {"sessionid", weak}, {"session_id", weak}, {"_pat", weak}, {"_pass", strong}, {"dbpass", strong}, {"userpass", strong}, {"webhook", weak}, {"_key", weak}, {"-key", weak}, {"cookie", weak}, {"client_srt", weak}, {"salt", weak}, {"pin_code", weak}, {"otp", weak}, {"hmac", weak}, {"bearer", weak}, {"_dsn", weak},
}

// innocent are the endings of names that are about a secret without holding
// one.
var innocent = []string{
	"_id", "-id", "id", "_ids", "_name", "name", "_names", "_url", "-url", "url", "_uri", "uri", "_path", "-path", "path", "_file", "file", "_dir", "_length", "length", "_len", "_size", "size", "_type", "type", "_count", "count",
	"_version", "version", "_field", "field", "_param", "_header", "header", "_prefix", "prefix", "_suffix", "_format", "_regex", "_pattern", "_policy", "_provider", "_manager", "_store", "_env", "_var", "_index", "_limit", "_budget", "_usage", "_hint", "_label", "_title", "_placeholder", "_expiry", "_expires", "_expires_in", "_expiration", "_ttl", "_timeout", "_enabled", "_required", "_exists", "_algorithm", "_endpoint", "_arn", "_ref", "_vault", "_rotation",
	"public_key", "publickey", "public-key", "publictoken", "public_token", "primary_key", "foreign_key", "sort_key", "partition_key", "cache_key", "cache-key", "hash_key", "bucket_key", "schema_key", "host_key", "object_key", "idempotency_key", "map_key", "json_key",
	"max_tokens", "input_tokens", "output_tokens", "total_tokens", "maxtokens", "pre_tokens", "pretokens", "tokens", "keyid", "keys",
}

// assignments finds values given to names that say they are secret, in
// configuration, code, environments, headers, flags and JSON.
func (t *scanner) assignments() {
	done := 0 // end of what was taken
	for _, n := range secretNames {
		each(t.low, n.word, func(at int) int {
			end := at + len(n.word)
			if n.word[0] >= 'a' && n.word[0] <= 'z' && !startsWord(t.s, at) {
				return end
			}
			name := nameChars.run(t.s, end)
			full := strings.TrimRight(t.low[nameChars.back(t.s, at, 64):name], "-.")
			if name-end > 40 || innocently(full, n.word) {
				return end
			}
			from, to, quoted, ok := t.valueAfter(name)
			if ok && secretValue(t.s[from:to], full, n.strength, quoted, t.proseAfter(to)) {
				t.drop(from, to)
				done = to
				return max(end, done)
			}
			if !ok && n.strength >= medium {
				t.nearby(name)
			}
			return end
		})
	}
}

// startsWord says whether a name's word begins at at: not inside of a longer
// word of lower-case letters, as in "compassword".
func startsWord(s string, at int) bool {
	if at == 0 || !alnum.has(s[at-1]) || escaped(s, at) {
		return true
	}
	return upper.has(s[at]) && lower.has(s[at-1]) || upper.has(s[at-1]) && upper.has(s[at]) || digit.has(s[at-1]) || shortLead(s, at)
}

// shortLead allows words glued to a lead of lower-case letters: dbpassword,
// mytoken, clientsecret.
func shortLead(s string, at int) bool {
	from := set(lowers).back(s, at, 16)
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

// valueAfter returns the value that belongs to the name that ends at at: behind
// a separator, in quotes or up to a delimiter, in the next line where the
// separator ends its line.
func (t *scanner) valueAfter(at int) (from, to int, quoted, ok bool) {
	s := t.s
	i := at
	flag := strings.HasPrefix(s[set(digits+letters+"_-").back(s, at, 64):at], "--")
	for i < len(s) && (s[i] == '"' || s[i] == '\'' || s[i] == '`' || s[i] == '\\' && i+1 < len(s) && s[i+1] == '"' || s[i] == ']' || s[i] == ')') && i-at < 4 {
		i++
	}
	i = blank.run(s, i)
	sep := i
	for i < len(s) && i-sep < 3 && strings.IndexByte(":=>,|?", s[i]) >= 0 {
		i++
	}
	switch op := s[sep:i]; {
	case op == "" && flag && sep > at:
	case op == "" || op == "==" || op == "===" || op == "=>" && false || strings.HasPrefix(op, ">") || op == "|" || op == "?" || op == "::":
		return 0, 0, false, false
	case op == "," && !(sep > 0 && (s[sep-1] == '"' || s[sep-1] == '\'')):
		return 0, 0, false, false
	}
	if i == at {
		i = blank.run(s, i)
	}
	i = blank.run(s, i)
	if nl := strings.TrimLeft(s[i:min(len(s), i+3)], "|>-"); i < len(s) && (s[i] == '|' || s[i] == '>') && strings.HasPrefix(nl, "\n") {
		i += strings.IndexByte(s[i:], '\n') // YAML block
	}
	if lineEnd := set("\r").run(s, i); lineEnd < len(s) && s[lineEnd] == '\n' && s[sep:max(sep, i)] != "" {
		next := blank.run(s, lineEnd+1)
		if next == lineEnd+1 {
			return 0, 0, false, false // not indented: another statement
		}
		i = next
	}
	return t.value(i)
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
	if open == "" {
		to := i
		for to < len(s) && strings.IndexByte(" \t\r\n\"'`,;&<>)}|", s[to]) < 0 && !literalEscape(s, to) {
			to++
		}
		for to > i && strings.IndexByte(".:?!", s[to-1]) >= 0 {
			to--
		}
		return i, to, false, to > i
	}
	from = i + len(open)
	for to = from; to < len(s); to++ {
		if strings.HasPrefix(s[to:], open) {
			return from, to, true, to > from
		}
		if s[to] == '\n' && len(open) < 3 || open == `"` && s[to] == '\\' && to+1 < len(s) {
			if s[to] == '\n' {
				break
			}
			to++
		}
	}
	return from, min(to, len(s)), true, to > from
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
	return next > at && next < len(t.s) && set(letters).has(t.s[next])
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
		return digit.any(v) && set(letters).any(v) && (quoted || !word.only(v) || digits3(v)) || len(v) >= 20 && mixed(v) && entropy(v) > 3.5 && !strings.Contains(v, " ")
	}
	return random(v) && entropy(v) >= 3.5 && !uuid(v) && !hash(v)
}

// strongValue decides for names such as password.
func strongValue(v string, quoted, prose bool) bool {
	plain := set(letters).only(v)
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

// screaming says whether v is a constant's name.
func screaming(v string) bool {
	return set(uppers+digits+"_-").only(v) && strings.ContainsAny(v, "_-") && !digits3(v)
}

// hash says whether v has the length of a commit or a checksum.
func hash(v string) bool {
	return hexChars.only(v) && (len(v) == 40 || len(v) == 64 || len(v) == 32)
}

// nearbyBytes is how far behind the word for a secret a value may stand in
// running text.
const nearbyBytes = 64

// nearby looks for a random value in the words that follow one like "token".
func (t *scanner) nearby(at int) {
	end := min(len(t.s), at+nearbyBytes)
	if nl := strings.IndexByte(t.s[at:end], '\n'); nl >= 0 {
		end = at + nl
	}
	chars := set(digits + letters + "+/=_-.~")
	for i := at; i < end; {
		if !chars.has(t.s[i]) {
			i++
			continue
		}
		to := chars.run(t.s, i)
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
