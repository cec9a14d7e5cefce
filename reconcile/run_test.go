package reconcile

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lessons-cli/lessons/internal/fsx"
	"github.com/lessons-cli/lessons/internal/gitstate"
	"github.com/lessons-cli/lessons/internal/test/gittest"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/manifest"
	"github.com/lessons-cli/lessons/knowledge/observe"
)

// stage is a scene for a test of its own: failures are reported at its end.
func stage(t *testing.T) *scene {
	t.Parallel()
	s := &scene{t: t, layout: "book"}
	t.Cleanup(func() {
		for _, failure := range s.failed {
			t.Error(failure)
		}
	})
	return s
}

// blocking answers a question about history when its deadline passes.
type blocking struct{ gitstate.Repository }

func (b blocking) Log(ctx context.Context, _ gitstate.Walk) ([]gitstate.Commit, error) {
	<-ctx.Done()
	return nil, ctx.Err()
}

func TestHistoryThatTakesTooLongIsAskedLater(t *testing.T) {
	s := stage(t)
	w := s.begin("a", "b", "c")
	w.cut("a")
	deleted := w.Commit("Delete a")
	w.cut("c")
	w.git("add", "-A")
	w.observe("elsewhere", observe.Created, 2)
	s.mutant = mutant{
		repository: func(r gitstate.Repository) gitstate.Repository { return blocking{r} },
		input:      func(in *Input) { in.HistoryDeadline = time.Millisecond },
	}
	report, err := w.once(w.memo)
	if err != nil {
		t.Fatal(err)
	}
	w.answers(report, want{"a": "pending", "b": "unchanged", "c": "gone staged", "elsewhere": "norow"})
	if reason := w.item(report, "a").Reason; reason != "history not asked yet" {
		t.Errorf("reason %q", reason)
	}
	w.wantVerdicts("a")
	s.mutant = mutant{}
	w.expect(want{"a": "gone committed", "c": "gone staged"})
	w.wantVerdicts("a", "committed "+deleted)
}

