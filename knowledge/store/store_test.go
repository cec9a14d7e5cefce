package store

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"github.com/lessons-cli/lessons/internal/fsx"
	"github.com/lessons-cli/lessons/internal/test/fsxtest"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/config"
	"github.com/lessons-cli/lessons/knowledge/entry"
	"github.com/lessons-cli/lessons/knowledge/manifest"
	"github.com/lessons-cli/lessons/knowledge/observe"
)

// Where the store's files are in these tests.
const (
	root         = "/r"
	gitLessons   = "/r/.git/lessons"
	sharedLog    = gitLessons + "/learning-log.jsonl"
	ledgerFile   = gitLessons + "/ledger.jsonl"
	decisions    = "/r/.memory/knowledge/decisions.md"
	manifestFile = "/r/.memory/.learning-manifest.json"
)

func storeIn(fsys fsx.FS) *Store {
	return New(fsys, Places{Root: root, Local: gitLessons, Shared: gitLessons})
}

// readyLine is a ready decision.
func readyLine(id, title string) string {
	return fmt.Sprintf(`{"id":%q,"type":"decision","pattern":%q,"details":"context: c; decision: d; rationale: because r","evidence":["said"],"observations":2,"confidence":0.95,"first_seen":"2026-01-01T00:00:00Z","last_seen":"2026-01-02T00:00:00Z","status":"ready","quality_ok":true}`+"\n", id, title)
}

func lessonText(id, title string) string {
	return "---\nid: 01JQXYZ0000000000000000000\nkind: warning\nstatus: active\nsource: self-learning:" + id + "\n---\n# " + title + "\n\nText.\n"
}

// fullTree has one of everything.
func fullTree() map[string]string {
	return map[string]string{
		"/r/.git/HEAD":                                "ref: refs/heads/main\n",
		"/r/.lessons/config.json":                     `{"minConfidence": 0.75}` + "\n",
		"/r/.lessons/README.md":                       "# Lessons\n",
		"/r/.lessons/hang-aaaa.md":                    lessonText("obs_lesson1", "It hangs"),
		decisions:                                     "# Decisions\n\n## ADR-001: Use git\n\n- **Status**: Accepted\n- **Source**: self-learning:obs_adr001\n",
		"/r/.memory/knowledge/pitfalls.md":            "# Pitfalls\n\n## PF-001: A trap\n\n- **Status**: Active\n",
		"/r/.claude/commands/self-learning/deploy.md": "---\ndescription: deploy\n# source: self-learning:obs_flow01\n---\n# Deploy\n",
		"/r/.lessons/skills/build/SKILL.md":           "---\nname: build\nmetadata:\n  source: self-learning:obs_skill1\n---\n# Build\n",
		manifestFile:                                  `{"version":1,"entries":[{"observationId":"obs_adr001","type":"decision","path":".memory/knowledge/decisions.md","anchor":"ADR-001","contentHash":"sha256:00"}],"tombstones":[]}` + "\n",
		sharedLog:                                     readyLine("obs_new001", "Keep it small") + readyLine("obs_new002", "Keep it local"),
		ledgerFile:                                    `{"event":"seen","observationId":"obs_adr001","type":"decision","at":"2026-01-02T00:00:00Z"}` + "\n",
		"/r/src/main.go":                              "package main\n",
	}
}

func load(t testing.TB, s *Store) *Snapshot {
	t.Helper()
	snap, err := s.Load()
	if err != nil {
		t.Fatal(err)
	}
	return snap
}

func apply(t testing.TB, s *Store, tr Transaction) {
	t.Helper()
	if err := s.Apply(tr); err != nil {
		t.Fatal(err)
	}
}

func TestLoadOfAnEmptyRepository(t *testing.T) {
	snap := load(t, storeIn(fsxtest.NewMemory(map[string]string{"/r/.git/HEAD": ""})))
	if len(snap.Problems) > 0 || snap.ManifestErr != nil {
		t.Errorf("problems %v, %v", snap.Problems, snap.ManifestErr)
	}
	if snap.Log == nil || snap.Manifest == nil || snap.Config.MinConfidence != config.Default().MinConfidence || snap.ConfigData != nil {
		t.Errorf("%+v", snap)
	}
	if snap.Before(config.File) != nil {
		t.Error("a file that is not there has content")
	}
}

