package automata

import (
	"regexp"
	"regexp/syntax"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// madeOf is a pattern's automaton without the wait for it.
func madeOf(t testing.TB, expr string) *automaton {
	t.Helper()
	p, err := newPlan(expr)
	if p == nil {
		t.Fatalf("%s has no plan: %v", expr, err)
	}
	return newAutomaton(p)
}

// matches asks a single expression.
func (a *automaton) matches(s string) bool { return !a.must.missing(s) && a.match(s) != 0 }

func TestAutomatonAnswersAsRegexp(t *testing.T) {
	texts := []string{
		"", "a", "ab", "b", "xaby", "a\nb", "\n", "a b", "ab ab", "é", "aé", "\xff", "a\xffb", "K", "\u212a", "k", "ſ", "s", "日本語", "a_b", "a-b", "Error: x", "error", "fatal: y\n",
		"1 passed", "0 failures", "— x", "x\r\n", strings.Repeat("x", 200) + "command not found",
	}
	for _, expr := range []string{
		``, `a`, `^a`, `a$`, `^a$`, `(?m)^b`, `(?m)a$`, `\ba\b`, `\Bb`, `(?i)k`, `(?i)s+$`, `[^a]`, `.`, `(?s).`, `a.b`, `(?s)a.b`, `a*`, `a+b?`, `(?:a|b){2,3}`, `x?y`, `\z`, `\A\z`,
		`(?i)\b(?:error|fatal)\b`, `(?m)^(?:error|fatal:)`, `.{0,80}command not found\s*$`, `[—é]`, `\s`, `\W`, `\d+ passed`, `(?i)^(?:(?:ok|no)[\s,]+)*b`, `[[_]-`, `\x{212a}`, `(a)(b)`,
	} {
		re, a := regexp.MustCompile(expr), madeOf(t, expr)
		for _, text := range texts {
			for range 2 { // with an empty table and a full one
				if got, want := a.matches(text), re.MatchString(text); got != want {
					t.Errorf("%s in %q: %v", expr, text, got)
				}
			}
		}
	}
}

func TestAutomatonAnswersAsRegexpForAny(t *testing.T) {
	piece := rapid.SampledFrom([]string{
		"a", "b", "A", " ", `\n`, `\b`, `\B`, "^", "$", ".", "[ab]", "[^a]", `\w`, `\W`, `\s`, "(?:a|b|)", "(?i:a)", "(?m:^)", "(?m:$)", "(?s:.)", "é", "a*", "b+?", "(ab)?", "a{0,3}", `\z`, "|", "k", "(?i:k)", "abab", "(?:aab|bba)", "(?:abb)+",
	})
	text := rapid.StringOfN(rapid.SampledFrom([]rune("abAB \n_-éKkK世")), 0, 12, -1)
	rapid.Check(t, func(t *rapid.T) {
		expr := strings.Join(rapid.SliceOfN(piece, 1, 8).Draw(t, "expr"), "")
		re, err := regexp.Compile(expr)
		if err != nil {
			return
		}
		p, _ := newPlan(expr)
		a := newAutomaton(p)
		for range 4 {
			s := text.Draw(t, "text")
			if got, want := a.matches(s), re.MatchString(s); got != want {
				t.Fatalf("%s in %q: %v", expr, s, got)
			}
		}
	})
}

// One automaton says of several expressions which of them match.
func TestAutomatonOfManyAnswersAsRegexpForAny(t *testing.T) {
	piece := rapid.SampledFrom([]string{
		"a", "b", "A", " ", `\n`, `\b`, `\B`, "^", "$", "[ab]", "[^a]", `\w`, `\W`, "(?:a|b|)", "(?i:a)", "(?m:^)", "(?m:$)", "é", "a*", "b+?", "(ab)?", "a{0,3}", `\z`, "|", "k", "(?i:k)", ".*b", "a.*",
	})
	text := rapid.StringOfN(rapid.SampledFrom([]rune("abAB \n_-éKkK世")), 0, 16, -1)
	rapid.Check(t, func(t *rapid.T) {
		var exprs []string
		var all []*regexp.Regexp
		for range rapid.IntRange(2, 6).Draw(t, "n") {
			expr := strings.Join(rapid.SliceOfN(piece, 1, 5).Draw(t, "expr"), "")
			if re, err := regexp.Compile(expr); err == nil {
				exprs, all = append(exprs, expr), append(all, re)
			}
		}
		if len(exprs) < 2 {
			return
		}
		p, _ := newPlan(exprs...)
		a := newAutomaton(p)
		for range 6 {
			s := text.Draw(t, "text")
			found := a.match(s)
			if p.must.missing(s) {
				found = 0
			}
			for i, re := range all {
				if got, want := found>>i&1 == 1, re.MatchString(s); got != want {
					t.Fatalf("%q of %q in %q: %v", exprs[i], exprs, s, got)
				}
			}
		}
	})
}

// A table that overflows is begun anew and answers the same.
func TestAutomatonIsBounded(t *testing.T) {
	const expr = `(?:a|b)*a(?:a|b){14}c`
	re, a := regexp.MustCompile(expr), madeOf(t, expr)
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.StringOfN(rapid.SampledFrom([]rune("abc")), 0, 400, -1).Draw(t, "s") + strings.Repeat("ab", 40) + "c"
		if got, want := a.matches(s), re.MatchString(s); got != want {
			t.Fatalf("%q: %v", s, got)
		}
		if len(a.next) > maxTable {
			t.Fatalf("the table has %d entries", len(a.next))
		}
	})
}

