package reconcile

import (
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/manifest"
	"github.com/lessons-cli/lessons/knowledge/observe"
	"github.com/lessons-cli/lessons/knowledge/verdict"
)

// The tests of this file are named after what earlier implementations got wrong.

func TestRegressionADeletedArtifactComesBackOnTheNextObservation(t *testing.T) {
	s := stage(t)
	w := s.begin("adr1", "adr2")
	w.cut("adr1")
	w.Commit("Delete it")
	w.see()
	id, thresholds := idOf("adr1"), observe.DefaultThresholds()
	for count := 4; count <= 5; count++ {
		o := w.clone.log.Get(id)
		o.Observations = count
		observe.Promote(o, thresholds)
		w.clone.log.Put(o)
		report := w.expect(want{"adr1": "gone committed"})
		events, _ := verdict.ReadLedger("ledger", w.clone.ledger)
		if verdict.Rejected(o, w.manifest(), events) != verdict.Blocked {
			t.Errorf("not blocked at %d observations", count)
		}
		if _, status := verdict.Shown(o, report.View, thresholds); status != observe.Deprecated {
			t.Errorf("shown as %s at %d observations", status, count)
		}
	}
	// Neither in a clone that has the tombstone alone, whatever its log says.
	w.write()
	w.Commit("Publish the tombstone")
	c := w.cloned()
	c.observe("adr1", observe.Ready, 4)
	c.see()
	if verdict.Rejected(c.clone.log.Get(id), c.manifest(), nil) != verdict.Blocked {
		t.Error("not blocked in another clone")
	}
}

func TestRegressionABranchSwitchCountsAsDeletionForEver(t *testing.T) {
	s := stage(t)
	w := s.begin("b", "adr2")
	w.git("checkout", "-qb", "feature")
	w.render("a", "adr1")
	w.Commit("Render on a branch")
	w.see()
	for range 3 {
		w.git("checkout", "-q", "main")
		report := w.expect(want{"a": "norow", "b": "unchanged", "adr2": "unchanged"})
		if len(report.View.Gone) > 0 {
			t.Errorf("gone: %v", report.View.Gone)
		}
		w.write()
		w.git("checkout", "-q", "feature")
		w.expect(want{"a": "unchanged", "adr1": "unchanged"})
	}
	if w.events("a", "verdict")+w.events("adr1", "verdict") > 0 {
		t.Error("a branch switch is in the ledger as a verdict")
	}
	if o := w.clone.log.Get(idOf("a")); o.Status != observe.Created || o.Observations != 3 {
		t.Errorf("the observation changed: %+v", o)
	}
}

func TestRegressionAbsolutePathsInTheManifestMakeEveryCloneDeleted(t *testing.T) {
	s := stage(t)
	w := s.begin("adr1", "a", "b")
	text := w.Read(manifest.Path)
	for _, name := range []string{"adr1", "a", "b"} {
		text = strings.ReplaceAll(text, `"`+s.pathOf(name)+`"`, `"/home/somebody/work/project/`+s.pathOf(name)+`"`)
	}
	w.Write(manifest.Path, text)
	w.Commit("An earlier tool wrote absolute paths")
	c := w.cloned()
	c.expect(want{"adr1": "unchanged", "a": "unchanged", "b": "unchanged"})
	c.cut("a")
	c.Commit("Delete one")
	c.expect(want{"adr1": "unchanged", "a": "gone committed", "b": "unchanged"})
	c.write()
	if strings.Contains(c.Read(manifest.Path), "/home/somebody") {
		t.Error("an absolute path was written")
	}
}

// djb2 is devflow's hash of a section, as its manifests hold it.
func djb2(text string) string {
	h := uint32(5381)
	for _, unit := range utf16.Encode([]rune(text)) {
		h = h*33 ^ uint32(unit)
	}
	return fmt.Sprintf("%08x", h)
}

