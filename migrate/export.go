package migrate

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/lessons-cli/lessons/knowledge/catalog"
	"github.com/lessons-cli/lessons/knowledge/entry"
	"github.com/lessons-cli/lessons/knowledge/store"
	"github.com/lessons-cli/lessons/knowledge/verdict"
)

const (
	exportSchema  = "https://raw.githubusercontent.com/lessons-cli/lessons/main/knowledge/schema/export.json"
	exportType    = "lessons/export"
	exportVersion = 1
)

// ownExport is our own format among the others. It is taken over as a whole, by
// [PlanExport], and not thing by thing.
func ownExport() Format {
	return Format{
		Name: FormatLessons, About: "an export of lessons (lessons export FILE)",
		Takes:  extension(".json"),
		Detect: func(_ string, head []byte) bool { return exportHead(head) },
		read:   func(f *file) { f.refuse(0, "", "an export is taken over as a whole") },
	}
}

// Export is everything that a repository knows, in one value. Files and Log hold
// the bytes; Items say for other programs what is in them, and are not read back.
type Export struct {
	Schema  string         `json:"$schema"`
	Type    string         `json:"type"`
	Version int            `json:"version"`
	Layout  entry.Layout   `json:"layout"` // of the entries
	Items   []catalog.Item `json:"items"`
	Files   []ExportFile   `json:"files"`         // by path
	Log     *ExportText    `json:"log,omitempty"` // the observations; nil: there are none
}

// ExportFile is one file as it lies in the repository.
type ExportFile struct {
	Path string `json:"path"` // repository-relative, slashes
	ExportText
	line int // the last one of it in the export, 1-based
}

// ExportText is the content of a file. What is no UTF-8 is written in base64.
type ExportText struct {
	Text   *string `json:"text,omitempty"`
	Base64 []byte  `json:"base64,omitempty"`
}

func exportText(data []byte) ExportText {
	if !utf8.Valid(data) {
		return ExportText{Base64: data}
	}
	text := string(data)
	return ExportText{Text: &text}
}

// one says whether the content is told once.
func (t ExportText) one() bool { return (t.Text == nil) != (t.Base64 == nil) }

// Data is the content as bytes.
func (t ExportText) Data() []byte {
	if t.Text != nil {
		return []byte(*t.Text)
	}
	return t.Base64
}

// NewExport gathers what a repository knows. files are those of the folders of
// lessons, as they lie there; what [ExportPath] refuses is left out.
func NewExport(s *store.Snapshot, files []entry.File) Export {
	e := Export{
		Schema: exportSchema, Type: exportType, Version: exportVersion, Layout: s.Config.Layout,
		Items: []catalog.Item{}, Files: []ExportFile{},
	}
	held := map[string]bool{}
	for _, f := range files {
		if ExportPath(f.Path) == nil {
			held[f.Path] = true
			e.Files = append(e.Files, ExportFile{Path: f.Path, ExportText: exportText(f.Data)})
		}
	}
	slices.SortFunc(e.Files, func(a, b ExportFile) int { return strings.Compare(a.Path, b.Path) })
	for _, i := range catalog.Items(s, verdict.View{}) {
		if held[i.Path] && i.Kind != catalog.KindObservation { // those are in the log
			e.Items = append(e.Items, i)
		}
	}
	if log := s.Log.Bytes(); len(log) > 0 {
		text := exportText(log)
		e.Log = &text
	}
	return e
}

// Bytes is the export as JSON. Equal knowledge has equal bytes.
func (e Export) Bytes() ([]byte, error) {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	err := enc.Encode(e)
	return out.Bytes(), err
}
