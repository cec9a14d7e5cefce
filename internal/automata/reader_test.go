package automata

import (
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// What is written in any way that the reader knows means what package regexp says.
func TestReaderReadsAsRegexp(t *testing.T) {
	texts := []string{
		"", "a", "A", "ab", "abb", "abbb", "aab", "b", "c", "xay", "-", "]", "a-b", "^", "[", "`", "\u212a", "ſ", "ſ k", "é", "É", "Σ", "ς", "世", "\n", "a\nb", "\t", "\a", "\x00", "\xff", "a1_", "1", " ", "{", "$", "ad", "abd", "acd", "errors", "error", "errand",
	}
	for _, expr := range []string{
		`\x60`, `\x{212a}`, `\x41b?`, `[\x61-\x63]+$`, `[]a]`, `[^]a]`, `[a-]`, `[-a]`, `[\w-]`, `[\w-x]`, `[\]\-^]`, `[a\-c]`, `[\d_]`, `[^\W\d]`, `[\S]`, `[^\n]`, `[é-ü]`, `[世]`, `\a`, `\t`, `[\t\n]`, `\{`, `\$`, `[{}]`, `\[`,
		`(?i)[a-c]`, `(?i)[^k]`, `(?i)[ς]`, `(?i)é`, `(?i)\w`, `(?i)\W`, `(?i)[\W]`, `(?i)[^\w]`, `(?i)[^\W]`, `(?i)s`, `(?i)[r-t]`, `(?i:S)s`, `(?i)(?-i:S)s`, `(?is).`, `(?m)^b|a$`, `(?s-m).`, `(?ims)^A.B$`,
		`ab??`, `a+?b`, `a*?b`, `ab{2}`, `^ab{2,}$`, `^ab{1,2}$`, `^a{0,1}b`, `^(?:a|b){2}$`, `(?:ab?){2,3}?d`, `(a)(?:b)(c)?d`, `(?:)`, `()`, `|a`, `a|`, `(?:|a)+b`, `(?:a*)*b`, `(?:^|b)a`, `(?:\b)+a`, `\Aa|\Ab`, `^a|b`, `(?:^a|^b)b`,
		`error|errors|errand`, `errors?|erred|a`, `ab|a?d|ac`, `\bab|\bad|\w-`, `a(?:b|bb)$`, `\.|\-|\\|\*`,
	} {
		re, p := regexp.MustCompile(expr), newPlan(expr)
		if p == nil {
			t.Errorf("%s has no plan", expr)
			continue
		}
		if p.groups != re.NumSubexp() {
			t.Errorf("%s has %d groups", expr, p.groups)
		}
		a, f := newAutomaton(p), newFinder(p, expr)
		for _, text := range texts {
			if got, want := a.match(text), re.MatchString(text); got != want {
				t.Errorf("%s in %q: %v", expr, text, got)
			}
			if f == nil {
				continue
			}
			m, ok := f.all(nil, text, -1, true)
			if diff := cmp.Diff(re.FindAllStringSubmatchIndex(text, -1), eachOf(m)); ok && diff != "" {
				t.Errorf("%s in %q: %s", expr, text, diff)
			}
		}
	}
}

// What the reader does not know it leaves to package regexp, which knows what is
// wrong with it.
func TestReaderFails(t *testing.T) {
	for _, expr := range []string{
		`[[:word:]]`, `\pL`, `(?P<x>a)`, `(?U)a*`, `\Qa\E`, `a(?i)b`, `a|(?i)b|c`, `a**`, `a+*`, `*`, `(?i)*`, `a{2,1}`, `a{1001}`, `a{,2}`, `{`, `a{`, `(`, `(a`, `a)`, `[`, `[]`, `[^]`, `[a`, `[b-a]`, `[a-\d]`, `\`, `a\`, `\1`, `\x`, `\x{`, `\x{zz}`, `\xg0`,
		`\y`, "\xff", `(?`, `(?i`, `(?x)a`, `((((a{100}){100}){100}){100})`, `(?:(?:(?:){1000}){1000}){1000}`, strings.Repeat("a", maxExpression+1),
	} {
		if newPlan(expr) != nil {
			t.Errorf("%.80s has a plan", expr)
		}
	}
	for _, expr := range []string{`[[:word:]]+`, `a(?i)b`} {
		if got := New(expr).FindString("- aB"); got != regexp.MustCompile(expr).FindString("- aB") {
			t.Errorf("%s: %q", expr, got)
		}
	}
}
