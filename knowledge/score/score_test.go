package score

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/lessons-cli/lessons/knowledge/lesson"
	"github.com/lessons-cli/lessons/knowledge/observe"
)

func TestScoreOfTheSeedsExamples(t *testing.T) {
	for _, c := range []struct {
		name       string
		o          observe.Observation
		priority   int
		confidence float64
	}{
		{"pytest TTY hang", observe.Observation{Observations: 5, Projects: 3, Marks: []observe.Mark{observe.MarkHang, observe.MarkUserCorrection}}, 8, 0.85},
		{"mock patch namespace", observe.Observation{Observations: 3, Projects: 2, Marks: []observe.Mark{observe.MarkUserCorrection, observe.MarkFixConfirmed}}, 8, 0.75},
		{"obscure pip flag", observe.Observation{Observations: 1, Projects: 1}, 2, 0.40},
		{"error and fix, once", observe.Observation{Observations: 1, Marks: []observe.Mark{observe.MarkErrorFix}}, 2, 0.60},
		{"error and fix, twice", observe.Observation{Observations: 2, Marks: []observe.Mark{observe.MarkErrorFix, observe.MarkFixConfirmed}}, 6, 0.70},
		{"self-report replaces the pair", observe.Observation{Observations: 2, Marks: []observe.Mark{observe.MarkSelfReport, observe.MarkErrorFix, observe.MarkCausal}}, 6, 0.85},
		{"self-report alone has its floor", observe.Observation{Observations: 1, Marks: []observe.Mark{observe.MarkSelfReport}}, 3, 0.85},
		{"self-report above its floor", observe.Observation{Observations: 2, Projects: 2, Marks: []observe.Mark{observe.MarkSelfReport, observe.MarkUserCorrection}}, 8, 1.00},
		{"complete block", observe.Observation{Observations: 1, Marks: []observe.Mark{observe.MarkBlock}}, 2, 1.00},
		{"written by hand", observe.Observation{Observations: 1, Origin: observe.OriginManual}, 7, 1.00},
		{"retry loop", observe.Observation{Observations: 1, Marks: []observe.Mark{observe.MarkRetryLoop, observe.MarkCausal}}, 2, 0.55},
		{"all at once", observe.Observation{Observations: 9, Projects: 9, Marks: []observe.Mark{observe.MarkSelfReport, observe.MarkUserCorrection, observe.MarkHang, observe.MarkDataLoss, observe.MarkFixConfirmed, observe.MarkRetryLoop}}, 10, 1.00},
		{"declared critical", observe.Observation{Observations: 1, Level: lesson.Critical, Marks: []observe.Mark{observe.MarkBlock}}, 9, 1.00},
		{"declared low", observe.Observation{Observations: 5, Projects: 3, Level: lesson.Low, Marks: []observe.Mark{observe.MarkHang}}, 3, 0.70},
		{"made again although its lesson existed", observe.Observation{Observations: 2, Marks: []observe.Mark{observe.MarkRepeated}}, 9, 0.50},
		{"production and a correction", observe.Observation{Observations: 1, Mistake: "deployed to production", Marks: []observe.Mark{observe.MarkUserCorrection}}, 9, 0.55},
		{"production alone", observe.Observation{Observations: 1, Mistake: "deployed to production"}, 2, 0.40},
		{"product is not production", observe.Observation{Observations: 1, Mistake: "productionise", Marks: []observe.Mark{observe.MarkUserCorrection}}, 3, 0.55},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := Of(&c.o, DefaultWeights())
			if s.Priority != c.priority || s.Confidence != c.confidence {
				t.Errorf("priority %d, confidence %v; want %d, %v\n%s", s.Priority, s.Confidence, c.priority, c.confidence, strings.Join(s.Why, "\n"))
			}
			if err := addsUp(s); err != nil {
				t.Error(err)
			}
		})
	}
}

// addsUp checks that the explanation is the arithmetic: its terms give the
// scores.
func addsUp(s Score) error {
	totals := map[string]float64{}
	for _, why := range s.Why {
		term, reason, ok := strings.Cut(why, ": ")
		name, amount, ok2 := strings.Cut(term, " ")
		if !ok || !ok2 || reason == "" {
			return fmt.Errorf("%q does not explain", why)
		}
		set := strings.HasPrefix(amount, "= ")
		n, err := strconv.ParseFloat(strings.TrimPrefix(amount, "= "), 64)
		if err != nil {
			return err
		}
		if set {
			totals[name] = 0
		}
		totals[name] += n
	}
	if math.Abs(totals["confidence"]-s.Confidence) > 1e-9 || totals["priority"] != float64(s.Priority) {
		return fmt.Errorf("the terms give %v, the score is %+v", totals, s)
	}
	return nil
}

