package check

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/lessons-cli/lessons/internal/plain"
	"github.com/lessons-cli/lessons/internal/redact"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/entry"
	"github.com/lessons-cli/lessons/knowledge/store"
)

// texts are the artifacts and what a change added: everything that becomes part
// of somebody's context or of the repository's history.
func texts(in Input) map[string]string {
	all := map[string]string{}
	for _, a := range in.Snapshot.Artifacts {
		if data := in.Snapshot.Before(a.Path); data != nil {
			all[a.Path] = string(data)
		}
	}
	return all
}

// invisible finds characters that a reviewer cannot see and a model can (Trojan
// Source, tag smuggling).
func invisible(texts map[string]string) []knowledge.Problem {
	var found []knowledge.Problem
	for path, text := range texts {
		at := plain.Invisible(text)
		if at < 0 {
			continue
		}
		r, _ := utf8.DecodeRuneInString(text[at:])
		found = append(found, knowledge.Problem{
			Path: path, Line: lineAt(text, at), Rule: "invisible-character",
			Text: fmt.Sprintf("U+%04X cannot be seen and is read by models; take it out", r),
		})
	}
	return found
}

// secrets finds keys and passwords. The finding does not repeat them.
func secrets(in Input, all map[string]string) []knowledge.Problem {
	var found []knowledge.Problem
	look := func(path, text string, lines map[int]bool) {
		told := map[int]bool{}
		for _, at := range redact.Secrets(text) {
			line := lineAt(text, at)
			if told[line] || lines != nil && !lines[line] {
				continue
			}
			told[line] = true
			found = append(found, knowledge.Problem{
				Path: path, Line: line, Rule: "secret",
				Text: "this looks like a secret; take it out, and revoke it if it is one: git keeps what was committed",
			})
		}
	}
	for _, texts := range []map[string]string{all, in.Files} {
		for path, text := range texts {
			look(path, text, nil)
		}
	}
	for _, d := range in.Added {
		_, own := all[d.Path]
		if _, file := in.Files[d.Path]; !own && !file && d.Own {
			look(d.Path, string(d.Text), d.Lines)
		}
	}
	return found
}

func lineAt(text string, offset int) int { return 1 + strings.Count(text[:offset], "\n") }

// addedCitations finds citations of entries that do not exist in the lines that a
// change adds and in the messages of its commits: an invented number is cheapest
// to mend before it is merged.
func addedCitations(in Input, known map[string]bool) []knowledge.Problem {
	if len(entries(in.Snapshot)) == 0 {
		return nil // such names are somebody else's here
	}
	var found []knowledge.Problem
	for _, d := range in.Added {
		for _, c := range entry.CitationsIn(d.Path, string(d.Text)) {
			if d.Lines[c.Line] && !known[c.ID] {
				found = append(found, knowledge.Problem{Path: d.Path, Line: c.Line, Rule: "dangling-citation", Text: "there is no " + c.ID})
			}
		}
	}
	for _, m := range in.Messages {
		for _, c := range entry.CitationsIn("message", m.Text) {
			if !known[c.ID] {
				found = append(found, knowledge.Problem{
					Path: "commit " + m.Commit[:min(10, len(m.Commit))], Line: c.Line, Rule: "dangling-citation", Text: "the message cites " + c.ID + ", which does not exist",
				})
			}
		}
	}
	return found
}

// standingCitations names the citations of entries that do not exist in what stands in the
// repository: somebody else may number things so, too.
func standingCitations(in Input, known map[string]bool) []knowledge.Problem {
	added := map[string]map[int]bool{}
	for _, a := range in.Added {
		added[a.Path] = a.Lines
	}
	var found []knowledge.Problem
	for path, text := range in.Citing {
		for _, c := range entry.CitationsIn(path, text) {
			if !known[c.ID] && !added[path][c.Line] {
				found = append(found, notice(path, c.Line, "dangling-citation", "there is no "+c.ID+" here; if it is a number of another system, leave it"))
			}
		}
	}
	return found
}

// knownNames are the numbers that a citation may name: of entries, of what they
// were called before, and of what was withdrawn.
func knownNames(s *store.Snapshot) map[string]bool {
	known := map[string]bool{}
	for _, e := range entries(s) {
		known[entry.ID(e.Kind, e.Number)] = true
		for _, id := range e.Formerly() {
			known[id] = true // renumbered: it can still be followed
		}
	}
	for _, t := range s.Manifest.Tombstones {
		known[t.Anchor] = true // withdrawn, and its number is reserved for ever
		for _, id := range t.Formerly {
			known[id] = true
		}
	}
	for _, id := range slices.Concat(s.Manifest.Anchors(knowledge.KindADR), s.Manifest.Anchors(knowledge.KindPF)) {
		known[id] = true
	}
	return known
}
