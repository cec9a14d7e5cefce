package observe

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/lessons-cli/lessons/knowledge/edits"
	"github.com/lessons-cli/lessons/knowledge/internal/ordered"
	"github.com/lessons-cli/lessons/knowledge/prose"
)

// RecordedManual in [Observation.Recorded] says that a person promoted it.
const RecordedManual = "manual"

// Promote brings confidence, status and needsReview of an observation up to
// date with its evidence: observing becomes ready when the quality is good and
// both confidence and spread in days reach the threshold of its type, or when a
// person said so. created and deprecated are left as they are: more evidence
// never undoes what a person decided. Calling it again changes nothing.
func Promote(o *Observation, t Thresholds) {
	th := t.Of(o.Type)
	o.Confidence = CountConfidence(o.Type, o.Observations, t)
	if o.Status == "" {
		o.Status = Observing
	}
	if o.Status == Ready && len(o.TakenBack)+len(o.Others) > 0 && o.Recorded != RecordedManual && !meets(o, th) {
		o.Status = Observing // a session that counted took it back, or it is now told as something that asks for more
	}
	if o.Status == Observing && (o.Recorded == RecordedManual || meets(o, th)) {
		o.Status = Ready
		o.NeedsReview = false
	}
	switch o.Status {
	case Observing:
		o.NeedsReview = o.Observations >= 2*th.Required || o.MayBeStale || o.SoftCapExceeded
	case Ready:
		o.NeedsReview = o.NeedsReview || o.MayBeStale || o.SoftCapExceeded
	}
}

// Diverge says whether two texts about one thing have not even half of the shorter
// one's words in common.
func Diverge(a, b string) bool {
	x, y := ordered.Set(prose.Words(a)), ordered.Set(prose.Words(b))
	shorter := min(len(x), len(y))
	return shorter > 0 && 2*(len(x)-len(ordered.Without(x, y))) < shorter
}

// ruleSessions is in how many sessions a rule must be broken, or a call must fail that needs
// another one first, before it is written down: who meets it is told of it anyway.
const ruleSessions = 3

func meets(o *Observation, th Threshold) bool {
	return o.Worthy() && lacksEdits(o) == "" && lacksSessions(o, th) == ""
}

// Missing says what an observation lacks to be ready, "" where that is nothing.
func Missing(o *Observation, t Thresholds) string {
	switch {
	case o.Recorded == RecordedManual:
		return ""
	case o.Lacks() != "":
		return o.Lacks()
	case !o.Worthy():
		return "nobody vouches for its words"
	}
	return cmp.Or(lacksEdits(o), lacksSessions(o, t.Of(o.Type)))
}

// lacksEdits says what is missing of a rule that sessions mended: where one edit is known,
// and others mended it in ways that are not, it may have mended something else; and what a
// compiler reports is the work at hand, unless it is mended by edits that are alike.
func lacksEdits(o *Observation) string {
	switch {
	case !o.IsRule() || !o.QualityOK:
	case edits.Lone(o.Fixes()):
		return "one edit that mends it is known, of two"
	case slices.Contains(o.Marks, MarkCompiler) && !edits.Alike(o.Fixes()):
		return "the edits that mended it have nothing in common"
	}
	return ""
}

// lacksSessions says how many sessions or days are missing.
func lacksSessions(o *Observation, th Threshold) string {
	needed := 1
	for needed < th.Required && countConfidence(needed, th) < th.Promote {
		needed++
	}
	if o.IsRule() || slices.Contains(o.Marks, MarkFirst) {
		needed = max(needed, ruleSessions)
	}
	switch {
	case o.Observations < needed:
		return fmt.Sprintf("seen in %d of %d sessions", o.Observations, needed)
	case daySpread(o) < th.SpreadDays:
		return fmt.Sprintf("seen within %d of %d days", daySpread(o), th.SpreadDays)
	case countConfidence(o.Observations, th) < th.Promote:
		return "no number of sessions suffices: see thresholds in the settings"
	}
	return ""
}

// takenBack says whether no session stands by the observation any more.
func (o *Observation) takenBack() bool { return len(o.TakenBack) > 0 && o.Observations <= 0 }

// PromoteByHand makes an observation ready whatever its count and records that
// a person did so. One that was rendered already keeps its status.
func PromoteByHand(o *Observation) {
	o.Recorded = RecordedManual
	o.NeedsReview = false
	if o.Status != Created {
		o.Status = Ready
		o.DeprecatedAt = ""
	}
}

// Deprecate takes an observation out of rendering because a person said so.
// The count and thereby the confidence stay: it is no penalty.
func Deprecate(o *Observation, at time.Time) {
	if o.Status == Deprecated && o.DeprecatedAt != "" {
		return
	}
	o.Status = Deprecated
	o.DeprecatedAt = at.UTC().Format(time.RFC3339)
	o.NeedsReview = false
}