func TestACancelledRunIsAnError(t *testing.T) {
	s := stage(t)
	w := s.begin("a", "b")
	w.cut("a")
	w.Commit("Delete a")
	in, stop := w.input()
	defer stop()
	ctx, cancel := context.WithCancel(context.Background())
	in.Repository = blocking{in.Repository}
	time.AfterFunc(10*time.Millisecond, cancel)
	if _, err := Run(ctx, in); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

// counting counts the questions about history.
type counting struct {
	gitstate.Repository
	walks *int
}

func (c counting) Log(ctx context.Context, w gitstate.Walk) ([]gitstate.Commit, error) {
	*c.walks++
	return c.Repository.Log(ctx, w)
}

// TestMemoAnswersUntilSomethingChanges: the same state is not asked twice, and
// whatever an answer rests on makes it be asked again.
func TestMemoAnswersUntilSomethingChanges(t *testing.T) {
	s := stage(t)
	walks := 0
	s.mutant.repository = func(r gitstate.Repository) gitstate.Repository { return counting{r, &walks} }
	w := s.begin("a", "b")
	w.render("c")
	w.git("commit", "-qam", "Forget c")
	w.cut("a")
	w.Commit("Delete a") // with c
	w.git("rm", "-q", "--cached", s.pathOf("c"))
	w.CommitStaged("Untrack c")
	w.Remove(s.pathOf("c"))
	asks := func(when string, asks bool) {
		t.Helper()
		walks = 0
		if _, err := w.once(w.memo); err != nil {
			t.Fatal(err)
		}
		if (walks > 0) != asks {
			t.Errorf("%s: %d walks", when, walks)
		}
	}
	asks("first", true)
	asks("again", false)
	w.git("tag", "a-tag")
	asks("a tag, although all answers rest on HEAD", false)
	w.Write("README.md", "# Another title\n")
	asks("a file that is nobody's", false)
	w.Commit("Go on")
	asks("another HEAD", true)
	asks("again", false)
	w.now = w.now.Add(24 * time.Hour)
	asks("another day", true)
	w.edit("b", "few words", "other words")
	asks("an edit", false)
	w.cut("b")
	asks("one more missing", true)

	w.render("d")
	w.dropRow("b")
	w.observe("nowhere", observe.Created, 2)
	w.Remove(s.pathOf("d"))
	asks("a row that no commit has", true)
	asks("again", false)
	w.git("branch", "another")
	asks("another ref, where an answer rests on all of them", true)
	w.memo = []byte("{half a memo")
	asks("a memo that cannot be read", true)
}

// TestFewProcesses holds the common states to their number of git processes.
func TestFewProcesses(t *testing.T) {
	s := stage(t)
	var processes int
	run := func(w *tree) int {
		t.Helper()
		in, stop := w.input()
		defer stop()
		report, err := Run(context.Background(), in)
		if err != nil {
			t.Fatal(err)
		}
		w.clone.keep(report)
		if report.Memo != nil {
			w.memo = report.Memo
		}
		processes = in.Repository.Processes()
		return processes
	}
	atMost := func(what string, w *tree, n int) {
		t.Helper()
		if got := run(w); got > n {
			t.Errorf("%s: %d git processes, at most %d", what, got, n)
		}
	}
	names := []string{"a", "b", "c", "d", "e", "adr1", "adr2", "adr3", "cmd", "skill"}
	w := s.begin(names...)
	atMost("all present", w, 2)
	for _, name := range names[:4] {
		w.cut(name)
	}
	atMost("gone from the work tree", w, 3)
	w.git("add", "-A")
	atMost("staged deletions", w, 4)
	w.CommitStaged("Delete four")
	atMost("committed deletions", w, 6)
	atMost("the next start", w, 3)
	w.cut("adr1")
	w.Commit("Delete a section")
	atMost("a committed section", w, 6)
	w.render("f")
	w.Remove(s.pathOf("f"))
	atMost("a row in no history", w, 9)
	atMost("the next start", w, 4)
}

func TestWithoutGit(t *testing.T) {
	s := stage(t)
	w := s.tree(gittest.At(t, filepath.Join(t.TempDir(), "plain")), nil)
	w.open = nil
	w.render("a", "b", "c", "d", "adr1", "adr2")
	w.expect(want{"a": "unchanged", "b": "unchanged", "adr1": "unchanged"})
	w.edit("b", "few words", "other words")
	w.Write(".lessons/renamed.md", w.Read(s.pathOf("c")))
	w.Remove(s.pathOf("c"))
	w.cut("a")
	w.expect(want{"a": "gone uncommitted", "b": "edited", "c": "moved", "d": "unchanged", "adr1": "unchanged"})
	w.wantVerdicts("a", "uncommitted")
	w.cut("d")
	w.expect(want{"a": "gone uncommitted", "d": "gone uncommitted"}) // one at a time is no clean
	w.write()
	w.wantNoEntry("a")
	w.cut("b")
	w.cut("adr1")
	w.expect(want{"b": "pending", "adr1": "pending", "adr2": "unchanged"})
	w.rows("adr2")
	w.observe("elsewhere", observe.Created, 2)
	w.expect(want{"elsewhere": "norow"})
	m := w.manifest()
	row, _ := m.Row(keyOf("adr2"))
	row.ObservationID = "obs_never"
	row.Anchor = "ADR-077"
	m.PutRow(row)
	m.Bury(manifest.Tombstone{Row: manifest.Row{ObservationID: "obs_dead", Type: "lesson", Path: ".lessons/dead.md"}, How: "command"})
	w.store(m)
	report := w.look()
	if i, _ := itemOf(report, knowledge.Key{Observation: "obs_never", Kind: knowledge.KindADR}); !i.NeverHere() {
		t.Errorf("a row that was never here is %s (%s)", i.Answer, i.Reason)
	}
	if i, _ := itemOf(report, knowledge.Key{Observation: "obs_dead", Kind: knowledge.KindLesson}); i.Answer != Gone || i.How != HowTombstone {
		t.Errorf("a tombstone is %s (%s)", i.Answer, i.How)
	}
}

// TestWithoutTheGitProgram: HEAD's tree and the index can be read in process,
// history and what is staged cannot.
func TestWithoutTheGitProgram(t *testing.T) {
	s := stage(t)
	w := s.begin("a", "b", "c", "d", "adr1", "adr2", "e")
	w.open = gitstate.OpenInProcess
	w.edit("b", "few words", "other words")
	w.Write(".lessons/renamed.md", w.Read(s.pathOf("c")))
	w.Remove(s.pathOf("c"))
	w.cut("a")
	w.expect(want{"a": "pending", "b": "edited", "c": "moved", "d": "unchanged", "adr1": "unchanged", "adr2": "unchanged"})
	w.cut("d")
	w.git("rm", "-q", "--cached", s.pathOf("d"))
	w.expect(want{"d": "skipped no history without the git program"})
	w.cut("adr1")
	w.Commit("Delete")
	w.expect(want{"a": "skipped no history without the git program", "adr1": "skipped no history without the git program", "e": "unchanged"})
	w.wantVerdicts("adr1")
	w.place("f", textOf("f"))
	w.expect(want{"f": "healed"})
	w.observe("elsewhere", observe.Created, 2)
	w.expect(want{"elsewhere": "norow"})
}

// restless is a repository in which somebody works while it is read, so many
// times.
type restless struct {
	gitstate.Repository
	stamps *int
	times  int
}

func (r restless) IndexStamp() (string, error) {
	*r.stamps++
	return strings.Repeat("x", min(*r.stamps, r.times)), nil
}

func TestARepositoryThatChangesWhileItIsReadIsNotJudged(t *testing.T) {
	s := stage(t)
	w := s.begin("a", "b")
	stamps, times := 0, 1000
	s.mutant.repository = func(r gitstate.Repository) gitstate.Repository { return restless{r, &stamps, times} }
	w.abort("changed while it was read")
	stamps, times = 0, 2 // a git status of an editor, once
	report, err := w.once(w.memo)
	if err != nil {
		t.Fatal(err)
	}
	w.answers(report, want{"a": "unchanged", "b": "unchanged"})
}

func TestManifestsThatCannotBeUsedAbort(t *testing.T) {
	s := stage(t)
	w := s.begin("a", "b")
	w.cut("a")
	good := w.Read(manifest.Path)
	for reason, text := range map[string]string{
		manifest.Path + ":":                     "<<<<<<< HEAD\n" + good,
		manifest.Path + ":1":                    "{\"version\": 1, \"entries\": [",
		"written by a newer version of lessons": strings.Replace(good, `"version": 1`, `"version": 99`, 1),
	} {
		w.Write(manifest.Path, text)
		w.abort(reason)
	}
	w.Remove(manifest.Path)
	w.Write(manifest.Path+"/x", "a folder where a file should be")
	w.abort(manifest.Path)
	w.Remove(manifest.Path)
	blob := w.git("rev-parse", "HEAD:"+manifest.Path)
	if _, err := w.Pipe("0 "+strings.Repeat("0", 40)+"\t"+manifest.Path+"\n100644 "+blob+" 1\t"+manifest.Path+
		"\n100644 "+blob+" 2\t"+manifest.Path+"\n", "update-index", "--index-info"); err != nil {
		t.Fatal(err)
	}
	w.abort("unmerged")
	w.Write(manifest.Path, good) // what the person made of it is not staged yet
	w.abort("unmerged")

	s.layout = "files"
	w = s.begin("a", "b")
	w.Write(manifest.File(idOf("a"), ""), "{")
	w.abort(manifest.File(idOf("a"), ""))
}

// nosy notes what is read.
type nosy struct {
	fsx.FS
	read map[string]bool
}

func (n nosy) ReadFile(name string) ([]byte, error) { n.read[name] = true; return n.FS.ReadFile(name) }

// TestAManifestCannotLeadOutOfTheRepository: rows and tombstones are written by
// others.
func TestAManifestCannotLeadOutOfTheRepository(t *testing.T) {
	s := stage(t)
	w := s.begin("a")
	outside := filepath.Join(filepath.Dir(w.Dir), "secret.md")
	if err := os.WriteFile(outside, []byte("secret"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Dir(w.Dir), w.Path("way-out")); err != nil {
		t.Skip(err)
	}
	m := w.manifest()
	paths := []string{"../secret.md", ".git/config", "way-out/secret.md", ".lessons/../../secret.md", "-rf", ":(glob)**", "x\x00y", "x\ny", ""}
	for i, p := range paths {
		m.PutRow(manifest.Row{ObservationID: "obs_evil" + string(rune('0'+i)), Type: "lesson", Path: p, ContentHash: "sha256:0"})
	}
	m.Bury(manifest.Tombstone{Row: manifest.Row{ObservationID: "obs_b", Type: "lesson", Path: ".lessons/b.md"}, Commit: "--output=/tmp/x"})
	w.store(m)
	w.place("b", textOf("b"))
	in, stop := w.input()
	defer stop()
	read := nosy{fsx.OS{}, map[string]bool{}}
	in.FS = read
	report, err := Run(context.Background(), in)
	if err != nil {
		t.Fatal(err)
	}
	for name := range read.read {
		if !strings.HasPrefix(name, w.Dir+"/.lessons/") && !strings.HasPrefix(name, w.Dir+"/.memory/") {
			t.Errorf("%s was read", name)
		}
	}
	for _, item := range report.Items {
		if strings.HasPrefix(item.ObservationID, "obs_evil") && item.Answer != Skipped {
			t.Errorf("%q is %s (%s)", item.Path, item.Answer, item.Reason)
		}
	}
	w.answers(report, want{"a": "unchanged", "b": "restored"})
}

func TestWhatCannotBeReadIsNotGone(t *testing.T) {
	s := stage(t)
	w := s.begin("a", "b", "c", "cmd")
	w.cut("a")
	w.Write(s.pathOf("a")+"/x", "a folder where the file was")
	w.edit("b", "---\nid:", "---\nid: [\nid:") // broken front matter
	w.Remove(s.pathOf("c"))
	if err := os.Symlink("b.md", w.Path(s.pathOf("c"))); err != nil {
		t.Skip(err)
	}
	w.expect(want{"a": "skipped .lessons/a.md is a folder", "b": "edited", "c": "skipped .lessons/c.md is a link", "cmd": "unchanged"})
	if os.Getuid() == 0 {
		return // root may read everything
	}
	if err := os.Chmod(w.Path(s.pathOf("cmd")), 0); err != nil {
		t.Fatal(err)
	}
	w.expect(want{"cmd": "skipped it cannot be read"})
}

func TestReportAsJSON(t *testing.T) {
	data, err := json.Marshal(Report{})
	if err != nil {
		t.Fatal(err)
	}
	var got map[string]any
	if err := json.Unmarshal(data, &got); err != nil {
		t.Fatal(err)
	}
	keys := []string{"ambiguous", "deletions", "edits", "healed", "items", "lost", "moved", "pending", "restored", "skipped", "unchanged"}
	if have := slices.Sorted(maps.Keys(got)); !slices.Equal(have, keys) {
		t.Errorf("keys %q", have)
	}
	if !bytes.Contains(data, []byte(`"items":[]`)) {
		t.Errorf("no items are %s", data)
	}
	report := Report{Items: []Item{{Answer: Gone, New: true}, {Answer: Gone}, {Answer: Moved}, {Answer: Edited}, {Answer: NoRow}}}
	if got := report.Summary(); got != "2 deleted, 1 edited, 1 moved" {
		t.Errorf("summary %q", got)
	}
}

// TestPlanLog: the observation of an interrupted rendering is created.
func TestPlanLog(t *testing.T) {
	s := stage(t)
	w := s.begin("b")
	w.place("a", textOf("a"))
	w.observe("a", observe.Ready, 2)
	report := w.look()
	planned := PlanLog(report, w.clone.log)
	if planned == nil || planned.Get(idOf("a")).Status != observe.Created || planned.Get(idOf("a")).ArtifactPath != s.pathOf("a") {
		t.Errorf("planned %+v", planned)
	}
	if w.clone.log.Get(idOf("a")).Status != observe.Ready {
		t.Error("the log that was passed changed")
	}
	if again := PlanLog(report, planned); again != nil {
		t.Error("a second plan changes something")
	}
}
