package render_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lessons-cli/lessons/internal/test/fsxtest"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/entry"
	"github.com/lessons-cli/lessons/knowledge/lesson"
	"github.com/lessons-cli/lessons/knowledge/manifest"
	"github.com/lessons-cli/lessons/knowledge/observe"
	"github.com/lessons-cli/lessons/knowledge/store"
	"github.com/lessons-cli/lessons/knowledge/verdict"
	"github.com/lessons-cli/lessons/render"
)

func TestEqualSlugsDoNotOverwriteEachOthersFile(t *testing.T) {
	for _, make := range []func() *observe.Observation{workflow, procedural} {
		a, b, c := make(), make(), make()
		a.Pattern, b.ID, b.Pattern, c.ID, c.Pattern = "Ship it: now", "obs_second0002", "Ship it: nów", "obs_third00002", "Ship it: nôw"
		r := newRepository(t, entry.LayoutBook, a, b, c)
		p := r.render()
		if len(p.Rendered) != 3 || len(slices.Compact(slices.Sorted(slices.Values(p.Rendered)))) != 3 {
			t.Errorf("rendered %q", p.Rendered)
		}
		for _, o := range []*observe.Observation{a, b, c} {
			path := r.observation(o.ID).ArtifactPath
			if text := r.read(path); !strings.Contains(text, "self-learning:"+o.ID+"\n") || !strings.Contains(text, "# "+o.Pattern+"\n") {
				t.Errorf("%s is not that of %s:\n%s", path, o.ID, text)
			}
		}
	}
}

func TestAPersonsFileIsNeverTakenForARenderedOne(t *testing.T) {
	r := newRepository(t, entry.LayoutBook, workflow(), procedural())
	mine := map[string]string{
		".claude/commands/self-learning/Release-The-Shop.md":   "mine\n",
		".claude/skills/add-a-database-migration/SKILL.md":     "---\nname: add-a-database-migration\ndescription: mine\n---\nmine\n",
		".lessons/skills/add-a-database-migration-01/SKILL.md": "mine too\n",
	}
	for path, text := range mine {
		r.Put(root+"/"+path, text)
	}
	p := r.render()
	if len(p.Rendered) != 2 {
		t.Errorf("rendered %q", p.Rendered)
	}
	for path, text := range mine {
		if got := r.read(path); got != text {
			t.Errorf("%s was overwritten:\n%s", path, got)
		}
	}
	if second := r.render(); len(second.Changes) > 0 {
		t.Errorf("second run: %q", second.Diff())
	}
}

func TestTwoDecisionsWithOneTitleDoNotBothRender(t *testing.T) {
	a, b := decision(), decision()
	b.ID, b.Pattern, b.Details = "obs_decision02", "Keep money in whole CENTS!", "decision: the same again; rationale: because"
	for _, layout := range []entry.Layout{entry.LayoutBook, entry.LayoutFiles} {
		r := newRepository(t, layout, a, b)
		p := r.render()
		if len(p.Rendered) != 1 || len(p.Skipped) != 1 || p.Skipped[0].Observation != b.ID || !strings.Contains(p.Skipped[0].Reason, "ADR-001") {
			t.Errorf("%s: rendered %q, skipped %+v", layout, p.Rendered, p.Skipped)
		}
		if o := r.observation(b.ID); o.Status != observe.Created || !strings.HasSuffix(o.ArtifactPath, "#ADR-001") {
			t.Errorf("%s: the duplicate is %s at %q", layout, o.Status, o.ArtifactPath)
		}
		if again := r.render(); len(again.Rendered)+len(again.Skipped)+len(again.Changes) > 0 {
			t.Errorf("%s: retried: %+v", layout, again)
		}
		if n := len(r.load().Decisions); n != 1 {
			t.Errorf("%s: %d decisions", layout, n)
		}
	}
}

func TestADecisionThatAPersonWroteIsNotWrittenAgain(t *testing.T) {
	r := newRepository(t, entry.LayoutBook, decision())
	r.Put(root+"/"+entry.DecisionsPath, "# Ours\n\n## ADR-007: keep money in whole cents\n\n- **Status**: Superseded\n")
	p := r.render()
	if len(p.Rendered) != 0 || len(p.Skipped) != 1 || !strings.Contains(p.Skipped[0].Reason, "ADR-007") {
		t.Errorf("rendered %q, skipped %+v", p.Rendered, p.Skipped)
	}
}

