package render_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lessons-cli/lessons/internal/test/fsxtest"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/entry"
	"github.com/lessons-cli/lessons/knowledge/lesson"
	"github.com/lessons-cli/lessons/knowledge/manifest"
	"github.com/lessons-cli/lessons/knowledge/observe"
	"github.com/lessons-cli/lessons/knowledge/store"
	"github.com/lessons-cli/lessons/render"
)

func TestWhichObservationBecomesWhat(t *testing.T) {
	bash := &lesson.Trigger{Tools: []string{"Bash"}, Commands: []string{"gh pr diff"}}
	tests := []struct {
		name  string
		set   func(*observe.Observation)
		wants []knowledge.Kind
	}{
		{"a mistake with a command", func(o *observe.Observation) { o.Details = "" }, []knowledge.Kind{knowledge.KindLesson}},
		{"its area is only the program", func(o *observe.Observation) { o.Details = "area: gh; issue: x" }, []knowledge.Kind{knowledge.KindLesson}},
		{"its path is everywhere", func(o *observe.Observation) { o.Trigger.Paths = []string{"**/*_test.go", "**/x.go"} }, []knowledge.Kind{knowledge.KindLesson}},
		{"its area is a path", func(o *observe.Observation) { o.Details = "area: scripts/release.sh; issue: x" }, []knowledge.Kind{knowledge.KindLesson}},
		{"its area is a module", func(o *observe.Observation) { o.Details = "area: the `billing` module; issue: x" }, []knowledge.Kind{knowledge.KindLesson}},
		{"its trigger has a path", func(o *observe.Observation) {
			o.Trigger = &lesson.Trigger{Tools: []string{"Edit"}, Paths: []string{"internal/cart/**"}}
		}, []knowledge.Kind{knowledge.KindLesson}},
		{"its trigger has any file of a language", func(o *observe.Observation) {
			o.Details, o.Trigger = "", &lesson.Trigger{Tools: []string{"Edit"}, Paths: []string{"**/*.go"}}
		}, []knowledge.Kind{knowledge.KindLesson}},
		{"no trigger", func(o *observe.Observation) { o.Trigger = nil }, []knowledge.Kind{knowledge.KindPF}},
		{"keywords only", func(o *observe.Observation) {
			o.Details, o.Trigger = "issue: x", &lesson.Trigger{Keywords: []string{"release"}}
		}, []knowledge.Kind{knowledge.KindLesson}},
		{"a decision with a trigger", func(o *observe.Observation) {
			o.Type, o.Details = knowledge.Decision, "decision: x; rationale: y"
		}, []knowledge.Kind{knowledge.KindADR, knowledge.KindLesson}},
		{"a workflow with a trigger", func(o *observe.Observation) {
			o.Type = knowledge.Workflow
		}, []knowledge.Kind{knowledge.KindCommand, knowledge.KindLesson}},
		{"poor quality", func(o *observe.Observation) { o.QualityOK, o.Status = false, observe.Observing }, nil},
		{"deprecated", func(o *observe.Observation) { o.Status = observe.Deprecated }, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			o := seenIn(someLesson(), 4, 1, 9)
			o.Trigger, o.Status = bash.Clone(), observe.Ready
			tt.set(o)
			r := newRepository(t, entry.LayoutBook, o)
			r.render()
			m := r.load().Manifest
			if len(m.Rows) != len(tt.wants) {
				t.Errorf("rows %+v", m.Rows)
			}
			for _, kind := range tt.wants {
				if _, ok := m.Row(knowledge.Key{Observation: o.ID, Kind: kind}); !ok {
					t.Errorf("no %s", kind)
				}
			}
			if got := r.observation(o.ID).Status; (got == observe.Created) != (len(tt.wants) > 0) {
				t.Errorf("status %s", got)
			}
		})
	}
}

func TestALessonComesBeforeTheCountSufficesForMore(t *testing.T) {
	o := someLesson()
	o.Type = knowledge.Procedural
	r := newRepository(t, entry.LayoutBook, o)
	r.render()
	if o := r.observation(o.ID); o.Status != observe.Observing || !strings.HasPrefix(o.ArtifactPath, ".lessons/") {
		t.Errorf("after one session it is %s at %q", o.Status, o.ArtifactPath)
	}
	seen := r.observation(o.ID)
	r.see(seenIn(seen, 4, 1, 9))
	if p := r.render(); !slices.ContainsFunc(p.Rendered, func(path string) bool { return strings.HasSuffix(path, "/SKILL.md") }) {
		t.Errorf("after four sessions: %q", p.Rendered)
	}
	if o := r.observation(o.ID); o.Status != observe.Created {
		t.Errorf("then it is %s", o.Status)
	}
}

