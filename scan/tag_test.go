package scan

import (
	"fmt"
	"strings"
	"testing"

	"github.com/lessons-cli/lessons/scan/transcript"
)

const goodTag = `#lesson
tool: Bash
trigger: pytest -v tests/
mistake: pytest hangs without a terminal because of its progress output
fix: Use ` + "`python -m pytest --no-header -rN`" + ` or set TERM=dumb
tags: lang:python, tool:pytest, severity:hang
#/lesson`

func TestParseTags(t *testing.T) {
	short := "#lesson\nmistake: m\nfix: f\n#/lesson"
	cases := []struct {
		name, text string
		want       []string // tool|trigger|mistake|fix|tags, or "cancel …", or "flaw line: …"
	}{
		{"whole", goodTag, []string{"Bash|pytest -v tests/|pytest hangs without a terminal because of its progress output|Use `python -m pytest --no-header -rN` or set TERM=dumb|[lang:python tool:pytest severity:hang]"}},
		{"problem and solution", "#lesson\nproblem: m\nsolution: f\n#/lesson", []string{"||m|f|[]"}},
		{"in the middle of a reply", "I see.\n\n" + short + "\n\nGoing on.", []string{"||m|f|[]"}},
		{"CRLF", strings.ReplaceAll(short, "\n", "\r\n"), []string{"||m|f|[]"}},
		{"continuation lines", "#lesson\nmistake: first\n  second: part\nthird\nfix: f\n#/lesson", []string{"||first second: part third|f|[]"}},
		{"list items and bold names", "#lesson\n- **mistake:** m\n- **fix**: f\n#/lesson", []string{"||m|f|[]"}},
		{"a field of another version", "#lesson\nmistake: m\nscope: project\n more of scope\nfix: f\n#/lesson", []string{"||m|f|[]"}},
		{"a colon in the text", "#lesson\nmistake: m\nError: was shown\nfix: see https://example.org\n#/lesson", []string{"||m Error: was shown|see https://example.org|[]"}},
		{"another agent's word for the tool", "#lesson\ntool: `exec_command`\nmistake: m\nfix: f\n#/lesson", []string{"Bash||m|f|[]"}},
		{"two blocks", short + "\n" + short, []string{"||m|f|[]", "||m|f|[]"}},
		{
			"a decision", "#decision\ndecision: use slog instead of zap\nbecause: it is in the standard library\nabout: logging\ntags: lang:go\n#/decision",
			[]string{"decided use slog instead of zap|it is in the standard library|logging|[lang:go]"},
		},
		{"a decision in other words", "#decision\n- **Decision**: d\n- **Why**: w\n  and more\n#/decision", []string{"decided d|w and more||[]"}},
		{"a decision without a reason", "#decision\ndecision: d\n#/decision", []string{"decided d|||[]"}},
		{"no decision", "#decision\nbecause: b\n#/decision", []string{"flaw 1: #decision has no decision: line"}},
		{"a decision not closed", "#decision\ndecision: d\n" + short, []string{"||m|f|[]", "flaw 1: #decision is not closed by #/decision before the next block"}},
		{"a decision's form", "#decision\ndecision: <what was decided>\nbecause: <why>\nabout: <what it is about>\n#/decision", nil},
		{"nothing to report", "Done.\n#lesson:none", []string{"none 2"}},
		{"nothing to report, with a reason", "#lesson:none it holds for this file alone\n" + short, []string{"||m|f|[]", "none 1"}},
		{"nothing to report, in a sentence", "I write #lesson:none here.\n`#lesson:none`\n> #lesson:none", nil},
		{"cancel", "#lesson:cancel\nproblem: pytest hangs\n#/lesson:cancel", []string{"cancel pytest hangs"}},
		{"cancel closed as a lesson", "#lesson:cancel\nmistake: pytest hangs\n#/lesson", []string{"cancel pytest hangs"}},
		{"tags that are none", "#lesson\nmistake: m\nfix: f\ntags: python, lang:go, <category:value>, a b:c\n#/lesson", []string{"||m|f|[lang:go]"}},

		{"no mistake", "#lesson\nfix: f\n#/lesson", []string{"flaw 1: #lesson has no mistake: line"}},
		{"no fix", "text\n#lesson\nmistake: m\n#/lesson", []string{"flaw 2: #lesson has no fix: line"}},
		{"not closed", "#lesson\nmistake: m\nfix: f", []string{"flaw 1: #lesson is not closed by #/lesson"}},
		{"one not closed hides no other", "#lesson\nmistake: lost\n" + short, []string{"||m|f|[]", "flaw 1: #lesson is not closed by #/lesson before the next block"}},
		{"too long", "#lesson\nmistake: " + strings.Repeat("long ", 5000) + "\n#/lesson", []string{"flaw 1: #lesson is longer than 16 KiB"}},
		{"cancel of nothing", "#lesson:cancel\n#/lesson:cancel", []string{"flaw 1: #lesson:cancel names no mistake"}},

		{"in a sentence", "Write #lesson and #/lesson round it.", nil},
		{"in backticks", "`#lesson`\nmistake: m\nfix: f\n`#/lesson`", nil},
		{"quoted", "> #lesson\n> mistake: m\n> fix: f\n> #/lesson", nil},
		{"indented code", "    #lesson\n    mistake: m\n    fix: f\n    #/lesson", nil},
		{"a code fence round it", "```\n" + short + "\n```", nil},
		{"a fence with a language and blank lines", "~~~text\n\n" + short + "\n\n~~~", nil},
		{"a fence that nothing closes", "```\nls\n\n" + short, nil},
		{"a fence with other things", "```\nnpm test\n" + short + "\n```", nil},
		{"announced as an example", "Example:\n\n" + short, nil},
		{"announced as a format, fenced", "It uses this format:\n```\n" + short + "\n```", nil},
		{"a form to fill in", "#lesson\nmistake: <what went wrong>\nfix: <what works>\n#/lesson", nil},
		{"dots for values", "#lesson\nmistake: ...\nfix: ...\n#/lesson", nil},
		{"another protocol's heading", "## Lesson Reporting Protocol\n\n" + short, nil},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			r := ParseReports(c.text)
			var got []string
			for _, x := range r.Lessons {
				got = append(got, fmt.Sprintf("%s|%s|%s|%s|%v", x.Tool, x.Trigger, x.Mistake, x.Fix, x.Tags))
			}
			for _, x := range r.Cancels {
				got = append(got, "cancel "+x.Prefix)
			}
			for _, x := range r.Decisions {
				got = append(got, fmt.Sprintf("decided %s|%s|%s|%v", x.Decision, x.Because, x.About, x.Tags))
			}
			for _, x := range r.None {
				got = append(got, fmt.Sprintf("none %d", x))
			}
			for _, x := range r.Flaws {
				got = append(got, fmt.Sprintf("flaw %d: %s", x.Line, x.Text))
			}
			if fmt.Sprintf("%q", got) != fmt.Sprintf("%q", c.want) {
				t.Errorf("parsed\n%q\nwant\n%q", got, c.want)
			}
		})
	}
}