func TestOneTitleOverTwoThingsIsToBeReviewed(t *testing.T) {
	for said, want := range map[string]bool{"amounts are cents, all int64": false, "every price is a decimal string": true} {
		r := newRepository(t, entry.LayoutBook, decision())
		r.Put(root+"/"+entry.DecisionsPath, "# Ours\n\n## ADR-007: Keep money in whole cents\n\n- **Status**: Accepted\n- **Decision**: "+said+"\n")
		r.render()
		if o := r.observation(decision().ID); o.NeedsReview != want {
			t.Errorf("beside %q needsReview is %v", said, o.NeedsReview)
		}
		two := decision()
		two.Fix, two.Others = "all amounts are int64 cents", []observe.Pair{{Fix: said}}
		r = newRepository(t, entry.LayoutBook, two)
		r.render()
		if o := r.observation(two.ID); o.NeedsReview != want {
			t.Errorf("with %q among its members needsReview is %v", said, o.NeedsReview)
		}
	}
}

func TestADuplicatePitfallIsNotRetriedOnEachRun(t *testing.T) {
	a, b := pitfall(), pitfall()
	b.ID, b.Pattern = "obs_pitfall002", "Prices are old after a release"
	b.Details = "area: `internal/cart/cache.go`; issue: Old prices are shown!; impact: other words"
	r := newRepository(t, entry.LayoutBook, a, b)
	if p := r.render(); len(p.Rendered) != 1 || len(p.Skipped) != 1 {
		t.Errorf("first run: rendered %q, skipped %+v", p.Rendered, p.Skipped)
	}
	if o := r.observation(b.ID); o.Status != observe.Created {
		t.Errorf("the duplicate stays %s", o.Status)
	}
	if p := r.render(); len(p.Rendered)+len(p.Skipped)+len(p.Changes) > 0 {
		t.Errorf("second run: %+v", p)
	}
}

func TestADuplicateLessonAddsItsEvidenceToTheExistingOne(t *testing.T) {
	a, b := someLesson(), someLesson()
	a.Origin, a.Marks = observe.OriginErrorFix, []observe.Mark{observe.MarkErrorFix}
	b.Origin, b.Marks = a.Origin, a.Marks
	b.ID, b.Pattern, b.Sessions = "obs_lesson0002", "another title", []string{"othersession"}
	b.FirstSeen, b.LastSeen = at(7), at(7)
	r := newRepository(t, entry.LayoutBook, a, b)
	p := r.render()
	if len(p.Rendered) != 1 || len(r.load().Lessons) != 1 {
		t.Fatalf("rendered %q", p.Rendered)
	}
	if o := r.observation(a.ID); o.Observations != 2 || len(o.Sessions) != 2 || !o.LastSeen.Equal(at(7)) {
		t.Errorf("the evidence of the duplicate is not there: %+v", o)
	}
	if l := r.load().Lessons[0]; l.Status != lesson.Active || l.Seen.Sessions != 2 {
		t.Errorf("two sessions met it, and it is %s, %d sessions", l.Status, l.Seen.Sessions)
	}
	before := r.Tree()
	r.render()
	if diff := fsxtest.Diff(before, r.Tree()); diff != "" {
		t.Error(diff)
	}
}

// TestACrashAfterWritingASkillDoesNotOverwriteTheUsersEdit: the process dies
// right behind the rename of a file, a person edits what is there, and further
// runs leave the edit.
func TestACrashAfterWritingASkillDoesNotOverwriteTheUsersEdit(t *testing.T) {
	start := newRepository(t, entry.LayoutBook, all()...)
	for i := range 5 {
		start.see(toolLesson("gh", i))
	}
	renames := 0
	for call := 0; ; call++ {
		m := start.Clone()
		fault := &fsxtest.Fault{FS: m, At: call, Mode: fsxtest.KillAfter}
		_ = renderOn(fault)
		if fault.Calls() <= call {
			break
		}
		if !strings.HasPrefix(fault.Hit(), "rename") {
			continue
		}
		renames++
		r := repository{t, m}
		edited := map[string]string{}
		for path, text := range r.artifacts() {
			if strings.HasSuffix(path, ".md") && !strings.HasPrefix(path, ".claude/skills") {
				edited[path] = text + "\nEdited by a person.\n"
				r.Put(root+"/"+path, edited[path])
			}
		}
		r.render()
		r.see(toolLesson("gh", 6)) // makes the skill of the tool outdated
		r.see(seenIn(someLesson(), 3, 5, 9))
		r.render()
		for path := range edited {
			if !strings.Contains(r.read(path), "\nEdited by a person.\n") {
				t.Errorf("%s: the edit of %s is lost:\n%s", fault.Hit(), path, r.read(path))
			}
		}
		for id, n := range r.markers() {
			if n != 1 {
				t.Errorf("%s: %s stands %d times", fault.Hit(), id, n)
			}
		}
	}
	if renames < 8 {
		t.Errorf("only %d renames were seen", renames)
	}
}

