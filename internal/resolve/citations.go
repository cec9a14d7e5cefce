package resolve

import (
	"context"
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/knowledge/entry"
)

// Document is a text of the work tree that names entries.
type Document struct {
	Path string
	Text []byte
}

// Rewrite is a citation that meant an entry which was renumbered. Unproved ones
// are not rewritten: a wrong rewrite is worse than a dangling citation.
type Rewrite struct {
	Path string `json:"path"`
	Line int    `json:"line"`
	From string `json:"from"`
	To   string `json:"to"` // of an unproved one: what it may have meant
}

// Citations rewrites the citations that provably meant an entry which is
// renumbered: the line carries the entry's marker, or it came into the file with
// a commit in whose tree the number stood for that entry and no other. It returns
// the new texts, what was rewritten, and what could not be proved.
func Citations(ctx context.Context, plan []Renumbering, documents []Document, h *History) (texts map[string][]byte, done, unproved []Rewrite, err error) {
	losers := map[string][]Renumbering{}
	for _, r := range plan {
		losers[r.From] = append(losers[r.From], r)
	}
	texts = map[string][]byte{}
	for _, d := range documents {
		text := string(d.Text)
		cited := entry.CitationsIn(d.Path, text)
		for _, c := range slices.Backward(cited) {
			candidates := losers[c.ID]
			line := lineOf(string(d.Text), c.Offset) // as history knows it
			if len(candidates) == 0 || names(line) {
				continue
			}
			r, ok, err := meant(ctx, h, d.Path, line, candidates)
			if err != nil {
				return nil, nil, nil, err
			}
			switch {
			case !ok:
				unproved = append(unproved, Rewrite{d.Path, c.Line, c.ID, candidates[0].To})
			case r != nil:
				text = text[:c.Offset] + r.To + text[c.Offset+c.Length:]
				done = append(done, Rewrite{d.Path, c.Line, c.ID, r.To})
			}
		}
		if text != string(d.Text) {
			texts[d.Path] = []byte(text)
		}
	}
	slices.Reverse(done)
	slices.Reverse(unproved)
	return texts, done, unproved, nil
}

// meant says which renumbered entry a line means: nil for none of them. It is
// false when that cannot be proved.
func meant(ctx context.Context, h *History, path, line string, candidates []Renumbering) (*Renumbering, bool, error) {
	for i, r := range candidates {
		if r.entry.Source != "" && strings.Contains(line, r.entry.Source) {
			return &candidates[i], true, nil
		}
	}
	key, ok, err := h.Meant(ctx, path, line, candidates[0].From)
	if err != nil || !ok {
		return nil, false, err
	}
	for i, r := range candidates {
		if r.key == key {
			return &candidates[i], true, nil
		}
	}
	return nil, true, nil
}

// names says whether a line gives an entry its name instead of citing it.
func names(line string) bool {
	line = strings.TrimSpace(line)
	return strings.HasPrefix(line, "#") && (strings.Contains(line, " ADR-") || strings.Contains(line, " PF-")) && headingOf(line) ||
		strings.Contains(line, "**"+entry.FieldFormerly+"**")
}

func headingOf(line string) bool {
	word, _, _ := strings.Cut(strings.TrimLeft(line, "# "), " ")
	_, _, ok := entry.ParseID(strings.TrimRight(word, ":"))
	return ok
}

func lineOf(text string, at int) string {
	start := strings.LastIndexByte(text[:at], '\n') + 1
	end := strings.IndexByte(text[at:], '\n')
	if end < 0 {
		return strings.TrimRight(text[start:], "\r")
	}
	return strings.TrimRight(text[start:at+end], "\r")
}