func draft() *observe.Observation {
	o := someLesson()
	o.Origin, o.Marks = observe.OriginErrorFix, []observe.Mark{observe.MarkErrorFix}
	return o
}

func TestADraftBecomesActiveWithASecondSession(t *testing.T) {
	r := newRepository(t, entry.LayoutBook, draft())
	path := r.render().Rendered[0]
	if !strings.Contains(r.read(path), "\nstatus: draft\n") {
		t.Fatalf("one session made it active:\n%s", r.read(path))
	}
	more := r.observation(draft().ID)
	r.see(seenIn(more, 2, 5, 8))
	if p := r.render(); len(p.Rendered) != 1 || p.Rendered[0] != path {
		t.Fatalf("rendered %q", p.Rendered)
	}
	if !strings.Contains(r.read(path), "\nstatus: active\n") || !strings.Contains(r.read(path), "seen: {sessions: 2") {
		t.Errorf("two sessions:\n%s", r.read(path))
	}
	row, _ := r.load().Manifest.Row(knowledge.Key{Observation: draft().ID, Kind: knowledge.KindLesson})
	if row.N != 2 || row.Rev != 2 || !knowledge.SameHash(row.ContentHash, []byte(r.read(path))) {
		t.Errorf("row %+v", row)
	}
	before := r.Tree()
	r.see(seenIn(r.observation(draft().ID), 9, 5, 20))
	if p := r.render(); len(p.Changes) > 0 {
		t.Errorf("an active lesson was rendered again:\n%s", p.Diff())
	}
	if diff := fsxtest.Diff(fsxtest.Without(before, isLog), fsxtest.Without(r.Tree(), isLog)); diff != "" {
		t.Error(diff)
	}
}

func TestAnActiveLessonThatDidNotHelpBecomesCritical(t *testing.T) {
	for _, edited := range []bool{false, true} {
		t.Run(fmt.Sprintf("edited: %v", edited), func(t *testing.T) {
			r := newRepository(t, entry.LayoutBook, seenIn(draft(), 2, 5, 8))
			path := r.render().Rendered[0]
			if edited {
				r.edit(path, "waits for a terminal", "hangs (edited)")
			}
			more := seenIn(r.observation(draft().ID), 3, 5, 9)
			more.Marks = append(more.Marks, observe.MarkRepeated)
			r.see(more)
			r.render()
			if got := strings.Contains(r.read(path), "\npriority: critical\n"); got == edited {
				t.Errorf("critical: %v\n%s", got, r.read(path))
			}
			before := r.read(path)
			r.see(seenIn(r.observation(draft().ID), 4, 5, 10))
			if r.render(); r.read(path) != before {
				t.Errorf("rendered once more:\n%s", r.read(path))
			}
		})
	}
}

func isLog(name string) bool { return strings.HasSuffix(name, ".jsonl") }

func TestAnEditedDraftStaysAsItIs(t *testing.T) {
	for _, healed := range []bool{false, true} {
		t.Run(fmt.Sprintf("row rebuilt: %v", healed), func(t *testing.T) {
			r := newRepository(t, entry.LayoutBook, draft())
			path := r.render().Rendered[0]
			r.edit(path, "waits for a terminal", "hangs (edited)")
			edited := r.read(path)
			if healed { // the row was lost, and rebuilt with the hash of the text as it was found
				s := r.load()
				row := s.Manifest.Rows[0]
				row.ContentHash = knowledge.ContentHash([]byte(edited))
				s.Manifest.PutRow(row)
				if err := r.store().Apply(store.Transaction{Manifest: s.Manifest}); err != nil {
					t.Fatal(err)
				}
			}
			r.see(seenIn(r.observation(draft().ID), 4, 5, 8))
			if p := r.render(); len(p.Changes) > 0 {
				t.Errorf("the edit is lost:\n%s", p.Diff())
			}
		})
	}
}

