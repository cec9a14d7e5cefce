package migrate

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/lessons-cli/lessons/internal/fsx"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/catalog"
	"github.com/lessons-cli/lessons/knowledge/config"
	"github.com/lessons-cli/lessons/knowledge/entry"
	"github.com/lessons-cli/lessons/knowledge/manifest"
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

// Limits of a path in an export, in bytes.
const (
	maxExportPath = 1024
	maxExportName = 255
)

// ExportPath says whether a file of that path may be in an export: it lies in a
// folder of lessons, is of a kind that lessons keeps there, and is a name on
// every system. An import writes no other.
func ExportPath(p string) error {
	if err := fsx.ValidPath(p); err != nil {
		return err
	}
	if len(p) > maxExportPath {
		return fmt.Errorf("a path of %d bytes; %d are the most", len(p), maxExportPath)
	}
	for name := range strings.SplitSeq(p, "/") {
		if err := portableName(name); err != nil {
			return err
		}
	}
	if !exportable(p) {
		return fmt.Errorf("%s is no place in which lessons keeps knowledge", p)
	}
	return nil
}

// portableName refuses what some file system takes for another file.
func portableName(name string) error {
	stem, _, _ := strings.Cut(strings.ToLower(name), ".")
	switch {
	case len(name) > maxExportName:
		return fmt.Errorf("a name of %d bytes; %d are the most", len(name), maxExportName)
	case strings.TrimRight(name, ". ") != name:
		return fmt.Errorf("%q ends in a dot or a space", name)
	case strings.ContainsAny(name, `<>"|?*`):
		return fmt.Errorf("%q holds a character that file systems refuse", name)
	case deviceName().MatchString(strings.TrimRight(stem, " ")):
		return fmt.Errorf("%q is the name of a device on Windows", name)
	}
	return nil
}