func TestTheTagProtocolsOwnExampleIsLearnedAsALesson(t *testing.T) {
	texts := map[string]string{
		"as it is":          Protocol,
		"repeated in prose": "The hook told me:\n\n" + Protocol + "\nI will follow it.",
		"fenced":            "```\n" + Protocol + "```\n",
		"its block alone":   Protocol[strings.Index(Protocol, "#lesson"):],
		"its block, fenced": "```\n" + Protocol[strings.Index(Protocol, "#lesson"):strings.Index(Protocol, "#/lesson")] + "#/lesson\n```",
	}
	for name, text := range texts {
		t.Run(name, func(t *testing.T) {
			if got := found(reports{}, story{says(text)}); len(got) != 0 {
				t.Errorf("learned %q from the protocol", got[0].mistake)
			}
		})
	}
}

func TestProtocolIsShortAndCarriesItsVersion(t *testing.T) {
	// Four characters a token is the usual estimate for English.
	if n := len(Protocol) / 4; n > 260 {
		t.Errorf("the protocol takes about %d tokens, 260 are allowed", n)
	}
	if !strings.Contains(Protocol, fmt.Sprintf("v%d", ProtocolVersion)) {
		t.Error("the protocol does not say its version")
	}
}

func TestOnlyTheAgentsWordsCarryTags(t *testing.T) {
	for name, s := range map[string]story{
		"the person's message":  {user(goodTag)},
		"a tool result":         {bash("cat notes.md", ok, goodTag)},
		"words with a refusal":  {call("Bash", map[string]any{"command": "ls"}, transcript.Rejected, goodTag)},
		"the compaction's text": {func(x *teller) { compaction()(x); x.events[len(x.events)-1].Text = goodTag }},
		"a command":             {bash("cat <<'EOF'\n"+goodTag+"\nEOF", ok, "")},
	} {
		t.Run(name, func(t *testing.T) {
			if got := found(reports{}, s); len(got) != 0 {
				t.Errorf("learned %q", got[0].mistake)
			}
		})
	}
	if got := found(reports{}, story{says(goodTag)}); len(got) != 1 {
		t.Fatalf("the agent's own words gave %d lessons, want 1", len(got))
	}
}

func FuzzParseTags(f *testing.F) {
	for _, s := range []string{goodTag, Protocol, "```\n" + goodTag + "\n```", "#lesson\n#lesson\n#/lesson", "#lesson:cancel\nfix:\n#/lesson:cancel", "> #lesson"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		r := ParseReports(text)
		for _, tag := range r.Lessons {
			if tag.Mistake == "" || tag.Fix == "" {
				t.Errorf("an incomplete lesson was accepted: %+v", tag)
			}
			again := ParseReports("#lesson\nmistake: " + tag.Mistake + "\nfix: " + tag.Fix + "\n#/lesson").Lessons
			if len(again) == 1 && again[0].Mistake != tag.Mistake {
				t.Errorf("written back, %q became %q", tag.Mistake, again[0].Mistake)
			}
		}
		for _, c := range r.Decisions {
			if c.Decision == "" {
				t.Errorf("an incomplete decision was accepted: %+v", c)
			}
		}
		for _, c := range r.Cancels {
			if c.Prefix == "" {
				t.Error("a cancel without words takes back everything")
			}
		}
		for _, fl := range r.Flaws {
			if fl.Line < 1 || fl.Line > strings.Count(text, "\n")+1 {
				t.Errorf("a flaw in line %d of a text of %d lines", fl.Line, strings.Count(text, "\n")+1)
			}
		}
	})
}
