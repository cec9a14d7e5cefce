package store

import (
	"errors"
	"strings"
	"testing"

	"github.com/lessons-cli/lessons/internal/test/fsxtest"
	"github.com/lessons-cli/lessons/internal/test/kit"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/config"
	"github.com/lessons-cli/lessons/knowledge/entry"
	"github.com/lessons-cli/lessons/knowledge/manifest"
)

const filesConfig = `{"layout":"files"}`

func lessonRow(id string) manifest.Row {
	return manifest.Row{ObservationID: id, Type: "lesson", Path: ".lessons/" + id + ".md", ContentHash: "sha256:00"}
}

func TestManifestOfLayoutFilesIsOneFileAnObservation(t *testing.T) {
	m := fsxtest.NewMemory(map[string]string{"/r/.lessons/config.json": filesConfig})
	s := storeIn(m)
	snap := load(t, s)
	snap.Manifest.PutRow(lessonRow("obs_a"))
	snap.Manifest.PutRow(lessonRow("obs_b"))
	apply(t, s, Transaction{Manifest: snap.Manifest})
	first := m.Tree()
	for _, name := range []string{"/r/.memory/manifest/obs_a.json", "/r/.memory/manifest/obs_b.json"} {
		if first[name] == "" {
			t.Errorf("%s is missing", name)
		}
	}
	snap = load(t, s)
	snap.Manifest.DropRow(knowledge.Key{Observation: "obs_a", Kind: knowledge.KindLesson})
	apply(t, s, Transaction{Manifest: snap.Manifest})
	delete(first, "/r/.memory/manifest/obs_a.json")
	if diff := fsxtest.Diff(first, m.Tree()); diff != "" {
		t.Error(diff)
	}
}

func TestManifestFollowsTheLayoutBothWays(t *testing.T) {
	m := fsxtest.NewMemory(map[string]string{manifestFile: kit.DevflowManifest})
	s := storeIn(m)
	before := load(t, s).Manifest
	for _, layout := range []string{filesConfig, `{"layout":"book"}`} {
		snap := load(t, s)
		apply(t, s, Transaction{
			Changes:  []Change{{Path: config.File, Before: snap.ConfigData, After: []byte(layout)}},
			Manifest: snap.Manifest,
		})
		if _, ok := m.Tree()["/r/.memory/manifest/obs_def456.json"]; ok != (layout == filesConfig) {
			t.Errorf("%s: the row's own file is there: %v", layout, ok)
		}
	}
	after := load(t, s)
	if len(after.Problems) > 0 || !after.Manifest.Same(before) {
		t.Errorf("problems %v, the manifest is now\n%s", after.Problems, after.Manifest.Bytes())
	}
}

func TestAbsolutePathsInLogAndManifestMakeEveryCloneDeleted(t *testing.T) {
	line := strings.Replace(readyLine("obs_def456", "D"), `"quality_ok"`, `"artifact_path":"/Users/ann/src/app/.memory/knowledge/decisions.md","quality_ok"`, 1)
	m := fsxtest.NewMemory(map[string]string{manifestFile: kit.DevflowManifest, treeLog: line})
	s := storeIn(m)
	snap := load(t, s)
	if row, ok := snap.Manifest.Row(knowledge.Key{Observation: "obs_def456", Kind: knowledge.KindADR}); !ok || row.Path != entry.DecisionsPath {
		t.Errorf("row %+v", row)
	}
	if o := snap.Log.Get("obs_def456"); o == nil || o.ArtifactPath != entry.DecisionsPath {
		t.Errorf("observation %+v", o)
	}
	snap.Manifest.PutRow(lessonRow("obs_a"))
	apply(t, s, Transaction{Log: snap.Log, Manifest: snap.Manifest})
	for _, name := range []string{manifestFile, sharedLog} {
		if text := m.Tree()[name]; text == "" || strings.Contains(text, "/Users/") {
			t.Errorf("%s after the first write:\n%s", name, text)
		}
	}
}

func TestAManifestThatCannotBeReadIsNeverWritten(t *testing.T) {
	tests := []struct{ name, text string }{
		{"corrupt", "{\"entries\": [\n"},
		{"of a newer version", `{"version": 99, "entries": [], "new": {"a": 1}}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := fsxtest.NewMemory(map[string]string{manifestFile: tt.text})
			s := storeIn(m)
			snap := load(t, s)
			if snap.ManifestErr == nil || len(snap.Problems) != 1 {
				t.Errorf("error %v, problems %v", snap.ManifestErr, snap.Problems)
			}
			snap.Manifest.PutRow(lessonRow("obs_a"))
			before := m.Tree()
			err := s.Apply(Transaction{Changes: []Change{{Path: ".lessons/x.md", After: []byte("x")}}, Manifest: snap.Manifest})
			if at, ok := errors.AsType[*manifest.Error](err); !ok || at.Path != manifest.Path {
				t.Errorf("error %v", err)
			}
			if diff := fsxtest.Diff(before, m.Tree()); diff != "" {
				t.Errorf("something was written:\n%s", diff)
			}
		})
	}
}

func TestABadRowFileHidesNoOtherAndStays(t *testing.T) {
	m := fsxtest.NewMemory(map[string]string{
		"/r/.lessons/config.json": filesConfig, "/r/.memory/manifest/obs_bad.json": "{\n<<<<<<< HEAD\n",
		"/r/.memory/manifest/obs_a.json": `{"version":1,"entries":[{"observationId":"obs_a","type":"lesson","path":".lessons/a.md","contentHash":"sha256:00"}]}`,
	})
	s := storeIn(m)
	snap := load(t, s)
	if len(snap.Problems) != 1 || snap.Problems[0].Path != ".memory/manifest/obs_bad.json" || snap.Problems[0].Line != 2 {
		t.Errorf("problems %+v", snap.Problems)
	}
	if _, ok := snap.Manifest.Row(knowledge.Key{Observation: "obs_a", Kind: knowledge.KindLesson}); !ok {
		t.Error("the other row is hidden")
	}
	before := m.Tree()
	snap.Manifest.PutRow(lessonRow("obs_c"))
	apply(t, s, Transaction{Manifest: snap.Manifest})
	after := m.Tree()
	delete(after, "/r/.memory/manifest/obs_c.json")
	if diff := fsxtest.Diff(before, after); diff != "" {
		t.Errorf("other files were touched:\n%s", diff)
	}
	snap = load(t, s)
	snap.Manifest.PutRow(lessonRow("obs_bad"))
	if err := s.Apply(Transaction{Manifest: snap.Manifest}); err == nil || !strings.Contains(err.Error(), "obs_bad.json") {
		t.Errorf("writing over the bad file: %v", err)
	}
}

func TestAManifestThatWasNotLoadedIsMerged(t *testing.T) {
	m := fsxtest.NewMemory(fullTree())
	s := storeIn(m)
	fresh := &manifest.Manifest{}
	fresh.PutRow(lessonRow("obs_fresh"))
	apply(t, s, Transaction{Manifest: fresh})
	after := load(t, s).Manifest
	if len(after.Rows) != 2 {
		t.Errorf("rows %+v", after.Rows)
	}
}
