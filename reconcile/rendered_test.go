package reconcile

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/lessons-cli/lessons/internal/fsx"
	"github.com/lessons-cli/lessons/internal/test/gittest"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/artifact"
	"github.com/lessons-cli/lessons/knowledge/entry"
	"github.com/lessons-cli/lessons/knowledge/manifest"
	"github.com/lessons-cli/lessons/knowledge/observe"
)

// Names stand for artifacts: "adr1" and "pf2" are entries with their numbers,
// "cmd…" and "skill…" slash commands and skills, all others are lessons. Two
// names with the same text behind a dot are of one observation: "lesson.x" and
// "adr1.x".

func kindOf(name string) knowledge.Kind {
	switch {
	case strings.HasPrefix(name, "adr"):
		return knowledge.KindADR
	case strings.HasPrefix(name, "pf"):
		return knowledge.KindPF
	case strings.HasPrefix(name, "cmd"):
		return knowledge.KindCommand
	case strings.HasPrefix(name, "skill"):
		return knowledge.KindSkill
	}
	return knowledge.KindLesson
}

func keyOf(name string) knowledge.Key {
	return knowledge.Key{Observation: idOf(name), Kind: kindOf(name)}
}

func idOf(name string) string {
	if _, shared, ok := strings.Cut(name, "."); ok {
		name = shared
	}
	return "obs_" + name
}

func number(name string) int {
	name, _, _ = strings.Cut(name, ".")
	n, _ := strconv.Atoi(strings.TrimLeft(name, "adrpf"))
	return n
}

func anchorOf(name string) string {
	switch kindOf(name) {
	case knowledge.KindADR:
		return fmt.Sprintf("ADR-%03d", number(name))
	case knowledge.KindPF:
		return fmt.Sprintf("PF-%03d", number(name))
	}
	return ""
}

// pathOf is where the tool renders a name.
func (s *scene) pathOf(name string) string {
	short, _, _ := strings.Cut(name, ".")
	switch kind := kindOf(name); kind {
	case knowledge.KindADR, knowledge.KindPF:
		if s.layout == "files" {
			return entry.Dir(kind) + "/" + anchorOf(name) + "-choice.md"
		}
		return entry.BookPath(kind)
	case knowledge.KindCommand:
		return ".claude/commands/self-learning/" + short + ".md"
	case knowledge.KindSkill:
		return ".lessons/skills/" + short + "/SKILL.md"
	}
	return ".lessons/" + short + ".md"
}

// textOf is what the tool renders for a name: a file, or an entry's section.
func textOf(name string) string {
	marker := "self-learning:" + idOf(name)
	switch kindOf(name) {
	case knowledge.KindADR:
		return fmt.Sprintf("## %s: Choice %s\n\n- **Date**: 2026-03-02\n- **Status**: Accepted\n- **Context**: The question of %s.\n"+
			"- **Decision**: Do %s.\n- **Consequences**: It is done.\n- **Source**: %s\n", anchorOf(name), name, name, name, marker)
	case knowledge.KindPF:
		return fmt.Sprintf("## %s: Trap %s\n\n- **Area**: src/%s\n- **Issue**: It breaks.\n- **Impact**: Time.\n- **Resolution**: Do %s.\n"+
			"- **Status**: Active\n- **Source**: %s\n", anchorOf(name), name, name, name, marker)
	case knowledge.KindCommand:
		return fmt.Sprintf("---\ndescription: Do %s\n# source: %s\n---\n\n# %s\n\n1. Begin %s.\n2. End %s.\n", name, marker, name, name, name)
	case knowledge.KindSkill:
		return fmt.Sprintf("---\nname: %s\ndescription: How to do %s\nmetadata:\n  source: %s\n---\n\n# %s\n\nDo %s well.\n", name, name, marker, name, name)
	}
	return fmt.Sprintf("---\nid: 01JQXYZ0000000000000000000\nkind: warning\npriority: high\nstatus: active\nconfidence: 0.9\naction: auto\n"+
		"triggers:\n  tools: [Bash]\n  commands: [%q]\ntags: []\nsource: %s\ncreated: 2026-03-02\n---\n# Mind %s\n\nThe text of %s, in a few words.\n\n**Fix**: do %s\n",
		name, marker, name, name, name)
}

// place writes a text where the tool renders a name.
func (w *tree) place(name, text string) {
	p := w.s.pathOf(name)
	if anchorOf(name) == "" || w.s.layout == "files" {
		w.Write(p, text)
		return
	}
	book := string(entry.NewBook(kindOf(name)))
	if w.Exists(p) {
		book = w.Read(p)
	}
	w.Write(p, strings.TrimRight(book, "\n")+"\n\n"+text)
}

// cut removes an artifact from the work tree: the file, or the section from its book.
func (w *tree) cut(name string) {
	w.s.t.Helper()
	p := w.s.pathOf(name)
	if anchorOf(name) == "" || w.s.layout == "files" {
		w.Remove(p)
		return
	}
	w.change(name, func(string) string { return "" })
}

