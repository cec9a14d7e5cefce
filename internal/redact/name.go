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
// lower case, with what they promise (contribsys is Sidekiq's in Bundler's settings).
var secretNames = []struct {
	strength
	words string // divided by commas
}{
	{strong, `password, passwd, passphrase, passwort, contraseña, contribsys, storepass, keypass, sshpass, _pw, _pass, dbpass,
		userpass`},
	{medium, `pwd, secret, token, api key, access key, private key, auth key, encryption key, signing key, master key, account key,
		storage key, session key, deploy key, app key, service key`},
	{weak, `license key, credential, auth, authorization, _pat, webhook, _key, -key, cookie, client_srt, salt, pin_code, otp,
		hmac, bearer, _dsn`},
}

// innocent are the endings of names that are about a secret without holding
// one.
var innocent = []string{
	"_id", "-id", "id", "_ids", "_name", "name", "_names", "_url", "-url", "url", "_uri", "uri", "_path", "-path", "path", "_file", "file", "_dir", "_length", "length", "_len", "_size", "size", "_type", "type", "_count", "count",
	"_version", "version", "_field", "field", "_param", "_header", "header", "_prefix", "prefix", "_suffix", "_format", "_regex", "_pattern", "_policy", "_provider", "_manager", "_store", "_env", "_var", "_index", "_limit", "_budget", "_usage", "_hint", "_label", "_title", "_placeholder", "_expiry", "_expires", "_expires_in", "_expiration", "_ttl", "_timeout", "_enabled", "_required", "_exists", "_algorithm", "_endpoint", "_arn", "_ref", "_vault", "_rotation",
	"public_key", "publickey", "public-key", "publictoken", "public_token", "primary_key", "foreign_key", "sort_key", "partition_key", "cache_key", "cache-key", "hash_key", "bucket_key", "schema_key", "host_key", "object_key", "idempotency_key", "map_key", "json_key",
	"primarykey", "foreignkey", "sortkey", "partitionkey", "cachekey", "hashkey", "bucketkey", "schemakey", "hostkey", "objectkey", "idempotencykey", "mapkey", "storagekey", "querykey", "rowkey",
	"max_tokens", "input_tokens", "output_tokens", "total_tokens", "maxtokens", "pre_tokens", "pretokens", "tokens", "keyid", "keys",
}

// startsWord says whether a name's word begins at at: not inside of a longer
// word of lower-case letters, as in "compassword".
func startsWord(s string, at int) bool {
	if at == 0 || !alnum.has(s[at]) || !alnum.has(s[at-1]) || escaped(s, at) {
		return true
	}
	return upper.has(s[at]) && lower.has(s[at-1]) || upper.has(s[at-1]) && upper.has(s[at]) || digit.has(s[at-1]) || shortLead(s, at)
}

// endsWord says whether a name's word ends at end: not inside of a longer word,
// as in "tokenizer" or "keying".
func endsWord(s string, end int) bool {
	if end >= len(s) || !lower.has(s[end]) || !lower.has(s[end-1]) {
		return true
	}
	rest := s[end:lower.run(s[:min(len(s), end+12)], end)]
	switch rest {
	case "s", "key", "keys", "value", "text", "string", "secret", "token", "hash", "word", "phrase", "code", "data", "store", "accesskey", "env", "file", "base":
		return true
	}
	return false
}

// shortLead allows words glued to a lead of lower-case letters: dbpassword,
// mytoken, clientsecret.
func shortLead(s string, at int) bool {
	from := lower.back(s, at, 16)
	switch s[from:at] {
	case "db", "my", "user", "client", "auth", "access", "refresh", "bot", "api", "admin", "root", "http", "smtp", "ftp", "mail", "web", "app", "session", "shared", "old", "new", "vault", "pg", "mysql", "redis", "x", "id", "o", "the", "csrf", "github", "gitlab", "slack", "npm", "aws", "azure", "gcp", "login", "sudo", "ssh", "key", "trust", "store", "keystore", "rapid":
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
	return strings.HasPrefix(name, "public") || strings.HasPrefix(name, "no_") || strings.HasPrefix(name, "has_") || strings.HasPrefix(name, "is_") || strings.HasPrefix(name, "num_") || strings.Contains(name, "publishable") || strings.Contains(name, "keyboard") || strings.Contains(name, "keyword")
}
