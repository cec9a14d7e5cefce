package migrate

import (
	"bytes"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/artifact"
	"github.com/lessons-cli/lessons/knowledge/config"
	"github.com/lessons-cli/lessons/knowledge/entry"
	"github.com/lessons-cli/lessons/knowledge/manifest"
	"github.com/lessons-cli/lessons/knowledge/merge"
	"github.com/lessons-cli/lessons/knowledge/observe"
	"github.com/lessons-cli/lessons/knowledge/store"
)

// FormatLessons is the name of our own export among the formats.
const FormatLessons = "lessons"

// PlanExport works out what to write so that a repository knows what an export
// holds. A repository that knows nothing yet gets every file byte for byte. In
// any other, what is not there is added, what is there stays as it is, and what
// people removed does not come back. name is the export's path for messages;
// read returns a file of the work tree, nil when there is none.
//
// No lesson of an export is trusted by being imported: somebody else may have
// written it.
func PlanExport(s *store.Snapshot, e Export, name string, read func(path string) ([]byte, error)) (Plan, error) {
	if s.ManifestErr != nil {
		return Plan{}, fmt.Errorf("nothing is imported without the manifest, which holds what people removed: %w", s.ManifestErr)
	}
	manifest, err := e.manifest()
	if err != nil {
		return Plan{}, err
	}
	t := takeover{
		s: s, export: e, name: name, read: read, manifest: manifest, present: readPresent(s),
		fresh: knowsNothing(s), here: map[string]bool{}, refused: map[string]bool{},
	}
	for _, f := range e.Files {
		if err := t.file(f); err != nil {
			return Plan{}, err
		}
	}
	t.rows()
	t.observations()
	return t.plan, nil
}

// manifest joins the manifest files of the export.
func (e Export) manifest() (*manifest.Manifest, error) {
	joined := &manifest.Manifest{}
	for _, f := range e.Files {
		if !isManifest(f.Path) {
			continue
		}
		m, err := manifest.Parse(f.Path, f.Data())
		if err != nil {
			return nil, fmt.Errorf("in the export: %w", err)
		}
		joined = manifest.Merge(joined, m)
	}
	return joined, nil
}

func isManifest(name string) bool { return merge.Driver(name) == merge.Manifest }

func isBook(name string) bool { return strings.HasPrefix(name, entry.Folder+"/") }

// knowsNothing says whether a repository holds no knowledge yet. Settings may be
// there, and commands and skills that people wrote for their agents.
func knowsNothing(s *store.Snapshot) bool {
	for _, a := range s.Artifacts {
		if a.Source != "" || !agentFile(a.Path) {
			return false
		}
	}
	return len(s.Manifest.Rows)+len(s.Manifest.Tombstones)+len(s.Log.Bytes()) == 0
}

// takeover makes the plan of one export.
type takeover struct {
	s        *store.Snapshot
	export   Export
	name     string
	read     func(path string) ([]byte, error)
	manifest *manifest.Manifest // of the export
	present  present
	fresh    bool
	here     map[string]bool // files of the export that are here afterwards, as it has them
	refused  map[string]bool
	plan     Plan
}

// file decides about one file.
func (t *takeover) file(f ExportFile) error {
	if isManifest(f.Path) && !t.fresh {
		return nil // row by row, when it is known which artifacts come
	}
	before, err := t.read(f.Path)
	if err != nil {
		return fmt.Errorf("%s: %w", f.Path, err)
	}
	data := f.Data()
	found := artifactsOf(f.Path, data)
	switch outcome, reason := t.judge(f.Path, before, data, found); outcome {
	case Imported:
		t.here[f.Path] = true
		t.plan.Changes = append(t.plan.Changes, store.Change{Path: f.Path, After: data})
		t.say(f, found, Imported, "")
	case Known:
		t.here[f.Path] = bytes.Equal(before, data)
		if f.Path == config.File {
			return t.layout(before)
		}
		t.say(f, found, Known, reason)
	default:
		t.refused[f.Path] = true
		t.say(f, found, outcome, reason)
	}
	return nil
}

// judge says what becomes of a file, and why.
func (t *takeover) judge(name string, before, data []byte, found []artifact.Artifact) (Outcome, string) {
	for _, a := range found {
		if t.present.removed[knowledge.Key{Observation: a.Source, Kind: a.Kind}] && a.Source != "" && before == nil {
			return Removed, fmt.Sprintf("people removed %q here; it does not come back by an import", a.Title)
		}
	}
	switch {
	case before != nil && bytes.Equal(before, data):
		return Known, "imported before"
	case name == config.File && before != nil, name == readmePath && before != nil:
		return Known, "yours stays"
	case agentFile(name) && !t.made(name, found):
		return Refused, "lessons did not make it, and agents would read it as it is"
	case isBook(name) && !t.fresh && t.s.Config.Layout != t.export.Layout:
		return Refused, fmt.Sprintf("entries are in layout %s there and %s here; run lessons layout %s first", t.export.Layout, t.s.Config.Layout, t.export.Layout)
	case before == nil:
		return Imported, ""
	case len(found) > 0 && t.all(found):
		return Known, "it was edited since, here or there; yours stays"
	case isBook(name):
		return Refused, "other entries are in that file here; take them over one by one: lessons export --format madr DIR there, lessons import adr DIR here"
	}
	return Refused, "another file of that name is here; it stays"
}

