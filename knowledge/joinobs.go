package knowledge

import (
	"cmp"
	"slices"
)

// joinObservations returns the join of two observations of one cluster. Every
// field is joined by an operation that is commutative, associative and
// idempotent: set union, minimum, maximum, or the greater of two texts in a
// total order over the texts themselves.
func joinObservations(a, b *Observation) *Observation {
	o := presentation(a, b).Clone()
	keys := slices.Concat(ContentKeys(a), ContentKeys(b))
	o.ID, o.Aliases = joinIDs(a, b)

	o.Examples = a.Examples.Join(b.Examples)
	o.Evidence = chooseEvidence(slices.Concat(a.Evidence, b.Evidence))
	o.TakenBack = sortedSet(slices.Concat(a.TakenBack, b.TakenBack))
	o.Sessions = less(sortedSet(slices.Concat(a.Sessions, b.Sessions)), o.TakenBack)
	o.Shapes = sortedSet(slices.Concat(a.Shapes, b.Shapes))
	o.Fingerprints = sortedSet(slices.Concat(a.Fingerprints, b.Fingerprints))
	o.Observations = max(baseCount(a), baseCount(b)) + len(o.Sessions)
	o.Tags = sortedSet(slices.Concat(a.Tags, b.Tags))
	o.Marks = sortedMarks(slices.Concat(a.Marks, b.Marks))
	o.FirstSeen, o.LastSeen = earlier(a.FirstSeen, b.FirstSeen), later(a.LastSeen, b.LastSeen)
	o.Projects = max(a.Projects, b.Projects)
	o.Priority = max(a.Priority, b.Priority)
	o.Confidence = max(a.Confidence, b.Confidence)

	o.QualityOK = a.QualityOK || b.QualityOK
	o.Recorded = max(a.Recorded, b.Recorded)
	o.Status = joinStatus(a.Status, b.Status)
	o.NeedsReview = reviewed(a) || reviewed(b)
	o.MayBeStale = a.MayBeStale || b.MayBeStale
	o.StaleReason = max(a.StaleReason, b.StaleReason)
	o.SoftCapExceeded = a.SoftCapExceeded || b.SoftCapExceeded
	o.ArtifactPath = max(a.ArtifactPath, b.ArtifactPath)
	o.DeprecatedAt = max(a.DeprecatedAt, b.DeprecatedAt)

	o.Phrased = joinPhrasings(a.Phrased, b.Phrased)
	o.Keys = nil
	own := ContentKeys(o)
	o.Keys = less(sortedSet(keys), own)
	return o
}

// less returns the elements of a set that are not in another, nil for none.
func less(set, others []string) []string {
	set = slices.DeleteFunc(set, func(x string) bool { return slices.Contains(others, x) })
	if len(set) == 0 {
		return nil
	}
	return set
}

// reviewed says whether a stored needsReview is more than the count rule, which
// [Promote] works out anew for everything that is still observed.
func reviewed(o *Observation) bool { return o.NeedsReview && statusRank(o.Status) >= statusRank(Ready) }

// baseCount is what an imported observation counts beside its sessions.
func baseCount(o *Observation) int { return max(o.Observations-len(o.Sessions), 0) }

func joinStatus(a, b Status) Status {
	if c := cmp.Or(cmp.Compare(statusRank(a), statusRank(b)), cmp.Compare(a, b)); c < 0 {
		return b
	}
	return a
}

// statusRank orders the states: a later one is never undone by joining an
// earlier one. A state of a newer version stands above all.
func statusRank(s Status) int {
	switch s {
	case "":
		return 0
	case Observing:
		return 1
	case Ready:
		return 2
	case Created:
		return 3
	case Deprecated:
		return 4
	}
	return 5
}

// joinIDs chooses the id of a cluster; all others become aliases. An id that is
// fixed stands, else that of the member with the smallest evidence hash.
func joinIDs(a, b *Observation) (id string, aliases []string) {
	first, second := idRank(a), idRank(b)
	id = a.ID
	if slices.Compare(second, first) < 0 {
		id = b.ID
	}
	all := sortedSet(slices.Concat([]string{a.ID, b.ID}, a.Aliases, b.Aliases))
	aliases = slices.DeleteFunc(all, func(x string) bool { return x == id })
	if len(aliases) == 0 {
		return id, nil
	}
	return id, aliases
}

