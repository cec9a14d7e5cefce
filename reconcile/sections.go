package reconcile

import (
	"errors"

	"github.com/lessons-cli/lessons/internal/gitstate"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/artifact"
	"github.com/lessons-cli/lessons/knowledge/entry"
	"github.com/lessons-cli/lessons/knowledge/manifest"
)

// isSection says whether the row's artifact is a section of a book or an entry
// file, which are told apart by their text and not by their path.
func isSection(row manifest.Row) bool {
	return row.Key().Kind == knowledge.KindADR || row.Key().Kind == knowledge.KindPF
}

// inBook says whether the row's artifact is one section among others there, so
// that the path alone says nothing of it.
func inBook(row manifest.Row, path string) bool {
	return isSection(row) && path == entry.BookPath(row.Key().Kind)
}

// holdOf says what one version of a file, read as artifacts, has of a row's.
func holdOf(row manifest.Row, found []artifact.Artifact) hold {
	a := pick(row, found)
	switch {
	case a == nil:
		return absent
	case a.Source == "":
		return bare
	}
	return mine
}

func isNoHistory(err error) bool {
	return errors.Is(err, gitstate.ErrNoHistory) || errors.Is(err, gitstate.ErrUnsupported)
}