const readmePath = ".lessons/README.md"

// artifactsOf are the artifacts in a file of an export; none in files that only
// go with them.
func artifactsOf(name string, data []byte) []artifact.Artifact {
	base := path.Base(name)
	kind := knowledge.KindSkill
	switch {
	case strings.EqualFold(base, "README.md"), isManifest(name), name == config.File:
		return nil
	case name == entry.BookPath(knowledge.KindADR), strings.HasPrefix(name, entry.Dir(knowledge.KindADR)+"/"):
		kind = knowledge.KindADR
	case name == entry.BookPath(knowledge.KindPF), strings.HasPrefix(name, entry.Dir(knowledge.KindPF)+"/"):
		kind = knowledge.KindPF
	case strings.HasPrefix(name, ".claude/commands/"):
		kind = knowledge.KindCommand
	case path.Dir(name) == ".lessons":
		kind = knowledge.KindLesson
	case base != "SKILL.md":
		return nil
	}
	return artifact.In(kind, name, data)
}

// made says whether lessons rendered a file for agents.
func (t *takeover) made(name string, found []artifact.Artifact) bool {
	return slices.ContainsFunc(found, func(a artifact.Artifact) bool { return a.Source != "" }) || rendered(t.manifest, name)
}

// rendered says whether a row names the path, as the artifact's or a copy's.
func rendered(m *manifest.Manifest, name string) bool {
	return slices.ContainsFunc(m.Rows, func(r manifest.Row) bool { return r.Path == name || slices.Contains(r.Copies, name) })
}

// all says whether all artifacts of a file are here, in whatever words.
func (t *takeover) all(found []artifact.Artifact) bool {
	for _, a := range found {
		here := slices.ContainsFunc(t.s.Artifacts, func(b artifact.Artifact) bool {
			return a.Kind == b.Kind && (a.Source != "" && a.Source == b.Source || a.Source == b.Source && a.Anchor == b.Anchor && a.Title == b.Title)
		})
		if !here {
			return false
		}
	}
	return true
}

// layout makes settings that are here name the layout of the entries that come.
func (t *takeover) layout(before []byte) error {
	if !t.fresh || t.s.Config.Layout == t.export.Layout {
		return nil
	}
	after, err := config.Set(before, "layout", string(t.export.Layout), false)
	if err != nil {
		return err
	}
	t.plan.Changes = append(t.plan.Changes, store.Change{Path: config.File, Before: before, After: after})
	t.plan.Notices = append(t.plan.Notices, fmt.Sprintf("settings: layout is %s now, as in the export; the others stay", t.export.Layout))
	return nil
}

// say reports a file: each artifact in it, or the file itself when it is none and
// something is the matter. A published copy is not counted beside its skill.
func (t *takeover) say(f ExportFile, found []artifact.Artifact, outcome Outcome, reason string) {
	source := Source{Format: FormatLessons, Path: t.name, ID: f.Path}
	counted := false
	for _, a := range found {
		if a.Kind == knowledge.KindSkill && agentFile(f.Path) && outcome != Refused {
			continue
		}
		counted = true
		t.plan.Items = append(t.plan.Items, Item{
			Source: source, Kind: a.Kind, Title: a.Title, Outcome: outcome, Place: a.Place(), Status: a.Status, Reason: reason,
		})
	}
	if !counted && (outcome == Refused || outcome == Removed) {
		t.plan.Items = append(t.plan.Items, Item{Source: source, Outcome: outcome, Place: f.Path, Reason: reason})
	}
}

// rows adds the rows of the artifacts that came, and what people removed there.
// In an empty repository the files of the manifest came as they are.
func (t *takeover) rows() {
	if t.fresh {
		return
	}
	m := &manifest.Manifest{}
	for _, r := range t.manifest.Rows {
		_, known := t.s.Manifest.Row(r.Key())
		if t.here[r.Path] && !known && !t.present.removed[r.Key()] {
			m.Rows = append(m.Rows, r)
		}
	}
	m.Tombstones = lists.Filter(t.manifest.Tombstones, func(tomb manifest.Tombstone) bool {
		return t.present.places[tomb.Key()] == "" && !t.present.removed[tomb.Key()]
	})
	if len(m.Rows)+len(m.Tombstones) > 0 {
		t.plan.Manifest = manifest.Merge(&manifest.Manifest{}, m)
	}
}

// observations adds the evidence that is not here. In an empty repository the
// log comes as it is, with the lines that nobody can read.
func (t *takeover) observations() {
	if t.export.Log == nil {
		return
	}
	log, problems := observe.ParseLog(t.name, t.export.Log.Data())
	for _, p := range problems {
		t.plan.Notices = append(t.plan.Notices, fmt.Sprintf("line %d of the log: %s", p.Line, p.Text))
	}
	added := &observe.Log{}
	for o := range log.All() {
		path, _ := knowledge.CutPlace(o.ArtifactPath)
		if t.s.Log.Get(o.ID) != nil || t.refused[path] {
			continue
		}
		added.Put(o)
		t.plan.Items = append(t.plan.Items, Item{
			Source: Source{Format: FormatLessons, Path: t.name, ID: o.ID}, Title: o.Title(), Outcome: Imported, Place: o.ID,
		})
	}
	switch {
	case t.fresh:
		t.plan.Log = log
	case len(added.Observations()) > 0:
		t.plan.Log = added
	}
}