// deviceName is a name that Windows keeps for a device, whatever its ending.
var deviceName = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:con|prn|aux|nul|conin\$|conout\$|clock\$|(?:com|lpt)[0-9\x{b9}\x{b2}\x{b3}])$`)
})

// exportable knows the places of files.
func exportable(p string) bool {
	dir, name := path.Split(p)
	parts := strings.Split(p, "/")
	markdown := strings.HasSuffix(name, ".md") && !strings.HasPrefix(name, ".")
	switch {
	case p == config.File, p == manifest.Path:
		return true
	case dir == manifest.Folder+"/":
		return strings.HasSuffix(name, ".json")
	case dir == ".lessons/", dir == ".memory/knowledge/":
		return markdown
	case dir == entry.Dir(knowledge.KindADR)+"/", dir == entry.Dir(knowledge.KindPF)+"/":
		return markdown
	case strings.HasPrefix(p, ".lessons/skills/"):
		return len(parts) >= 4 && !slices.ContainsFunc(parts[2:], func(s string) bool { return strings.HasPrefix(s, ".") })
	case strings.HasPrefix(p, ".claude/commands/"):
		return markdown
	case strings.HasPrefix(p, ".claude/skills/"), strings.HasPrefix(p, ".agents/skills/"):
		return len(parts) == 4 && name == "SKILL.md"
	}
	return false
}

// agentFile says whether a path is one that agents read as it is: a slash
// command or a published skill. There an import takes only what lessons made.
func agentFile(p string) bool {
	return strings.HasPrefix(p, ".claude/") || strings.HasPrefix(p, ".agents/")
}

// Limits of an export, in bytes and files.
const (
	maxExportFile  = 32 << 20
	maxExportFiles = 100_000
)

// exportHead says by the first bytes whether a file is an export of lessons.
func exportHead(head []byte) bool {
	return bytes.Contains(head, []byte(`"`+exportType+`"`))
}

// ReadExport reads an export and checks every path in it. It is taken as a whole
// or not at all: anything that is wrong is an error, with file and line.
func ReadExport(name string, data []byte) (Export, error) {
	r := exportReader{file{path: name, data: data}}
	if err := r.wellFormed(); err != nil {
		return Export{}, err
	}
	e, err := r.read()
	if err != nil {
		return Export{}, err
	}
	return e, r.check(e)
}

type exportReader struct{ file }

func (r *exportReader) fail(line int, format string, args ...any) error {
	return &knowledge.ParseError{Path: r.path, Line: line, Text: fmt.Sprintf(format, args...)}
}

// wellFormed says where the file is no JSON.
func (r *exportReader) wellFormed() error {
	if at := invalidUTF8(r.data); at >= 0 {
		return r.fail(lineOfOffset(r.data, int64(at)), "it is not UTF-8 here")
	}
	var all json.RawMessage
	fault, ok := errors.AsType[*json.SyntaxError](json.Unmarshal(r.data, &all))
	if !ok {
		return nil
	}
	line := lineOfOffset(r.data, fault.Offset)
	switch {
	case fault.Offset >= int64(len(r.data)) && strings.Contains(fault.Error(), "unexpected end"):
		return r.fail(line, "it ends too early: the export is not whole")
	case strings.Contains(fault.Error(), "after top-level value"):
		return r.fail(line, "something stands behind the end")
	}
	return r.fail(line, "it cannot be read: %v", fault)
}

// read decodes the members one by one, so that each file knows its line.
func (r *exportReader) read() (Export, error) {
	var e Export
	if first := bytes.TrimLeft(r.data, " \t\r\n")[0]; first != '{' {
		return e, r.fail(1, "%c instead of {", first)
	}
	members, err := r.elements(r.data)
	if err != nil {
		return e, r.fail(1, "it cannot be read: %v", err)
	}
	targets := map[string]any{"$schema": &e.Schema, "type": &e.Type, "version": &e.Version, "layout": &e.Layout, "log": &e.Log}
	seen := map[string]bool{}
	for _, m := range members {
		switch target := targets[m.Key]; {
		case seen[m.Key]:
			err = r.fail(m.Line, "%q stands here a second time", m.Key)
		case m.Key == "files":
			e.Files, err = r.files(m)
		case target != nil:
			err = r.decode(m, target)
		}
		if err != nil {
			return e, err
		}
		seen[m.Key] = true
	}
	return e, nil
}

func (r *exportReader) decode(m element, into any) error {
	if err := json.Unmarshal(m.Data, into); err != nil {
		return r.fail(m.Line, "it cannot be read: %v", err)
	}
	return nil
}

func (r *exportReader) files(m element) ([]ExportFile, error) {
	if m.Data[0] != '[' {
		return nil, r.fail(m.Line, "%c instead of [", m.Data[0])
	}
	list, err := r.elements(m.Data)
	if err != nil {
		return nil, r.fail(m.Line, "it cannot be read: %v", err)
	}
	if len(list) > maxExportFiles {
		return nil, r.fail(m.Line, "more than %d files", maxExportFiles)
	}
	files := make([]ExportFile, len(list))
	for i, f := range list {
		if err := r.decode(f, &files[i]); err != nil {
			return nil, err
		}
		files[i].line = f.Line + bytes.Count(f.Data, []byte("\n")) // its last
	}
	return files, nil
}

// check holds what was read against the rules of the form.
func (r *exportReader) check(e Export) error {
	switch {
	case e.Type != exportType:
		return r.fail(1, "its type is %q and not %q", e.Type, exportType)
	case e.Version > exportVersion:
		return r.fail(1, "a newer version of lessons wrote it (%d; this one knows %d): update lessons", e.Version, exportVersion)
	case e.Version < 1:
		return r.fail(1, "it names no version")
	case e.Layout != entry.LayoutBook && e.Layout != entry.LayoutFiles:
		return r.fail(1, "the layout %q is not known", e.Layout)
	}
	if e.Files == nil {
		return r.fail(1, "it has no files, not even none: it is not whole")
	}
	if e.Log != nil && !e.Log.one() {
		return r.fail(1, "the log needs either text or base64")
	}
	seen := map[string]bool{}
	for _, f := range e.Files {
		if reason := fileProblem(f, seen); reason != "" {
			return &knowledge.ParseError{Path: r.path, Line: f.line, Text: reason}
		}
		seen[strings.ToLower(f.Path)] = true
	}
	return nil
}

// fileProblem says what is wrong with a file, or nothing. seen are the paths
// before it, in lower case: some file systems take them for one.
func fileProblem(f ExportFile, seen map[string]bool) string {
	if err := ExportPath(f.Path); err != nil {
		return err.Error()
	}
	data := f.Data()
	switch {
	case seen[strings.ToLower(f.Path)]:
		return f.Path + " stands twice in it"
	case !f.one():
		return f.Path + " needs either text or base64"
	case len(data) > maxExportFile:
		return fmt.Sprintf("%s has %d bytes; %d are the most", f.Path, len(data), maxExportFile)
	}
	return ""
}
