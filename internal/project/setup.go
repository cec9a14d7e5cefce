package project

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/internal/agent"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/merge"
	"github.com/lessons-cli/lessons/knowledge/store"
)

// Paths that init writes beside an agent's settings.
const (
	ConfigPath = ".lessons/config.json"
	ReadmePath = ".lessons/README.md"
	ignorePath = ".gitignore"
)

// Reader gives the bytes of a file of the work tree; nil without an error means
// that there is none.
type Reader func(path string) ([]byte, error)

// SetupOptions is what a person decides about an installation.
type SetupOptions struct {
	Clients []*agent.Client
	Local   bool   // register in the person's own settings file
	Layout  string // book or files
	Unhide  []string
}

// Step is one planned change and its reason.
type Step struct {
	store.Change
	Why string
}

// PlanInit plans the installation. A repository that has it already gets an
// empty plan; a file that cannot be changed safely is an error that names it.
func PlanInit(read Reader, o SetupOptions) ([]Step, error) {
	var steps []Step
	add := func(p, why string, edit func([]byte) ([]byte, error)) error {
		before, err := read(p)
		if err != nil {
			return err
		}
		after, err := edit(before)
		if err != nil {
			return fmt.Errorf("%s: %w", p, err)
		}
		if before == nil || !bytes.Equal(before, after) {
			steps = append(steps, Step{store.Change{Path: p, Before: before, After: after}, why})
		}
		return nil
	}
	for _, c := range o.Clients {
		why := fmt.Sprintf("hooks of %s: starts, tool calls, stops", c.Name)
		if o.Local && c.Settings(true) == c.Settings(false) {
			why += "; for everybody: it reads no file of one person here"
		}
		if err := add(c.Settings(o.Local), why, c.AddHooks); err != nil {
			return nil, err
		}
	}
	keep := func(text []byte) func([]byte) ([]byte, error) {
		return func(before []byte) ([]byte, error) {
			if before != nil {
				return before, nil
			}
			return text, nil
		}
	}
	if err := add(ConfigPath, "settings", keep(configText(o.Layout))); err != nil {
		return nil, err
	}
	if err := add(ReadmePath, "explains the folder to reviewers", keep([]byte(readme))); err != nil {
		return nil, err
	}
	ignore := func(before []byte) ([]byte, error) { return addIgnoreBlock(before, o.Unhide), nil }
	if err := add(ignorePath, ignoreReason(o.Unhide), ignore); err != nil {
		return nil, err
	}
	attributes := func(before []byte) ([]byte, error) {
		return putBlock(before, slices.Concat(merge.Attributes(), publishedAttributes(before))), nil
	}
	if err := add(attributesPath, "merges knowledge by entry, not by line", attributes); err != nil {
		return nil, err
	}
	return steps, nil
}

func ignoreReason(unhide []string) string {
	if len(unhide) > 0 {
		return "an ignore rule hides " + strings.Join(unhide, ", ") + ": shown to git again"
	}
	return "keeps temporary files of a crash out of git"
}

// ChooseLayout says how entries are stored, and why in one line.
func ChooseLayout(asked string, hasBooks bool) (layout, why string) {
	switch {
	case asked != "":
		return asked, "as asked"
	case hasBooks:
		return "book", "decisions.md or pitfalls.md exist already"
	}
	return "files", "one file an entry, so that branches that add entries never conflict"
}

func configText(layout string) []byte {
	return fmt.Appendf(nil, `{
  "$schema": "https://raw.githubusercontent.com/lessons-cli/lessons/main/knowledge/schema/config.json",
  "type": "lessons/config",
  "version": 1,
  "layout": %q
}
`, layout)
}

// Record remembers what init found and wrote, so that uninstall can put back
// the very bytes. It is local to the clone and may be lost.
type Record struct {
	Version int                   `json:"version"`
	Files   map[string]RecordFile `json:"files"`
}

// RecordFile is one file that init changed. Before is nil when there was none.
type RecordFile struct {
	Before []byte `json:"before"`
	After  string `json:"after"` // content hash
}

// ParseRecord reads a record; damaged or missing bytes are an empty record,
// because uninstall can do without.
func ParseRecord(data []byte) Record {
	var r Record
	if json.Unmarshal(data, &r) != nil || r.Version != 1 {
		r = Record{}
	}
	if r.Files == nil {
		r.Files = map[string]RecordFile{}
	}
	r.Version = 1
	return r
}

// Bytes is the record as it is stored.
func (r Record) Bytes() []byte {
	data, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		panic(err) // strings and bytes always encode
	}
	return append(data, '\n')
}

// Remember adds what a plan of PlanInit is about to do.
func (r Record) Remember(steps []Step) {
	for _, s := range steps {
		before := s.Before
		if old, ok := r.Files[s.Path]; ok && old.After == knowledge.ContentHash(s.Before) {
			before = old.Before // our own text was there: what stood before it counts
		}
		r.Files[s.Path] = RecordFile{before, knowledge.ContentHash(s.After)}
	}
}

// PlanUninstall plans to take out what init put in. Files that nobody changed
// since then get their old bytes back; from others only lessons' own part goes.
// knowledgeLeft says that the folder holds more than what init wrote: then
// settings and README stay. Notes are for the person.
func PlanUninstall(read Reader, r Record, clients []*agent.Client, knowledgeLeft bool) (steps []Step, notes []string, err error) {
	edits := map[string]func([]byte) ([]byte, error){
		ignorePath:     func(b []byte) ([]byte, error) { return removeBlock(b), nil },
		attributesPath: func(b []byte) ([]byte, error) { return removeBlock(b), nil },
		ConfigPath:     ownOnly(configText("book"), configText("files")),
		ReadmePath:     ownOnly([]byte(readme)),
	}
	for _, c := range clients {
		for _, file := range c.SettingsFiles() {
			edits[file] = c.RemoveHooks
		}
	}
	for _, p := range sortedKeys(edits) {
		before, err := read(p)
		if err != nil {
			return nil, nil, err
		}
		if before == nil {
			continue
		}
		if path.Dir(p) == ".lessons" && knowledgeLeft {
			notes = append(notes, p+" stays, because there is knowledge beside it")
			continue
		}
		after, note, err := takeOut(p, before, r, edits[p])
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", p, err)
		}
		if note != "" {
			notes = append(notes, note)
		}
		if after == nil || !bytes.Equal(before, after) {
			steps = append(steps, Step{store.Change{Path: p, Before: before, After: after}, "what init put in"})
		}
	}
	return steps, notes, nil
}

// takeOut returns the file without lessons' part; nil removes the file.
func takeOut(p string, before []byte, r Record, edit func([]byte) ([]byte, error)) (after []byte, note string, err error) {
	rec, known := r.Files[p]
	if known && rec.After == knowledge.ContentHash(before) {
		return rec.Before, "", nil
	}
	after, err = edit(before)
	if err != nil {
		return nil, "", err
	}
	empty := len(bytes.TrimSpace(after)) == 0 || string(bytes.TrimSpace(after)) == "{}"
	switch {
	case bytes.Equal(after, before):
		if path.Dir(p) == ".lessons" {
			note = p + " stays, because it was edited"
		}
		return before, note, nil
	case empty && (!known || rec.Before == nil):
		return nil, "", nil
	default:
		return after, "", nil
	}
}

func ownOnly(texts ...[]byte) func([]byte) ([]byte, error) {
	return func(before []byte) ([]byte, error) {
		for _, t := range texts {
			if bytes.Equal(before, t) {
				return nil, nil
			}
		}
		return before, nil
	}
}