var sourceMarker = regexp.MustCompile(`(?m)^(?:- \*\*Source\*\*:|source:|# source:|  source:) self-learning:(\S+)$`)

// markers counts the artifacts of each observation and kind, without published
// copies.
func (r repository) markers() map[string]int {
	n := map[string]int{}
	for path, text := range r.artifacts() {
		if strings.HasPrefix(path, ".claude/skills/") || strings.HasPrefix(path, ".agents/skills/") {
			continue
		}
		for _, found := range sourceMarker.FindAllStringSubmatch(text, -1) {
			kind := "lesson"
			switch {
			case strings.HasPrefix(path, ".memory/"):
				kind = "entry"
			case strings.HasSuffix(path, "SKILL.md"):
				kind = "skill"
			case strings.HasPrefix(path, ".claude/commands"):
				kind = "command"
			}
			n[found[1]+" "+kind]++
		}
	}
	return n
}

func TestADeletedArtifactDoesNotComeBackOnTheNextObservation(t *testing.T) {
	for _, layout := range []entry.Layout{entry.LayoutBook, entry.LayoutFiles} {
		for _, o := range all() {
			t.Run(fmt.Sprint(layout, "/", o.ID), func(t *testing.T) {
				r := newRepository(t, layout, o)
				r.render()
				s := r.load()
				row := s.Manifest.Rows[0]
				r.bury(row.Key())
				n := o.Observations
				for more := range n { // n+1 … 2n-1 sessions
					if more > 0 {
						r.see(seenIn(o, n+more, 1, 20))
					}
					if p := r.render(); len(p.Rendered) > 0 || len(r.markers()) > 0 {
						t.Fatalf("back on %d of %d sessions: %s", n+more, n, p.Diff())
					}
				}
				r.see(seenIn(o, 2*n, 1, 25))
				p := r.render()
				file := row.Key().Kind != knowledge.KindCommand && row.Key().Kind != knowledge.KindSkill
				switch {
				case file && len(p.Rendered) != 1:
					t.Fatalf("not back on %d sessions: %+v", 2*n, p)
				case !file && len(p.Rendered) != 0: // what agents load is no draft: a person writes it
					t.Fatalf("back without a person: %+v", p)
				}
				if again := r.observation(o.ID); !again.NeedsReview {
					t.Error("it is back and not to be reviewed")
				}
				if lessons := r.load().Lessons; row.Key().Kind == knowledge.KindLesson && (lessons[0].Status != lesson.Draft || !strings.HasPrefix(lessons[0].Returned, "removed")) {
					t.Errorf("it is back as %s, returned %q", lessons[0].Status, lessons[0].Returned)
				}
				if p.Notices = slices.DeleteFunc(p.Notices, func(text string) bool { return !strings.Contains(text, "was removed") }); len(p.Notices) != 1 {
					t.Errorf("the removal is told %d times", len(p.Notices))
				}
				if !file {
					if p := r.promote(o.ID); len(p.Rendered) != 1 || r.observation(o.ID).NeedsReview {
						t.Errorf("a person cannot have it back, or has to review it: %+v", p)
					}
					return
				}
				for _, e := range slices.Concat(r.load().Decisions, r.load().Pitfalls) {
					if !entry.IsProposed(e.Status()) || !strings.HasPrefix(e.Field(entry.FieldReturned), "removed") {
						t.Errorf("%s is back as %s, returned %q", e.ID(), e.Status(), e.Field(entry.FieldReturned))
					}
				}
				back, ok := r.load().Manifest.Row(row.Key())
				if !ok || back.Rev < 3 || back.N != 2*n {
					t.Errorf("row %+v", back)
				}
				if back.Anchor != "" && back.Anchor == row.Anchor {
					t.Errorf("the number %s was given again", back.Anchor)
				}
				r.see(seenIn(o, 4*n, 1, 27)) // a draft until a person acts
				r.render()
				for _, l := range r.load().Lessons {
					if l.Status != lesson.Draft {
						t.Errorf("more evidence made it %s", l.Status)
					}
				}
				for _, e := range slices.Concat(r.load().Decisions, r.load().Pitfalls) {
					if !entry.IsProposed(e.Status()) {
						t.Errorf("more evidence made it %s", e.Status())
					}
				}
			})
		}
	}
}

func TestAVerdictInTheLedgerBlocksOnEveryBranch(t *testing.T) {
	o := decision()
	r := newRepository(t, entry.LayoutBook, o)
	v := verdict.Event{Event: "verdict", ID: o.ID, Type: "decision", How: "committed", At: at(9), N: 2}
	s := r.load()
	s.Ledger = append(s.Ledger, v)
	p, err := render.NewPlan(s, render.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Rendered) > 0 || len(p.Skipped) != 1 {
		t.Errorf("rendered %q, skipped %+v", p.Rendered, p.Skipped)
	}
}