func TestAnUneditedDraftOfAWindowsCheckoutKeepsItsLineEnds(t *testing.T) {
	r := newRepository(t, entry.LayoutBook, draft())
	path := r.render().Rendered[0]
	r.Put(root+"/"+path, strings.ReplaceAll(r.read(path), "\n", "\r\n"))
	r.see(seenIn(r.observation(draft().ID), 2, 5, 8))
	r.render()
	text := r.read(path)
	if !strings.Contains(text, "status: active\r\n") || strings.Count(text, "\n") != strings.Count(text, "\r\n") {
		t.Errorf("%q", text)
	}
}

func TestPromotedByHand(t *testing.T) {
	o := decision()
	o.QualityOK, o.Details = false, "no reason given"
	seenIn(o, 1, 3, 3)
	other := draft()
	observe.PromoteByHand(o)
	observe.PromoteByHand(other)
	r := newRepository(t, entry.LayoutBook, o, other, pitfall())
	p := r.plan(render.Options{Only: []string{o.ID, other.ID}})
	if len(p.Rendered) != 2 {
		t.Fatalf("rendered %q, skipped %+v", p.Rendered, p.Skipped)
	}
	if err := apply(r.store(), p); err != nil {
		t.Fatal(err)
	}
	if l := r.load().Lessons[0]; l.Status != lesson.Active {
		t.Errorf("a person promoted it, and it is %s", l.Status)
	}
}

func TestADecisionWithoutAReasonWaitsForAPerson(t *testing.T) {
	o := decision()
	o.Details = "context: asked; decision: do it"
	o.Evidence = nil
	r := newRepository(t, entry.LayoutBook, o)
	if p := r.render(); len(p.Changes) > 0 || len(p.Skipped) != 1 || !strings.Contains(p.Skipped[0].Reason, "reason") {
		t.Errorf("%+v", p)
	}
	if o := r.observation(o.ID); o.Status != observe.Ready {
		t.Errorf("it is %s", o.Status)
	}
}

func decisions(n int) []*observe.Observation {
	var all []*observe.Observation
	for i := range n {
		o := decision()
		o.ID, o.Pattern = fmt.Sprintf("obs_many%04d", i), fmt.Sprintf("Decision number %d", i)
		o.Details = fmt.Sprintf("decision: do %d; rationale: because of %d", i, i)
		all = append(all, o)
	}
	return all
}

func TestCapsGiveNoticeAndLoseNothing(t *testing.T) {
	for _, layout := range []entry.Layout{entry.LayoutBook, entry.LayoutFiles} {
		r := newRepository(t, layout, decisions(103)...)
		p := r.render()
		if len(p.Rendered) != 100 || len(p.Skipped) != 3 || len(p.Notices) != 2 {
			t.Fatalf("%s: %d rendered, %d skipped, notices %q", layout, len(p.Rendered), len(p.Skipped), p.Notices)
		}
		tests := []struct {
			i       int
			status  observe.Status
			crowded bool
		}{{49, observe.Created, false}, {50, observe.Created, true}, {99, observe.Created, true}, {100, observe.Ready, true}, {102, observe.Ready, true}}
		for _, tt := range tests {
			o := r.observation(fmt.Sprintf("obs_many%04d", tt.i))
			if o.Status != tt.status || o.SoftCapExceeded != tt.crowded || o.NeedsReview != tt.crowded {
				t.Errorf("%s: %s is %s, softCapExceeded %v, needsReview %v", layout, o.ID, o.Status, o.SoftCapExceeded, o.NeedsReview)
			}
		}
		if again := r.render(); len(again.Changes) > 0 || len(again.Skipped) != 3 {
			t.Errorf("%s: second run: %d changes, %d skipped", layout, len(again.Changes), len(again.Skipped))
		}
		path := r.load().Decisions[7].Path
		r.edit(path, "## ADR-008: Decision number 7\n\n- **Date**: 2026-01-04\n- **Status**: Accepted", "## ADR-008: Decision number 7\n\n- **Date**: 2026-01-04\n- **Status**: Deprecated")
		if again := r.render(); len(again.Rendered) != 1 || !strings.HasSuffix(again.Rendered[0], "#ADR-101") {
			t.Errorf("%s: after one was deprecated: %q", layout, again.Rendered)
		}
	}
}

