package scan

import "testing"

func TestWarned(t *testing.T) {
	const npm = "npm warn deprecated rimraf@2.7.1: no longer supported\nadded 3 packages"
	for _, c := range []struct{ tool, command, text, want string }{
		{"Bash", "npm ci", npm, "npm warn deprecated rimraf@2.7.1: no longer supported"},
		{"Bash", "npm ci 2>&1 | tail -3", npm, "npm warn deprecated rimraf@2.7.1: no longer supported"},
		{"Bash", "gcc -c a.c", "a.c:3:5: warning: unused variable x [-Wunused]", "a.c:3:5: warning: unused variable x [-Wunused]"},
		{"Bash", "mvn package", "[INFO] a\n[WARNING] b\n", "[WARNING] b"},
		{"Bash", "./run", "2026 [WARN] low space", "2026 [WARN] low space"},
		{"Bash", "ruff check", "All checks passed, 0 warnings", ""},
		{"Bash", "go test ./...", "ok  	x/warnings	0.2s", ""},
		{"Bash", "cat build.log", "warning: unused", ""},
		{"Bash", "cat build.log | grep warning", "warning: unused", ""},
		{"Bash", "git log --oneline", "abc warn about deprecated keys", ""},
		{"Bash", "cd x && git show HEAD", "+// Warning: slow", ""},
		{"Bash", "grep -rn deprecated .", "a.go:// Deprecated: use B", ""},
		{"Read", "", "Warning: do not edit", ""},
	} {
		step := &Step{}
		step.Tool, step.Command = c.tool, c.command
		if got := warned(step, c.text); got != c.want {
			t.Errorf("%s %q: %q, want %q", c.tool, c.command, got, c.want)
		}
	}
}