// edit changes the text of an artifact.
func (w *tree) edit(name, old, new string) {
	w.s.t.Helper()
	w.change(name, func(text string) string {
		if !strings.Contains(text, old) {
			w.s.t.Fatalf("%s does not hold %q:\n%s", name, old, text)
		}
		return strings.Replace(text, old, new, 1)
	})
}

func (w *tree) change(name string, f func(string) string) {
	w.s.t.Helper()
	p := w.s.pathOf(name)
	text := w.Read(p)
	if anchorOf(name) == "" {
		w.Write(p, f(text))
		return
	}
	book, _ := entry.ParseBook(p, []byte(text))
	for _, e := range book.Entries {
		if e.ID() == anchorOf(name) {
			w.Write(p, text[:e.Start]+f(text[e.Start:e.End])+text[e.End:])
			return
		}
	}
	w.s.t.Fatalf("%s has no %s:\n%s", p, anchorOf(name), text)
}

// render does what the tool does: it writes the artifacts, their rows, and the
// log of this clone.
func (w *tree) render(names ...string) {
	w.s.t.Helper()
	for _, name := range names {
		w.place(name, textOf(name))
	}
	w.rows(names...)
	for _, name := range names {
		w.observe(name, observe.Created, 3)
	}
}

// rows registers artifacts that stand.
func (w *tree) rows(names ...string) {
	w.s.t.Helper()
	m := w.manifest()
	for _, name := range names {
		m.PutRow(w.rowFor(name))
	}
	w.store(m)
}

func (w *tree) rowFor(name string) manifest.Row {
	w.s.t.Helper()
	found := artifact.Read(fsx.OS{}, w.Dir)
	artifacts, problems := found.Artifacts, found.Problems
	for _, a := range artifacts {
		if a.Source == idOf(name) && a.Kind == kindOf(name) && a.Path == w.s.pathOf(name) {
			return manifest.Row{
				ObservationID: a.Source, Type: knowledge.RowType(a.Kind), Path: a.Path, Anchor: a.Anchor,
				ContentHash: a.Hash, RenderedAt: gittest.Start, N: 3, Title: a.Title,
			}
		}
	}
	w.s.t.Fatalf("%s is not among the artifacts: %v %v", name, artifacts, problems)
	return manifest.Row{}
}

// observe puts the observation into this clone's log.
func (w *tree) observe(name string, status observe.Status, count int) {
	kind := kindOf(name)
	types := map[knowledge.Kind]knowledge.Type{
		knowledge.KindADR: knowledge.Decision, knowledge.KindCommand: knowledge.Workflow, knowledge.KindSkill: knowledge.Procedural,
	}
	typ := types[kind]
	if typ == "" {
		typ = knowledge.Pitfall
	}
	w.clone.log.Put(&observe.Observation{
		ID: idOf(name), Type: typ, Pattern: "About " + name, Observations: count, QualityOK: true, Status: status,
		FirstSeen: gittest.Start.Add(-time.Hour), LastSeen: gittest.Start, ArtifactPath: w.s.pathOf(name),
	})
}

// manifest reads the manifest of the work tree; it is empty if there is none.
func (w *tree) manifest() *manifest.Manifest {
	w.s.t.Helper()
	files, err := readManifest(fsx.OS{}, w.Dir)
	if err != nil {
		w.s.t.Fatal(err)
	}
	m, err := parseManifests(files)
	if err != nil {
		w.s.t.Fatal(err)
	}
	return m
}

// store writes the manifest in the layout of the scene.
func (w *tree) store(m *manifest.Manifest) {
	w.s.t.Helper()
	for i := range m.Rows {
		if w.s.mutant.withoutCopies {
			m.Rows[i].Copies = nil
		}
	}
	if w.s.layout != "files" {
		w.keep(manifest.Path, m.Bytes())
		return
	}
	files := m.Files(func(id string) string { return manifest.File(id, "") })
	old, _ := filepath.Glob(filepath.Join(w.Dir, filepath.FromSlash(manifest.Folder), "*.json"))
	for _, p := range old {
		if _, ok := files[path.Join(manifest.Folder, filepath.Base(p))]; !ok {
			if err := os.Remove(p); err != nil {
				w.s.t.Fatal(err)
			}
		}
	}
	for p, data := range files {
		w.keep(p, data)
	}
}

// keep writes a file only if its bytes change.
func (w *tree) keep(p string, data []byte) {
	if !w.Exists(p) || w.Read(p) != string(data) {
		w.Write(p, string(data))
	}
}

// dropRow takes a row out of the manifest by hand.
func (w *tree) dropRow(name string) {
	m := w.manifest()
	m.DropRow(keyOf(name))
	w.store(m)
}

// loseManifest deletes the manifest from the work tree.
func (w *tree) loseManifest() {
	for _, p := range []string{manifest.Path, manifest.Folder} {
		if w.Exists(p) {
			w.Remove(p)
		}
	}
}
