package store

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/lessons-cli/lessons/internal/fsx"
	"github.com/lessons-cli/lessons/internal/test/fsxtest"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/artifact"
	"github.com/lessons-cli/lessons/knowledge/entry"
	"github.com/lessons-cli/lessons/knowledge/manifest"
	"github.com/lessons-cli/lessons/knowledge/observe"
	"github.com/lessons-cli/lessons/knowledge/verdict"
)

// planDecisions is a small renderer: every ready decision becomes an entry, and
// one whose entry is there already gets the row and the status that it lacks.
func planDecisions(s *Snapshot) Transaction {
	book, _ := entry.ParseBook(entry.DecisionsPath, s.Before(entry.DecisionsPath))
	m := s.Manifest.Clone()
	for _, o := range s.Log.Observations() {
		if o.Type != knowledge.Decision || (o.Status != observe.Ready && o.Status != observe.Created) {
			continue
		}
		at := slices.IndexFunc(book.Entries, func(e entry.Entry) bool { return e.Source == o.ID })
		if at < 0 && o.Status == observe.Created {
			continue // somebody removed it
		}
		if at < 0 {
			number := 1 + entry.MaxNumber(knowledge.KindADR, book.Entries, m.Anchors(knowledge.KindADR)...)
			e := entry.Entry{Kind: knowledge.KindADR, Number: number, Title: o.Pattern, Source: o.ID, Fields: []entry.Field{{Name: entry.FieldStatus, Value: "Accepted"}}}
			book, _ = entry.ParseBook(entry.DecisionsPath, book.Append(e))
			at = slices.IndexFunc(book.Entries, func(e entry.Entry) bool { return e.Source == o.ID })
		}
		e := book.Entries[at]
		if _, ok := m.Row(knowledge.Key{Observation: o.ID, Kind: knowledge.KindADR}); !ok {
			m.PutRow(manifest.Row{ObservationID: o.ID, Type: string(knowledge.Decision), Path: entry.DecisionsPath, Anchor: e.ID(), ContentHash: knowledge.ContentHash(e.Text), RenderedAt: o.LastSeen})
		}
		o.Status, o.ArtifactPath = observe.Created, entry.DecisionsPath
		s.Log.Put(o)
	}
	return Transaction{
		Changes:  []Change{{Path: entry.DecisionsPath, Before: s.Before(entry.DecisionsPath), After: book.Bytes()}},
		Log:      s.Log,
		Manifest: m,
	}
}

func renderDecisions(fsys fsx.FS) error {
	s := storeIn(fsys)
	snap, err := s.Load()
	if err != nil {
		return err
	}
	return s.Apply(planDecisions(snap))
}

func readyTree() map[string]string {
	return map[string]string{
		"/r/.git/HEAD": "", sharedLog: readyLine("obs_new001", "Keep it small") + "{\"torn\n" + readyLine("obs_new002", "Keep it local"),
	}
}

func TestACrashAtAnyPointLeadsToTheUninterruptedResult(t *testing.T) {
	for name, extra := range map[string]map[string]string{
		"first render": nil,
		"with books":   {decisions: "# Mine\n\n## ADR-007: Older\n\n- **Status**: Accepted\n", manifestFile: `{"version":1,"entries":[],"tombstones":[]}`},
		"layout files": {"/r/.lessons/config.json": `{"layout":"files"}`},
		"committed":    {"/r/.lessons/config.json": `{"log":"committed"}`, "/r/.memory/learning-log.jsonl": readyLine("obs_new003", "Third")},
	} {
		t.Run(name, func(t *testing.T) {
			tree := readyTree()
			for n, text := range extra {
				tree[n] = text
			}
			points := fsxtest.EveryPoint(t, fsxtest.Scenario{Start: fsxtest.NewMemory(tree), Run: renderDecisions})
			if points < 150 {
				t.Errorf("only %d points", points)
			}
		})
	}
}

func TestACrashAfterWritingAnArtifactKeepsThePersonsEdit(t *testing.T) {
	const edit = "\nA person's sentence.\n"
	fsxtest.EveryPoint(t, fsxtest.Scenario{
		Start: fsxtest.NewMemory(readyTree()),
		Run:   renderDecisions,
		Modes: []fsxtest.Mode{fsxtest.KillBefore, fsxtest.KillAfter, fsxtest.PowerLoss},
		Between: func(m *fsxtest.Memory) {
			if text, ok := m.Tree()[decisions]; ok {
				m.Put(decisions, text+edit)
			}
		},
		Check: func(_ fsxtest.Point, _, got map[string]string) error {
			book, _ := entry.ParseBook(entry.DecisionsPath, []byte(got[decisions]))
			switch {
			case len(book.Entries) != 2:
				return fmt.Errorf("%d entries", len(book.Entries))
			case strings.Count(got[decisions], edit) > 1:
				return errors.New("the edit is there twice")
			case strings.Count(got[manifestFile], `"observationId"`) != 2:
				return errors.New("rows: " + got[manifestFile])
			}
			return nil
		},
	})
}

