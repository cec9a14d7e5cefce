package redact

import "strings"

// urls redacts credentials in addresses: scheme://user:password@host.
func (t *scanner) urls() {
	each(t.s, "://", func(at int) int {
		if set(digits+letters+"+.-").back(t.s, at, 24) == at {
			return at + 3
		}
		from := at + 3
		to := from
		for to < len(t.s) && strings.IndexByte(" \t\r\n\"'`<>|", t.s[to]) < 0 && !literalEscape(t.s, to) {
			to++
		}
		info := userInfo(t.s[from:to])
		if info <= 0 {
			return from
		}
		user, pass, both := strings.Cut(t.s[from:from+info], ":")
		switch {
		case both && pass != "" && !dummyLogin(user, pass):
			t.drop(from, from+info)
		case (!both || pass == "") && (random(user) || len(user) >= 32) && !placeholder(user):
			t.drop(from, from+len(user))
		}
		return from + info
	})
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

// headers redacts the values of headers that carry credentials, as curl, logs
// and code show them.
func (t *scanner) headers() {
	for _, h := range []string{"authorization", "x-api-key", "api-key", "x-auth-token", "private-token", "job-token", "x-vault-token", "x-amz-security-token", "proxy-authorization", "set-cookie", "cookie"} {
		each(t.low, h, func(at int) int { return t.header(at + len(h)) })
	}
	for _, scheme := range []string{"bearer ", "basic ", "bearer%20"} {
		each(t.low, scheme, func(at int) int {
			from := at + len(scheme)
			to := set(digits+letters+"_-.+/=~").run(t.s, from)
			v := strings.TrimRight(t.s[from:to], ".")
			if at > 0 && alnum.has(t.s[at-1]) || len(v) < 12 || placeholder(v) || !(digit.any(v) && set(letters).any(v)) || pathLike(v) || code(v) {
				return from
			}
			t.drop(from, from+len(v))
			return to
		})
	}
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
	to := i
	for to < len(t.s) && strings.IndexByte("\"'`\r\n<>{}", t.s[to]) < 0 && !literalEscape(t.s, to) {
		to++
	}
	v := strings.TrimSpace(t.s[i:to])
	if len(v) < 8 || placeholder(v) || code(v) || !digit.any(v) || strings.Count(v, " ") > 3 && !strings.Contains(v, "=") {
		return at
	}
	t.drop(i, i+len(v))
	return to
}
