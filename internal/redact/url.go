package redact

import "strings"

// urlRules redact credentials in addresses: scheme://user:password@host.
func urlRules() []rule { return []rule{{text: "://", find: (*scanner).url}} }

// maxAddress is how much of an address is looked at, in bytes.
const maxAddress = 2048

var schemeChars = set(digits + letters + "+.-")

func (t *scanner) url(at int) int {
	from := at + 3
	if schemeChars.back(t.s, at, 24) == at {
		return from
	}
	to := from
	limit := min(len(t.s), from+maxAddress)
	for to < limit && strings.IndexByte(" \t\r\n\"'`<>|", t.s[to]) < 0 && !literalEscape(t.s, to) {
		to++
	}
	info := userInfo(t.s[from:to])
	if info <= 0 {
		return to
	}
	user, pass, both := strings.Cut(t.s[from:from+info], ":")
	switch {
	case both && pass != "" && !dummyLogin(user, pass):
		t.drop(from, from+info)
	case (!both || pass == "") && (random(user) || len(user) >= 32) && !placeholder(user):
		t.drop(from, from+len(user))
	}
	return from + info
}

// userInfo returns the length of what stands before the host's "@" in an
// address without its scheme, or 0. A password may hold any character, also
// "@" and "/".
func userInfo(rest string) int {
	authority := rest
	if i := strings.IndexAny(rest, "/?#"); i >= 0 {
		authority = rest[:i]
	}
	if at := strings.LastIndexByte(authority, '@'); at >= 0 {
		return at
	}
	colon := strings.IndexByte(authority, ':')
	at := strings.IndexByte(rest, '@')
	if colon <= 0 || at < colon || strings.IndexByte(rest[at:], '.') < 0 && !strings.Contains(rest[at:], "localhost") {
		return 0
	}
	if port := digit.run(rest, colon+1); port == len(rest) || port == colon+1 && len(authority) == colon+1 || port > colon+1 && rest[port] == '/' {
		return 0
	}
	return at
}

// dummyLogin says whether user and password are placeholders.
func dummyLogin(user, pass string) bool {
	return placeholder(pass) && (placeholder(user) || !digit.any(pass)) || pass == "x-oauth-basic" && placeholder(user)
}

// headerRules redact the values of headers that carry credentials, as curl,
// logs and code show them.
func headerRules() []rule {
	var rules []rule
	for _, h := range []string{"authorization", "x-api-key", "api-key", "x-auth-token", "private-token", "job-token", "x-vault-token", "set-cookie", "cookie"} {
		rules = append(rules, rule{text: h, fold: true, find: func(t *scanner, at int) int { return t.header(at + len(h)) }})
	}
	for _, s := range []string{"bearer ", "basic ", "bearer%20"} {
		rules = append(rules, rule{text: s, fold: true, find: func(t *scanner, at int) int { return t.scheme(at, at+len(s)) }})
	}
	return rules
}

var credentialChars = set(digits + letters + "_-.+/=~")

// scheme redacts the credential behind the name of an authentication scheme.
func (t *scanner) scheme(at, from int) int {
	to := credentialChars.run(t.s, from)
	v := strings.TrimRight(t.s[from:to], ".")
	if at > 0 && alnum.has(t.s[at-1]) && !escaped(t.s, at) || len(v) < 12 || placeholder(v) || !(digit.any(v) && letter.any(v)) || pathLike(v) || code(v) {
		return to
	}
	t.drop(from, from+len(v))
	return to
}

func (t *scanner) header(at int) int {
	i := at
	for i < len(t.s) && strings.IndexByte("\"'\\` ]", t.s[i]) >= 0 && i-at < 4 {
		i++
	}
	if i >= len(t.s) || t.s[i] != ':' && t.s[i] != '=' && t.s[i] != ',' {
		return at
	}
	i++
	for i < len(t.s) && strings.IndexByte("\"'\\` ", t.s[i]) >= 0 {
		i++
	}
	for _, scheme := range []string{"bearer ", "basic ", "token ", "digest ", "negotiate ", "apikey ", "bot ", "aws4-hmac-sha256 "} {
		if strings.HasPrefix(t.low[i:], scheme) {
			i += len(scheme)
			break
		}
	}
	to := headerEnd(t.s, i, min(len(t.s), i+maxJudged))
	v := strings.TrimSpace(t.s[i:to])
	if len(v) < 8 || !digit.any(v) || placeholder(v) || code(v) || strings.Count(v, " ") > 3 && !strings.Contains(v, "=") {
		return at
	}
	to = headerEnd(t.s, to, len(t.s))
	t.drop(i, i+len(strings.TrimRight(t.s[i:to], " \t")))
	return to
}

// headerEnd returns where a header's value ends: with its line or its quotes.
func headerEnd(s string, from, limit int) int {
	to := from
	for to < limit && strings.IndexByte("\"'`\r\n<>{}", s[to]) < 0 && !literalEscape(s, to) {
		to++
	}
	return to
}
