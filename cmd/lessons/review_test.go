package main

import (
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/internal/project"
	"github.com/lessons-cli/lessons/internal/review"
	"github.com/lessons-cli/lessons/internal/test/fsxtest"
)

// toReview is a repository in which one thing waits for each reason.
func toReview(t *testing.T) *player {
	p := prepare(t, true)
	p.mustRun("layout", "book", "--yes")
	add := func(args ...string) { p.mustRun(append([]string{"add"}, args...)...) }
	add("go test -timeout wants a unit", "--command", "go test -timeout=<number>", "--mistake", "a bare number is refused", "--fix", "go test -timeout=30s")
	add("Deploys name a region", "--command", "./deploy", "--unless=--region", "--mistake", "it goes to a region at random", "--fix", "./deploy --region=eu")
	add("Listing is slow", "--command", "ls -R", "--mistake", "the tree is large", "--fix", "git ls-files")
	add("Totals live in src/total.go", "--path", "src/*.go", "--mistake", "src/total.go has all sums", "--fix", "change `src/total.go`")
	add("Money is integer cents", "--type", "decision", "--decision", "amounts are int cents", "--because", "floats lost a cent")
	add("Times are UTC", "--type", "decision", "--decision", "all times are UTC", "--because", "zones differ")
	p.write("src/total.go", "package src\n")
	p.replace(".lessons/go-test-*.md", "status: active", "status: draft")
	p.replace(".lessons/deploys-*.md", "status: active", "status: draft")
	p.replace(".memory/knowledge/decisions.md", "**Status**: Accepted", "**Status**: Proposed")
	p.git("add", "-A")
	p.git("commit", "-qm", "Know")
	p.git("rm", "-q", "src/total.go")
	p.git("commit", "-qm", "Totals go")
	for _, l := range readCase("session\n  user: What is here?\n  $ ls -R\n    src\n  $ ls -R src\n    total.go\n") {
		p.step(l)
	}
	add("Builds are clean", "--command", "make", "--mistake", "old objects stay", "--fix", "make clean")
	p.git("add", "-A")
	p.git("reset", "-q", "--hard")
	p.write(".lessons/no-force.md", "---\nid: 01JBQ2ZK5XABCDEFGHJKMNPQRS\nkind: warning\npriority: 7\nstatus: active\naction: deny\ntriggers:\n  commands: [\"git push --force\"]\n---\n# Never force-push\n\n**Fix**: git push --force-with-lease\n")
	return p
}

// replace replaces a text in the files of a pattern.
func (p *player) replace(pattern, old, new string) {
	p.t.Helper()
	files, err := filepath.Glob(filepath.Join(p.at.dir, pattern))
	if err != nil || len(files) == 0 {
		p.t.Fatalf("%s: %v", pattern, err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			p.t.Fatal(err)
		}
		name, _ := filepath.Rel(p.at.dir, file)
		p.write(name, strings.ReplaceAll(string(text), old, new))
	}
}

func (p *player) desk() *project.Desk {
	p.t.Helper()
	opened, err := openProject(p.t.Context(), p.system(strings.NewReader(""), io.Discard, io.Discard))
	if err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(opened.Close)
	return opened.Desk(p.t.Context())
}

// waiting is the item of the queue whose title begins so.
func waitingItem(t *testing.T, desk review.Desk, title string) (review.Item, bool) {
	t.Helper()
	queue, err := desk.Queue()
	if err != nil {
		t.Fatal(err)
	}
	at := slices.IndexFunc(queue, func(i review.Item) bool { return strings.HasPrefix(i.Title, title) })
	if at < 0 {
		return review.Item{}, false
	}
	return queue[at], true
}

func TestReviewQueueHasEveryReason(t *testing.T) {
	p := toReview(t)
	queue, err := p.desk().Queue()
	if err != nil {
		t.Fatal(err)
	}
	told := lists.Map(queue, func(i review.Item) string { return string(i.Reasons[0].Why) + ": " + i.Title })
	want := []string{
		"guard: Never force-push", "draft: Deploys name a region", "draft: go test -timeout wants a unit", "proposed: Money is integer cents",
		"proposed: Times are UTC", "withdrawn: Listing is slow", "stale: Totals live in src/total.go", "undelivered: Builds are clean",
	}
	if !slices.Equal(told, want) {
		t.Errorf("the queue:\n%s\nwant\n%s", strings.Join(told, "\n"), strings.Join(want, "\n"))
	}
}

