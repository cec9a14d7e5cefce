package verdict

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/manifest"
	"github.com/lessons-cli/lessons/knowledge/observe"
)

// withdrawnFactor is what the shown confidence of an observation is multiplied
// with while all its artifacts are gone here. It is applied to the count each
// time it is shown and never stored, so it cannot compound.
const withdrawnFactor = 0.3

// returnFactor is how many times the evidence that a rejection knew must have
// been gathered before the observation is rendered again.
const returnFactor = 2

// Rejection says what people's rejections mean for an observation.
type Rejection int

// The rejections: none, one that stands, and one that much more evidence has been
// gathered since. A returned observation is rendered again, as needsReview.
const (
	NotRejected Rejection = iota
	Blocked
	Returned
)

// Rejected says whether people have rejected the observation, in one of the kinds
// or, when none is given, in any: by a tombstone in this manifest or an open
// verdict with its id, an alias or a content key. A deleted lesson does not keep
// the pitfall of the same observation from being written. The rejection stands
// until the count has reached twice the largest evidence that it knew.
func Rejected(o *observe.Observation, m *manifest.Manifest, ledger []Event, kinds ...knowledge.Kind) Rejection {
	known := rejections(o, m, ledger, kinds)
	most := 0
	for _, r := range known {
		most = max(most, r.N)
	}
	switch {
	case len(known) == 0:
		return NotRejected
	case most == 0 || o.Observations < returnFactor*most:
		return Blocked // of unknown evidence nobody can say that it doubled
	}
	return Returned
}

// Removed are the observations of a log that people rejected in a kind, whether they came
// back since or not.
func Removed(log *observe.Log, m *manifest.Manifest, ledger []Event, kind knowledge.Kind) []*observe.Observation {
	found := map[string]*observe.Observation{}
	take := func(id, key string, of knowledge.Kind) {
		if o := log.Find(id, key); of == kind && o != nil {
			found[o.ID] = o
		}
	}
	if m != nil {
		for _, t := range m.Tombstones {
			take(t.ObservationID, t.ContentKey, t.Key().Kind)
		}
	}
	for k, verdicts := range Open(ledger) {
		for _, v := range verdicts {
			take(k.Observation, v.ContentKey, k.Kind)
		}
	}
	return slices.SortedFunc(maps.Values(found), func(a, b *observe.Observation) int { return strings.Compare(a.ID, b.ID) })
}

// Local says whether people rejected the observation, and only by removing what no
// commit ever had: nobody but them knows of that.
func Local(o *observe.Observation, m *manifest.Manifest, ledger []Event, kinds ...knowledge.Kind) bool {
	known := rejections(o, m, ledger, kinds)
	return len(known) > 0 && !slices.ContainsFunc(known, func(e Event) bool { return e.How != HowUncommitted })
}

// LastRemoval says who removed an artifact of the observation last, and when:
// "removed by Ann on 2026-03-01 (1a2b3c4d)". It is empty when nobody did.
func LastRemoval(o *observe.Observation, m *manifest.Manifest, ledger []Event, kinds ...knowledge.Kind) string {
	known := rejections(o, m, ledger, kinds)
	if len(known) == 0 {
		return ""
	}
	last := slices.MaxFunc(known, func(a, b Event) int {
		return cmp.Or(a.At.Compare(b.At), strings.Compare(a.Commit, b.Commit), strings.Compare(a.By, b.By))
	})
	text := "removed"
	if by, _, _ := strings.Cut(last.By, " <"); by != "" {
		text += " by " + by
	}
	if !last.At.IsZero() {
		text += " on " + last.At.UTC().Format(time.DateOnly)
	}
	if last.Commit != "" {
		text += " (" + last.Commit[:min(len(last.Commit), 10)] + ")"
	}
	return text
}

// rejections returns the rejections of the observation, those of tombstones too.
func rejections(o *observe.Observation, m *manifest.Manifest, ledger []Event, kinds []knowledge.Kind) []Event {
	keys := observe.ContentKeys(o)
	concerns := func(id, key string, kind knowledge.Kind) bool {
		same := id == o.ID || slices.Contains(o.Aliases, id) || (key != "" && slices.Contains(keys, key))
		return same && (len(kinds) == 0 || slices.Contains(kinds, kind))
	}
	var found []Event
	if m != nil {
		for _, t := range m.Tombstones {
			if concerns(t.ObservationID, t.ContentKey, t.Key().Kind) {
				at, _ := time.Parse(time.RFC3339, t.At)
				found = append(found, Event{ID: t.ObservationID, Type: t.Type, N: t.N, Commit: t.Commit, By: t.By, At: at})
			}
		}
	}
	for k, verdicts := range Open(ledger) {
		found = append(found, lists.Filter(verdicts, func(v Event) bool { return concerns(k.Observation, v.ContentKey, k.Kind) })...)
	}
	return found
}

// Shown is what a work tree shows of an observation:
// its confidence from the count and its status, or while it is withdrawn here
// (an artifact of it has the verdict gone and none stands) 0.3 times the former
// and deprecated. The observation itself is not changed.
func Shown(o *observe.Observation, v View, t observe.Thresholds) (confidence float64, status observe.Status) {
	confidence = observe.CountConfidence(o.Type, o.Observations, t)
	if withdrawn(o, v) {
		return confidence * withdrawnFactor, observe.Deprecated
	}
	return confidence, o.Status
}

// withdrawn says whether all artifacts of the observation that this work tree
// knows are gone by verdict.
func withdrawn(o *observe.Observation, v View) bool {
	gone := false
	for _, id := range o.Names() {
		for _, kind := range []knowledge.Kind{knowledge.KindCommand, knowledge.KindSkill, knowledge.KindADR, knowledge.KindPF, knowledge.KindLesson} {
			k := knowledge.Key{Observation: id, Kind: kind}
			if v.Live[k] {
				return false
			}
			gone = gone || v.Gone[k]
		}
	}
	return gone
}
