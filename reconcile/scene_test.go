package reconcile

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
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
	"github.com/lessons-cli/lessons/knowledge/artifact"
	"github.com/lessons-cli/lessons/knowledge/manifest"
	"github.com/lessons-cli/lessons/knowledge/observe"
	"github.com/lessons-cli/lessons/knowledge/store"
	"github.com/lessons-cli/lessons/knowledge/verdict"
)

// scene plays one situation on real repositories. What goes wrong is collected
// and not reported, so that the tests of section 8 can ask whether a mutated
// procedure fails a case.
type scene struct {
	t      testing.TB
	layout string // book or files
	mutant mutant
	failed []string
}

// mutant takes one fact away from the procedure.
type mutant struct {
	repository func(gitstate.Repository) gitstate.Repository
	input      func(*Input)
	report     func(*Report)

	withoutCopies bool // rows do not list published copies
}

// clone is what one clone of a repository remembers in its git directory.
type clone struct {
	ledger []byte
	log    *observe.Log
}

// keep appends what a run says to the ledger.
func (c *clone) keep(r Report) {
	for _, e := range r.Ledger {
		c.ledger = append(c.ledger, e.Line()...)
	}
}

// tree is one work tree with a person and the tool at work in it.
type tree struct {
	*gittest.Repo
	s     *scene
	clone *clone
	memo  []byte
	now   time.Time
	open  func(ctx context.Context, dir string) (gitstate.Repository, error)
}

func (s *scene) check(ok bool, format string, args ...any) {
	if !ok {
		s.failed = append(s.failed, fmt.Sprintf(format, args...))
	}
}

// begin makes a repository in which the tool has rendered the named artifacts,
// and a person has committed them with their rows.
func (s *scene) begin(names ...string) *tree {
	w := s.bare()
	w.Write("README.md", "# A project\n")
	w.Commit("Begin")
	if len(names) > 0 {
		w.render(names...)
		w.Commit("Add what the tool rendered")
		w.see()
	}
	return w
}

// bare makes an empty repository.
func (s *scene) bare(initArgs ...string) *tree { return s.tree(gittest.New(s.t, initArgs...), nil) }

func (s *scene) tree(repo *gittest.Repo, c *clone) *tree {
	if c == nil {
		c = &clone{log: &observe.Log{}}
	}
	return &tree{
		Repo: repo, s: s, clone: c, now: gittest.Start.Add(240 * time.Hour),
		open: func(ctx context.Context, dir string) (gitstate.Repository, error) { return gitstate.OpenExec(ctx, dir) },
	}
}

// cloned is another developer's clone, with neither log nor ledger.
func (w *tree) cloned(args ...string) *tree {
	return w.s.tree(w.Repo.Clone(w.s.t, args...), nil)
}

// linked is another work tree of the same clone.
func (w *tree) linked(branch string) *tree {
	return w.s.tree(w.Repo.Worktree(w.s.t, branch), w.clone)
}

func (w *tree) git(args ...string) string { return w.Git(args...) }

// input reads the state that a run starts from.
func (w *tree) input() (Input, func()) {
	w.s.t.Helper()
	events, problems := verdict.ReadLedger("ledger", w.clone.ledger)
	if len(problems) > 0 {
		w.s.t.Fatalf("ledger: %v", problems)
	}
	artifacts := artifact.Read(fsx.OS{}, w.Dir).Artifacts
	in := Input{
		FS: fsx.OS{}, Root: w.Dir, Now: w.now, Memo: w.memo, WorkTree: "none",
		Snapshot: &store.Snapshot{Log: w.clone.log, Ledger: events, Artifacts: artifacts},
	}
	stop := func() {}
	if w.open != nil {
		repo, err := w.open(context.Background(), w.Dir)
		if err != nil {
			w.s.t.Fatal(err)
		}
		stop = func() { repo.Close() }
		sum := sha256.Sum256([]byte(repo.Location().GitDir))
		in.WorkTree = hex.EncodeToString(sum[:8])
		in.Repository = repo
		if w.s.mutant.repository != nil {
			in.Repository = w.s.mutant.repository(repo)
		}
	}
	if w.s.mutant.input != nil {
		w.s.mutant.input(&in)
	}
	return in, stop
}

// once runs reconcile once and stores what it says to store.
func (w *tree) once(memo []byte) (Report, error) {
	w.memo = memo
	in, stop := w.input()
	defer stop()
	w.now = w.now.Add(time.Minute)
	report, err := Run(context.Background(), in)
	if err != nil {
		return report, err
	}
	if w.s.mutant.report != nil {
		w.s.mutant.report(&report)
	}
	w.clone.keep(report)
	if report.Memo != nil {
		w.memo = report.Memo
	}
	return report, nil
}

