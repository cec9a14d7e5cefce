package project

import (
	"bytes"
	"encoding/json"
	"path/filepath"
)

// Files that say how far sessions were read name them by their place below the home
// folder, so that a copy of one tells nothing of the machine.

// withoutHome writes ~ for the home folder at the beginning of texts in JSON.
func (m Machine) withoutHome(data []byte) []byte {
	if !filepath.IsAbs(m.Home) {
		return data
	}
	return bytes.ReplaceAll(data, inJSON(m.Home), inJSON("~"))
}

// withHome takes [Machine.withoutHome] back.
func (m Machine) withHome(data []byte) []byte {
	return bytes.ReplaceAll(data, inJSON("~"), inJSON(m.Home))
}

// inJSON is how a text in JSON begins that is a path below dir.
func inJSON(dir string) []byte {
	text, err := json.Marshal(filepath.Clean(dir) + string(filepath.Separator))
	if err != nil {
		panic(err) // a text always encodes
	}
	return bytes.TrimSuffix(text, []byte(`"`))
}
