package redact

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// everywhere is what [Redactor.Text] says it does: every rule is held against
// every place of a text, whatever stands there.
func everywhere(r *Redactor, s string) string {
	s = strings.ToValidUTF8(s, "\uFFFD")
	for range maxPasses {
		t := newScanner(s)
		scanEverywhere(t)
		if d, ok := decode(t.s); ok {
			inner := newScanner(d.text)
			scanEverywhere(inner)
			for _, p := range inner.spans {
				t.replace(d.place[p.from], d.place[p.to], p.with)
			}
		}
		if r != nil {
			t.person(r.Home, r.User)
		}
		next := t.apply()
		if next == s {
			break
		}
		s = next
	}
	return s
}

func scanEverywhere(t *scanner) {
	rules := index().rules
	again := make([]int, len(rules))
	for at := 0; at+1 < len(t.low); at++ {
		switch t.low[at] {
		case '@':
			t.mail(at)
		case '|':
			t.appToken(at)
		case ';':
			at = t.picture(at)
		}
		for i, r := range rules {
			text := t.s
			if r.fold {
				text = t.low
			}
			if strings.HasPrefix(text[at:], r.text) && at >= again[i] {
				again[i] = r.find(t, at)
			}
		}
	}
}

// checkRules holds redaction against that: what its index passes over must hold
// nothing.
func checkRules(t testing.TB, text string) {
	t.Helper()
	for _, r := range []*Redactor{nil, {}, you, {Home: `C:\Users\Zoë Q`, User: "Zoë Q"}, {Home: "/", User: "QU"}} {
		if got, want := r.Text(text).String(), everywhere(r, text); got != want {
			t.Errorf("%q becomes %q, the rules make %q of it", text, got, want)
		}
	}
}

func TestSecretsAreFoundAsEverywhere(t *testing.T) {
	r := dice(t, "plain")
	for _, s := range samples(r, 2) {
		checkRules(t, s.text)
		checkRules(t, s.secret)
	}
	for range 4 {
		key, body := armoured(r)
		for _, text := range append(body[:4], key, key[:len(key)/2], key[len(key)/2:], escapedJSON(key), twiceEscaped(key)) {
			checkRules(t, text)
		}
	}
	for _, places := range alike {
		for _, place := range places {
			checkRules(t, drawAll(r, place))
		}
	}
	for _, places := range personal {
		for _, place := range places {
			checkRules(t, drawAllOf(r, strings.NewReplacer("<<", "", ">>", "").Replace(place)))
		}
	}
	for _, s := range secrets {
		checkRules(t, s.text)
	}
}

// Where a rule's literal stands, in whatever case and company, the index finds the
// rule.
func TestRulesAreFoundWhereTheirLiteralsStand(t *testing.T) {
	x := index()
	for i, rule := range x.rules {
		spellings := []string{rule.text}
		if rule.fold {
			shouted := strings.ReplaceAll(strings.ToUpper(rule.text), "Ñ", "ñ") // ASCII alone is folded
			spellings = append(spellings, shouted, shouted[:1]+rule.text[1:])
		}
		for _, literal := range spellings {
			for _, around := range [][2]string{{"", ""}, {"x", ""}, {"", "é"}, {"é ", "0"}, {"AKI", "sk"}} {
				text := lowerASCII(around[0] + literal + around[1])
				three := threeAt(text, len(around[0]))
				if !x.three.has(three) || !slices.Contains(x.byTwo[three>>8], i) {
					t.Errorf("the rule about %q is not found in %q", rule.text, text)
				}
			}
		}
	}
}

func TestRandomTextsAreReadAsEverywhere(t *testing.T) {
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
		text := Unstyled(strings.Join(some.Draw(r, "pieces"), "")) // the rules are asked afterwards
		checkRules(t, text)
		checkRules(t, strings.ToUpper(text))
	})
}