func TestRegressionTheFirstReconcileReportsEveryEntryAsEdited(t *testing.T) {
	s := stage(t)
	w := s.bare()
	for _, name := range []string{"adr1", "adr2", "adr3", "pf1"} {
		w.place(name, textOf(name))
	}
	entries := ""
	for i, name := range []string{"adr1", "adr2", "adr3", "pf1"} {
		text := textOf(name)
		if i%2 == 0 {
			text = "\n" + text
		}
		if i > 0 {
			entries += ","
		}
		entries += fmt.Sprintf(`{"observationId":%q,"type":%q,"path":%q,"contentHash":%q,"renderedAt":"2026-03-01T00:00:00.000Z","anchorId":%q}`,
			idOf(name), knowledge.RowType(kindOf(name)), "/home/somebody/project/"+s.pathOf(name), djb2(text), anchorOf(name))
	}
	w.Write(manifest.Path, `{"schemaVersion":1,"entries":[`+entries+`]}`)
	w.Commit("As devflow left it")
	all := want{"adr1": "unchanged", "adr2": "unchanged", "adr3": "unchanged", "pf1": "unchanged"}
	w.expect(all)
	w.edit("adr2", "Do adr2", "Do something else")
	all["adr2"] = "edited"
	w.expect(all)
	w.write()
	w.expect(all)
	if text := w.Read(manifest.Path); !strings.Contains(text, "somebody") {
		t.Error("nothing was decided, and the manifest was rewritten")
	}
}

func TestRegressionTwoDecisionsWithOneTitleMakeHealingAmbiguousForEver(t *testing.T) {
	s := stage(t)
	w := s.begin("b")
	for _, name := range []string{"adr1", "adr2"} {
		w.place(name, strings.ReplaceAll(textOf(name), "Choice "+name, "The same choice"))
		w.observe(name, observe.Ready, 2)
	}
	w.expect(want{"adr1": "healed", "adr2": "healed"})
	w.write()
	w.wantRow("adr1", s.pathOf("adr1"), 1)
	w.wantRow("adr2", s.pathOf("adr2"), 1)
	w.expect(want{"adr1": "unchanged", "adr2": "unchanged"})
}

func TestRegressionDecayCompoundsPerRun(t *testing.T) {
	s := stage(t)
	w := s.begin("adr1", "adr2")
	w.cut("adr1")
	w.Commit("Delete it")
	thresholds := observe.DefaultThresholds()
	first := -1.0
	for range 5 {
		report := w.look()
		confidence, _ := verdict.Shown(w.clone.log.Get(idOf("adr1")), report.View, thresholds)
		if first < 0 {
			first = confidence
		}
		if confidence != first {
			t.Fatalf("confidence went from %v to %v", first, confidence)
		}
		w.now = w.now.Add(48 * time.Hour)
	}
	if stored := w.clone.log.Get(idOf("adr1")); stored.Confidence != 0 && stored.Confidence < 0.9 {
		t.Errorf("the log holds %v", stored.Confidence)
	}
}

func TestRegressionACrashAfterWritingASkillOverwritesTheUsersEdit(t *testing.T) {
	s := stage(t)
	w := s.begin("b")
	w.place("skill", textOf("skill"))
	w.observe("skill", observe.Ready, 4)
	w.edit("skill", "Do skill well", "Do it as the team agreed")
	w.expect(want{"skill": "healed"})
	w.write()
	row, ok := w.manifest().Row(keyOf("skill"))
	if text := w.Read(s.pathOf("skill")); !ok || !strings.Contains(text, "as the team agreed") || !knowledge.SameHash(row.ContentHash, []byte(text)) {
		t.Errorf("row %+v, text %q", row, text)
	}
}

func TestRegressionTrackedFilesRewrittenFromAHookMakeGitPullFail(t *testing.T) {
	s := stage(t)
	w := s.begin("a", "adr1", "adr2", "b")
	c := w.cloned()
	c.see()
	// Everything that could tempt a session start to write the manifest.
	w.cut("a")
	w.cut("adr1")
	w.Commit("Delete two")
	w.see()
	w.write()
	w.git("mv", s.pathOf("b"), ".lessons/renamed.md")
	w.Commit("Publish tombstones, and rename")
	c.git("mv", s.pathOf("b"), ".lessons/other-name.md")
	c.git("commit", "-qm", "Rename it otherwise")
	c.place("d", textOf("d"))
	c.see()
	if status := c.git("status", "--porcelain", "-uno"); status != "" {
		t.Errorf("session start wrote tracked files:\n%s", status)
	}
	c.git("reset", "-q", "--hard", "HEAD~1")
	c.see()
	c.git("pull", "-q", "--ff-only")
	c.expect(want{"a": "gone tombstone", "adr1": "gone tombstone", "adr2": "unchanged", "b": "moved", "d": "healed"})
	c.git("pull", "-q", "--ff-only")
}
