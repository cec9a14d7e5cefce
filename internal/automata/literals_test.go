package automata

import (
	"regexp/syntax"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestLiteralsThatAnExpressionRequires(t *testing.T) {
	for expr, want := range map[string]literals{
		`abc`:                     {"abc"},
		`(?i)abc`:                 nil,
		`(?i)123`:                 {"123"},
		`x+abc\s*defg`:            {"defg"},
		`(?:abc|def)+`:            {"abc", "def"},
		`(?:abc|d*)`:              nil,
		`(?:abc)?def`:             {"def"},
		`(?:abc){2,3}`:            {"abc"},
		`^\s*(not found)$`:        {"not found"},
		`[a-z]+: error: (?:x|yy)`: {": error: "},
		`a|b|c|d`:                 nil,
		`\x{fffd}abc`:             nil,
		``:                        nil,
	} {
		re, err := syntax.Parse(expr, syntax.Perl)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, literalsOf(re.Simplify())); diff != "" {
			t.Errorf("%s: %s", expr, diff)
		}
	}
}
