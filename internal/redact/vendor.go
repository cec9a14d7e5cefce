package redact

import "strings"

// vendorKey is a key that its first characters give away.
type vendorKey struct {
	prefix string
	chars  class // of the rest
	min    int   // length of the rest, at least
	full   int   // length of the rest if it is always the same, else 0
}

// vendorTable lists keys by prefix. A minimum is lower than what the vendor
// issues wherever the prefix is telling: output is often cut, and a part of a
// key is not for storing either.
func vendorTable() []vendorKey {
	return []vendorKey{
		{"AKIA", upperNum, 12, 16},
		{"A3T", upperNum, 17, 17},
		{"ASIA", upperNum, 12, 16},
		{"ABIA", upperNum, 14, 16},
		{"ACCA", upperNum, 14, 16}, // AWS
		{"ABSK", base64std, 40, 0},
		{"bedrock-api-key-", base64url, 12, 0},
		{"ghp_", alnum, 10, 36},
		{"gho_", alnum, 10, 36},
		{"ghu_", alnum, 10, 36},
		{"ghs_", alnum, 10, 36},
		{"ghr_", alnum, 10, 36}, // GitHub
		{"github_pat_", word, 10, 82},
		{"glpat-", nameChars, 8, 0},
		{"gldt-", nameChars, 8, 0},
		{"glptt-", nameChars, 8, 0},
		{"glrt-", nameChars, 8, 0},
		{"glcbt-", nameChars, 8, 0}, // GitLab
		{"glft-", nameChars, 8, 0},
		{"glffct-", nameChars, 8, 0},
		{"gloas-", nameChars, 8, 0},
		{"_gitlab_session=", alnum, 20, 32},
		{"glsoat-", nameChars, 8, 0},
		{"glagent-", nameChars, 8, 0},
		{"glimt-", nameChars, 8, 0},
		{"GR1348941", base64url, 10, 0},
		{"xoxb-", base64url, 8, 0},
		{"xoxp-", base64url, 8, 0},
		{"xoxa-", base64url, 8, 0},
		{"xoxr-", base64url, 8, 0},
		{"xoxs-", base64url, 8, 0}, // Slack
		{"xoxo-", base64url, 20, 0},
		{"xoxe-", base64url, 8, 0},
		{"xoxe.", nameChars, 8, 0},
		{"xoxc-", base64url, 8, 0},
		{"xoxd-", set(letters + digits + "_-%+/="), 8, 0},
		{"xapp-", base64url, 8, 0},
		{"sk_live_", alnum, 8, 0},
		{"sk_test_", alnum, 8, 0},
		{"rk_live_", alnum, 8, 0},
		{"rk_test_", alnum, 8, 0},
		{"sk_prod_", alnum, 8, 0},
		{"rk_prod_", alnum, 8, 0},
		{"whsec_", base64std, 12, 0}, // Stripe
		{"AIza", base64url, 20, 35},
		{"ya29.", nameChars, 10, 0},
		{"GOCSPX-", base64url, 10, 28},
		{"1//0", base64url, 30, 0}, // Google
		{"sk-ant-", base64url, 8, 0},
		{"sk-proj-", base64url, 8, 0},
		{"sk-svcacct-", base64url, 8, 0},
		{"sk-admin-", base64url, 8, 0},
		{"sk-or-", base64url, 12, 0},
		{"sk-lf-", base64url, 12, 0}, // models
		{"gsk_", alnum, 16, 0},
		{"xai-", alnum, 20, 0},
		{"pplx-", alnum, 16, 0},
		{"hf_", alnum, 20, 34},
		{"api_org_", alnum, 20, 34},
		{"r8_", alnum, 20, 0},
		{"lsv2_", word, 16, 0},
		{"tgp_v1_", base64url, 16, 0},
		{"fw_", alnum, 20, 0},
		{"nvapi-", base64url, 16, 0},
		{"csk-", alnum, 24, 0},
		{"jina_", alnum, 20, 0},
		{"tvly-", base64url, 16, 0},
		{"npm_", alnum, 20, 36},
		{"pypi-", base64url, 16, 0},
		{"rubygems_", set(digits + "abcdef"), 16, 48},
		{"cio", alnum, 32, 32},
		{"oy2", set(lowers + digits), 43, 43},
		{"dckr_pat_", base64url, 10, 0},
		{"dckr_oat_", base64url, 10, 0},
		{"cargo_", alnum, 24, 0}, // registries
		{"dop_v1_", hexChars, 12, 64},
		{"doo_v1_", hexChars, 12, 64},
		{"dor_v1_", hexChars, 12, 64}, // clouds and services
		{"hvs.", base64url, 12, 0},
		{"hvb.", base64url, 12, 0},
		{"hvr.", base64url, 12, 0},
		{"pul-", hexChars, 20, 40},
		{"ops_eyJ", base64std, 40, 0},
		{"ATATT3", set(digits + letters + "_-="), 16, 0},
		{"ATCTT3", set(digits + letters + "_-="), 16, 0},
		{"ATBB", alnum, 24, 0},
		{"BBDC-", alnum, 24, 0},
		{"lin_api_", alnum, 12, 0},
		{"lin_oauth_", alnum, 12, 0},
		{"ntn_", alnum, 40, 46},
		{"secret_", alnum, 36, 0},
		{"figd_", base64url, 16, 0},
		{"figdr_", base64url, 16, 0},
		{"glsa_", word, 20, 0},
		{"glc_", base64std, 28, 0},
		{"sgp_", word, 36, 0},
		{"sntrys_eyJ", set(digits + letters + "+/=_"), 16, 0},
		{"sntryu_", hexChars, 16, 64},
		{"NRAK-", alnum, 16, 0},
		{"NRJS-", alnum, 16, 0},
		{"NRII-", base64url, 20, 0},
		{"SG.", set(digits + letters + "_-.="), 40, 0},
		{"key-", set(digits + "abcdef"), 32, 32},
		{"re_", word, 24, 0},
		{"PMAK-", base64url, 24, 0},
		{"shpat_", hexChars, 12, 32},
		{"shpss_", hexChars, 12, 32},
		{"shpca_", hexChars, 12, 32},
		{"shppa_", hexChars, 12, 32},
		{"sq0atp-", base64url, 12, 0},
		{"sq0csp-", base64url, 12, 43},
		{"EAAA", base64url, 40, 0},
		{"EAAM", alnum, 80, 0},
		{"EAAC", alnum, 80, 0},
		{"EAAB", alnum, 80, 0},
		{"EZAK", alnum, 40, 54},
		{"EZTK", alnum, 40, 54},
		{"live_", hexChars, 32, 0},
		{"rzp_live_", alnum, 12, 0},
		{"rzp_test_", alnum, 12, 0},
		{"access_token$production$", alnum, 16, 0},
		{"tskey-", base64url, 10, 0},
		{"ngrok_", word, 24, 0},
		{"cfut_", base64url, 20, 0},
		{"cfat_", base64url, 20, 0},
		{"v1.0-", base64url, 60, 0},
		{"CLOJARS_", alnum, 20, 60},
		{"AGE-SECRET-KEY-1", upperNum, 16, 58},
		{"dapi", set(digits + "abcdef"), 32, 0},
		{"dp.pt.", alnum, 16, 0},
		{"dp.st.", nameChars, 16, 0},
		{"dp.ct.", alnum, 16, 0},
		{"pscale_", set(digits + letters + "_-.="), 24, 0},
		{"sbp_", hexChars, 20, 40},
		{"sb_secret_", base64url, 12, 0},
		{"vercel_", alnum, 24, 0},
		{"vcp_", alnum, 24, 0},
		{"FLWPUBK_TEST-", set(digits + letters + "-"), 30, 0},
		{"FLWSECK", set(digits + letters + "_-"), 12, 0},
		{"cmVmd", alnum, 59, 59},
		{"AKCp", alnum, 60, 0},
		{"phc_", alnum, 32, 0},
		{"phx_", alnum, 32, 0},
		{"aio_", alnum, 26, 28},
		{"CCIPAT_", word, 20, 0},
		{"bkua_", alnum, 32, 40},
		{"ddp_", alnum, 32, 0},
		{"sk_", alnum, 32, 0},
		{"patx", alnum, 32, 0},
		{"$2a$", set(digits + letters + "./$"), 50, 56},
		{"$2b$", set(digits + letters + "./$"), 50, 56},
		{"$2y$", set(digits + letters + "./$"), 50, 56},
		{"sk-", alnum, 20, 0},
		{"LTAI", alnum, 12, 20}, // Alibaba
		{"p8e-", alnum, 24, 32},
		{"A3-", set(uppers + digits + "-"), 30, 0}, // 1Password
		{"4b1d", alnum, 38, 38},
		{"dnkey-", set(digits + letters + "_-="), 20, 0},
		{"duffel_", set(digits + letters + "_-="), 30, 0},
		{"fo1_", base64url, 24, 43},
		{"fm1a_", base64std, 40, 0},
		{"fm1r_", base64std, 40, 0},
		{"fm2_", base64std, 40, 0},
		{"fio-u-", set(digits + letters + "_-="), 24, 0},
		{"HRKU-", base64url, 24, 0},
		{"ico-", alnum, 32, 32},
		{"s-s4t2ud-", hexChars, 20, 64},
		{"s-s4t2af-", hexChars, 20, 64},
		{"API-", upperNum, 26, 26}, // Octopus Deploy
		{"sha256~", base64url, 24, 43},
		{"pnu_", alnum, 24, 36},
		{"rdme_", alnum, 32, 70},
		{"tk-us-", base64url, 24, 48},
		{"xkeysib-", set(digits + letters + "-"), 24, 0},
		{"shippo_live_", hexChars, 20, 40},
		{"shippo_test_", hexChars, 20, 40},
		{"sm_aat_", alnum, 16, 16},
		{"sm_pat_", alnum, 16, 16},
		{"sm_sat_", alnum, 16, 16},
		{"squ_", hexChars, 24, 40},
		{"sqp_", hexChars, 24, 40},
		{"sqa_", hexChars, 24, 40},
		{"SK", hexChars, 32, 32}, // Twilio
		{"tfp_", set(digits + letters + "_-.="), 32, 0},
		{"sl.", set(digits + letters + "_-="), 60, 0}, // Dropbox
		{"AQVN", base64url, 30, 0},
	}
}

// vendorRules finds the keys of the vendors' table.
func vendorRules() []rule {
	var rules []rule
	for _, k := range vendorTable() {
		rules = append(rules, rule{text: k.prefix, least: min(4, k.min), next: k.next(), stands: asKey, find: func(t *scanner, at int) int {
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

// next is what may follow the prefix: a key, or the end of the line that it goes on
// behind.
func (k vendorKey) next() class {
	if k.full > 0 {
		return k.chars.with(space).with(backslash)
	}
	return k.chars
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
// key that breaks
// off at the end of the text or before an ellipsis counts from four characters
// on; one of known length may go on in the next line.
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

// asKey says whether a literal stands where a key may begin.
func asKey(s string, at, _ int) bool { return startsKey(s, at) }

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
