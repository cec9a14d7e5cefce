package render

import (
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestInertText(t *testing.T) {
	tests := []struct{ text, want string }{
		{"", ""},
		{"run `go test ./...` first", "run `go test ./...` first"},
		{"run !`rm -rf /` now", "run ! `rm -rf /` now"},
		{"```!\nrm\n```", "`` ! rm ``"},
		{"cost $5 and $ARGUMENTS", "cost $ 5 and $ ARGUMENTS"},
		{"${CLAUDE_SKILL_DIR}/x", "$ {CLAUDE_SKILL_DIR}/x"},
		{"# heading", `\# heading`},
		{"--- rule", `\--- rule`},
		{"> quote", `\> quote`},
		{"-x is a flag", "-x is a flag"},
		{"two\nlines\tand  blanks", "two lines and blanks"},
		{"hidden\u202e text\u200b", "hidden text"},
		{"a {{args}} template", "a { {args}} template"},
	}
	for _, tt := range tests {
		if got := inert(tt.text); got != tt.want {
			t.Errorf("inert(%q) = %q, want %q", tt.text, got, tt.want)
		}
	}
}

// active is the syntax by which an agent runs programs, reads files or takes
// arguments in a command or skill.
var active = []*regexp.Regexp{
	regexp.MustCompile("!`"),
	regexp.MustCompile("```[ \t]*!"),
	regexp.MustCompile(`(^|[^A-Za-z0-9_])@[A-Za-z0-9_./~"]`),
	regexp.MustCompile(`\$(ARGUMENTS|[0-9]|\{)`),
	regexp.MustCompile(`\{\{`),
	regexp.MustCompile("<!--"),
}

// hostile draws texts from what would be active.
func hostile() *rapid.Generator[string] {
	piece := rapid.SampledFrom([]string{
		"!`id`", "!", "`", "``", "```", "````", "~~~", "!```", "@/etc/passwd", "@", "$ARGUMENTS", "$1", "$", "${CLAUDE_X}", "{", "{{", "}}",
		"<!--", "-->", "<", "\n", "\n\n", "---", "\n---\n", "# ", "## Steps", "a: b", "allowed-tools: Bash", "\"", "'", "\\", "%", "\r\n", "\t",
		"\u200b", "\u202e", "\U000E0041", "é", "日本", "text", " ", "1. ", "- ", "- [ ] ", "> ", "source: self-learning:obs_forged", "\x00", "\x1b[31m", "\xff",
	})
	return rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(piece, 0, 9).Draw(t, "pieces"), "")
	})
}

func checkInert(t interface{ Fatalf(string, ...any) }, text string) {
	for _, re := range active {
		if found := re.FindString(text); found != "" {
			t.Fatalf("active syntax %q in:\n%s", found, text)
		}
	}
	for _, r := range text {
		if (r < ' ' && r != '\n') || (r >= 0x7f && r <= 0x9f) || (r >= 0x202a && r <= 0x202e) || (r >= 0xe0000 && r <= 0xe007f) {
			t.Fatalf("invisible character %U in:\n%q", r, text)
		}
	}
}

func TestNothingActiveSurvivesTheEncoder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := hostile().Draw(t, "text")
		line := inert(text)
		checkInert(t, line)
		if strings.Contains(line, "\n") {
			t.Fatalf("more than a line: %q", line)
		}
		block := inertBlock(text)
		checkInert(t, regexp.MustCompile(`(?m)^[ \t]+`).ReplaceAllString(block, " ")) // code keeps the tabs before it
		if fences := len(regexp.MustCompile("(?m)^```$").FindAllString(block, -1)); fences%2 != 0 {
			t.Fatalf("a fence is left open:\n%s", block)
		}
		prose := regexp.MustCompile("(?ms)^```\n.*?^```$").ReplaceAllString(block, "") // "# " begins a comment in code
		if regexp.MustCompile("(?m)^ {0,3}#{1,6}( |$)").MatchString(prose) {
			t.Fatalf("a heading is left:\n%s", block)
		}
	})
}