// At every moment of a transaction a reader finds what the manifest names.
func TestAReaderNeverFindsARowWithoutItsArtifact(t *testing.T) {
	complete := func(s *Snapshot) error {
		for _, r := range s.Manifest.Rows {
			if !slices.ContainsFunc(s.Artifacts, func(a artifact.Artifact) bool { return a.Source == r.ObservationID }) {
				return fmt.Errorf("the manifest names %s, which is not there", r.ObservationID)
			}
		}
		return nil
	}
	t.Run("a reader in the middle of a writer", func(t *testing.T) {
		for call := 0; ; call++ {
			m := fsxtest.NewMemory(readyTree())
			fault := &fsxtest.Fault{FS: m, At: call, Mode: fsxtest.KillAfter}
			_ = renderDecisions(fault)
			if err := complete(load(t, storeIn(m))); err != nil {
				t.Errorf("after %s: %v", fault.Hit(), err)
			}
			if fault.Calls() <= call {
				break
			}
		}
	})
	t.Run("a writer in the middle of a reader", func(t *testing.T) {
		for read := 0; ; read++ {
			m := fsxtest.NewMemory(readyTree())
			between := &interrupted{FS: m, at: read, do: func() {
				if err := renderDecisions(m); err != nil {
					t.Error(err)
				}
			}}
			if err := complete(load(t, storeIn(between))); err != nil {
				t.Errorf("written before read %d: %v", read, err)
			}
			if between.reads <= read {
				break
			}
		}
	})
}

// interrupted runs something in front of one of the reads.
type interrupted struct {
	fsx.FS
	reads, at int
	do        func()
}

func (i *interrupted) next() {
	if i.reads++; i.reads-1 == i.at {
		i.do()
	}
}

func (i *interrupted) ReadFile(name string) ([]byte, error) {
	i.next()
	return i.FS.ReadFile(name)
}

func (i *interrupted) Lstat(name string) (fs.FileInfo, error) {
	i.next()
	return i.FS.Lstat(name)
}

func (i *interrupted) ReadDir(name string) ([]fs.DirEntry, error) {
	i.next()
	return i.FS.ReadDir(name)
}

