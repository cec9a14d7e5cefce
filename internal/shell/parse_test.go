package shell

import (
	"strings"
	"testing"
	"time"

	"github.com/lessons-cli/lessons/internal/cputime"
)

func FuzzParse(f *testing.F) {
	for _, s := range []string{"a", "bash -c 'x'", "cat <<EOF\nx\nEOF", "f() { f; }; f", "a 'b", "$(((", "a && b || c; d & e | f", "sudo env A=b timeout 3 x", "if [ -f x ]; then rm x", "eval eval eval", "find . -exec rm {} +"} {
		f.Add(s)
	}
	for _, c := range programs {
		f.Add(c.line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		parsed := Parse(line)
		commands := parsed.All
		for exit := range 3 {
			parsed.Answers(exit, true)
		}
		for _, c := range commands {
			if c.In(Negated|Background|Conditional|Substituted) && !c.Masked {
				t.Errorf("the line proves %+v", c)
			}
			if c.Program == "" && len(c.Redirects) == 0 {
				t.Errorf("a command without program: %+v", c)
			}
			if len(c.Source) > len(line)*4+16 {
				t.Errorf("source is longer than the line: %q", c.Source)
			}
		}
	})
}

func TestParseSurvivesHostileLines(t *testing.T) {
	for name, line := range map[string]string{
		"brackets":      strings.Repeat("(", 60000),
		"subst":         strings.Repeat("$(", 30000),
		"backticks":     strings.Repeat("`", 60000),
		"braces":        strings.Repeat("{ ", 30000),
		"heredocs":      strings.Repeat("a <<E\n", 10000),
		"quotes":        strings.Repeat(`"$(`, 20000),
		"ifs":           strings.Repeat("if a; then ", 6000),
		"pipes":         strings.Repeat("a|", 30000),
		"not":           strings.Repeat("! ", 30000),
		"arith":         strings.Repeat("$((", 400) + strings.Repeat("1+", 20000),
		"sudo":          strings.Repeat("sudo ", 13000) + "x",
		"bash":          strings.Repeat("bash -c '", 7000),
		"long":          "echo " + strings.Repeat("x", 5<<20),
		"nul":           "\x00\x00 \xff\xfe; ls\x00",
		"cases":         strings.Repeat("case a in a) ", 5000),
		"arrays":        strings.Repeat("a[", 900) + strings.Repeat("b", 60000),
		"nested ifs":    strings.Repeat("if a; then ", 4000) + "b" + strings.Repeat("; fi", 4000),
		"nested lists":  strings.Repeat("( ", 900) + "b" + strings.Repeat(")", 900),
		"nested words":  strings.Repeat("a $(", 900) + "b" + strings.Repeat(")", 900),
		"nested quotes": strings.Repeat("bash -c \"eval '", 3000),
		"chain":         strings.Repeat("a && ", 12000) + "b",
		"alternatives":  strings.Repeat("a || ", 12000) + "$(b)",
		"wrapped pipes": strings.Repeat("$(a) | ", 900) + "b",
		"not all":       strings.Repeat("! a && ", 9000) + "(b)",
		"functions":     strings.Repeat("f() { g; }; ", 5000),
	} {
		if took := cputime.Of(func() { Parse(line) }); took > 2*time.Second {
			t.Errorf("%s took %v", name, took)
		}
	}
}

func TestAMessageIsNoFlag(t *testing.T) {
	for _, line := range []string{`git commit -m "--amend"`, "git stash push -m --all", "gh pr create --title --fill"} {
		for _, f := range Parse(line).All[0].Flags {
			if f.Name == "--amend" || f.Name == "--all" || f.Name == "--fill" {
				t.Errorf("%s has the flag %s", line, f.Name)
			}
		}
	}
}
