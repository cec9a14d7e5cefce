package instructions

import (
	"strings"

	"github.com/lessons-cli/lessons/internal/automata"
	"github.com/lessons-cli/lessons/knowledge/markdown"
	"github.com/lessons-cli/lessons/knowledge/statement"
)

// note is a memory that Claude Code keeps in a file of its own: front matter with a type,
// what is remembered, why, and how to apply it.
type note struct{ kind string }

// noteOf tells a memory by its front matter; nil: it is none.
func noteOf(values map[string][]string) *note {
	kind := strings.Join(values["type"], "")
	if len(values["name"]) == 0 || kind != "feedback" && kind != "project" && kind != "user" && kind != "reference" {
		return nil
	}
	return &note{kind}
}

var reasons = automata.Lazily(`(?i)^(?:why|reason)\b\W*\s`)

// statements is one: what is remembered of how to work here. What the user is like and
// where things are tells nobody what to do.
func (n note) statements(f File) []Statement {
	var said []string
	var because string
	s := Statement{Scope: f.Scope}
	for _, p := range f.Passages {
		text := plainWords(p.Text)
		switch {
		case p.Role == markdown.Code || p.Role == markdown.Title:
		case reasons().MatchString(text):
			because = plainWords(firstLine(p))[len(reasons().FindString(text)):]
		case s.Line == 0:
			s.Line, said = p.Line, append(said, text)
		}
	}
	rule := strings.Join(said, " ")
	for sentence := range statement.Sentences(rule) {
		if found, ok := statement.Written(sentence, statement.Place{}); ok && (n.kind == "feedback" || n.kind == "project") {
			found.Rule, found.Because = strings.TrimRight(rule, "."), because
			s.Statement = found
			return []Statement{s}
		}
	}
	return nil
}

// firstLine is the first line of a passage.
func firstLine(p Passage) string {
	if len(p.breaks) > 0 {
		return p.Text[:p.breaks[0]]
	}
	return p.Text
}
