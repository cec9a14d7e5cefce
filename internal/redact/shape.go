package redact

import (
	"encoding/base64"
	"strings"
)

// shapeRules find keys that have no prefix but a form of their own.
func shapeRules() []rule {
	rules := []rule{
		{text: "eyJ", find: (*scanner).webToken},
		{text: "ZXlK", find: (*scanner).wrappedToken},
		{text: "LS0tLS1CRUdJTi", find: (*scanner).wrappedBlock},
		{text: "kind", find: (*scanner).kubernetesSecret},
		{text: "Q~", find: (*scanner).azureSecret},
		{text: ":AA", find: (*scanner).botToken},
		{text: "s.", find: (*scanner).oldVaultToken},
		{text: ".atlasv1.", find: (*scanner).terraformToken},
		{text: "_mmk", find: (*scanner).maxmindKey},
		{text: ".acc_", find: (*scanner).authressKey},
		{text: ".acc-", find: (*scanner).authressKey},
	}
	for _, k := range dottedKeys {
		rules = append(rules, rule{text: k.prefix, find: func(t *scanner, at int) int { return t.dotted(k.prefix, k.parts, at) }})
	}
	for _, p := range []string{"hooks.slack.com/", "/api/webhooks/", "webhook.office.com/webhookb2/", "chat.googleapis.com/v1/spaces/", "api.telegram.org/bot"} {
		rules = append(rules, rule{text: p, find: func(t *scanner, at int) int { return t.webhook(at, at+len(p)) }})
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
	if !startsKey(t.s, at) {
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

// wrappedToken finds a web token in base64.
func (t *scanner) wrappedToken(at int) int {
	to := base64std.run(t.s, at)
	if startsKey(t.s, at) && to-at >= 40 {
		t.drop(at, to)
	}
	return to
}

// wrappedBlock finds a private key block in base64, as settings of clusters hold
// it. Certificates begin the same way.
func (t *scanner) wrappedBlock(at int) int {
	to := base64std.run(t.s, at)
	title, err := base64.StdEncoding.DecodeString(t.s[at : at+(min(to, at+64)-at)/4*4])
	if err == nil && strings.Contains(string(title), "PRIVATE KEY") {
		t.drop(at, to)
	}
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
	if n := to - at - 2; n < 20 || n > 40 || dummy(t.s[at+2:to]) || !startsKey(t.s, from) {
		return at + 1
	}
	t.drop(from, to)
	return to
}

// webhook redacts an address that is a credential in itself, all of it.
func (t *scanner) webhook(at, from int) int {
	to := addressChars.run(t.s, from)
	path := t.s[from:to]
	if len(path) < 16 || !digit.any(path) || dummy(path) {
		return to
	}
	t.drop(addressChars.back(t.s, at, 80), to)
	return to
}

// dottedKeys are keys whose parts are joined by full stops, with the lengths
// that the parts have at least.
var dottedKeys = []struct {
	prefix string
	parts  []int
}{
	{"pat", []int{14, 64}},      // Airtable
	{"pat.", []int{22, 24, 20}}, // Harness
	{"sat.", []int{22, 24, 20}}, // Harness
	{"pk.", []int{60, 22}},      // Mapbox
	{"sk.", []int{60, 22}},      // Mapbox
	{"dt0c01.", []int{24, 30}},  // Dynatrace
	{"t1.", []int{24, 60}},      // Yandex
}

func (t *scanner) dotted(prefix string, parts []int, at int) int {
	from := at + len(prefix)
	if !startsKey(t.s, at) {
		return from
	}
	to := from
	for i, n := range parts {
		if i > 0 {
			if to >= len(t.s) || t.s[to] != '.' {
				return to
			}
			to++
		}
		end := partChars.run(t.s, to)
		if end-to < n {
			return to
		}
		to = end
	}
	if dummy(t.s[from:to]) {
		return to
	}
	t.drop(at, to)
	return to
}

var partChars = set(digits + letters + "_-=")

// terraformToken finds 14 characters, ".atlasv1." and 60 more.
func (t *scanner) terraformToken(at int) int {
	from := alnum.back(t.s, at, 14)
	to := partChars.run(t.s, at+len(".atlasv1."))
	if to-at < 30 {
		return to
	}
	t.drop(from, to)
	return to
}

// maxmindKey finds 6 characters, "_", 29 characters and "_mmk".
func (t *scanner) maxmindKey(at int) int {
	from, to := at-36, at+len("_mmk")
	if from >= 0 && t.s[at-30] == '_' && alnum.only(t.s[from:at-30]) && alnum.only(t.s[at-29:at]) {
		t.drop(from, to)
	}
	return to
}

// authressKey finds a client's name, a key's name, ".acc-", an account and a
// secret.
func (t *scanner) authressKey(at int) int {
	from, to := nameChars.back(t.s, at, 64), credentialChars.run(t.s, at)
	if to-at < 40 || !digit.any(t.s[at:to]) {
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

// appToken finds an application's number, 15 or 16 digits, "|" and its secret, as
// Facebook writes them.
func (t *scanner) appToken(at int) {
	from, to := digit.back(t.s, at, 17), base64url.run(t.s[:min(len(t.s), at+48)], at+1)
	if n := at - from; (n == 15 || n == 16) && to-at > 26 {
		t.drop(from, to)
	}
}

const oldVaultLength = 24

// oldVaultToken finds "s." and 24 characters of both cases with digits.
func (t *scanner) oldVaultToken(at int) int {
	to := alnum.run(t.s, at+2)
	body := t.s[at+2 : to]
	if len(body) != oldVaultLength || !startsKey(t.s, at) || at > 0 && t.s[at-1] == '.' || !digits3(body) && (!upper.any(body) || !lower.any(body) || camelWords(body)) {
		return at + 1
	}
	t.drop(at, to)
	return to
}