// Every decision changes what it says, is committed by nobody, and taken back leaves the
// repository and what lessons knows as they were.
func TestReviewDecisionsAndUndo(t *testing.T) {
	t.Parallel()
	p := toReview(t)
	desk := p.desk()
	for _, c := range []struct {
		title   string
		verb    review.Verb
		into    string
		reason  string
		edit    [2]string
		changed string // a pattern of files
		says    string // in them; empty: they are gone
	}{
		{title: "go test", verb: review.Accept, changed: ".lessons/go-test-*.md", says: "status: active"},
		{title: "go test", verb: review.Archive, changed: ".lessons/go-test-*.md", says: "status: archived"},
		{title: "go test", verb: review.Delete, reason: "we use bazel", changed: ".lessons/go-test-*.md"},
		{title: "go test", verb: review.Edit, edit: [2]string{"a bare number", "any bare number"}, changed: ".lessons/go-test-*.md", says: "any bare number is refused"},
		{title: "go test", verb: review.Merge, into: "listing-is-slow-", changed: ".lessons/go-test-*.md", says: "superseded_by: "},
		{title: "Money", verb: review.Accept, changed: ".memory/knowledge/decisions.md", says: "**Status**: Accepted"},
		{title: "Money", verb: review.Archive, changed: ".memory/knowledge/decisions.md", says: "**Status**: Deprecated"},
		{title: "Money", verb: review.Merge, into: "ADR-002", changed: ".memory/knowledge/decisions.md", says: "**Status**: Superseded by ADR-002"},
		{title: "Money", verb: review.Delete, reason: "never was", changed: ".memory/knowledge/decisions.md", says: "Times are UTC"},
		{title: "Listing", verb: review.Archive, changed: ".lessons/listing-*.md", says: "status: archived"},
		{title: "Totals", verb: review.Delete, reason: "the file went", changed: ".lessons/totals-*.md"},
		{title: "Never", verb: review.Accept, changed: ".lessons/no-force.md", says: "action: deny"},
		{title: "Never", verb: review.Delete, reason: "we do force-push", changed: ".lessons/no-force.md"},
		{title: "Builds", verb: review.Accept, changed: ".lessons/builds-*.md", says: "make clean"},
		{title: "Builds", verb: review.Archive, changed: ".lessons/builds-*.md"},
	} {
		t.Run(c.title+" "+string(c.verb), func(t *testing.T) {
			item, ok := waitingItem(t, desk, c.title)
			if !ok {
				t.Fatal("it does not wait")
			}
			before, head := knowledgeTree(t, p.at.dir), p.head()
			d := review.Decision{Item: item, Verb: c.verb, Into: c.into, Reason: c.reason}
			if c.verb == review.Edit {
				text, _, err := desk.Text(item)
				if err != nil {
					t.Fatal(err)
				}
				d.Before, d.After = text, []byte(strings.Replace(string(text), c.edit[0], c.edit[1], 1))
			}
			done, err := desk.Decide(d)
			if err != nil || len(done.Said) == 0 {
				t.Fatalf("%v, %v", done, err)
			}
			files, _ := filepath.Glob(filepath.Join(p.at.dir, c.changed))
			switch {
			case c.says == "" && len(files) > 0:
				t.Errorf("%v is still there", files)
			case c.says != "" && (len(files) != 1 || !strings.Contains(p.text(files[0]), c.says)):
				t.Errorf("%s does not say %q: %v", c.changed, c.says, files)
			}
			if _, still := waitingItem(t, desk, c.title); still != (c.verb == review.Edit) {
				t.Errorf("does it wait? %v", still)
			}
			if p.head() != head {
				t.Error("somebody committed")
			}
			p.mustRun("reconcile") // what it remembers in between is taken back too
			back, _, err := desk.Undo()
			if err != nil || back.Place != item.Place {
				t.Fatalf("undo: %v, %v", back, err)
			}
			after := knowledgeTree(t, p.at.dir)
			for name := range after {
				if strings.HasSuffix(name, "ledger.jsonl") {
					delete(after, name)
					delete(before, name)
				}
			}
			if diff := fsxtest.Diff(before, after); diff != "" {
				t.Errorf("undone, and not as it was: %s", diff)
			}
			if again, ok := waitingItem(t, desk, c.title); !ok || again.Reasons[0] != item.Reasons[0] {
				t.Errorf("undone, and it waits as %+v, not as %+v", again, item)
			}
		})
	}
}

// What was removed with a reason is not written again, however often it is scanned; the
// ledger has the reason.
func TestReviewDeleteIsAVerdict(t *testing.T) {
	p := prepare(t, true)
	p.mustRun("add", "Deploys name a region", "--command", "./deploy", "--mistake", "it goes anywhere", "--fix", "./deploy --region=eu")
	p.replace(".lessons/deploys-*.md", "status: active", "status: draft")
	p.git("add", "-A")
	p.git("commit", "-qm", "Know")
	desk := p.desk()
	item, _ := waitingItem(t, desk, "Deploys")
	if _, err := desk.Decide(review.Decision{Item: item, Verb: review.Delete, Reason: " "}); err == nil {
		t.Error("a removal needs no reason")
	}
	if _, err := desk.Decide(review.Decision{Item: item, Verb: review.Delete, Reason: "the password is hunter2hunter2, and\nwe do not deploy by hand"}); err != nil {
		t.Fatal(err)
	}
	ledger := p.text(filepath.Join(p.at.dir, ".git", "lessons", "ledger.jsonl"))
	if !strings.Contains(ledger, "we do not deploy by hand") || strings.Contains(ledger, "hunter2") {
		t.Errorf("the ledger: %s", ledger)
	}
	p.mustRun("render")
	p.git("add", "-A")
	p.git("commit", "-qm", "We do not deploy by hand")
	p.mustRun("render")
	if files, _ := filepath.Glob(filepath.Join(p.at.dir, ".lessons", "deploys-*.md")); len(files) > 0 {
		t.Errorf("it came back: %v", files)
	}
}

