package knowledge

import "slices"

// WithdrawnFactor is what the shown confidence of an observation is multiplied
// with while all its artifacts are gone here. It is applied to the count each
// time it is shown and never stored, so it cannot compound.
const WithdrawnFactor = 0.3

// returnFactor is how many times the evidence that a rejection knew must have
// been gathered before the observation is rendered again.
const returnFactor = 2

// Blocked says whether people have rejected the observation, in any of its
// kinds: a tombstone in this manifest or an open verdict with its id, an alias
// or a content key, unless its count has reached twice the largest evidence
// that those knew. See [BlockedKind] for a single kind of artifact.
func Blocked(o *Observation, m *Manifest, ledger []LedgerEvent) bool {
	return blocked(o, m, ledger, func(Kind) bool { return true })
}

// BlockedKind is [Blocked] for one kind of artifact: a deleted lesson does not
// keep the pitfall of the same observation from being written.
func BlockedKind(o *Observation, kind Kind, m *Manifest, ledger []LedgerEvent) bool {
	return blocked(o, m, ledger, func(k Kind) bool { return k == kind })
}

// Returned says whether an observation was rejected and has since gathered the
// evidence to be rendered again: then as needsReview.
func Returned(o *Observation, m *Manifest, ledger []LedgerEvent) bool {
	ns := rejections(o, m, ledger, func(Kind) bool { return true })
	return len(ns) > 0 && !Blocked(o, m, ledger)
}

// ReturnedKind is [Returned] for one kind of artifact.
func ReturnedKind(o *Observation, kind Kind, m *Manifest, ledger []LedgerEvent) bool {
	ns := rejections(o, m, ledger, func(k Kind) bool { return k == kind })
	return len(ns) > 0 && !BlockedKind(o, kind, m, ledger)
}

func blocked(o *Observation, m *Manifest, ledger []LedgerEvent, about func(Kind) bool) bool {
	ns := rejections(o, m, ledger, about)
	if len(ns) == 0 {
		return false
	}
	known := slices.Max(ns)
	if known == 0 {
		return true // of unknown evidence nobody can say that it doubled
	}
	return o.Observations < returnFactor*known
}

// rejections returns the evidence that each rejection of the observation knew.
func rejections(o *Observation, m *Manifest, ledger []LedgerEvent, about func(Kind) bool) []int {
	keys := ContentKeys(o)
	concerns := func(id, key string, kind Kind) bool {
		same := id == o.ID || slices.Contains(o.Aliases, id) || (key != "" && slices.Contains(keys, key))
		return same && about(kind)
	}
	var ns []int
	if m != nil {
		for _, t := range m.Tombstones {
			if concerns(t.ObservationID, t.ContentKey, t.Key().Kind) {
				ns = append(ns, t.N)
			}
		}
	}
	for k, verdicts := range OpenVerdicts(ledger) {
		for _, v := range verdicts {
			if concerns(k.Observation, v.ContentKey, k.Kind) {
				ns = append(ns, v.N)
			}
		}
	}
	return ns
}

// Shown is what a work tree shows of an observation (reconcile.md section 3):
// its confidence from the count and its status, or while it is withdrawn here
// (an artifact of it has the verdict gone and none stands) 0.3 times the former
// and deprecated. The observation itself is not changed.
func Shown(o *Observation, v View, t Thresholds) (confidence float64, status Status) {
	confidence = CountConfidence(o.Type, o.Observations, t)
	if Withdrawn(o, v) {
		return confidence * WithdrawnFactor, Deprecated
	}
	return confidence, o.Status
}

// Withdrawn says whether all artifacts of the observation that this work tree
// knows are gone by verdict.
func Withdrawn(o *Observation, v View) bool {
	gone := false
	for _, id := range append([]string{o.ID}, o.Aliases...) {
		for _, kind := range []Kind{KindCommand, KindSkill, KindADR, KindPF, KindLesson} {
			k := Key{id, kind}
			if v.Live[k] {
				return false
			}
			gone = gone || v.Gone[k]
		}
	}
	return gone
}
