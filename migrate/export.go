package migrate

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/lessons-cli/lessons/internal/automata"
	"github.com/lessons-cli/lessons/internal/fsx"
	"github.com/lessons-cli/lessons/internal/plain"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/catalog"
	"github.com/lessons-cli/lessons/knowledge/config"
	"github.com/lessons-cli/lessons/knowledge/entry"
	"github.com/lessons-cli/lessons/knowledge/manifest"
	"github.com/lessons-cli/lessons/knowledge/store"
)

const (
	exportSchema  = "https://raw.githubusercontent.com/lessons-cli/lessons/main/knowledge/schema/export.json"
	exportType    = "lessons/export"
	exportVersion = 1
)

// ownExport is our own format among the others. It is taken over as a whole, by
// [PlanExport], and not thing by thing.
var ownExport = Format{
	Name: FormatLessons, About: "an export of lessons (lessons export FILE)",
	Takes:  extension(".json"),
	Detect: func(_ string, head []byte) bool { return bytes.Contains(head, []byte(`"`+exportType+`"`)) },
	read:   func(f *file) { f.refuse(0, "", "an export is taken over as a whole") },
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
	Log     *ExportText    `json:"log,omitempty"` // the observations as they were read; nil: there are none
}

// JSON is the export as JSON in which nothing is hidden. Equal knowledge has equal bytes.
func (e Export) JSON() ([]byte, error) {
	data, err := plain.Marshal(e, "  ")
	return plain.JSON(append(data, '\n')), err
}

// ExportFile is one file as it lies in the repository.
type ExportFile struct {
	Path string `json:"path"` // repository-relative, slashes
	ExportText
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
// lessons, as they lie there; what [ExportPath] refuses is left out. log is the text of the
// observations.
func NewExport(s *store.Snapshot, files []entry.File, log []byte) Export {
	e := Export{
		Schema: exportSchema, Type: exportType, Version: exportVersion, Layout: s.Config.Layout,
		Items: []catalog.Item{}, Files: []ExportFile{},
	}
	if len(log) > 0 {
		text := exportText(log)
		e.Log = &text
	}
	held := map[string]bool{}
	for _, f := range files {
		if ExportPath(f.Path) == nil {
			held[f.Path] = true
			e.Files = append(e.Files, ExportFile{Path: f.Path, ExportText: exportText(f.Data)})
		}
	}
	slices.SortFunc(e.Files, func(a, b ExportFile) int { return strings.Compare(a.Path, b.Path) })
	for _, i := range catalog.Artifacts(s) { // observations are in the log
		if held[i.Path] {
			e.Items = append(e.Items, i)
		}
	}
	return e
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
	case plain.Invisible(name) >= 0:
		return fmt.Errorf("%q holds a character that nobody sees", name)
	case strings.ContainsAny(name, `<>"|?*`):
		return fmt.Errorf("%q holds a character that file systems refuse", name)
	case deviceName().MatchString(strings.TrimRight(stem, " ")):
		return fmt.Errorf("%q is the name of a device on Windows", name)
	}
	return nil
}

// deviceName is a name that Windows keeps for a device, whatever its ending.
var deviceName = automata.Lazily(`^(?:con|prn|aux|nul|conin\$|conout\$|clock\$|(?:com|lpt)[0-9\x{b9}\x{b2}\x{b3}])$`)

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

// ReadExport reads an export and checks every path in it. It is taken as a whole
// or not at all: anything that is wrong is an error, with the line where that is
// known.
func ReadExport(name string, data []byte) (Export, error) {
	line, reason := 0, ""
	var e Export
	err := json.Unmarshal(data, &e)
	syntax, isSyntax := errors.AsType[*json.SyntaxError](err)
	wrong, isWrong := errors.AsType[*json.UnmarshalTypeError](err)
	switch at := invalidUTF8(data); {
	case at >= 0:
		line, reason = knowledge.LineAt(data, at), "it is not UTF-8 here"
	case isSyntax && syntax.Offset >= int64(len(data)) && strings.Contains(syntax.Error(), "unexpected end"):
		line, reason = knowledge.LineAt(data, int(syntax.Offset)), "it ends too early: the export is not whole"
	case isSyntax && strings.Contains(syntax.Error(), "after top-level value"):
		line, reason = knowledge.LineAt(data, int(syntax.Offset)), "something stands behind the end"
	case isSyntax:
		line, reason = knowledge.LineAt(data, int(syntax.Offset)), "it cannot be read: "+syntax.Error()
	case isWrong:
		line, reason = knowledge.LineAt(data, int(wrong.Offset)), "it cannot be read: "+wrong.Error()
	case err != nil:
		reason = "it cannot be read: " + err.Error()
	default:
		reason = e.problem()
	}
	if reason != "" {
		return Export{}, &knowledge.ParseError{Path: name, Line: line, Text: reason}
	}
	return e, nil
}

// problem says what in an export is against the rules of the form, or nothing.
func (e Export) problem() string {
	switch {
	case e.Type != exportType:
		return fmt.Sprintf("its type is %q and not %q", e.Type, exportType)
	case e.Version > exportVersion:
		return fmt.Sprintf("a newer version of lessons wrote it (%d; this one knows %d): update lessons", e.Version, exportVersion)
	case e.Version < 1:
		return "it names no version"
	case e.Layout != entry.LayoutBook && e.Layout != entry.LayoutFiles:
		return fmt.Sprintf("the layout %q is not known", e.Layout)
	case e.Files == nil:
		return "it has no files, not even none: it is not whole"
	case len(e.Files) > maxExportFiles:
		return fmt.Sprintf("more than %d files", maxExportFiles)
	case e.Log != nil && !e.Log.one():
		return "the log needs either text or base64"
	}
	seen := map[string]bool{}
	for _, f := range e.Files {
		if reason := fileProblem(f, seen); reason != "" {
			return reason
		}
		seen[strings.ToLower(f.Path)] = true
	}
	return ""
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
