// artifact Package artifact finds everything that people and agents read in the folders of a
// repository.
package artifact

import (
	"github.com/lessons-cli/lessons/knowledge"
)

// Artifact is something in the artifact folders that may carry our marker:
// a lesson file, a skill, a slash command, or one entry of a book.
type Artifact struct {
	Kind   knowledge.Kind
	Source string // observation id of the marker; empty: a person's
	Path   string // repository-relative, slashes
	Anchor string // ADR-001 for entries, else empty
	Title  string
	Status string // as written in the artifact
	Line   int
	Hash   string // ContentHash of Text
	Text   []byte // the file, or the entry's section
}

// Place is where the artifact stands: its path, of an entry path#ADR-007.
func (a Artifact) Place() string { return knowledge.Place(a.Path, a.Anchor) }
