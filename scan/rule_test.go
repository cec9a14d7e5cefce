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

// The rules of one plugin, and of one linter of many rules, are failures apart.
func TestRulesOfOneLinterAreFailuresApart(t *testing.T) {
	for _, output := range []string{
		"12:9  error  'n' is never used  @typescript-eslint/no-unused-vars\n13:9  error  Unexpected any  @typescript-eslint/no-explicit-any",
		"src/a.ts:1:2 lint/suspicious/noExplicitAny ━━━\n\n  × Unexpected any.\n\nsrc/a.ts:4:2 lint/style/useConst ━━━\n\n  × This let is a const.",
		"cart.rb:3:7: C: Style/StringLiterals: Prefer single quotes.\ncart.rb:4:1: C: Layout/EmptyLines: Extra blank line.",
		"a.go:9:2: unused-parameter: parameter 'n' seems to be unused (revive)\na.go:4:7: exported: func A should have comment (revive)",
	} {
		got := found(errorFixes{}, story{bash("npx lint", fail, "Exit code 1\n"+output), edit("/home/dev/app/a.go", "x", "y"), bash("npx lint", ok, "")})
		if len(got) != 2 || got[0].failure.Fingerprint() == got[1].failure.Fingerprint() || got[0].title == got[1].title {
			t.Errorf("%s: %d findings", output, len(got))
			for _, f := range got {
				t.Errorf("%s, %s", f.title, f.failure.Fingerprint())
			}
		}
	}
}

func TestWhatARuleAsksFor(t *testing.T) {
	for _, c := range []struct{ output, old, new, fix string }{
		{"a.go:9:2: Error return value is not checked (errcheck)", "f.Close()", "_ = f.Close()", "Write `_ = f.Close()` instead of `f.Close()`"},
		{"a.go:9:2: Error return value is not checked (errcheck)", "f.Close()", "f.Close() //nolint:errcheck", "Check with `npx lint` before you finish"},
		{"a.md:72 error MD001/heading-increment Heading levels should only increment by one level at a time [Expected: h2; Actual: h3]", "### A", "## A\nmore", "Check with `npx lint` before you finish"},
		{"a.go:72 error MD040/fenced-code-language Fenced code blocks should have a language specified [Context: \"```\"]", "```", "```text", "Write ```` ```text ```` instead of ```` ``` ````"},
		{"a.go:3:2: error is not nil (line 2) but it returns nil (nilerr)\nb.go:9:2: error is not nil (line 8) but it returns nil (nilerr)", "return nil", "return err", "Check with `npx lint` before you finish"},
		{"b.go:3:2: error is not nil (line 2) but it returns nil (nilerr)", "return nil", "return err", "Check with `npx lint` before you finish"},
		{"a.go:3:2: error is not nil (line 2) but it returns nil (nilerr)", "return nil", "return err", "Write `return err` instead of `return nil`"},
		{"a.go:8:9: error returned from external package is unwrapped: sig: func (*x.Repository).Worktree() (wrapcheck)", "return err", "return nil\nx", "Check with `npx lint` before you finish"},
	} {
		got := found(errorFixes{}, story{bash("npx lint", fail, "Exit code 1\n"+c.output), edit("/home/dev/app/a.go", c.old, c.new), bash("npx lint", ok, "")})
		if len(got) != 1 || got[0].fix != c.fix || (got[0].unfit == "") != !strings.HasPrefix(c.fix, "Check") {
			t.Errorf("%s: %d findings", c.output, len(got))
			for _, f := range got {
				t.Errorf("%q, want %q", f.fix, c.fix)
			}
		}
	}
}