// look runs reconcile as session start does. It also proves that no file of
// the work tree is touched, that a second run gives the same answers and
// changes no byte, and that the answers do not depend on the memo.
func (w *tree) look() Report {
	w.s.t.Helper()
	before := w.files()
	first, err := w.once(w.memo)
	if err != nil {
		w.s.check(false, "run: %v", err)
		return first
	}
	ledger, memo := string(w.clone.ledger), string(w.memo)
	second, err := w.once(w.memo)
	w.s.check(err == nil, "second run: %v", err)
	w.s.check(string(w.clone.ledger) == ledger, "the second run appends to the ledger: %q", strings.TrimPrefix(string(w.clone.ledger), ledger))
	w.s.check(string(w.memo) == memo, "the second run changes the memo:\n%s\n%s", memo, w.memo)
	w.same(first, second, "the second run")
	for _, a := range []Answer{Gone, Restored, Moved, Healed} {
		w.s.check(second.Count(a) == 0, "the second run counts %d %s for the first time", second.Count(a), a)
	}
	kept := w.memo
	third, err := w.once(nil)
	w.s.check(err == nil, "run without memo: %v", err)
	w.same(second, third, "a run without memo")
	w.s.check(string(w.clone.ledger) == ledger, "a run without memo appends to the ledger: %q", strings.TrimPrefix(string(w.clone.ledger), ledger))
	w.memo = kept
	for _, change := range changes(before, w.files()) {
		w.s.check(false, "reconcile touched %s", change)
	}
	return first
}

// see is a session start whose answers are not looked at.
func (w *tree) see() { w.look() }

// same compares answers. What was restored is unchanged, or edited, in the next run.
func (w *tree) same(a, b Report, what string) {
	w.s.check(len(a.Items) == len(b.Items), "%s has %d items instead of %d", what, len(b.Items), len(a.Items))
	for i := range min(len(a.Items), len(b.Items)) {
		x, y := a.Items[i], b.Items[i]
		if x.Answer == Restored && (y.Answer == Unchanged || y.Answer == Edited || (x.noRow && y.Answer == Healed)) {
			continue
		}
		x.New, y.New = false, false
		xs, _ := json.Marshal(x)
		ys, _ := json.Marshal(y)
		if x.Answer == Gone && y.Answer == Gone && x.How == HowUncommitted && y.How == HowUncommitted {
			continue
		}
		w.s.check(bytes.Equal(xs, ys), "%s answers differently:\n%s\n%s", what, xs, ys)
	}
}

// files is every file of the work tree with its text, mode and time.
func (w *tree) files() map[string]string {
	found := map[string]string{}
	err := filepath.WalkDir(w.Dir, func(p string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.Name() == ".git" && p != w.Dir:
			if d.IsDir() {
				return filepath.SkipDir
			}
			return nil
		case d.IsDir():
			return nil
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		text := []byte("link")
		if d.Type().IsRegular() {
			if text, err = os.ReadFile(p); err != nil {
				return err
			}
		}
		found[p] = fmt.Sprintf("%s %d\n%s", info.Mode(), info.ModTime().UnixNano(), text)
		return nil
	})
	if err != nil {
		w.s.t.Fatal(err)
	}
	return found
}

func changes(before, after map[string]string) []string {
	var out []string
	for p, text := range before {
		if after[p] != text {
			out = append(out, p)
		}
	}
	for p := range after {
		if _, ok := before[p]; !ok {
			out = append(out, p)
		}
	}
	slices.Sort(out)
	return out
}

// write is reconcile --write: it stores what the report plans, and proves that
// a second one changes no byte.
func (w *tree) write() Report {
	w.s.t.Helper()
	report, planned := w.plan()
	if report.WritesManifest(planned) {
		w.store(planned)
	}
	before := w.files()
	again, replanned := w.plan()
	if again.WritesManifest(replanned) {
		w.store(replanned)
	}
	for _, change := range changes(before, w.files()) {
		w.s.check(false, "a second --write touched %s", change)
	}
	for _, item := range again.Items {
		switch item.Answer {
		case Restored, Healed, Moved:
			w.s.check(false, "after --write %s is still %s", item.Path, item.Answer)
		}
	}
	return report
}

func (w *tree) plan() (Report, *manifest.Manifest) {
	report, err := w.once(w.memo)
	if err != nil {
		w.s.check(false, "run: %v", err)
		return report, &manifest.Manifest{}
	}
	return report, PlanManifest(report, w.manifest())
}

