package project

import (
	"path/filepath"
	"strings"

	"github.com/lessons-cli/lessons/internal/fsx"
	"github.com/lessons-cli/lessons/knowledge/manifest"
)

// news says once what was rendered since the person last looked.
func (p *Project) news(m *manifest.Manifest) string {
	known, first := p.announced()
	var titles []string
	for _, r := range m.Rows {
		if !known[rowName(r)] {
			titles = append(titles, r.Title)
		}
	}
	if first || len(titles) > 0 {
		p.announce(m)
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

func rowName(r manifest.Row) string { return r.ObservationID + " " + r.Type }

func (p *Project) announcedPath() string { return filepath.Join(p.Store.Places.Local, "told") }

// announced is the set of rows that the person at this work tree knows of; first
// is true when nobody was ever told of any.
func (p *Project) announced() (rows map[string]bool, first bool) {
	rows = map[string]bool{}
	data, err := p.FS.ReadFile(p.announcedPath())
	for line := range strings.Lines(string(data)) {
		if line = strings.TrimSpace(line); line != "" {
			rows[line] = true
		}
	}
	return rows, err != nil
}

// announce remembers that the person knows of all rows. That it may fail costs a
// repeated message only.
func (p *Project) announce(m *manifest.Manifest) {
	lines := map[string]bool{}
	for _, r := range m.Rows {
		lines[rowName(r)+"\n"] = true
	}
	_ = fsx.WriteFile(p.FS, p.announcedPath(), []byte(strings.Join(sortedKeys(lines), "")))
}
