package scan

import "testing"

// What a finding says about an edit comes from the edit alone.
func TestOneChange(t *testing.T) {
	for _, c := range []struct{ before, after, want string }{
		{"x := 1\ny := 2\n", "x := 1\ny := 3\n", "`y := 2` became `y := 3`"},
		{"import a\n", "import a\nimport b\n", "`import b` came in"},
		{"import a\nimport b\n", "import a\n", "`import b` went out"},
		{"a\nb\n", "c\nd\n", ""},
		{"", "a\n", ""},
		{"a", "a", ""},
		{"  f(`x`)", "f(`y`)", "`` f(`x`) `` became `` f(`y`) ``"},
	} {
		if got := oneChange(replacement{c.before, c.after}).String(); got != c.want {
			t.Errorf("%q to %q: %q, want %q", c.before, c.after, got, c.want)
		}
	}
}

func TestOneCommand(t *testing.T) {
	for line, want := range map[string]string{
		"make 2>&1": "make",
		"git commit -m \"$(cat <<'EOF'\nAdd the cart\nEOF\n)\"": "git commit -m …",
		"cat > a.py <<EOF\nx\nEOF":                              "cat > a.py …",
		"a  b\n\tc":                                             "a b c",
	} {
		if got := oneCommand(line); got != want {
			t.Errorf("%q is shown as %q, want %q", line, got, want)
		}
	}
}

// What a pair teaches; without a trigger it is evidence alone.
func TestWhatErrorFixSays(t *testing.T) {
	lint := func(output string) story {
		return story{bash("golangci-lint run", fail, "Exit code 1\n"+output), edit("/home/dev/app/a.go", "f.Close()\n", "_ = f.Close()\n"), bash("golangci-lint run", ok, "0 issues.")}
	}
	for _, c := range []struct {
		name, title, fix string
		story            story
	}{
		{"a rule with a name", "The linter reports errcheck", "Write `_ = f.Close()` instead of `f.Close()`", lint("a.go:9:2: Error return value is not checked (errcheck)")},
		{"a failing test", "", "", story{bash("go test ./...", fail, "Exit code 1\n--- FAIL: TestA (0.00s)"), edit("/home/dev/app/a.go", "a", "b"), bash("go test ./...", ok, "ok  app 0.1s")}},
		{"a check that was switched off", "", "", story{bash("git commit -m x", fail, "Exit code 1\nhusky - pre-commit script failed (code 1)"), bash("git commit --no-verify -m x", ok, "[main 1f3c9a2] x")}},
		{"a slip of protocol", "", "", story{call("Edit", map[string]any{"file_path": "/home/dev/app/a.go", "old_string": "a", "new_string": "b"}, fail, "File has not been read yet."), read("/home/dev/app/a.go", ok, "a"), edit("/home/dev/app/a.go", "a", "b")}},
		{"a wrong guess at a file", "", "", story{read("/home/dev/app/cart.ts", fail, "File does not exist."), read("/home/dev/app/src/cart.ts", ok, "x")}},
		{"a package that has to be there", "`pytest` fails until `pip install respx` has run", "Run `pip install respx` first", story{bash("pytest", fail, "Exit code 4\nE   ModuleNotFoundError: No module named 'respx'"), bash("pip install respx 2>&1 | tail -3", masked, "Successfully installed"), bash("pytest", ok, "3 passed")}},
		{"a folder that had to go", "", "", story{bash("npm ci", fail, "Exit code 1\nnpm error ENOENT no such file or directory"), bash("rm -rf node_modules", ok, ""), bash("npm ci", ok, "added")}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := found(errorFixes{}, c.story)
			if len(got) != 1 {
				t.Fatalf("%d findings", len(got))
			}
			f := got[0]
			if fit := c.name == "a rule with a name" || c.name == "a package that has to be there"; fit != (f.unfit == "") || c.title != "" && f.title != c.title || c.fix != "" && f.fix != c.fix {
				t.Errorf("unfit %q, title %q, fix %q", f.unfit, f.title, f.fix)
			}
		})
	}
}