func TestWeightsAreConfigurable(t *testing.T) {
	w := DefaultWeights()
	w.HangTimeoutBonus, w.BaseConfidence = 4, 10
	o := &observe.Observation{Observations: 2, Marks: []observe.Mark{observe.MarkHang}}
	if s := Of(o, w); s.Priority != 9 || s.Confidence != 0.30 {
		t.Errorf("got %+v", s)
	}
}

func TestLevels(t *testing.T) {
	for priority, want := range map[int]lesson.Level{-1: lesson.Low, 1: lesson.Low, 3: lesson.Low, 4: lesson.Medium, 6: lesson.Medium, 7: lesson.High, 8: lesson.High, 9: lesson.Critical, 10: lesson.Critical} {
		if got := lesson.LevelOf(priority); got != want {
			t.Errorf("LevelOf(%d) = %s, want %s", priority, got, want)
		}
	}
	for _, l := range []lesson.Level{lesson.Low, lesson.Medium, lesson.High, lesson.Critical} {
		lo, hi, ok := l.Range()
		if !ok || lesson.LevelOf(lo) != l || lesson.LevelOf(hi) != l || lesson.LevelOf(lo-1) == l && lo > 1 || lesson.LevelOf(hi+1) == l && hi < 10 {
			t.Errorf("%s has the range %d-%d", l, lo, hi)
		}
	}
	if _, _, ok := lesson.Level("urgent").Range(); ok {
		t.Error("an unknown level has a range")
	}
}

func TestProductionImpactIsOfWholeWords(t *testing.T) {
	for text, want := range map[string]bool{
		"we deploy on Fridays": true, "Deployed twice": true, "data loss": true, "data-loss": false, "a security hole": true,
		"redeployable": false, "the productivity of reproduction": false, "prereleased": false, "insecurity": false,
		"latest debugging": false, "critically": false, "loss of data": false, "publisher": false, "": false,
	} {
		if got := productionImpact(text); got != want {
			t.Errorf("ProductionImpact(%q) = %v", text, got)
		}
	}
}

func TestInferKind(t *testing.T) {
	for _, c := range []struct {
		name string
		o    observe.Observation
		want lesson.Kind
	}{
		{"mistake and fix", observe.Observation{Pattern: "bare pytest must not run", Mistake: "pytest", Fix: "python -m pytest"}, lesson.Warning},
		{"declared", observe.Observation{Kind: lesson.Requirement, Mistake: "m", Fix: "f"}, lesson.Requirement},
		{"items", observe.Observation{Items: []string{"a", "b"}, Mistake: "m", Fix: "f"}, lesson.Checklist},
		{"one item", observe.Observation{Items: []string{"a"}}, lesson.Pattern},
		{"numbered steps", observe.Observation{Details: "1. lint\n2. merge"}, lesson.Checklist},
		{"one numbered line", observe.Observation{Details: "1. lint"}, lesson.Pattern},
		{"coupled files", observe.Observation{Pattern: "Bumping the version: also update marketplace.json"}, lesson.Checklist},
		{"must", observe.Observation{Pattern: "Migrations must be reversible"}, lesson.Requirement},
		{"never", observe.Observation{Details: "Never push to main."}, lesson.Requirement},
		{"a word that only holds must", observe.Observation{Pattern: "Mustache templates, and nevertheless mustard"}, lesson.Pattern},
		{"and is no step", observe.Observation{Pattern: "Use Result types and return errors"}, lesson.Pattern},
		{"plain", observe.Observation{Pattern: "Use Result types"}, lesson.Pattern},
		{"command holds and", observe.Observation{Pattern: "Run this command"}, lesson.Pattern},
		{"expand holds and", observe.Observation{Pattern: "Expand the list by hand, understand thousands"}, lesson.Pattern},
		{"both is no coupling", observe.Observation{Pattern: "Both forms are accepted"}, lesson.Pattern},
		{"first and then in one sentence", observe.Observation{Details: "First build the client, then run its tests."}, lesson.Checklist},
		{"first and then in two sentences", observe.Observation{Details: "The first form is better. Then again, both work."}, lesson.Pattern},
		{"what a program requires is no rule", observe.Observation{Pattern: "pass the required flag"}, lesson.Pattern},
		{"a rule with is required", observe.Observation{Pattern: "A changelog entry is required"}, lesson.Requirement},
		{"a failure without a known fix", observe.Observation{Origin: observe.OriginRetry, Mistake: "`npm ci` failed 3 times: must be run as root"}, lesson.Warning},
		{"a person's words without a fix", observe.Observation{Origin: observe.OriginUserCorrection, Pattern: "The agent must not push"}, lesson.Requirement},
		{"mustn't be shallow", observe.Observation{Pattern: "Shallow clones, neverland and shallots"}, lesson.Pattern},
	} {
		if got := InferKind(&c.o); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}