func TestWhatPeopleWroteInABookKeepsItsBytes(t *testing.T) {
	r := newRepository(t, entry.LayoutBook, decision())
	mine := "<!-- TL;DR: 0 decisions. Key: -->\n# Ours\r\n\ttext  \n\n## ADR-002: by hand\n- **Status**: Proposed\n\n```\n## ADR-099: not one\n"
	r.Put(root+"/"+entry.DecisionsPath, mine)
	p := r.render()
	if len(p.Rendered) != 1 || !strings.HasSuffix(p.Rendered[0], "#ADR-003") {
		t.Errorf("rendered %q", p.Rendered)
	}
	_, rest, _ := strings.Cut(mine, "\n")
	if text := r.read(entry.DecisionsPath); !strings.Contains(text, rest) {
		t.Errorf("%q", text)
	}
}

func TestABookWithAConflictIsNotWrittenTo(t *testing.T) {
	r := newRepository(t, entry.LayoutBook, decision(), pitfall())
	r.Put(root+"/"+entry.DecisionsPath, "# D\n\n<<<<<<< ours\n## ADR-001: a\n=======\n## ADR-001: b\n>>>>>>> theirs\n")
	p := r.render()
	if len(p.Rendered) != 1 || !strings.HasSuffix(p.Rendered[0], "#PF-001") {
		t.Errorf("rendered %q", p.Rendered)
	}
	if len(p.Skipped) != 1 || !strings.Contains(p.Skipped[0].Reason, "decisions.md:3: ") {
		t.Errorf("skipped %+v", p.Skipped)
	}
}

func TestNothingIsRenderedWithoutTheManifest(t *testing.T) {
	r := newRepository(t, entry.LayoutBook, decision())
	for _, bad := range []string{"{", `{"type": "lessons/manifest", "version": 99, "entries": []}`} {
		r.Put(root+"/"+manifest.Path, bad)
		if _, err := render.NewPlan(r.load(), render.Options{}); err == nil || !strings.Contains(err.Error(), manifest.Path) {
			t.Errorf("%s: %v", bad, err)
		}
	}
}

func TestRowsCarryTheEvidence(t *testing.T) {
	o := decision()
	o.Evidence = []string{strings.Repeat("a long quote ", 30), "b", "c", "d"}
	r := newRepository(t, entry.LayoutBook, o)
	r.render()
	row := r.load().Manifest.Rows[0]
	if row.N != 2 || row.Title != o.Pattern || row.ContentKey != observe.ContentKey(o) || !row.RenderedAt.Equal(o.LastSeen) || row.Rev != 1 {
		t.Errorf("row %+v", row)
	}
	quotes := 0
	for _, f := range r.load().Decisions[0].Fields {
		if f.Name == "Quote" {
			if quotes++; len([]rune(f.Value)) > 160 {
				t.Errorf("a quote of %d characters", len([]rune(f.Value)))
			}
		}
	}
	if quotes != 2 {
		t.Errorf("%d quotes", quotes)
	}
}

func TestSecretsOfAnEarlierToolsLogAreNotRendered(t *testing.T) {
	secret := "ghp_" + strings.Repeat("a1B2c3D4e5", 3) + "f6G7h8"
	for _, o := range all() {
		o.Pattern += " " + secret
		o.Details += "; impact: token " + secret
		o.Evidence = []string{"use " + secret, strings.Repeat("x", 150) + " " + secret}
		if o.Mistake != "" {
			o.Mistake, o.Fix = "wrong "+secret, "right "+secret
		}
		r := newRepository(t, entry.LayoutFiles, o)
		if p := r.render(); len(p.Rendered) == 0 {
			t.Errorf("%s: nothing rendered", o.ID)
		}
		for path, text := range r.artifacts() {
			if strings.Contains(text+path, secret[:12]) {
				t.Errorf("%s holds the secret:\n%s", path, text)
			}
		}
	}
}

