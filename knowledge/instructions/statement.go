package instructions

import (
	"regexp"
	"strings"

	"github.com/lessons-cli/lessons/knowledge/markdown"
	"github.com/lessons-cli/lessons/knowledge/statement"
)

// Statement is an instruction of a file, with where it stands.
type Statement struct {
	statement.Statement
	Line  int
	Scope []string // globs of the files for which it holds; none: all
}

// Statements are the instructions of a file, in its order: what it tells somebody to do or
// to leave. Headings, descriptions, lists of commands and of folders are none.
func (f File) Statements() []Statement {
	var all []Statement
	for _, p := range f.Passages {
		for _, s := range p.statements() {
			scope := f.Scope
			if len(s.Paths) > 0 {
				scope = s.Paths
			}
			all = append(all, Statement{s, p.Line, scope})
		}
	}
	return all
}

// statements are the instructions of a passage: an item is one at most, a paragraph has
// one a sentence.
func (p Passage) statements() []statement.Statement {
	if p.Role == markdown.Code || p.Role == markdown.Title || p.Row {
		return nil
	}
	text := plainWords(p.Text)
	about := p.about()
	if p.Role == markdown.Item {
		if s, ok := statement.Written(text, about); ok {
			return []statement.Statement{s}
		}
		return nil
	}
	var all []statement.Statement
	for sentence := range statement.Sentences(text) {
		if s, ok := statement.Written(sentence, statement.Place{}); ok {
			all = append(all, s)
		}
	}
	return all
}

// about is what stands above an item. The title of the whole file says nothing of it.
func (p Passage) about() statement.Place {
	place := statement.Place{Lead: strings.Trim(plainWords(p.Lead), ": ")}
	if n := len(p.Headings); n > 1 || n == 1 && p.Lead == "" {
		place.Heading = plainWords(p.Headings[n-1])
	}
	return place
}

var (
	comments = regexp.MustCompile(`<!--.*?-->`)
	emphasis = regexp.MustCompile(`\*\*|__(?:\b|$)|(?:^|\s)\*(?:\S)|(?:\S)\*(?:\s|$)`)
	links    = regexp.MustCompile(`\[([^\[\]]+)\]\([^()\s]*(?:\s"[^"]*")?\)`)
	boxes    = regexp.MustCompile(`^\[[ xX]\] `)
)

// plainWords leaves out the marks of Markdown that change how a text looks, outside of code.
func plainWords(text string) string {
	text = boxes.ReplaceAllString(comments.ReplaceAllString(text, ""), "")
	var b strings.Builder
	for i, part := range strings.Split(text, "`") {
		if i > 0 {
			b.WriteByte('`')
		}
		if i%2 == 1 {
			b.WriteString(part)
			continue
		}
		part = links.ReplaceAllString(part, "$1")
		b.WriteString(emphasis.ReplaceAllStringFunc(part, func(m string) string { return strings.ReplaceAll(strings.ReplaceAll(m, "*", ""), "__", "") }))
	}
	return strings.Join(strings.Fields(b.String()), " ")
}
