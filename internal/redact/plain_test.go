package redact

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// checkPlain holds the short way against the rules: who lets a text pass
// unlooked at must have had no reason to look.
func checkPlain(t testing.TB, text string) {
	t.Helper()
	text = strings.ToValidUTF8(text, "\uFFFD")
	for _, r := range []*Redactor{nil, {}, you, {Home: `C:\Users\Zoë Q`, User: "Zoë Q"}, {Home: "/", User: "QU"}} {
		if got := r.applyRules(text); got != text && r.untouched(text) {
			t.Errorf("%q passes, the rules make %q of it", text, got)
		}
	}
}

func TestNoSecretPassesAsPlainText(t *testing.T) {
	r := dice(t, "plain")
	for _, s := range samples(r, 8) {
		checkPlain(t, s.text)
		checkPlain(t, s.secret)
	}
	for range 20 {
		key, body := armoured(r)
		for _, text := range append(body, key, key[:len(key)/2], key[len(key)/2:], escapedJSON(key), twiceEscaped(key)) {
			checkPlain(t, text)
		}
	}
	for _, places := range alike {
		for _, place := range places {
			checkPlain(t, drawAll(r, place))
		}
	}
	for _, places := range personal {
		for _, place := range places {
			checkPlain(t, drawAllOf(r, strings.NewReplacer("<<", "", ">>", "").Replace(place)))
		}
	}
	for _, s := range secrets {
		checkPlain(t, s.text)
	}
}

// Where a rule's literal stands, in whatever case and company, the rules are asked.
func TestRulesAreAskedWhereTheirLiteralsStand(t *testing.T) {
	for _, rule := range index().rules {
		spellings := []string{rule.text}
		if rule.fold {
			shouted := strings.ReplaceAll(strings.ToUpper(rule.text), "Ñ", "ñ") // ASCII alone is folded
			spellings = append(spellings, shouted, shouted[:1]+rule.text[1:])
		}
		for _, literal := range spellings {
			follow := strings.Repeat("0", rule.least)
			if rule.next != (class{}) {
				follow = "="
			}
			for _, text := range []string{literal + follow, "x" + literal + follow, literal + follow + "é", "é " + literal + follow + "0", "AKI" + literal + follow + "sk"} {
				if (&Redactor{}).untouched(text) {
					t.Errorf("%q passes, though a rule looks at %q", text, rule.text)
				}
			}
		}
	}
}

func TestRandomTextsPassOnlyWherePlain(t *testing.T) {
	var literals []string
	for _, rule := range index().rules {
		literals = append(literals, rule.text)
	}
	pieces := []string{
		"", " ", "\n", "@", "|", ";", "%2F", "&quot;", `\/`, `\u0040`, "=", ":", "/", ".", "-", "_", "'", "\"", "é", "\xff", "a", "Z", "0", "q.example@firm.org", "123456789012345|", body16, body36, hex40,
		"/home/quentin", "QUENTIN", "quentin", `C:\Users\Zoë Q`, `c:\\users`, "ZOË q", "data:image/png;base64,", "word", "some words of a sentence",
	}
	rapid.Check(t, func(r *rapid.T) {
		some := rapid.SliceOfN(rapid.OneOf(rapid.SampledFrom(pieces), rapid.SampledFrom(literals), rapid.StringN(0, 6, -1)), 0, 8)
		text := strings.Join(some.Draw(r, "pieces"), "")
		checkPlain(t, text)
		checkPlain(t, strings.ToUpper(text))
	})
}