// A pattern is a regular expression.
func TestPatternIsARegexp(t *testing.T) {
	const expr = `(?i)\b(err)(or)?\b`
	re, p := regexp.MustCompile(expr), New(expr)
	for round := range 2 {
		for _, s := range []string{"", "no", "an Error here, an ERR there", "Err first", "last error", strings.Repeat("x ", 1<<10)} {
			checks := []struct {
				what      string
				got, want any
			}{
				{"MatchString", p.MatchString(s), re.MatchString(s)},
				{"FindString", p.FindString(s), re.FindString(s)},
				{"FindStringIndex", p.FindStringIndex(s), re.FindStringIndex(s)},
				{"FindStringSubmatch", p.FindStringSubmatch(s), re.FindStringSubmatch(s)},
				{"FindAllString", p.FindAllString(s, -1), re.FindAllString(s, -1)},
				{"FindAllStringSubmatch", p.FindAllStringSubmatch(s, 1), re.FindAllStringSubmatch(s, 1)},
				{"ReplaceAllString", p.ReplaceAllString(s, "<$1>"), re.ReplaceAllString(s, "<$1>")},
				{"ReplaceAllString of letters", p.ReplaceAllString(s, ":"), re.ReplaceAllString(s, ":")},
				{"ReplaceAllString of nothing", p.ReplaceAllString(s, ""), re.ReplaceAllString(s, "")},
				{"count", p.Count(s), len(re.FindAllString(s, -1))},
				{"ReplaceAllStringFunc", p.ReplaceAllStringFunc(s, strings.ToUpper), re.ReplaceAllStringFunc(s, strings.ToUpper)},
				{"Split", p.Split(s, -1), re.Split(s, -1)},
			}
			for _, c := range checks {
				if diff := cmp.Diff(c.want, c.got); diff != "" {
					t.Errorf("%s, round %d: %s", c.what, round, diff)
				}
			}
		}
	}
}

func FuzzAutomaton(f *testing.F) {
	f.Add(`(?i)\bk+$|^é`, "K\u212a\n")
	f.Fuzz(func(t *testing.T, expr, text string) {
		if len(expr) > 60 || len(text) > 400 {
			return
		}
		parsed, err := syntax.Parse(expr, syntax.Perl)
		if err != nil || len(parsed.String()) > 200 {
			return
		}
		re, err := regexp.Compile(expr)
		if err != nil {
			return
		}
		p, err := newPlan(expr)
		if p == nil {
			t.Fatalf("%s: %v", expr, err)
		}
		if got, want := newAutomaton(p).matches(text), re.MatchString(text); got != want {
			t.Errorf("%s in %q: %v", expr, text, got)
		}
	})
}
