package knowledge

import "bytes"

// ManifestTexts are the files of the manifest as they were read, by path.
func (s *Snapshot) ManifestTexts() map[string][]byte {
	texts := map[string][]byte{}
	for path, data := range s.files {
		if MergeDriver(path) == MergeManifest {
			texts[path] = data
		}
	}
	return texts
}

// CanonicalManifest says whether a manifest file has the form in which it is
// written. One that cannot be read, or that a newer version or an earlier tool
// wrote, is none of ours to judge.
func CanonicalManifest(path string, data []byte) bool {
	m, err := ParseManifest(path, data)
	if err != nil || m == nil || m.newer || !bytes.Contains(data, []byte(manifestSchema)) {
		return true
	}
	return bytes.Equal(NormaliseLines(data), m.layout())
}

// FormManifest returns the manifest file in the form in which it is written.
func FormManifest(path string, data []byte) []byte {
	m, err := ParseManifest(path, data)
	if err != nil || m == nil || m.newer {
		return data
	}
	return m.layout()
}