func TestTheSameKnowledgeUnderAnotherIdIsBlockedToo(t *testing.T) {
	r := newRepository(t, entry.LayoutBook, someLesson())
	r.render()
	r.bury(knowledge.Key{Observation: someLesson().ID, Kind: knowledge.KindLesson})
	other := someLesson()
	other.ID = "obs_another001"
	log := r.load().Log
	log.Remove(someLesson().ID)
	log.Put(other)
	r.Put(shared+"/learning-log.jsonl", string(log.Bytes()))
	if p := r.render(); len(p.Changes) > 0 {
		t.Errorf("a colleague's own observation brought it back:\n%s", p.Diff())
	}
}

func TestWhatWasRenderedElsewhereIsLeftAlone(t *testing.T) {
	o := decision()
	o.Status, o.ArtifactPath = observe.Created, entry.DecisionsPath+"#ADR-001"
	draft := someLesson()
	draft.ArtifactPath = ".lessons/on-another-branch.md"
	r := newRepository(t, entry.LayoutBook, o, draft)
	if p := r.render(); len(p.Changes)+len(p.Rendered)+len(p.Skipped) > 0 {
		t.Errorf("%+v", p)
	}
}

func TestNumbersAreNeverGivenTwice(t *testing.T) {
	tests := []struct {
		name string
		set  func(r repository)
		used map[knowledge.Kind]int
		want string
	}{
		{"none", func(repository) {}, nil, "ADR-001"},
		{"entries", func(r repository) {
			r.Put(root+"/"+entry.DecisionsPath, "# D\n\n## ADR-041: a\n\n## ADR-0007: b\n")
		}, nil, "ADR-042"},
		{"history", func(repository) {}, map[knowledge.Kind]int{knowledge.KindADR: 1234, knowledge.KindPF: 9999}, "ADR-1235"},
		{"tombstones", func(r repository) {
			s := r.load()
			s.Manifest.Bury(manifest.Tombstone{Row: manifest.Row{ObservationID: "obs_gone000001", Type: "decision", Path: entry.DecisionsPath, Anchor: "ADR-013", N: 2}})
			if err := r.store().Apply(store.Transaction{Manifest: s.Manifest}); err != nil {
				t.Fatal(err)
			}
		}, nil, "ADR-014"},
		{"rows of other branches", func(r repository) {
			s := r.load()
			s.Manifest.PutRow(manifest.Row{ObservationID: "obs_carried001", Type: "decision", Path: entry.DecisionsPath, Anchor: "ADR-005", ContentHash: "sha256:00"})
			if err := r.store().Apply(store.Transaction{Manifest: s.Manifest}); err != nil {
				t.Fatal(err)
			}
		}, nil, "ADR-006"},
	}
	for _, tt := range tests {
		for _, layout := range []entry.Layout{entry.LayoutBook, entry.LayoutFiles} {
			r := newRepository(t, layout, decision())
			tt.set(r)
			p := r.plan(render.Options{UsedNumbers: tt.used})
			if len(p.Rendered) != 1 || !strings.HasSuffix(p.Rendered[0], "#"+tt.want) {
				t.Errorf("%s, %s: rendered %q, want %s", tt.name, layout, p.Rendered, tt.want)
			}
		}
	}
}

// What cannot be written for its trigger says the same as a stated rule that is written later
// in the same run: a second run has nothing left to join.
func TestWhatCannotBeWrittenJoinsWhatIsWrittenLater(t *testing.T) {
	day := func(n int) time.Time { return time.Date(2026, 1, n, 9, 30, 0, 0, time.UTC) }
	seen := func(id string, first, last int) *observe.Observation {
		return &observe.Observation{
			ID: id, Type: knowledge.Pitfall, Pattern: "Keep the basket in cents", Observations: 1, Confidence: 0.5, QualityOK: true, Status: observe.Observing,
			FirstSeen: day(first), LastSeen: day(last), Sessions: []string{"session000"}, Origin: observe.OriginErrorFix,
		}
	}
	broken := seen("obs_broken0000", 1, 7)
	broken.Trigger = &lesson.Trigger{Commands: []string{"## (: no command"}, Keywords: []string{""}}
	stated := seen("obs_stated0000", 2, 6)
	stated.Marks, stated.Kind = []observe.Mark{observe.MarkStated}, lesson.Requirement
	r := newRepository(t, entry.LayoutBook, broken, stated)
	r.render()
	before := r.Tree()
	r.render()
	if diff := fsxtest.Diff(before, r.Tree()); diff != "" {
		t.Errorf("the second run changes something:\n%s", diff)
	}
}
