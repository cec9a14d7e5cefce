package render_test

import (
	"cmp"
	"strings"
	"testing"

	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/entry"
	"github.com/lessons-cli/lessons/knowledge/lesson"
	"github.com/lessons-cli/lessons/knowledge/observe"
)

// instruction is what a person said once as a rule.
func instruction() *observe.Observation {
	return seenIn(&observe.Observation{
		ID: "obs_instruct01", Type: knowledge.Pitfall, Pattern: "use pnpm here, not npm", Fix: "use pnpm here, not npm", Mistake: "ran npm install",
		Details:  observe.FormatDetails("issue", "ran npm install", "resolution", "use pnpm here, not npm", "rationale", "because the lockfile is pnpm's"),
		Evidence: []string{"we use pnpm here, not npm"}, QualityOK: true, Origin: observe.OriginUserCorrection, Kind: lesson.Requirement,
		Marks: []observe.Mark{observe.MarkStated},
	}, 1, 3, 3)
}

func TestAnInstructionIsOneLesson(t *testing.T) {
	for name, c := range map[string]struct {
		set  func(*observe.Observation)
		body string
		kind lesson.Kind // empty: a requirement
	}{
		"without a trigger": {func(*observe.Observation) {}, "**Why**: the lockfile is pnpm's\n", ""},
		"for a command": {
			func(o *observe.Observation) {
				o.Trigger = &lesson.Trigger{Tools: []string{"Bash"}, Commands: []string{"npm"}}
			},
			"**When**: running `npm`\n\n**Fix**: use pnpm here, not npm\n\n**Why**: the lockfile is pnpm's\n",
			lesson.Warning, // so that it stops such calls
		},
		"for paths": {func(o *observe.Observation) {
			o.Trigger = &lesson.Trigger{Paths: []string{"api/handlers/**"}}
			o.Pattern, o.Fix, o.Details = "change openapi.yaml with the handlers", "when you touch the handlers, also change openapi.yaml", ""
		}, "**When**: working on `api/handlers/**`\n\n**Constraint**: when you touch the handlers, also change openapi.yaml\n", ""},
		"no reason":                 {func(o *observe.Observation) { o.Details = "" }, "", ""},
		"an area of the repository": {func(o *observe.Observation) { o.Details = "area: web/; issue: x" }, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			o := instruction()
			c.set(o)
			r := newRepository(t, entry.LayoutFiles, o)
			r.render()
			s := r.load()
			if len(s.Artifacts) != 1 || len(s.Lessons) != 1 || len(s.Problems) > 0 {
				t.Fatalf("%d artifacts, %v", len(s.Artifacts), s.Problems)
			}
			l := s.Lessons[0]
			if l.Status != lesson.Draft || l.Kind != cmp.Or(c.kind, lesson.Requirement) || l.Title != o.Pattern || strings.TrimSpace(l.Body) != strings.TrimSpace(c.body) {
				t.Errorf("%s", l.Format())
			}
			r.see(seenIn(r.observation(o.ID), 2, 3, 8))
			r.render()
			if l := r.load().Lessons[0]; l.Status != lesson.Active || len(r.load().Artifacts) != 1 {
				t.Errorf("after two sessions:\n%s", l.Format())
			}
			if p := r.render(); len(p.Changes) > 0 {
				t.Errorf("rendered again:\n%s", p.Diff())
			}
		})
	}
}

func TestAnInstructionThatIsThereAlreadyIsNotWrittenAgain(t *testing.T) {
	r := newRepository(t, entry.LayoutFiles, instruction())
	r.Put(root+"/.lessons/mine.md", "---\nkind: requirement\npriority: high\nstatus: active\n---\n# Use pnpm here, not npm.\n")
	if p := r.render(); len(p.Rendered) > 0 {
		t.Errorf("rendered %q", p.Rendered)
	}
}

// A body says what the title does not; an error stands among the quotes behind it.
func TestBodiesDoNotRepeatTheirTitle(t *testing.T) {
	for name, c := range map[string]struct{ title, mistake, evidence, body, quote string }{
		"a call that the title names": {"`bd status` has no flag `--short`", "`bd status --short`" + observe.FailedBefore, "unknown flag: --short", "**Fix**: leave it out\n", "unknown flag: --short"},
		"a call that says more":       {"The shell refuses globs", "`gh api` with a `?`" + observe.FailedBefore, "no matches found", "`gh api` with a `?` failed here before.\n\n**Fix**: leave it out\n", "no matches found"},
		"an agent's report":           {"go test takes a duration", "go test takes a duration", "#lesson: go test takes a duration", "**Fix**: leave it out\n", ""},
		"a report of something else":  {"go test takes a duration", "it was a bare number", "#lesson: bare number", "it was a bare number\n\n**Fix**: leave it out\n", "#lesson: bare number"},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRepository(t, entry.LayoutFiles, seenIn(&observe.Observation{
				ID: "obs_failing001", Type: knowledge.Pitfall, Pattern: c.title, Mistake: c.mistake, Fix: "leave it out", Evidence: []string{c.evidence},
				QualityOK: true, Origin: observe.OriginErrorFix, Trigger: &lesson.Trigger{Tools: []string{"Bash"}, Commands: []string{"bd status"}},
			}, 2, 3, 3))
			r.render()
			if l := r.load().Lessons[0]; l.Body != c.body || strings.Join(l.Quotes, "|") != c.quote {
				t.Errorf("%s", l.Format())
			}
		})
	}
}