// A decision about what changed meanwhile is refused, and so is an undo over a newer edit:
// nobody's words are lost.
func TestReviewLosesNothing(t *testing.T) {
	t.Parallel()
	p := toReview(t)
	desk := p.desk()
	item, _ := waitingItem(t, desk, "go test")
	text, _, _ := desk.Text(item)
	if _, err := desk.Decide(review.Decision{Item: item, Verb: review.Accept}); err != nil {
		t.Fatal(err)
	}
	p.replace(".lessons/go-test-*.md", "a bare number", "no number")
	if _, _, err := desk.Undo(); err == nil || !strings.Contains(err.Error(), "changed since") {
		t.Errorf("undo over an edit: %v", err)
	}
	edited := review.Decision{Item: item, Verb: review.Edit, Before: text, After: append(slices.Clone(text), "more\n"...)}
	if _, err := desk.Decide(edited); err == nil {
		t.Error("an edit of what changed meanwhile is stored")
	}
	if files, _ := filepath.Glob(filepath.Join(p.at.dir, ".lessons/go-test-*.md")); !strings.Contains(p.text(files[0]), "no number is refused") {
		t.Error("the edit is lost")
	}
	p.git("rm", "-qf", item.Path)
	if _, err := desk.Decide(review.Decision{Item: item, Verb: review.Archive}); err == nil || !strings.Contains(err.Error(), "not there any more") {
		t.Errorf("a decision about what is gone: %v", err)
	}
}

func (p *player) head() string {
	out, err := p.gitCommand("rev-parse", "HEAD").Output()
	if err != nil {
		p.t.Fatal(err)
	}
	return string(out)
}

func (p *player) text(file string) string {
	p.t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		p.t.Fatal(err)
	}
	return string(data)
}

// Where sessions decided different things under one title, both are shown and a person says
// which holds.
func TestReviewOfWhatDiverges(t *testing.T) {
	p := prepare(t, true)
	p.write(".git/lessons/learning-log.jsonl", `{"id":"obs_cccccc","type":"decision","pattern":"Cache the totals","details":"context: totals; decision: keep totals in redis for a minute; rationale: reads are slow","evidence":["we said so"],"observations":2,"confidence":0.5,"first_seen":"2026-01-01T00:00:00Z","last_seen":"2026-01-02T00:00:00Z","status":"ready","quality_ok":true,"needsReview":true,"sessions":["aaaaaaaaaaaa","bbbbbbbbbbbb"],"fix":"keep totals in redis for a minute","others":[{"fix":"compute every sum anew at each request"}],"origin":"decision","marks":["causal"]}`+"\n")
	desk := p.desk()
	item, ok := waitingItem(t, desk, "Cache the totals")
	if !ok || item.Reasons[0].Why != review.Divergent {
		t.Fatalf("it waits as %+v", item)
	}
	detail, err := desk.Detail(item)
	if err != nil || detail.Text != "keep totals in redis for a minute" || detail.Other != "compute every sum anew at each request" {
		t.Errorf("%+v, %v", detail, err)
	}
	before := knowledgeTree(t, p.at.dir)
	if _, err := desk.Decide(review.Decision{Item: item, Verb: review.Accept}); err != nil {
		t.Fatal(err)
	}
	if files, _ := filepath.Glob(filepath.Join(p.at.dir, ".memory/knowledge/decisions/ADR-001*")); len(files) != 1 {
		t.Error("it is not written")
	}
	if _, still := waitingItem(t, desk, "Cache the totals"); still {
		t.Error("a person accepted it, and it still waits")
	}
	if _, _, err := desk.Undo(); err != nil {
		t.Fatal(err)
	}
	if diff := fsxtest.Diff(before, knowledgeTree(t, p.at.dir)); diff != "" {
		t.Errorf("undone, and not as it was: %s", diff)
	}
	p.mustRun("render")
	if item, ok = waitingItem(t, desk, "Cache the totals"); !ok || item.Name != "ADR-001" || item.Reasons[0].Why != review.Divergent {
		t.Fatalf("rendered, it waits as %+v", item)
	}
	if _, err := desk.Decide(review.Decision{Item: item, Verb: review.Accept}); err != nil {
		t.Fatal(err)
	}
	if _, still := waitingItem(t, desk, "Cache the totals"); still {
		t.Error("a person stands for it, and it still waits")
	}
}
