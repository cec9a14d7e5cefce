package fingerprint

import "testing"

func TestTemplate(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"unknown flag: --stat", "unknown flag: --stat"},
		{"error: unknown flag `--stat'", "error: unknown flag --stat"},
		{`error: "--json" is not a flag`, "error: --json is not a flag"},
		{"ModuleNotFoundError: No module named 'requests'", "ModuleNotFoundError: No module named <quoted>"},
		{"fatal: pathspec 'a b' did not match", "fatal: pathspec <quoted> did not match"},
		{"can't open file: it doesn't exist", "can't open file: it doesn't exist"},
		{"(eval):12: no matches found: src/*.ts", "(eval):<line>: no matches found: <path>"},
		{"(eval):1: no matches found: repos/a/b/comments?per_page=100&page=2", "(eval):<line>: no matches found: <path>"},
		{"(eval):1: parse error near `('", "(eval):<line>: parse error near <quoted>"},
		{"GET https://example.org/a/b?c=1 failed", "GET <url> failed"},
		{"open /home/dev/app/main.go: no such file or directory", "open <path>: no such file or directory"},
		{`cannot open C:\Users\dev\x.txt`, "cannot open <path>"},
		{"main.go:12:5: undefined: x", "main.go:<line>: undefined: x"},
		{"app.py:7 failed", "app.py:<line> failed"},
		{"commit 8312232abc not found", "commit <hex> not found"},
		{"request 3f2504e0-4f89-41d3-9a0c-0305e82c3301 failed", "request <hex> failed"},
		{"the facade is defaced", "the facade is defaced"},
		{"dial 127.0.0.1:5432: refused", "dial <ip>: refused"},
		{"at 2026-01-02T03:04:05Z it ended", "at <time> it ended"},
		{"timed out after 120s", "timed out after <duration>"},
		{"timed out after 2.5 seconds", "timed out after <duration>"},
		{"3 errors in 14 files", "<n> errors in <n> files"},
		{"error TS2345: Argument of type 'A' is wrong", "error TS2345: Argument of type <quoted> is wrong"},
		{"app.py E501 line too long (92 > 79)", "app.py E501 line too long (<n> > <n>)"},
		{"rule 'no-unused-vars' failed", "rule no-unused-vars failed"},
		{"python3.11 is missing", "python<n> is missing"},
		{"\x1b[31merror\x1b[0m: bad\n\n  second  line\nthird", "error: bad\nsecond line"},
		{"50/60 passed", "<n>/<n> passed"},
		{"", ""},
	} {
		if got := Template(c.text); got != c.want {
			t.Errorf("Template(%q) = %q, want %q", c.text, got, c.want)
		}
		if again := Template(Template(c.text)); again != Template(c.text) {
			t.Errorf("Template of its own result %q is %q", Template(c.text), again)
		}
	}
}

func TestWordingKeepsWhatIsNamed(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"No module named 'requests'", "No module named 'requests'"},
		{"open /home/dev/app/main.go: no such file", "open <path>main.go: no such file"},
		{"open /home/other/main.go: no such file", "open <path>main.go: no such file"},
		{"no matches found: src/*.ts", "no matches found: <path>"},
	} {
		if got := Wording(c.text); got != c.want {
			t.Errorf("Wording(%q) = %q, want %q", c.text, got, c.want)
		}
	}
}

// The values are pinned: fp1 is compared with what earlier versions stored.
func TestFingerprintIsStable(t *testing.T) {
	for _, c := range []struct {
		failure Failure
		want    string
	}{
		{Failure{"shell", "gh pr diff", "usage", "unknown flag: --stat"}, "fp1:4ce2em4246xbaetpo454"},
		{Failure{"shell", "gh pr diff", "usage", "Unknown flag: --stat"}, "fp1:z67hi3t7unzflo5jj6k4"},
		{Failure{"shell", "ls", "missing-path", "ls: cannot access '/a/b': No such file or directory"}, "fp1:x436ojmjyrzluhotuufz"},
		{Failure{Tool: "Read", Class: "missing-path", Text: "File does not exist."}, "fp1:a4cpsfhb6obzghb2zgpo"},
	} {
		if got := c.failure.Fingerprint(); got != c.want {
			t.Errorf("%+v: %s, want %s", c.failure, got, c.want)
		}
	}
	a := Failure{"shell", "ls", "missing-path", "ls: cannot access '/a/b': No such file or directory"}
	b := a
	b.Text = "ls: cannot access '/c/d/e.txt': No such file or directory"
	if a.Fingerprint() != b.Fingerprint() {
		t.Error("the path makes another kind of failure")
	}
	b.Command = "cat"
	if a.Fingerprint() == b.Fingerprint() {
		t.Error("the program does not matter")
	}
}

func FuzzTemplate(f *testing.F) {
	for _, s := range []string{"unknown flag: --stat", "`a' \"b\" 'c' “d”", "/a/b:1:2 0x12345678 10.0.0.1 3s", "\x1b[0m\n\n'"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		once := Template(s)
		if got := Template(s); got != once {
			t.Fatalf("twice differs: %q, %q", once, got)
		}
		Wording(s)
	})
}
