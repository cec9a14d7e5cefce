package shellwords

import (
	"strings"
	"testing"
)

// ran renders what a line runs: programs with sub-commands and operands,
// without the wrappers.
func ran(commands []*Command) string {
	var parts []string
	for _, c := range commands {
		if c.Wrapper || c.Program == "" {
			continue
		}
		parts = append(parts, strings.Join(append([]string{c.Name()}, c.Operands...), " "))
	}
	return strings.Join(parts, " | ")
}

func TestParseTable(t *testing.T) {
	for _, c := range []struct{ line, want string }{
		{"pytest", "pytest"},
		{"git -C dir push origin main", "git push origin main"},
		{"bash -c 'cd src && pytest'", "cd src | pytest"},
		{"bash <<'EOF'\npytest -q x.py\nEOF", "pytest x.py"},
		{"cat > f <<EOF\npytest\nEOF", "cat"},
		{"sudo -u bob env A=b timeout 30 python -m pytest x.py", "pytest x.py"},
	} {
		if got := ran(Parse(c.line)); got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.line, got, c.want)
		}
	}
}
