package artifact

import (
	"path"

	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/entry"
)

// In reads one version of a file, wherever it lay, as the artifacts of
// a kind that it holds: the entries of a book or entry file, or the file itself.
// It is for versions out of git's history and for files that were moved out of
// the artifact folders; [Artifacts] reads those.
func In(kind knowledge.Kind, name string, data []byte) []Artifact {
	switch kind {
	case knowledge.KindADR, knowledge.KindPF:
		as := name
		if name != entry.BookPath(kind) { // an entry of its own, also where no entries belong
			as = entry.Dir(kind) + "/" + path.Base(name)
		}
		b, _ := entry.ParseBook(as, data)
		var found []Artifact
		for _, e := range b.Entries {
			if e.Path = name; e.Kind == kind {
				found = append(found, OfEntry(e))
			}
		}
		return found
	case knowledge.KindLesson:
		return []Artifact{lessonFile{cachedLesson: cachedLesson{Name: name, Text: data}}.parsed().artifact()}
	}
	return []Artifact{plain(kind, name, data)}
}
