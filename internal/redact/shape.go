package redact

import "strings"

// shapeRules find keys that have no prefix but a form of their own.
func shapeRules() []rule {
	rules := []rule{
		{text: "eyJ", find: (*scanner).webToken},
		{text: "Q~", find: (*scanner).azureSecret},
		{text: ":AA", find: (*scanner).botToken},
		{text: "s.", find: (*scanner).oldVaultToken},
	}
	for _, p := range []string{"hooks.slack.com/", "/api/webhooks/", "webhook.office.com/webhookb2/", "chat.googleapis.com/v1/spaces/", "api.telegram.org/bot"} {
		rules = append(rules, rule{text: p, find: func(t *scanner, at int) int { return t.webhook(at + len(p)) }})
	}
	for _, p := range []string{"sig=", "signature=", "x-amz-credential=", "x-amz-security-token="} {
		rules = append(rules, rule{text: p, fold: true, find: func(t *scanner, at int) int { return t.signedQuery(at, at+len(p)) }})
	}
	return rules
}

var (
	tokenChars   = set(digits + letters + "_-.+/=")
	azureChars   = set(digits + letters + "_~.-")
	addressChars = set(digits + letters + "_-./:@%=&?")
	queryChars   = set(digits + letters + "_-./%=+~")
)

// webToken finds JSON web tokens and what else begins with base64 of `{"`.
func (t *scanner) webToken(at int) int {
	if at > 0 && alnum.has(t.s[at-1]) && !escaped(t.s, at) {
		return at + 1
	}
	to := tokenChars.run(t.s, at)
	for to > at && t.s[to-1] == '.' {
		to--
	}
	run := t.s[at:to]
	if len(run) < 16 || !strings.Contains(run, ".") && len(run) < 40 && !brokenOff(t.s, to) || dummy(run[3:]) {
		return to
	}
	t.drop(at, to)
	return to
}

// azureSecret finds client secrets: three characters, a digit, "Q~", and 31 to
// 34 more.
func (t *scanner) azureSecret(at int) int {
	from := at - 4
	if from < 0 || !digit.has(t.s[at-1]) || !azureChars.only(t.s[from:at-1]) {
		return at + 1
	}
	to := azureChars.run(t.s[:min(len(t.s), at+64)], at+2)
	for to > at && t.s[to-1] == '.' {
		to--
	}
	if n := to - at - 2; n < 20 || n > 40 || dummy(t.s[at+2:to]) || from > 0 && azureChars.has(t.s[from-1]) {
		return at + 1
	}
	t.drop(from, to)
	return to
}

// webhook redacts the rest of an address that is a credential in itself.
func (t *scanner) webhook(from int) int {
	to := addressChars.run(t.s, from)
	path := t.s[from:to]
	if len(path) < 16 || !digit.any(path) || dummy(path) {
		return to
	}
	t.drop(from, to)
	return to
}

// signedQuery redacts the signature of a signed address.
func (t *scanner) signedQuery(at, from int) int {
	if at == 0 || t.s[at-1] != '?' && t.s[at-1] != '&' && t.s[at-1] != ';' && t.s[at-1] != '-' {
		return from
	}
	to := queryChars.run(t.s, from)
	if to-from < 8 || dummy(t.s[from:to]) {
		return to
	}
	t.drop(from, to)
	return to
}

// botToken finds Telegram's tokens: eight or more digits, ":AA", 33 characters.
func (t *scanner) botToken(at int) int {
	from, to := digit.back(t.s, at, 12), base64url.run(t.s[:min(len(t.s), at+64)], at+1)
	if at-from < 8 || to-at < 30 || to-at > 40 {
		return at + 1
	}
	t.drop(from, to)
	return to
}

// oldVaultToken finds "s." and 24 characters of both cases with digits.
func (t *scanner) oldVaultToken(at int) int {
	to := alnum.run(t.s, at+2)
	body := t.s[at+2 : to]
	if len(body) != 24 || at > 0 && (nameChars.has(t.s[at-1]) && !escaped(t.s, at)) || !digit.any(body) || !upper.any(body) || !lower.any(body) {
		return at + 1
	}
	t.drop(at, to)
	return to
}
