package manifest

import (
	"bytes"

	"github.com/lessons-cli/lessons/knowledge"
)

// Empty says whether the manifest says nothing.
func (m *Manifest) Empty() bool { return len(m.Rows)+len(m.Tombstones)+len(m.unknown) == 0 }

// Same says whether two manifests say the same, whatever their files look like.
func (m *Manifest) Same(other *Manifest) bool { return bytes.Equal(m.layout(), other.layout()) }

// IsCanonical says whether a manifest file has the form in which it is
// written. One that cannot be read, or that a newer version or an earlier tool
// wrote, is none of ours to judge.
func IsCanonical(path string, data []byte) bool {
	m, err := Parse(path, data)
	if err != nil || m == nil || m.newer || !bytes.Contains(data, []byte(schemaURL)) {
		return true
	}
	return bytes.Equal(knowledge.NormaliseLines(data), m.layout())
}

// Format returns the manifest file in the form in which it is written.
func Format(path string, data []byte) []byte {
	m, err := Parse(path, data)
	if err != nil || m == nil || m.newer {
		return data
	}
	return m.layout()
}
