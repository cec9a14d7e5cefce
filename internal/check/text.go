package check

import (
	"slices"
	"unicode/utf8"

	"github.com/lessons-cli/lessons/internal/lists"
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
func (c *checker) invisible() {
	for path, text := range c.own {
		at := plain.Invisible(text)
		if at < 0 {
			continue
		}
		r, _ := utf8.DecodeRuneInString(text[at:])
		c.broken(path, knowledge.LineAt([]byte(text), at), "invisible-character", "U+%04X cannot be seen and is read by models; take it out", r)
	}
}

// secrets finds keys and passwords. The finding does not repeat them.
func (c *checker) secrets() {
	look := func(path, text string, lines map[int]bool) {
		told := map[int]bool{}
		for _, at := range redact.Secrets(text) {
			line := knowledge.LineAt([]byte(text), at)
			if told[line] || lines != nil && !lines[line] {
				continue
			}
			told[line] = true
			c.broken(path, line, "secret", "this looks like a secret; take it out, and revoke it if it is one: git keeps what was committed")
		}
	}
	for _, texts := range []map[string]string{c.own, c.Files} {
		for path, text := range texts {
			look(path, text, nil)
		}
	}
	for _, d := range c.Added {
		_, own := c.own[d.Path]
		if _, file := c.Files[d.Path]; !own && !file && d.Own {
			look(d.Path, string(d.Text), d.Lines)
		}
	}
}

// addedCitations finds citations of entries that do not exist in the lines that a
// change adds and in the messages of its commits: an invented number is cheapest
// to mend before it is merged.
func (c *checker) addedCitations() {
	if len(c.Snapshot.Entries()) == 0 {
		return // such names are somebody else's here
	}
	for _, d := range c.Added {
		for _, cited := range entry.CitationsIn(d.Path, string(d.Text)) {
			if d.Lines[cited.Line] && !c.known[cited.ID] {
				c.broken(d.Path, cited.Line, "dangling-citation", "there is no %s", cited.ID)
			}
		}
	}
	for _, m := range c.Messages {
		for _, cited := range entry.CitationsIn("message", m.Text) {
			if !c.known[cited.ID] {
				c.broken("commit "+m.Commit[:min(10, len(m.Commit))], cited.Line, "dangling-citation", "the message cites %s, which does not exist", cited.ID)
			}
		}
	}
}

// standingCitations names the citations of entries that do not exist in what stands in the
// repository: somebody else may number things so, too.
func (c *checker) standingCitations() {
	added := lists.Table(c.Added, func(a Added) (string, map[int]bool) { return a.Path, a.Lines })
	for path, text := range c.Citing {
		for _, cited := range entry.CitationsIn(path, text) {
			if !c.known[cited.ID] && !added[path][cited.Line] {
				c.notice(path, cited.Line, "dangling-citation", "there is no "+cited.ID+" here; if it is a number of another system, leave it")
			}
		}
	}
}

// knownNames are the numbers that a citation may name: of entries, of what they
// were called before, and of what was withdrawn.
func knownNames(s *store.Snapshot) map[string]bool {
	known := map[string]bool{}
	for _, e := range s.Entries() {
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