// Where a linter shows no lines, and there is one edit of one line for each place, the
// shortest of them is the example.
func TestAnEditForEachPlace(t *testing.T) {
	const said = "Exit code 1\na.md:7 error MD040/fenced-code-language Fenced code blocks should have a language\na.md:19 error MD040/fenced-code-language Fenced code blocks should have a language"
	for name, c := range map[string]struct {
		edits story
		fix   string
	}{
		"two":                {story{edit("/home/dev/app/a.md", "~~~\n", "~~~python\n"), edit("/home/dev/app/a.md", "~~~\n", "~~~sh\n")}, "Write `~~~sh` instead of `~~~`"},
		"more than places":   {story{edit("/home/dev/app/a.md", "~~~\n", "~~~sh\n"), edit("/home/dev/app/a.md", "x\n", "y\n"), edit("/home/dev/app/a.md", "z\n", "y\n")}, ""},
		"another file":       {story{edit("/home/dev/app/a.md", "~~~\n", "~~~sh\n"), edit("/home/dev/app/b.md", "x\n", "y\n")}, ""},
		"more than a line":   {story{edit("/home/dev/app/a.md", "~~~\n", "~~~sh\n"), edit("/home/dev/app/a.md", "x\n", "y\nz\n")}, ""},
		"turns the rule off": {story{edit("/home/dev/app/a.md", "~~~\n", "~~~ <!-- markdownlint-disable-line -->\n"), edit("/home/dev/app/a.md", "~~~\n", "~~~sh\n")}, ""},
		"fewer than places":  {story{edit("/home/dev/app/a.md", "~~~\n", "~~~sh\n")}, ""},
	} {
		told := append(append(story{bash("npx lint", fail, said)}, c.edits...), bash("npx lint", ok, ""))
		got := found(errorFixes{}, told)
		if c.fix == "" {
			c.fix = "Check with `npx lint` before you finish"
		}
		if len(got) != 1 || got[0].fix != c.fix {
			t.Errorf("%s: %d findings", name, len(got))
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
		"exhaustive": "Write `case One, Two:` instead of `case One:`",
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

// Where a linter shows no sources, the place is the line that the agent read there.
func TestExampleOfALineThatWasRead(t *testing.T) {
	const none = "Check with `flake8` before you finish"
	const fix = "Write `if cart is None:` instead of `if cart == None:`"
	output := "Exit code 1\nshop/cart.py:12:8: E711 comparison to None should be 'if cond is None:'\nshop/cart.py:13:9: W191 indentation contains tabs"
	lines := "    11→def total(cart):\n    12→    if cart == None:\n    13→\treturn 0\n"
	change := edit("/home/dev/app/shop/cart.py", "    if cart == None:\n\treturn 0\n    x = 1\n", "    if cart is None:\n        return 0\n    x = 2\n    y = 3\n")
	for name, c := range map[string]struct {
		between []func(*teller)
		fix     string
	}{
		"read in between":   {story{read("/home/dev/app/shop/cart.py", ok, lines), change}, fix},
		"another file":      {story{read("/home/dev/app/shop/other.py", ok, lines), change}, none},
		"other numbers":     {story{read("/home/dev/app/shop/cart.py", ok, "    13→    if cart == None:\n"), change}, none},
		"read before edits": {story{read("/home/dev/app/shop/cart.py", ok, lines), edit("/home/dev/app/shop/cart.py", "a\nb\n", "c\n"), change}, fix},
		"read after edits":  {story{edit("/home/dev/app/shop/cart.py", "a\nb\n", "c\n"), read("/home/dev/app/shop/cart.py", ok, lines), change}, none},
	} {
		s := append(story{bash("flake8 shop", fail, output)}, c.between...)
		for _, f := range found(errorFixes{}, append(s, bash("flake8 shop", ok, ""))) {
			if f.rule == "E711" && f.fix != c.fix {
				t.Errorf("%s: %q, want %q", name, f.fix, c.fix)
			}
		}
	}
}

// What an edit made of a place where a rule was broken, in the forms that edits have.
func TestExampleOfARule(t *testing.T) {
	const unchecked = "a.go:9:2: Error return value of `repo.Worktree` is not checked (errcheck)"
	const shown = unchecked + "\n\ttree, _ := repo.Worktree()\n\t      ^"
	const none = "Check with `make lint` before you finish"
	for name, c := range map[string]struct{ output, path, old, new, fix string }{
		"one line for one": {shown, "a.go", "\ttree, _ := repo.Worktree()\n", "\ttree := must(repo.Worktree())\n", "Write `tree := must(repo.Worktree())` instead of `tree, _ := repo.Worktree()`"},
		"several lines for one": {
			shown, "a.go", "\ttree, _ := repo.Worktree()\n\tuse(tree)\n", "\ttree, err := repo.Worktree()\n\tif err != nil {\n\t\treturn err\n\t}\n\tuse(tree)\n",
			"Write `tree, err := repo.Worktree(); if err != nil { return err }` instead of `tree, _ := repo.Worktree()`",
		},
		"a comment beside it": {
			shown, "a.go", "\ta()\n\ttree, _ := repo.Worktree()\n", "\ta()\n\t// It is there.\n\ttree := must(repo.Worktree())\n",
			"Write `tree := must(repo.Worktree())` instead of `tree, _ := repo.Worktree()`",
		},
		"one line for several": {
			"a_test.go:5:12: os.Chdir() could be replaced by t.Chdir() in TestA (usetesting)\n\tif err := os.Chdir(dir); err != nil {\n\t          ^", "a_test.go",
			"\tif err := os.Chdir(dir); err != nil {\n\t\tt.Fatal(err)\n\t}\n", "\tt.Chdir(dir)\n", "Write `t.Chdir(dir)` instead of `if err := os.Chdir(dir); err != nil {`",
		},
		"a line that a runner marks": {
			"[lint:go] a.go:9:2: Error return value is not checked (errcheck)\n[lint:go] \tf.Close()\n[lint:go] \t       ^", "a.go",
			"\tf.Close()\n\tg()\n", "\t_ = f.Close()\n\tg()\n\th()\n", "Write `_ = f.Close()` instead of `f.Close()`",
		},
		"a line with a number before it": {
			"error[E0308]: mismatched types\n12 |     take(5)\n   |          ^", "a.rs", "    take(5)\n", "    take(\"5\")\n", "Write `take(\"5\")` instead of `take(5)`",
		},
		"a line that the message names": {unchecked, "a.go", "\tx := 1\n\ttree, _ := repo.Worktree()\n", "\tx := 2\n\tx++\n\ttree := must(repo.Worktree())\n", none},
		"names alone, one hunk":         {unchecked, "a.go", "\ttree, _ := repo.Worktree()\n\ta()\n", "\ttree := must(repo.Worktree())\n\ta()\n\tb()\n", "Write `tree := must(repo.Worktree())` instead of `tree, _ := repo.Worktree()`"},
		"a line that brings what is missing": {
			"a.go:3:1: missing cases in switch of type a.Kind: a.KindTwo, a.KindThree (exhaustive)\n\tswitch kind {\n\t^", "a.go",
			"\tcase KindOne:\n\t\treturn 1\n\t}\n", "\tcase KindOne:\n\t\treturn 1\n\tcase KindTwo, KindThree:\n\t\treturn 2\n\t}\n", "Add `case KindTwo, KindThree:`",
		},
		"a line that went": {
			"a.go:7:6: func old is unused (unused)\nfunc old() int {\n     ^", "a.go", "func old() int {\n\treturn 1\n}\n\nfunc kept() {}\n", "func kept() {}\n", "Delete `func old() int {`",
		},
		"a line that the message quotes": {
			"docs/a.md:7 error MD040/fenced-code-language Fenced code blocks should have a language specified [Context: \"```\"]", "docs/a.md",
			"# A\n```\nmake\n```\n", "# A\n```sh\nmake\n```\n", "Write ```` ```sh ```` instead of ```` ``` ````",
		},
		"only signs are left": {
			"a.go:7:3: f - result 0 (bool) is always true (unparam)\n) bool {\n  ^", "a.go", "func f(\n\ta int,\n) bool {\n", "func f(\n\ta int,\n) {\n", none,
		},
		"another file":         {shown, "b.go", "\ttree, _ := repo.Worktree()\n\ta()\n", "\ttree := must(repo.Worktree())\n\ta()\n\tb()\n", none},
		"the check turned off": {shown, "a.go", "\ttree, _ := repo.Worktree()\n", "\ttree, _ := repo.Worktree() //nolint:errcheck // best effort\n", none},
		"the call on other lines": {
			"a.go:4:9: error returned from external package is unwrapped (wrapcheck)\n\treturn save(s)\n\t       ^", "a.go",
			"\tif local {\n\t\treturn saveLocal(s)\n\t}\n\treturn save(s)\n",
			"\tif local {\n\t\tif err := saveLocal(s); err != nil {\n\t\t\treturn wrap(err)\n\t\t}\n\t\treturn nil\n\t}\n\tif err := save(s); err != nil {\n\t\treturn wrap(err)\n\t}\n\treturn nil\n", none,
		},
		"too much at once": {shown, "a.go", "\ttree, _ := repo.Worktree()\n", strings.Repeat("\tx(repo.Worktree())\n", 9), none},
	} {
		got := found(errorFixes{}, story{bash("make lint", fail, "Exit code 1\n"+c.output), edit("/home/dev/app/"+c.path, c.old, c.new), bash("make lint", ok, "")})
		if len(got) != 1 || got[0].fix != c.fix {
			t.Errorf("%s: %d findings", name, len(got))
			for _, f := range got {
				t.Errorf("%q, want %q", f.fix, c.fix)
			}
		}
	}
}