// idRank orders ids; the smallest wins. Fixed are ids of other forms and those
// that something was rendered from.
func idRank(o *Observation) []string {
	if !derivedID(o.ID) || o.ArtifactPath != "" || statusRank(o.Status) >= statusRank(Created) {
		return []string{"fixed", "", o.ID}
	}
	hashes := identifyingHashes(o)
	switch {
	case len(hashes) == 0:
		return []string{"without", "", o.ID}
	case len(o.Evidence) == 0:
		return []string{"session", slices.Min(hashes), o.ID}
	}
	return []string{"quote", slices.Min(hashes), o.ID}
}

// presentation returns the observation whose texts speak for both. They are
// taken from one member as a whole, so that title, trigger and fix belong
// together.
func presentation(a, b *Observation) *Observation {
	if comparePresentation(a, b) < 0 {
		return b
	}
	return a
}

func comparePresentation(a, b *Observation) int {
	return cmp.Or(
		compareBool(a.QualityOK, b.QualityOK),
		cmp.Compare(declaredRank(a.Origin), declaredRank(b.Origin)),
		cmp.Compare(completeness(a), completeness(b)),
		cmp.Compare(originRank(a.Origin), originRank(b.Origin)),
		cmp.Compare(len(a.Details), len(b.Details)),
		cmp.Compare(spokenText(a), spokenText(b)),
	)
}

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

// completeness counts what the delivery of a lesson needs.
func completeness(o *Observation) int {
	n := 0
	if CanonicalTrigger(o.Trigger) != "" {
		n += 4
	}
	if o.Fix != "" {
		n += 2
	}
	if o.Mistake != "" {
		n++
	}
	return n
}

// declaredRank puts what a person or a complete block said above all that was
// found.
func declaredRank(o Origin) int {
	switch o {
	case OriginManual:
		return 2
	case OriginBlock:
		return 1
	}
	return 0
}

func originRank(o Origin) int {
	order := []Origin{
		OriginOutcome, OriginLLM, OriginDecision, OriginRetry, OriginHang,
		OriginErrorFix, OriginUserCorrection, OriginSelfReport, OriginBlock, OriginManual,
	}
	return slices.Index(order, o)
}

// spokenText is everything that [presentation] chooses, in one text, so that
// equal texts mean equal choices.
func spokenText(o *Observation) string {
	return string(encodeJSON([]any{
		o.Type, o.Pattern, o.Details, o.Mistake, o.Fix, o.Trigger, o.Origin, o.Kind, o.Level, o.Items,
	}))
}

// Clone returns an independent copy.
func (o *Observation) Clone() *Observation {
	if o == nil {
		return nil
	}
	c := *o
	c.Evidence = slices.Clone(o.Evidence)
	c.Sessions = slices.Clone(o.Sessions)
	c.Aliases = slices.Clone(o.Aliases)
	c.Keys = slices.Clone(o.Keys)
	c.Shapes = slices.Clone(o.Shapes)
	c.Fingerprints = slices.Clone(o.Fingerprints)
	c.TakenBack = slices.Clone(o.TakenBack)
	c.Tags = slices.Clone(o.Tags)
	c.Marks = slices.Clone(o.Marks)
	c.Items = slices.Clone(o.Items)
	c.Trigger = o.Trigger.Clone()
	c.Phrased = joinPhrasings(o.Phrased, nil)
	c.Examples = Examples{Match: slices.Clone(o.Examples.Match), Miss: slices.Clone(o.Examples.Miss)}
	return &c
}

// Clone returns an independent copy; nil stays nil.
func (t *Trigger) Clone() *Trigger {
	if t == nil {
		return nil
	}
	c := *t
	for _, slot := range []*[]string{
		&c.Tools, &c.Commands, &c.Unless, &c.CommandPatterns, &c.Paths,
		&c.Content, &c.Keywords, &c.Context, &c.Agents,
	} {
		*slot = slices.Clone(*slot)
	}
	return &c
}
