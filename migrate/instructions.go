package migrate

import (
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/lessons-cli/lessons/knowledge/instructions"
	"github.com/lessons-cli/lessons/knowledge/lesson"
	"github.com/lessons-cli/lessons/knowledge/prose"
	"github.com/lessons-cli/lessons/knowledge/statement"
)

// instructionFiles reads what people tell agents in AGENTS.md, CLAUDE.md and rules files.
func instructionFiles() Format {
	known := func(name string) bool { _, ok := instructions.KindOf(name); return ok }
	return Format{
		Name: "instructions", About: "AGENTS.md, CLAUDE.md, GEMINI.md; rules of Claude Code, Cursor, Windsurf, Cline; Copilot's instructions",
		Places: []string{"."},
		Takes:  known,
		Detect: func(name string, _ []byte) bool { return known(name) },
		read:   readInstructions,
	}
}

// memories reads what agents remember by themselves: Claude Code's memory folder, Codex's
// memories, Gemini's memory and its inbox.
var memories = Format{
	Name: "memories", About: "what agents remember: Claude Code's memory folder, Codex's memories, Gemini's GEMINI.md and inbox",
	Remembered: true,
	Takes: func(name string) bool {
		return extension(".md", ".patch")(name) && !slices.Contains([]string{"raw_memories.md", "memory_summary.md"}, path.Base(name)) && !strings.Contains("/"+name, "/rollout_summaries/")
	},
	Detect: func(name string, _ []byte) bool {
		folder := "/" + path.Dir(name) + "/"
		return strings.Contains(folder, "/memory/") || strings.Contains(folder, "/memories/")
	},
	read: readInstructions,
}

// readInstructions makes a draft of every instruction.
func readInstructions(f *file) {
	if !f.isText() {
		return
	}
	for _, s := range instructions.Read(f.path, f.data).Statements() {
		f.add(f.instruction(s))
	}
}

// Here leaves out what an agent remembers of other projects. It keeps one memory for all, so
// that is no fault.
func Here(things []Thing, project string) []Thing {
	return slices.DeleteFunc(things, func(t Thing) bool {
		f, _ := FormatNamed(t.Source.Format)
		return f.Remembered && t.Scope != "" && !scoped(t.Scope, project)
	})
}

// maxRuleTitle is how long the title of an instruction is at most, in characters.
const maxRuleTitle = 80

func (f *file) instruction(s instructions.Statement) Thing {
	t := Thing{Source: f.source(s.Line, ""), Title: ruleTitle(s.Rule), Scope: s.Project}
	// The same words in two files are one instruction, wherever they move.
	t.Identity = strings.Join(append([]string{prose.NormaliseTitle(s.Rule)}, s.Scope...), "\x00")
	t.lesson(lesson.Requirement, 5, nil)
	t.Lesson.Status = lesson.Draft
	t.Lesson.Triggers.Paths = s.Scope
	if s.Rule != t.Title {
		t.Problem = s.Rule
	}
	if s.Because != "" && !strings.Contains(s.Rule, s.Because) {
		t.Why = s.Because
	}
	return t
}

// minRuleTitle is how long the beginning of a rule is at least that says enough.
const minRuleTitle = 20

// ruleTitle is the rule, or what of it says enough: its first sentence, what stands before
// a semicolon or a dash, or as many words as there is room for. It never ends within code.
func ruleTitle(rule string) string {
	for sentence := range statement.Sentences(rule) {
		if len(sentence) > minRuleTitle && !strings.HasSuffix(sentence, "?") {
			rule = strings.TrimSuffix(sentence, ".")
		}
		break
	}
	if utf8.RuneCountInString(rule) <= maxRuleTitle {
		return rule
	}
	room := len(string([]rune(rule)[:maxRuleTitle-2]))
	clause, word := 0, 0
	for i := range room {
		switch rest := rule[i:]; {
		case strings.Count(rule[:i], "`")%2 == 1:
		case i > minRuleTitle && (strings.HasPrefix(rest, "; ") || strings.HasPrefix(rest, " — ") || strings.HasPrefix(rest, " (")):
			clause = i
		case rest[0] == ' ':
			word = i
		}
	}
	switch {
	case clause > 0:
		return rule[:clause]
	case word > minRuleTitle:
		return strings.TrimRight(rule[:word], ",:") + " …"
	}
	return prose.Shorten(rule, maxRuleTitle)
}
