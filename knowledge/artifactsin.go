package knowledge

import "path"

// ArtifactsIn reads one version of a file, wherever it lay, as the artifacts of
// a kind that it holds: the entries of a book or entry file, or the file itself.
// It is for versions out of git's history and for files that were moved out of
// the artifact folders; [Artifacts] reads those.
func ArtifactsIn(kind Kind, name string, data []byte) []Artifact {
	switch kind {
	case KindADR, KindPF:
		as := name
		if name != BookPath(kind) { // an entry of its own, also where no entries belong
			as = EntryDir(kind) + "/" + path.Base(name)
		}
		b, _ := ParseBook(as, data)
		var found []Artifact
		for _, e := range b.Entries {
			if e.Path = name; e.Kind == kind {
				found = append(found, EntryArtifact(e))
			}
		}
		return found
	case KindLesson:
		w := walker{}
		return []Artifact{w.lesson(name, data)}
	}
	return []Artifact{plainArtifact(kind, name, data)}
}
