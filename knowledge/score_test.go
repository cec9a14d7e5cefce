package knowledge

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"
)

func TestScoreOfTheSeedsExamples(t *testing.T) {
	for _, c := range []struct {
		name       string
		o          Observation
		priority   int
		confidence float64
	}{
		{"pytest TTY hang", Observation{Observations: 5, Projects: 3, Marks: []Mark{MarkHang, MarkUserCorrection}}, 8, 0.85},
		{"mock patch namespace", Observation{Observations: 3, Projects: 2, Marks: []Mark{MarkUserCorrection, MarkFixConfirmed}}, 8, 0.75},
		{"obscure pip flag", Observation{Observations: 1, Projects: 1}, 2, 0.40},
		{"error and fix, once", Observation{Observations: 1, Marks: []Mark{MarkErrorFix}}, 2, 0.60},
		{"error and fix, twice", Observation{Observations: 2, Marks: []Mark{MarkErrorFix, MarkFixConfirmed}}, 6, 0.70},
		{"self-report replaces the pair", Observation{Observations: 2, Marks: []Mark{MarkSelfReport, MarkErrorFix, MarkCausal}}, 6, 0.85},
		{"self-report alone has its floor", Observation{Observations: 1, Marks: []Mark{MarkSelfReport}}, 3, 0.85},
		{"self-report above its floor", Observation{Observations: 2, Projects: 2, Marks: []Mark{MarkSelfReport, MarkUserCorrection}}, 8, 1.00},
		{"complete block", Observation{Observations: 1, Marks: []Mark{MarkBlock}}, 2, 1.00},
		{"written by hand", Observation{Observations: 1, Origin: OriginManual}, 7, 1.00},
		{"retry loop", Observation{Observations: 1, Marks: []Mark{MarkRetryLoop, MarkCausal}}, 2, 0.55},
		{"all at once", Observation{Observations: 9, Projects: 9, Marks: []Mark{MarkSelfReport, MarkUserCorrection, MarkHang, MarkDataLoss, MarkFixConfirmed, MarkRetryLoop}}, 10, 1.00},
		{"declared critical", Observation{Observations: 1, Level: Critical, Marks: []Mark{MarkBlock}}, 9, 1.00},
		{"declared low", Observation{Observations: 5, Projects: 3, Level: Low, Marks: []Mark{MarkHang}}, 3, 0.70},
		{"made again although its lesson existed", Observation{Observations: 2, Marks: []Mark{MarkRepeated}}, 9, 0.50},
		{"production and a correction", Observation{Observations: 1, Mistake: "deployed to production", Marks: []Mark{MarkUserCorrection}}, 9, 0.55},
		{"production alone", Observation{Observations: 1, Mistake: "deployed to production"}, 2, 0.40},
		{"product is not production", Observation{Observations: 1, Mistake: "productionise", Marks: []Mark{MarkUserCorrection}}, 3, 0.55},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := ScoreOf(&c.o, DefaultWeights())
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
	o := &Observation{Observations: 2, Marks: []Mark{MarkHang}}
	if s := ScoreOf(o, w); s.Priority != 9 || s.Confidence != 0.30 {
		t.Errorf("got %+v", s)
	}
}

func TestLevels(t *testing.T) {
	for priority, want := range map[int]Level{-1: Low, 1: Low, 3: Low, 4: Medium, 6: Medium, 7: High, 8: High, 9: Critical, 10: Critical} {
		if got := LevelOf(priority); got != want {
			t.Errorf("LevelOf(%d) = %s, want %s", priority, got, want)
		}
	}
	for _, l := range []Level{Low, Medium, High, Critical} {
		lo, hi, ok := l.Range()
		if !ok || LevelOf(lo) != l || LevelOf(hi) != l || LevelOf(lo-1) == l && lo > 1 || LevelOf(hi+1) == l && hi < 10 {
			t.Errorf("%s has the range %d-%d", l, lo, hi)
		}
	}
	if _, _, ok := Level("urgent").Range(); ok {
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
		o    Observation
		want LessonKind
	}{
		{"mistake and fix", Observation{Pattern: "bare pytest must not run", Mistake: "pytest", Fix: "python -m pytest"}, Warning},
		{"declared", Observation{Kind: Requirement, Mistake: "m", Fix: "f"}, Requirement},
		{"items", Observation{Items: []string{"a", "b"}, Mistake: "m", Fix: "f"}, Checklist},
		{"one item", Observation{Items: []string{"a"}}, PatternKind},
		{"numbered steps", Observation{Details: "1. lint\n2. merge"}, Checklist},
		{"one numbered line", Observation{Details: "1. lint"}, PatternKind},
		{"coupled files", Observation{Pattern: "Bumping the version: also update marketplace.json"}, Checklist},
		{"must", Observation{Pattern: "Migrations must be reversible"}, Requirement},
		{"never", Observation{Details: "Never push to main."}, Requirement},
		{"a word that only holds must", Observation{Pattern: "Mustache templates, and nevertheless mustard"}, PatternKind},
		{"and is no step", Observation{Pattern: "Use Result types and return errors"}, PatternKind},
		{"plain", Observation{Pattern: "Use Result types"}, PatternKind},
		{"command holds and", Observation{Pattern: "Run this command"}, PatternKind},
		{"expand holds and", Observation{Pattern: "Expand the list by hand, understand thousands"}, PatternKind},
		{"both is no coupling", Observation{Pattern: "Both forms are accepted"}, PatternKind},
		{"first and then in one sentence", Observation{Details: "First build the client, then run its tests."}, Checklist},
		{"first and then in two sentences", Observation{Details: "The first form is better. Then again, both work."}, PatternKind},
		{"what a program requires is no rule", Observation{Pattern: "pass the required flag"}, PatternKind},
		{"a rule with is required", Observation{Pattern: "A changelog entry is required"}, Requirement},
		{"a failure without a known fix", Observation{Origin: OriginRetry, Mistake: "`npm ci` failed 3 times: must be run as root"}, Warning},
		{"a person's words without a fix", Observation{Origin: OriginUserCorrection, Pattern: "The agent must not push"}, Requirement},
		{"mustn't be shallow", Observation{Pattern: "Shallow clones, neverland and shallots"}, PatternKind},
	} {
		if got := InferKind(&c.o); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}
