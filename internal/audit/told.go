package audit

import (
	"strings"

	"github.com/lessons-cli/lessons/internal/automata"
	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/instructions"
	"github.com/lessons-cli/lessons/knowledge/lesson"
	"github.com/lessons-cli/lessons/knowledge/markdown"
)

// line is something that agents are told, with where it stands.
type line struct {
	file   string
	number int
	text   string
	dir    string   // the folder of the file, as seen from which it may name paths
	scope  []string // globs of the files for which it holds; none: all
	shell  bool     // a line of a shell in a fence
	states bool     // it may be a rule, and no heading, row or code
}

// shells are the languages of fences whose lines are commands.
var shells = map[string]bool{"sh": true, "bash": true, "shell": true, "console": true, "zsh": true}

// told are the lines of instruction files, lessons and entries.
func (in Input) told() []line {
	var all []line
	for _, f := range in.Files {
		for _, p := range f.Passages {
			l := line{file: f.Path, number: p.Line, text: p.Text, dir: instructions.FolderOf(f.Path), scope: f.Scope}
			switch {
			case p.Role == markdown.Code && !shells[p.Info]:
				continue // an example
			case p.Role == markdown.Code:
				l.text, l.shell = strings.TrimPrefix(p.Text, "$ "), true
			case p.Role == markdown.Title:
				continue
			default:
				l.states = !p.Row
			}
			all = append(all, l)
		}
	}
	for _, a := range in.Artifacts {
		if a.Kind != knowledge.KindLesson && a.Anchor == "" {
			continue
		}
		for _, p := range instructions.Read(a.Path, a.Text).Passages {
			if p.Role != markdown.Code && p.Role != markdown.Title && !strings.HasPrefix(p.Text, lesson.QuoteLabel) {
				all = append(all, line{file: a.Path, number: a.Line + p.Line - 1, text: p.Text})
			}
		}
	}
	return all
}

var codeSpan = automata.Lazily("`([^`]+)`")

// spans are what a line has between backticks; of a line of a shell, all of it.
func (l line) spans() []string {
	if l.shell {
		return []string{variable().ReplaceAllString(l.text, "*")}
	}
	return lists.Map(codeSpan().FindAllStringSubmatch(l.text, -1), func(m []string) string { return variable().ReplaceAllString(m[1], "*") })
}

// variable matches what stands for something else in code: "<topic>", "{name}".
var variable = automata.Lazily(`<[\w .|-]+>|\{[\w .|-]+\}|\[[\w .|-]+\]`)

// past matches lines that tell of what was, or is not to be: what they name need not be
// there.
var past = automata.Lazily(`(?i)\b(?:was|were|got|has been|have been|is|are) (?:removed|deleted|dropped|renamed|replaced|gone|retired)\b|\b(?:no longer|used to|formerly|legacy|previously|the old)\b|\b(?:there (?:is|are) no|we have no|don'?t have)\b`)

// wanted matches lines that speak of what is to be made, or must not be.
var wanted = automata.Lazily(`(?i)\b(?:never|don'?t|do not|must not|avoid|no)\b.{0,40}\b(?:create|add|commit|put|write|make|introduce|name[ds]?|called|import|check in)\b|\b(?:no|not|never|don'?t) (?:a |an |any |new )?(?:package|module|folder|file|class|function|component)s?\b|\b(?:creates?|generates?|writes?|produces?|outputs?|saves?|written|generated|built|named|called|e\.g\.|for example|such as)\b`)