func TestLoadOfNoDirectory(t *testing.T) {
	if _, err := storeIn(fsxtest.NewMemory(nil)).Load(); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("error %v", err)
	}
}

func TestLoadReadsEverything(t *testing.T) {
	tree := fullTree()
	snap := load(t, storeIn(fsxtest.NewMemory(tree)))
	if len(snap.Problems) > 0 {
		t.Fatalf("problems %v", snap.Problems)
	}
	if n := len(snap.Log.Observations()); n != 2 {
		t.Errorf("%d observations", n)
	}
	if len(snap.Manifest.Rows) != 1 || len(snap.Ledger) != 1 || len(snap.Artifacts) != 5 || len(snap.Lessons) != 1 ||
		len(snap.Decisions) != 1 || len(snap.Pitfalls) != 1 || snap.Config.MinConfidence != 0.75 {
		t.Errorf("%+v", snap)
	}
	for _, path := range []string{
		config.File, manifest.Path, entry.DecisionsPath, entry.PitfallsPath, ".lessons/hang-aaaa.md",
		".claude/commands/self-learning/deploy.md", ".lessons/skills/build/SKILL.md",
	} {
		if got := string(snap.Before(path)); got != tree[root+"/"+path] {
			t.Errorf("%s before: %q", path, got)
		}
	}
}

// Bad input is one line that names the file and the line; it hides nothing
// else, and writing other things leaves it as it is.
func TestBadInputIsNamedKeptAndHidesNothing(t *testing.T) {
	tests := []struct {
		name  string
		lay   func(m *fsxtest.Memory)
		want  string // path:line of the only problem
		lost  string // what is not read besides
		wrote string // what Apply says instead of writing the log
	}{
		{name: "corrupt manifest", lay: put(manifestFile, "{\n\"entries\": [\n"), want: ".memory/.learning-manifest.json:2", lost: "manifest"},
		{name: "conflict in the manifest", lay: put(manifestFile, "{\n<<<<<<< HEAD\n"), want: ".memory/.learning-manifest.json:2", lost: "manifest"},
		{name: "half a line in the log", lay: put(sharedLog, readyLine("obs_new001", "A")+readyLine("obs_new002", "B")+`{"id":"obs_ha`), want: sharedLog + ":3"},
		{name: "conflict in the log", lay: put(sharedLog, "<<<<<<< HEAD\n"+readyLine("obs_new001", "A")+readyLine("obs_new002", "B")), want: sharedLog + ":1"},
		{name: "conflict in the decisions", lay: put(decisions, "# D\n\n<<<<<<< HEAD\n## ADR-001: Use git\n\n- **Status**: Accepted\n=======\n>>>>>>> other\n"), want: ".memory/knowledge/decisions.md:3"},
		{name: "broken front matter", lay: put("/r/.lessons/broken.md", "---\nid: [\n---\n# X\n"), want: ".lessons/broken.md:"},
		{name: "settings that are no JSON", lay: put("/r/.lessons/config.json", "{\n\"a\": }\n"), want: ".lessons/config.json:2", lost: "config"},
		{name: "half a ledger line", lay: put(ledgerFile, `{"event":"seen","observationId":"obs_adr001","type":"decision","at":"2026-01-02T00:00:00Z"}`+"\n{\"ev"), want: ledgerFile + ":2"},
		{name: "a directory where the manifest should be", lay: func(m *fsxtest.Memory) { m.Delete(manifestFile); m.Put(manifestFile+"/x", "") }, want: ".memory/.learning-manifest.json:0", lost: "manifest"},
		{name: "a directory where the log should be", lay: func(m *fsxtest.Memory) { m.Delete(sharedLog); m.Put(sharedLog+"/x", "") }, want: sharedLog + ":0", lost: "log", wrote: sharedLog},
		{name: "no permission for the log", lay: func(m *fsxtest.Memory) { m.SetMode(sharedLog, 0) }, want: sharedLog + ":0", lost: "log", wrote: sharedLog},
		{name: "no permission for the ledger", lay: func(m *fsxtest.Memory) { m.SetMode(ledgerFile, 0) }, want: ledgerFile + ":0", lost: "ledger"},
		{name: "no permission for the manifest", lay: func(m *fsxtest.Memory) { m.SetMode(manifestFile, 0) }, want: ".memory/.learning-manifest.json:0", lost: "manifest"},
		{name: "the manifest is a link", lay: func(m *fsxtest.Memory) { m.Delete(manifestFile); m.PutLink(manifestFile, "/r/src/main.go") }, want: ".memory/.learning-manifest.json:0", lost: "manifest"},
		{name: "the settings are a link", lay: func(m *fsxtest.Memory) {
			m.Delete("/r/.lessons/config.json")
			m.PutLink("/r/.lessons/config.json", "/etc/passwd")
		}, want: ".lessons/config.json:0", lost: "config"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := fsxtest.NewMemory(fullTree())
			tt.lay(m)
			s := storeIn(m)
			snap := load(t, s)
			if len(snap.Problems) != 1 || !strings.HasPrefix(fmt.Sprintf("%s:%d", snap.Problems[0].Path, snap.Problems[0].Line), tt.want) {
				t.Errorf("problems %+v, want one at %s", snap.Problems, tt.want)
			}
			has := map[string]bool{
				"log": len(snap.Log.Observations()) == 2, "manifest": len(snap.Manifest.Rows) == 1, "ledger": len(snap.Ledger) == 1,
				"config": snap.Config.MinConfidence == 0.75, "lessons": len(snap.Lessons) == 1, "decisions": len(snap.Decisions) == 1, "pitfalls": len(snap.Pitfalls) == 1,
			}
			for part, ok := range has {
				if ok == (part == tt.lost) {
					t.Errorf("%s is there: %v", part, ok)
				}
			}
			if (snap.ManifestErr != nil) != (tt.lost == "manifest") {
				t.Errorf("the manifest's error is %v", snap.ManifestErr)
			}
			before := m.Tree()
			snap.Log.Put(&observe.Observation{ID: "obs_more01", Type: knowledge.Pitfall, Pattern: "More", Status: observe.Observing, Observations: 1})
			err := s.Apply(Transaction{Log: snap.Log})
			if tt.wrote != "" {
				if err == nil || !strings.Contains(err.Error(), tt.wrote) {
					t.Errorf("error %v, want one that names %s", err, tt.wrote)
				}
			} else if err != nil {
				t.Error(err)
			}
			after := m.Tree()
			if !keepsLines(before[sharedLog], after[sharedLog]) {
				t.Errorf("the log lost something:\n%s", after[sharedLog])
			}
			delete(before, sharedLog)
			delete(after, sharedLog)
			if diff := fsxtest.Diff(before, after); diff != "" {
				t.Errorf("written besides:\n%s", diff)
			}
		})
	}
}