// abort expects that nothing is decided and nothing is written.
func (w *tree) abort(reason string) {
	w.s.t.Helper()
	before, ledger, memo := w.files(), string(w.clone.ledger), string(w.memo)
	report, err := w.once(w.memo)
	var aborted *AbortError
	switch {
	case err == nil:
		w.s.check(false, "no abort although %s", reason)
	case !asAbort(err, &aborted):
		w.s.check(false, "error instead of an abort: %v", err)
	default:
		w.s.check(strings.Contains(err.Error(), reason), "abort says %q and not %q", err, reason)
	}
	w.s.check(len(report.Items) == 0 && len(report.Ledger) == 0, "an abort decides: %v", report.Items)
	w.s.check(ledger == string(w.clone.ledger) && memo == string(w.memo) && len(changes(before, w.files())) == 0, "an abort writes")
}

func asAbort(err error, to **AbortError) bool {
	a, ok := err.(*AbortError)
	*to = a
	return ok
}

// expect compares the answers about the named artifacts; "gone committed" names
// how. It returns the report.
func (w *tree) expect(want map[string]string) Report {
	w.s.t.Helper()
	report := w.look()
	w.answers(report, want)
	return report
}

// itemOf is the report's item of a key.
func itemOf(r Report, key knowledge.Key) (Item, bool) {
	i := slices.IndexFunc(r.Items, func(item Item) bool { return item.Key() == key })
	if i < 0 {
		return Item{}, false
	}
	return r.Items[i], true
}

func (w *tree) answers(report Report, want map[string]string) {
	w.s.t.Helper()
	for name, answer := range want {
		item, ok := itemOf(report, keyOf(name))
		if !ok {
			w.s.check(answer == "nothing", "no item about %s, want %s", name, answer)
			continue
		}
		got := strings.TrimSpace(string(item.Answer) + " " + item.How)
		if item.Answer == Skipped {
			word, _, _ := strings.Cut(item.Reason, ":")
			got = "skipped " + word
		}
		w.s.check(got == answer, "%s is %q (%s), want %q", name, got, item.Reason, answer)
	}
}

// item is the answer of one more run about a name.
func (w *tree) item(report Report, name string) Item {
	i, _ := itemOf(report, keyOf(name))
	return i
}

// verdicts are the open verdicts about a name, as "how commit".
func (w *tree) verdicts(name string) []string {
	events, _ := verdict.ReadLedger("ledger", w.clone.ledger)
	var out []string
	for _, v := range verdict.Open(events)[keyOf(name)] {
		out = append(out, strings.TrimSpace(v.How+" "+v.Commit))
	}
	return out
}

func (w *tree) wantVerdicts(name string, want ...string) {
	w.s.t.Helper()
	got := w.verdicts(name)
	w.s.check(slices.Equal(got, want), "open verdicts of %s are %q, want %q", name, got, want)
}

// events counts the ledger's events about a name.
func (w *tree) events(name, event string) int {
	events, _ := verdict.ReadLedger("ledger", w.clone.ledger)
	n := 0
	for _, e := range events {
		if e.Key() == keyOf(name) && e.Event == event {
			n++
		}
	}
	return n
}

// wantTomb expects a tombstone in the work tree's manifest, by a commit.
func (w *tree) wantTomb(name, commit string) {
	w.s.t.Helper()
	t, ok := w.manifest().Tombstone(keyOf(name))
	w.s.check(ok, "%s has no tombstone", name)
	if !ok {
		return
	}
	_, row := w.manifest().Row(keyOf(name))
	w.s.check(!row, "%s has a row beside its tombstone", name)
	w.s.check(t.Commit == commit, "the tombstone of %s names %s, want %s", name, t.Commit, commit)
	if commit != "" {
		shown := w.git("show", "-s", "--format=%an <%ae> %cI", commit)
		w.s.check(strings.HasPrefix(shown, t.By+" "), "the tombstone of %s is by %q, git says %q", name, t.By, shown)
		at, err := time.Parse(time.RFC3339, strings.TrimPrefix(shown, t.By+" "))
		w.s.check(err == nil && at.UTC().Format(time.RFC3339) == t.At, "the tombstone of %s is of %q, git says %q", name, t.At, shown)
	}
}

// wantRow expects a row in the work tree's manifest, at a path with a rev.
func (w *tree) wantRow(name, path string, rev int) {
	w.s.t.Helper()
	m := w.manifest()
	r, ok := m.Row(keyOf(name))
	w.s.check(ok, "%s has no row", name)
	if ok {
		w.s.check(r.Path == path, "the row of %s is at %s, want %s", name, r.Path, path)
		w.s.check(rev == 0 || max(r.Rev, 1) == rev, "the row of %s has rev %d, want %d", name, r.Rev, rev)
	}
	_, stone := m.Tombstone(keyOf(name))
	w.s.check(!stone, "%s has a tombstone beside its row", name)
}

func (w *tree) wantNoEntry(name string) {
	w.s.t.Helper()
	m := w.manifest()
	_, row := m.Row(keyOf(name))
	_, stone := m.Tombstone(keyOf(name))
	w.s.check(!row && !stone, "%s has an entry in the manifest", name)
}
