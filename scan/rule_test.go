package scan

import (
	"strings"
	"testing"
)

// Rules are known by their names, whatever else an output complains of, and each is a
// failure of its own.
func TestRulesOfOneOutputAreFailuresApart(t *testing.T) {
	told := story{
		bash("golangci-lint run", fail, "Exit code 1\na.go:9:2: Error return value is not checked (errcheck)\nb.go:4:7: string `x` has 3 occurrences, make it a constant (goconst)\nc.go:1:2: undefined: y (typecheck)"),
		edit("/home/dev/app/a.go", "f.Close()\n", "_ = f.Close()\n"), bash("golangci-lint run", ok, "0 issues."),
	}
	got := found(errorFixes{}, told)
	prints := map[string]string{}
	for _, f := range got {
		if other := prints[f.failure.Fingerprint()]; other != "" {
			t.Errorf("%q and %q are one failure", other, f.title)
		}
		prints[f.failure.Fingerprint()] = f.title
		if len(f.quotes) != 1 || !strings.Contains(f.quotes[0], f.rule) {
			t.Errorf("%s: quotes %q", f.title, f.quotes)
		}
	}
	if len(got) != 2 || got[0].rule != "errcheck" || got[1].rule != "goconst" {
		t.Errorf("%d findings: %v", len(got), prints)
	}
	alone := found(errorFixes{}, story{bash("mise run lint", fail, "Exit code 1\na.go:7:2: other words (goconst)"), edit("/home/dev/app/a.go", "x", "y"), bash("mise run lint", ok, "")})
	if len(alone) != 1 || prints[alone[0].failure.Fingerprint()] == "" {
		t.Errorf("the same rule behind another program is another failure: %d findings", len(alone))
	}
}

func TestWhatARuleAsksFor(t *testing.T) {
	for _, c := range []struct{ output, old, new, fix string }{
		{"a.go:9:2: Error return value is not checked (errcheck)", "f.Close()", "_ = f.Close()", "Write `_ = f.Close()` instead of `f.Close()`"},
		{"a.go:9:2: Error return value is not checked (errcheck)", "f.Close()", "f.Close() //nolint:errcheck", "Follow errcheck: Error return value is not checked"},
		{"a.md:72 error MD001/heading-increment Heading levels should only increment by one level at a time [Expected: h2; Actual: h3]", "### A", "## A\nmore", "Follow MD001: Heading levels should only increment by one level at a time"},
		{"a.go:8:9: error returned from external package is unwrapped: sig: func (*x.Repository).Worktree() (wrapcheck)", "return err", "return nil\nx", "Follow wrapcheck: error returned from external package is unwrapped"},
	} {
		got := found(errorFixes{}, story{bash("npx lint", fail, "Exit code 1\n"+c.output), edit("/home/dev/app/a.go", c.old, c.new), bash("npx lint", ok, "")})
		if len(got) != 1 || got[0].fix != c.fix {
			t.Errorf("%s: %d findings", c.output, len(got))
			for _, f := range got {
				t.Errorf("%q, want %q", f.fix, c.fix)
			}
		}
	}
}

// A linter quotes the line of each finding: the edit of that line is the rule's example,
// whatever else was edited.
func TestTheQuotedLineThatWasEditedIsTheExample(t *testing.T) {
	const said = "Exit code 1\n" +
		"a.go:9:2: Error return value of `f.Close` is not checked (errcheck)\n\tdefer f.Close()\n\t             ^\n" +
		"b.go:4:9: error returned from external package is unwrapped: sig: func os.Open() (wrapcheck)\n\t\treturn nil, err\n\t\t            ^\n" +
		"c.go:3:1: missing cases in switch of type a.Kind: a.Two (exhaustive)\n\tswitch kind {\n\t^\n3 issues:"
	got := found(errorFixes{}, story{
		bash("golangci-lint run", fail, said),
		edit("/home/dev/app/a.go", "\tdefer f.Close()\n", "\tdefer func() { _ = f.Close() }()\n"),
		edit("/home/dev/app/b.go", "\tif err != nil {\n\t\treturn nil, err\n\t}\n", "\tif err != nil {\n\t\treturn nil, fmt.Errorf(\"open: %w\", err)\n\t}\n\tlog(f)\n"),
		edit("/home/dev/app/c.go", "\tswitch kind {\n\tcase One:\n", "\tswitch kind {\n\tcase One, Two:\n"),
		bash("golangci-lint run", ok, "0 issues."),
	})
	want := map[string]string{
		"errcheck":   "Write `defer func() { _ = f.Close() }()` instead of `defer f.Close()`",
		"wrapcheck":  "Write `return nil, fmt.Errorf(\"open: %w\", err)` instead of `return nil, err`",
		"exhaustive": "Follow exhaustive: missing cases in switch of type a.Kind: a.Two",
	}
	if len(got) != len(want) {
		t.Errorf("%d findings", len(got))
	}
	for _, f := range got {
		if f.fix != want[f.rule] {
			t.Errorf("%s: %q, want %q", f.rule, f.fix, want[f.rule])
		}
	}
}
