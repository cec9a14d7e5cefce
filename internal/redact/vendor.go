package redact

import "strings"

// keyForm is a form that keys have, of whatever vendor.
type keyForm struct {
	prefixes string // divided by spaces
	chars    class  // of the rest
	min      int    // length of the rest, at least
	full     int    // length of the rest if it is always the same, else 0
}

// keyForms lists keys by prefix. A minimum is lower than what the vendor issues
// wherever the prefix is telling: output is often cut, and a part of a key is not
// for storing either.
var keyForms = []keyForm{
	{"AKIA ASIA", upperNum, 12, 16}, // AWS
	{"ABIA ACCA", upperNum, 14, 16},
	{"AGE-SECRET-KEY-1", upperNum, 16, 58}, // age
	{"A3T", upperNum, 17, 17},
	{"API-", upperNum, 26, 26},   // Octopus Deploy
	{"whsec_", base64std, 12, 0}, // Stripe
	{"glc_", base64std, 28, 0},
	{"ABSK ops_eyJ fm1a_ fm1r_ fm2_", base64std, 40, 0},
	{"xoxb- xoxp- xoxa- xoxr- xoxs- xoxe- xoxc- xapp- sk-ant- sk-proj- sk-svcacct- sk-admin-", base64url, 8, 0},
	{"GR1348941 dckr_pat_ dckr_oat_ tskey-", base64url, 10, 0},
	{"GOCSPX-", base64url, 10, 28}, // Google
	{"bedrock-api-key- sk-or- sk-lf- hvs. hvb. hvr. sq0atp- sb_secret_ FLWSECK", base64url, 12, 0},
	{"sq0csp-", base64url, 12, 43},
	{"tgp_v1_ nvapi- tvly- pypi- figd_ figdr_", base64url, 16, 0},
	{"xoxo- NRII- cfut_ cfat_", base64url, 20, 0},
	{"AIza", base64url, 20, 35}, // Google
	{"PMAK- HRKU-", base64url, 24, 0},
	{"fo1_ sha256~", base64url, 24, 43},
	{"tk-us-", base64url, 24, 48},
	{"1//0 AQVN", base64url, 30, 0},
	{"EAAA", base64url, 40, 0},
	{"v1.0-", base64url, 60, 0},
	{"sk_live_ sk_test_ rk_live_ rk_test_ sk_prod_ rk_prod_", alnum, 8, 0},
	{"ghp_ gho_ ghu_ ghs_ ghr_", alnum, 10, 36}, // GitHub
	{"lin_api_ lin_oauth_ rzp_live_ rzp_test_", alnum, 12, 0},
	{"LTAI", alnum, 12, 20}, // Alibaba
	{"gsk_ pplx- NRAK- NRJS- access_token$production$ dp.pt. dp.ct.", alnum, 16, 0},
	{"sm_aat_ sm_pat_ sm_sat_", alnum, 16, 16},
	{"xai- r8_ fw_ jina_ sk-", alnum, 20, 0},
	{"_gitlab_session=", alnum, 20, 32},
	{"hf_ api_org_", alnum, 20, 34},
	{"npm_", alnum, 20, 36},
	{"CLOJARS_", alnum, 20, 60},
	{"csk- cargo_ ATBB BBDC- vercel_ vcp_", alnum, 24, 0},
	{"p8e-", alnum, 24, 32},
	{"pnu_", alnum, 24, 36},
	{"aio_", alnum, 26, 28},
	{"phc_ phx_ ddp_ sk_ patx", alnum, 32, 0},
	{"cio ico-", alnum, 32, 32},
	{"bkua_", alnum, 32, 40},
	{"rdme_", alnum, 32, 70},
	{"secret_", alnum, 36, 0},
	{"4b1d", alnum, 38, 38},
	{"ntn_", alnum, 40, 46},
	{"EZAK EZTK", alnum, 40, 54},
	{"cmVmd", alnum, 59, 59},
	{"AKCp", alnum, 60, 0},
	{"EAAM EAAC EAAB", alnum, 80, 0},
	{"github_pat_", word, 10, 82}, // GitHub
	{"lsv2_", word, 16, 0},
	{"glsa_ CCIPAT_", word, 20, 0},
	{"re_ ngrok_", word, 24, 0},
	{"sgp_", word, 36, 0},
	{"glpat- gldt- glptt- glrt- glcbt- glft- glffct- gloas- glsoat- glagent- glimt- xoxe.", nameChars, 8, 0},
	{"ya29.", nameChars, 10, 0}, // Google
	{"dp.st.", nameChars, 16, 0},
	{"xoxd-", set(letters + digits + "_-%+/="), 8, 0},
	{"rubygems_", lowerHex, 16, 48},
	{"dapi", lowerHex, 32, 0},
	{"key-", lowerHex, 32, 32},
	{"oy2", set(lowers + digits), 43, 43},
	{"shpat_ shpss_ shpca_ shppa_", hexChars, 12, 32},
	{"dop_v1_ doo_v1_ dor_v1_", hexChars, 12, 64},
	{"sntryu_", hexChars, 16, 64},
	{"pul- sbp_ shippo_live_ shippo_test_", hexChars, 20, 40},
	{"s-s4t2ud- s-s4t2af-", hexChars, 20, 64},
	{"squ_ sqp_ sqa_", hexChars, 24, 40},
	{"live_", hexChars, 32, 0},
	{"SK", hexChars, 32, 32}, // Twilio
	{"ATATT3 ATCTT3", set(digits + letters + "_-="), 16, 0},
	{"dnkey-", set(digits + letters + "_-="), 20, 0},
	{"fio-u-", set(digits + letters + "_-="), 24, 0},
	{"duffel_", set(digits + letters + "_-="), 30, 0},
	{"sl.", set(digits + letters + "_-="), 60, 0}, // Dropbox
	{"sntrys_eyJ", set(digits + letters + "+/=_"), 16, 0},
	{"pscale_", set(digits + letters + "_-.="), 24, 0},
	{"tfp_", set(digits + letters + "_-.="), 32, 0},
	{"SG.", set(digits + letters + "_-.="), 40, 0},
	{"xkeysib-", set(digits + letters + "-"), 24, 0},
	{"FLWPUBK_TEST-", set(digits + letters + "-"), 30, 0},
	{"$2a$ $2b$ $2y$", set(digits + letters + "./$"), 50, 56}, // bcrypt
	{"A3-", set(uppers + digits + "-"), 30, 0},                // 1Password
}