// keepsLines says whether every line of the old log is in the new one.
func keepsLines(old, now string) bool {
	for line := range strings.Lines(old) {
		if !strings.Contains(now, strings.TrimSuffix(line, "\n")) {
			return false
		}
	}
	return true
}

func put(name, text string) func(*fsxtest.Memory) {
	return func(m *fsxtest.Memory) { m.Put(name, text) }
}

func TestOneCauseIsOneProblem(t *testing.T) {
	tests := []struct {
		name string
		lay  func(m *fsxtest.Memory)
		want knowledge.Problem
	}{
		{"a file where a folder should be", put("/r/.memory", "text"), knowledge.Problem{Path: ".memory", Rule: "unreadable"}},
		{"a link to a folder", func(m *fsxtest.Memory) { m.PutLink("/r/.memory", "/elsewhere") }, knowledge.Problem{Path: ".memory", Rule: "link"}},
	}
	for _, tt := range tests {
		m := fsxtest.NewMemory(map[string]string{"/r/.git/HEAD": "", "/elsewhere/learning-log.jsonl": readyLine("obs_foreign", "Foreign")})
		tt.lay(m)
		snap := load(t, storeIn(m))
		if len(snap.Problems) != 1 || snap.Problems[0].Path != tt.want.Path || snap.Problems[0].Rule != tt.want.Rule {
			t.Errorf("%s: %+v", tt.name, snap.Problems)
		}
		if len(snap.Log.Observations()) > 0 {
			t.Errorf("%s: read through it", tt.name)
		}
	}
}