func TestApplyRefusesWhatAPersonChangedMeanwhile(t *testing.T) {
	tests := []struct{ name, path, text string }{
		{"an artifact was edited", decisions, "# Decisions, edited\n"},
		{"the manifest was checked out", manifestFile, `{"version":1,"entries":[],"tombstones":[]}`},
		{"a manifest came into being in the other layout", "/r/.memory/manifest/obs_adr001.json", `{"version":1,"entries":[]}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := fsxtest.NewMemory(fullTree())
			s := storeIn(m)
			plan := planDecisions(load(t, s))
			m.Put(tt.path, tt.text)
			before := m.Tree()
			err := s.Apply(plan)
			rel, _ := filepath.Rel(root, tt.path)
			if !errors.Is(err, ErrChanged) || !strings.Contains(err.Error(), filepath.ToSlash(rel)) {
				t.Errorf("error %v, want one that names %s", err, rel)
			}
			if diff := fsxtest.Diff(before, m.Tree()); diff != "" {
				t.Errorf("something was written:\n%s", diff)
			}
		})
	}
}

func TestApplyRefusesLinks(t *testing.T) {
	m := fsxtest.NewMemory(fullTree())
	m.Delete("/r/.claude/commands")
	m.PutLink("/r/.claude/commands", "../.git/hooks")
	before := m.Tree()
	err := storeIn(m).Apply(Transaction{Changes: []Change{{Path: ".claude/commands/x.md", After: []byte("x")}}})
	if !errors.Is(err, fsx.ErrRefused) || !strings.Contains(err.Error(), "/r/.claude/commands") {
		t.Errorf("error %v", err)
	}
	if diff := fsxtest.Diff(before, m.Tree()); diff != "" {
		t.Error(diff)
	}
}

func TestTwoProcessesLoseNothing(t *testing.T) {
	m := fsxtest.NewMemory(fullTree())
	m.Put(sharedLog, "{\"torn\n"+m.Tree()[sharedLog])
	s := storeIn(m)
	first, second := load(t, s), load(t, s)
	first.Log.Put(&observe.Observation{ID: "obs_first1", Type: knowledge.Pitfall, Pattern: "First", Status: observe.Observing, Observations: 1})
	o := second.Log.Get("obs_new001")
	o.Sessions = append(o.Sessions, "session2")
	second.Log.Put(o)
	second.Log.Put(&observe.Observation{ID: "obs_second", Type: knowledge.Pitfall, Pattern: "Second", Status: observe.Observing, Observations: 1})
	apply(t, s, Transaction{Log: first.Log, Ledger: []verdict.Event{{Event: verdict.EventSeen, ID: "obs_first1", Type: "pitfall"}}})
	apply(t, s, Transaction{Log: second.Log, Ledger: []verdict.Event{{Event: verdict.EventSeen, ID: "obs_second", Type: "pitfall"}}})

	after := load(t, s)
	for _, id := range []string{"obs_new001", "obs_new002", "obs_first1", "obs_second"} {
		if after.Log.Get(id) == nil {
			t.Errorf("%s is lost", id)
		}
	}
	if got := after.Log.Get("obs_new001").Sessions; !slices.Equal(got, []string{"session2"}) {
		t.Errorf("sessions %v", got)
	}
	if len(after.Ledger) != 3 {
		t.Errorf("%d events in the ledger", len(after.Ledger))
	}
	if !strings.Contains(m.Tree()[sharedLog], "{\"torn\n") {
		t.Error("a line that cannot be read is lost")
	}
}

func TestProcessesAtOnceOnDisk(t *testing.T) {
	const writers, each = 6, 5
	dir := t.TempDir()
	places := func(w int) Places { // half of them in a linked work tree
		tree := fmt.Sprintf("tree%d", w%2)
		local := filepath.Join(dir, "git", "lessons")
		if w%2 == 1 {
			local = filepath.Join(dir, "git", "worktrees", tree, "lessons")
		}
		return Places{Root: filepath.Join(dir, tree), Local: local, Shared: filepath.Join(dir, "git", "lessons")}
	}
	for w := range 2 {
		if err := fsx.MkdirAll(fsx.OS{}, places(w).Root); err != nil {
			t.Fatal(err)
		}
	}
	var wg sync.WaitGroup
	for w := range writers {
		wg.Go(func() {
			s := New(fsx.OS{}, places(w))
			s.Wait = 30 * time.Second
			for i := range each {
				snap, err := s.Load()
				if err != nil {
					t.Error(err)
					return
				}
				id := fmt.Sprintf("obs_%d_%d", w, i)
				snap.Log.Put(&observe.Observation{ID: id, Type: knowledge.Pitfall, Pattern: id, Status: observe.Observing, Observations: 1})
				if err := s.Apply(Transaction{Log: snap.Log, Ledger: []verdict.Event{{Event: verdict.EventSeen, ID: id, Type: "pitfall"}}}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	snap := load(t, New(fsx.OS{}, places(0)))
	if n := len(snap.Log.Observations()); n != writers*each || len(snap.Ledger) != writers*each || len(snap.Problems) > 0 {
		t.Errorf("%d observations, %d events, want %d; problems %v", n, len(snap.Ledger), writers*each, snap.Problems)
	}
}

func TestRenderAndReconcileHoldDifferentLocks(t *testing.T) {
	linked := Places{Root: "/w", Local: "/r/.git/worktrees/w/lessons", Shared: gitLessons}
	transactions := map[string]Transaction{
		"render":    {Changes: []Change{{Path: "x.md", After: []byte("x")}}, Log: &observe.Log{}, Manifest: &manifest.Manifest{}},
		"reconcile": {Ledger: []verdict.Event{{Event: verdict.EventSeen, ID: "obs_a", Type: "pitfall"}}},
		"write":     {Manifest: &manifest.Manifest{}},
		"scan":      {Log: &observe.Log{}},
		"curate":    {Changes: []Change{{Path: "x.md", After: []byte("x")}}},
	}
	for name, tr := range transactions {
		m := fsxtest.NewMemory(map[string]string{"/r/.git/HEAD": "", "/w/x": "", gitLessons + "/x": "", linked.Local + "/x": ""})
		unlock, err := m.Lock(gitLessons+"/lock", 0)
		if err != nil {
			t.Fatal(err)
		}
		s := storeIn(m)
		s.Wait = time.Millisecond
		if err := s.Apply(tr); !errors.Is(err, ErrLocked) {
			t.Errorf("%s while another process writes: %v", name, err)
		}
		other := New(m, linked)
		other.Wait = time.Millisecond
		shared := tr.Log != nil || tr.Ledger != nil
		if err := other.Apply(tr); errors.Is(err, ErrLocked) != shared {
			t.Errorf("%s in a linked work tree: %v", name, err)
		}
		if err := unlock(); err != nil {
			t.Fatal(err)
		}
		for _, s := range []*Store{s, other} {
			if err := s.Apply(tr); err != nil {
				t.Errorf("%s after the other process: %v", name, err)
			}
		}
	}
}

func TestApplyTakesOneLockAndOneSyncAFile(t *testing.T) {
	const n = 100
	tree := fullTree()
	c := fsxtest.NewCounting(fsxtest.NewMemory(tree))
	s := storeIn(c)
	snap := load(t, s)
	var tr Transaction
	tr.Manifest = snap.Manifest
	for i := range n {
		id := fmt.Sprintf("obs_many%02d", i)
		tr.Changes = append(tr.Changes, Change{Path: fmt.Sprintf(".lessons/l%02d.md", i), After: []byte(lessonText(id, id))})
		tr.Manifest.PutRow(manifest.Row{ObservationID: id, Type: "lesson", Path: fmt.Sprintf(".lessons/l%02d.md", i)})
		snap.Log.Put(&observe.Observation{ID: id, Type: knowledge.Pitfall, Pattern: id, Status: observe.Created, Observations: 1})
	}
	tr.Log = snap.Log
	apply(t, s, tr)
	got := c.Counts()
	if len(got.Locked) != 1 || got.FilesWritten != n+2 || got.FileSyncs != got.FilesWritten {
		t.Errorf("%+v", got)
	}
	if got.DirSyncs > 3 {
		t.Errorf("%d directories synced", got.DirSyncs)
	}
}

func TestApplyTwiceWritesNothing(t *testing.T) {
	m := fsxtest.NewMemory(readyTree())
	if err := renderDecisions(m); err != nil {
		t.Fatal(err)
	}
	fault := &fsxtest.Fault{FS: m, At: -1}
	if err := renderDecisions(fault); err != nil {
		t.Fatal(err)
	}
	if fault.Calls() != 0 {
		t.Errorf("%d calls that change something", fault.Calls())
	}
	if err := storeIn(fault).Apply(Transaction{}); err != nil || fault.Calls() != 0 {
		t.Errorf("an empty transaction: %v, %d calls", err, fault.Calls())
	}
}

func TestApplyRemovesWhatACrashLeft(t *testing.T) {
	tree := fullTree()
	tree["/r/.lessons/.lessons-tmp-old.md-ABC"] = "half"
	tree["/r/.memory/knowledge/.lessons-tmp-decisions.md-ABC"] = "half"
	m := fsxtest.NewMemory(tree)
	apply(t, storeIn(m), Transaction{Changes: []Change{{Path: ".lessons/x.md", After: []byte("x")}}})
	for name := range m.Tree() {
		if fsxtest.Temporary(name) {
			t.Errorf("%s is still there", name)
		}
	}
}

func TestApplyLooksOnlyAtFilesThatItChanges(t *testing.T) {
	m := fsxtest.NewMemory(map[string]string{"/r/a.md": "edited meanwhile", "/r/b.md": "b"})
	same := Change{Path: "a.md", Before: []byte("a"), After: []byte("a")}
	apply(t, storeIn(m), Transaction{Changes: []Change{same, {Path: "b.md", Before: []byte("b"), After: []byte("c")}}})
	if got := m.Tree(); got["/r/a.md"] != "edited meanwhile" || got["/r/b.md"] != "c" {
		t.Errorf("%q", got)
	}
}

func TestApplyRefusesAFilePlannedTwice(t *testing.T) {
	m := fsxtest.NewMemory(map[string]string{"/r/x": ""})
	err := storeIn(m).Apply(Transaction{Changes: []Change{{Path: "a.md", After: []byte("1")}, {Path: "a.md", After: []byte("2")}}})
	if err == nil || !strings.Contains(err.Error(), "a.md") || m.Tree()["/r/a.md"] != "" {
		t.Errorf("error %v, %q", err, m.Tree())
	}
}