// vendorKey is a key that its first characters give away.
type vendorKey struct {
	prefix string
	keyForm
}

// vendorKeys are the keys of all forms.
func vendorKeys() []vendorKey {
	var keys []vendorKey
	for _, form := range keyForms {
		for prefix := range strings.FieldsSeq(form.prefixes) {
			keys = append(keys, vendorKey{prefix, form})
		}
	}
	return keys
}

// vendorRules finds the keys of vendors.
func vendorRules() []rule {
	var rules []rule
	for _, k := range vendorKeys() {
		rules = append(rules, rule{text: k.prefix, find: func(t *scanner, at int) int {
			to, found := k.match(t.s, at)
			if found {
				t.drop(at, to)
				if k.chars == upperNum {
					t.otherHalf(to)
				}
			}
			return to
		}})
	}
	return rules
}

// otherHalf redacts the secret of 40 characters that stands behind an id of AWS.
func (t *scanner) otherHalf(at int) {
	limit := min(len(t.s), at+80)
	for i := at; i < limit; i++ {
		if !awsChars.has(t.s[i]) {
			continue
		}
		to := awsChars.run(t.s, i)
		if v := t.s[i:to]; len(v) == 40 && mixedThree(v) && !hash(v) {
			t.drop(i, to)
		}
		i = to
	}
}

var awsChars = set(digits + letters + "+/")

// match returns the end of what looks like a key at at, and whether it is one. A
// key that breaks off at the end of the text or before an ellipsis counts from
// four characters on; one of known length may go on in the next line.
func (k vendorKey) match(s string, at int) (to int, found bool) {
	if !startsKey(s, at) {
		return at, false
	}
	from := at + len(k.prefix)
	to = k.chars.run(s, from)
	body := s[from:to]
	if k.full > 0 && len(body) < k.full {
		if more := k.wrapped(s, to, k.full-len(body)); more > 0 {
			return more, true
		}
	}
	enough := len(body) >= k.min
	if !enough && len(k.prefix) >= 4 && len(body) >= 4 && brokenOff(s, to) && (joiner.any(k.prefix) || k.full > 0) {
		enough = digit.any(body)
	}
	if k.full > 0 && len(body) > k.full+8 || k.min == k.full && len(body) > k.full {
		return to, false // part of something larger
	}
	if !enough || dummy(body) || strings.HasSuffix(body, "EXAMPLE") || len(body) != k.full && !mixed(body) {
		return to, false
	}
	return to, true
}

var digit = set(digits)

// startsKey says whether a key may begin at at: not inside of a word. A hyphen
// before it may be of an option or of a difference between files, a full stop of a
// sentence.
func startsKey(s string, at int) bool {
	switch {
	case at == 0 || escaped(s, at):
		return true
	case s[at-1] == '-' || s[at-1] == '.':
		return at == 1 || !alnum.has(s[at-2])
	}
	return !word.has(s[at-1])
}

// escaped says whether at stands behind an escape such as \n in a quoted text.
func escaped(s string, at int) bool {
	return at >= 2 && s[at-2] == '\\' && strings.IndexByte("nrt", s[at-1]) >= 0
}

// brokenOff says whether a text was cut at to.
func brokenOff(s string, to int) bool {
	rest := s[to:]
	return rest == "" || strings.HasPrefix(rest, "...") || strings.HasPrefix(rest, ellipsis)
}

// wrapped returns the end of a key whose missing characters stand at the
// beginning of the next line, or 0.
func (k vendorKey) wrapped(s string, at, missing int) int {
	at = backslash.run(s, at)
	next := space.run(s, at)
	if next == at || strings.Count(s[at:next], "\n") != 1 || k.chars.run(s, next)-next != missing || dummy(s[next:next+missing]) {
		return 0
	}
	return next + missing
}

// mixed says whether a run of characters can be random: digits, or both cases,
// or no vowels to speak of.
func mixed(body string) bool {
	return digit.any(body) || lower.any(body) && upper.any(body)
}

var (
	joiner    = set("_-.")
	backslash = set(`\`)
	lower     = set(lowers)
	upper     = set(uppers)
)

// dummy says whether a value is filled with few different characters, as in
// documentation.
func dummy(body string) bool {
	var seen [256]bool
	n := 0
	for i := range len(body) {
		if c := body[i]; !seen[c] && alnum.has(c) {
			seen[c] = true
			n++
		}
	}
	if n < 4 && n*3 < len(body) {
		return true
	}
	for _, filler := range [...]string{"xxxxxx", "XXXXXX", "******", "######"} {
		if strings.Contains(body, filler) {
			return true
		}
	}
	return false
}
