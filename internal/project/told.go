package project

import (
	"bytes"
	"path/filepath"
	"strings"

	"github.com/lessons-cli/lessons/internal/fsx"
	"github.com/lessons-cli/lessons/knowledge"
)

// news says once what was rendered since the person last looked.
func (p *Project) news(m *knowledge.Manifest) string {
	told, first := p.told()
	var titles []string
	for _, r := range m.Rows {
		if !told[toldKey(r)] {
			titles = append(titles, r.Title)
		}
	}
	if first || len(titles) > 0 {
		p.tell(m)
	}
	if first || len(titles) == 0 {
		return "" // of a fresh clone everything is old news
	}
	shown := titles[:min(3, len(titles))]
	more := ""
	if len(titles) > len(shown) {
		more = ", …"
	}
	return "lessons: " + count(len(titles), "new item") + " since you last looked: " + strings.Join(shown, "; ") + more +
		"\nReview with git diff or lessons list; commit what you keep, delete what you do not want."
}

func toldKey(r knowledge.Row) string { return r.ObservationID + " " + r.Type }

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

// tell remembers that the person knows of all rows. That it may fail costs a
// repeated message only.
func (p *Project) tell(m *knowledge.Manifest) {
	keys := map[string]bool{}
	for _, r := range m.Rows {
		keys[toldKey(r)] = true
	}
	var b bytes.Buffer
	for _, key := range sortedKeys(keys) {
		b.WriteString(key + "\n")
	}
	_ = fsx.WriteFile(p.FS, p.toldPath(), b.Bytes())
}