// TestRowsThatReconcileRebuiltGetTheHashOfWhatIsRendered: after a crash before
// the manifest reconcile rebuilds rows from the artifacts as it finds them, with
// a person's edits.
func TestRowsThatReconcileRebuiltGetTheHashOfWhatIsRendered(t *testing.T) {
	r := newRepository(t, entry.LayoutFiles, all()...)
	for i := range 5 {
		r.see(toolLesson("gh", i))
	}
	ready := r.load().Log
	r.render()
	want := r.load().Manifest
	r.Put(shared+"/learning-log.jsonl", string(ready.Bytes()))
	for path := range r.artifacts() {
		if strings.HasSuffix(path, ".json") {
			r.Delete(root + "/" + path)
		}
	}
	s := r.load()
	var rebuilt []knowledge.Key
	for _, a := range s.Artifacts {
		if strings.HasPrefix(a.Path, ".claude/skills/") {
			continue
		}
		text := string(a.Text) + "\nEdited.\n"
		r.Put(root+"/"+a.Path, text)
		row := manifest.Row{
			ObservationID: a.Source, Type: knowledge.RowType(a.Kind), Path: a.Path, Anchor: a.Anchor,
			ContentHash: knowledge.ContentHash([]byte(text)), Rev: 1, Title: a.Title, N: 1,
		}
		rebuilt = append(rebuilt, row.Key())
	}
	s = r.load()
	for _, key := range rebuilt {
		row, _ := want.Row(key)
		row.ContentHash, row.ContentKey, row.Copies = "sha256:00", "", nil
		s.Manifest.PutRow(row)
	}
	p, err := render.NewPlan(s, render.Options{Rebuilt: rebuilt})
	if err != nil {
		t.Fatal(err)
	}
	if err := apply(r.store(), p); err != nil {
		t.Fatal(err)
	}
	got := r.load().Manifest
	if len(rebuilt) != len(want.Rows) || len(got.Rows) != len(want.Rows) {
		t.Fatalf("%d rebuilt, %d rows, want %d", len(rebuilt), len(got.Rows), len(want.Rows))
	}
	for i, row := range got.Rows {
		row.Published = "" // the copies follow the edits
		if diff := cmp.Diff(want.Rows[i], row); diff != "" && row.Type != "procedural" {
			t.Error(diff)
		} else if row.ObservationID != "tool_gh" && row.ContentHash != want.Rows[i].ContentHash {
			t.Errorf("%s has the hash of the edit", row.Path)
		}
	}
}

func TestAPersonMayAskForWhatWasRemoved(t *testing.T) {
	r := newRepository(t, entry.LayoutBook, decision(), pitfall())
	r.render()
	r.bury(knowledge.Key{Observation: decision().ID, Kind: knowledge.KindADR})
	o := r.observation(decision().ID)
	observe.PromoteByHand(o)
	o.Status = observe.Ready
	r.see(o)
	if p := r.plan(render.Options{}); len(p.Rendered) != 0 {
		t.Errorf("nobody asked: %q", p.Rendered)
	}
	if p := r.plan(render.Options{Only: []string{o.ID}}); len(p.Rendered) != 1 {
		t.Errorf("a person asked: %+v", p)
	}
}

func TestASkillsDescriptionFitsTheFormat(t *testing.T) {
	o := procedural()
	o.Trigger = &lesson.Trigger{Commands: []string{strings.Repeat("$1 @/x !`y` ", 200), strings.Repeat("@", 900)}}
	o.Mistake, o.Fix = "", ""
	r := newRepository(t, entry.LayoutBook, o)
	p := r.render()
	text := r.read(p.Rendered[0])
	_, rest, _ := strings.Cut(text, "description: ")
	line, _, _ := strings.Cut(rest, "\n")
	var description string
	if err := json.Unmarshal([]byte(line), &description); err != nil {
		t.Fatal(err)
	}
	if n := len([]rune(description)); n == 0 || n > 1024 {
		t.Errorf("%d characters", n)
	}
}

func TestSecretsInTriggersAndTagsAreNotRendered(t *testing.T) {
	secret := "ghp_" + strings.Repeat("a1B2c3D4e5", 3) + "f6G7h8"
	o := someLesson()
	o.Trigger.Commands = []string{"curl -H token=" + secret}
	o.Tags = append(o.Tags, "token:"+secret)
	r := newRepository(t, entry.LayoutFiles, o)
	r.render()
	for path, text := range r.artifacts() {
		if strings.Contains(text, secret[:12]) {
			t.Errorf("%s:\n%s", path, text)
		}
	}
}
