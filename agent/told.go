package agent

import (
	"bytes"
	"path/filepath"
	"strings"

	"github.com/lessons-cli/lessons/internal/fsx"
)

func (p *Project) toldPath() string { return filepath.Join(p.Store.Places.Local, "told") }

// told is the set of rows that the person at this work tree was told about;
// first is true when nobody ever was.
func (p *Project) told() (told map[string]bool, first bool) {
	data, err := p.FS.ReadFile(p.toldPath())
	if err != nil {
		return map[string]bool{}, true
	}
	told = map[string]bool{}
	for line := range strings.Lines(string(data)) {
		if line = strings.TrimSpace(line); line != "" {
			told[line] = true
		}
	}
	return told, false
}

// tell remembers the rows. That it may fail costs a repeated message only.
func (p *Project) tell(keys map[string]bool) {
	var b bytes.Buffer
	for _, key := range sortedKeys(keys) {
		b.WriteString(key + "\n")
	}
	_ = fsx.WriteFile(p.FS, p.toldPath(), b.Bytes())
}
