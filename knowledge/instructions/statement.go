package instructions

import (
	"strings"

	"github.com/lessons-cli/lessons/internal/automata"
	"github.com/lessons-cli/lessons/knowledge/markdown"
	"github.com/lessons-cli/lessons/knowledge/statement"
)

// Statement is an instruction of a file, with where it stands.
type Statement struct {
	statement.Statement
	Line    int
	Scope   []string // globs of the files for which it holds; none: all
	Project string   // folder of the project for which it was remembered; "": this one
}

// Statements are the instructions of a file, in its order: what it tells somebody to do or
// to leave. Headings, descriptions, lists of commands and of folders are none.
func (f File) Statements() []Statement {
	if f.note != nil {
		return f.note.statements(f)
	}
	var all []Statement
	project := ""
	for _, p := range f.Passages {
		if m := appliesTo().FindStringSubmatch(p.Text); m != nil {
			project = m[1] // Codex keeps those of all projects in one file
			continue
		}
		for _, s := range p.statements() {
			s.Scope, s.Project = f.Scope, project
			if len(s.Paths) > 0 {
				s.Scope = s.Paths
			}
			all = append(all, s)
		}
	}
	return all
}

// maxItem is how many words an item has at most that is one instruction as a whole.
const maxItem = 45

// statements are the instructions of a passage: of an item one, of a paragraph and a long
// item one a sentence.
func (p Passage) statements() []Statement {
	switch {
	case p.Role == markdown.Code || p.Role == markdown.Title || leads().MatchString(p.Text) || len(p.imports()) > 0 && statement.CountWords(p.Text) < 4:
		return nil
	case p.Row:
		return p.row()
	}
	place := p.about()
	if p.Role == markdown.Item && strings.Count(p.Text, " ") < maxItem {
		if s, ok := statement.Written(plainWords(p.Text), place); ok {
			return []Statement{{Statement: s, Line: p.Line}}
		}
		return nil
	}
	var all []Statement
	at, before := 0, ""
	for sentence := range statement.Sentences(p.Text) {
		at += strings.Index(p.Text[at:], sentence)
		text := plainWords(sentence)
		if s, ok := statement.Written(text, statement.Place{Before: before}); ok {
			if n := len(all); n > 0 && strings.HasPrefix(s.Rule, all[n-1].Rule) {
				all[n-1].Statement = s // it goes on
			} else {
				all = append(all, Statement{Statement: s, Line: p.lineAt(at)})
			}
			if before != "" && strings.HasPrefix(s.Rule, before) {
				text = before + " " + text
			}
		}
		at, before = at+len(sentence), text
	}
	return all
}

// row is the instruction of a row: what stands in a column of rules, behind the first cell.
func (p Passage) row() []Statement {
	cells := p.cells()
	for i, cell := range cells {
		if i >= len(p.header) || !statement.Rules(p.header[i]) || strings.Trim(cell, "-: ") == "" {
			continue
		}
		place := statement.Place{}
		if i > 0 {
			place.Lead = cells[0]
		}
		if s, ok := statement.Written(cell, place); ok {
			if last := len(cells) - 1; last > i && last < len(p.header) && reasons().MatchString(p.header[last]+" ") {
				s.Because = cells[last]
			}
			return []Statement{{Statement: s, Line: p.Line}}
		}
	}
	return nil
}

// about is what stands above an item. The title of the whole file says nothing of it.
func (p Passage) about() statement.Place {
	place := statement.Place{Step: p.Step}
	for sentence := range statement.Sentences(plainWords(p.Lead)) {
		place.Lead = strings.Trim(sentence, ": ") // the last one leads to it
	}
	if n := len(p.Headings); n > 1 || n == 1 && p.Lead == "" {
		place.Heading = plainWords(p.Headings[n-1])
	}
	return place
}

var (
	appliesTo = automata.Lazily(`^(?:scope: .*)?applies_to: cwd=([^;,\s]+)`)
	leads     = automata.Lazily(`^\[[^\[\]]+\]\([^()]+\)(?:\s*[-–—:]|$)`) // an index of other files
	comments  = automata.Lazily(`<!--.*?-->`)
	emphasis  = automata.Lazily(`\*\*|__(?:\b|$)|(?:^|\s)\*(?:\S)|(?:\S)\*(?:\s|$)`)
	links     = automata.Lazily(`\[([^\[\]]+)\]\([^()\s]*(?:\s"[^"]*")?\)`)
	boxes     = automata.Lazily(`^\[[ xX]\] `)
)

// plainWords leaves out the marks of Markdown that change how a text looks, outside of code.
func plainWords(text string) string {
	text = boxes().ReplaceAllString(comments().ReplaceAllString(text, ""), "")
	var b strings.Builder
	for i, part := range strings.Split(text, "`") {
		if i > 0 {
			b.WriteByte('`')
		}
		if i%2 == 1 {
			b.WriteString(part)
			continue
		}
		part = links().ReplaceAllString(part, "$1")
		b.WriteString(emphasis().ReplaceAllStringFunc(part, func(m string) string { return strings.ReplaceAll(strings.ReplaceAll(m, "*", ""), "__", "") }))
	}
	return strings.Join(strings.Fields(b.String()), " ")
}
