package observe

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/internal/fields"
	"github.com/lessons-cli/lessons/knowledge/internal/ordered"
	"github.com/lessons-cli/lessons/knowledge/lesson"
)

// joinObservations returns the join of two observations of one cluster. Every
// field is joined by an operation that is commutative, associative and
// idempotent: set union, minimum, maximum, or the greater of two texts in a
// total order over the texts themselves.
func joinObservations(a, b *Observation) *Observation {
	return joinMembers(memberOf(a), memberOf(b)).Observation
}

func joinMembers(a, b *member) *member {
	a, b = a.inSets(), b.inSets()
	speaks := presentation(a, b)
	o := *speaks.Observation
	m := &member{Observation: &o, own: speaks.own, keys: ordered.Add(a.keys, b.keys), sets: true}
	o.ID, o.Aliases = joinIDs(a, b)
	m.signed = o.ID == a.ID && a.signed || o.ID == b.ID && b.signed

	o.Examples = a.Examples.Join(b.Examples)
	o.Evidence = kept(slices.Concat(a.Evidence, b.Evidence))
	o.TakenBack = ordered.Add(a.TakenBack, b.TakenBack)
	o.Sessions = ordered.Without(ordered.Add(a.Sessions, b.Sessions), o.TakenBack)
	o.Against = ordered.Add(a.Against, b.Against)
	o.Shapes = ordered.Add(a.Shapes, b.Shapes)
	o.Fingerprints = ordered.Add(a.Fingerprints, b.Fingerprints)
	o.Observations = max(baseCount(a.Observation), baseCount(b.Observation)) + len(o.Sessions)
	o.Tags = ordered.Add(a.Tags, b.Tags)
	o.Marks = ordered.Add(a.Marks, b.Marks)
	o.FirstSeen, o.LastSeen = earlier(a.FirstSeen, b.FirstSeen), later(a.LastSeen, b.LastSeen)
	o.Projects = max(a.Projects, b.Projects)
	o.Priority = max(a.Priority, b.Priority)
	o.Confidence = max(a.Confidence, b.Confidence)

	o.QualityOK = a.QualityOK || b.QualityOK
	o.Recorded = max(a.Recorded, b.Recorded)
	o.Status = joinStatus(a.Status, b.Status)
	o.NeedsReview = reviewed(a.Observation) || reviewed(b.Observation)
	o.MayBeStale = a.MayBeStale || b.MayBeStale
	o.StaleReason = max(a.StaleReason, b.StaleReason)
	o.SoftCapExceeded = a.SoftCapExceeded || b.SoftCapExceeded
	o.ArtifactPath = max(a.ArtifactPath, b.ArtifactPath)
	o.DeprecatedAt = max(a.DeprecatedAt, b.DeprecatedAt)

	o.Phrased = joinPhrasings(a.Phrased, b.Phrased)
	o.Keys = ordered.Without(m.keys, m.own)
	o.Others = joinPairs(&o, a.Observation, b.Observation)
	return m
}

// joinPairs returns what the members told, without what the join says itself.
func joinPairs(joined, a, b *Observation) []Pair {
	others, own := ordered.AddFunc(a.Others, b.Others, comparePairs), joined.own()
	for _, p := range [...]Pair{a.own(), b.own()} {
		if comparePairs(p, own) != 0 {
			others = ordered.AddFunc(others, []Pair{p}, comparePairs)
		}
	}
	for _, p := range [...]Pair{{}, own} {
		if at, found := slices.BinarySearchFunc(others, p, comparePairs); found {
			others = slices.Concat(others[:at], others[at+1:])
		}
	}
	return others
}

func comparePairs(a, b Pair) int {
	if c := cmp.Or(cmp.Compare(a.Mistake, b.Mistake), cmp.Compare(a.Fix, b.Fix)); c != 0 || a.Trigger == b.Trigger {
		return c
	}
	return bytes.Compare(fields.JSON(a.Trigger), fields.JSON(b.Trigger))
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

// joinIDs chooses the id of a cluster; all others become aliases. An id that
// something was rendered from stands, then one that a member's signature gives,
// then one of an older form; among equals the smallest.
func joinIDs(a, b *member) (id string, aliases []string) {
	all := ordered.Add(a.Aliases, b.Aliases)
	if id = a.ID; a.ID != b.ID {
		other := b.ID
		if compareIDs(a, b) > 0 {
			id, other = other, id
		}
		all = ordered.Add(all, []string{other})
	}
	return id, ordered.Without(all, []string{id})
}

func compareIDs(a, b *member) int {
	if c := ordered.CompareBool(b.fixedID(), a.fixedID()); c != 0 {
		return c
	}
	return cmp.Or(ordered.CompareBool(b.signedID(), a.signedID()), cmp.Compare(a.ID, b.ID))
}

// fixedID says whether the id stands whatever joins: an id of another form, and
// one that something was rendered from.
func (m *member) fixedID() bool {
	return !derivedID(m.ID) || m.ArtifactPath != "" || statusRank(m.Status) >= statusRank(Created)
}

// signedID says whether the id comes from one of the signatures.
func (m *member) signedID() bool {
	m.signed = m.signed || slices.ContainsFunc(m.keys, func(key string) bool { return signatureID(key) == m.ID })
	return m.signed
}

// presentation returns the member whose texts speak for both. They are taken
// from one member as a whole, so that title, trigger and fix belong together.
func presentation(a, b *member) *member {
	if comparePresentation(a.Observation, b.Observation) < 0 {
		return b
	}
	return a
}

func comparePresentation(a, b *Observation) int {
	if c := cmp.Or(
		ordered.CompareBool(a.QualityOK, b.QualityOK),
		cmp.Compare(saidRank(a), saidRank(b)),
		ordered.CompareBool(a.rules(), b.rules()),
		cmp.Compare(completeness(a), completeness(b)),
		cmp.Compare(originRank(a.Origin), originRank(b.Origin)),
		cmp.Compare(len(a.Details), len(b.Details)),
	); c != 0 {
		return c
	}
	return cmp.Or(bytes.Compare(spoken(a), spoken(b)), cmp.Compare(a.Unfit, b.Unfit))
}

// completeness counts what the delivery of a lesson needs.
func completeness(o *Observation) int {
	n := 0
	if lesson.CanonicalTrigger(o.Trigger) != "" {
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

// saidRank puts a person's words above an agent's, and those above what was found. An
// agent's decision speaks for a mistake only where nobody told that better.
func saidRank(o *Observation) int {
	switch o.Origin {
	case OriginManual:
		return 3
	case OriginUserCorrection, OriginDecision:
		return 2
	case OriginBlock, OriginSelfReport:
		if o.Type != knowledge.Decision {
			return 1
		}
	}
	return 0
}

// rules says whether the texts are a standing instruction or a decision with its reason:
// what only objects to one thing says the same with less.
func (o *Observation) rules() bool {
	return o.Kind == lesson.Requirement && o.Origin == OriginUserCorrection || o.Type == knowledge.Decision && ParseDetails(o.Details)["rationale"] != ""
}

var byOrigin = []Origin{
	OriginBestPractice, OriginRecovery, OriginSequence, OriginEfficiency, OriginNote, OriginOutcome, OriginLLM, OriginDecision, OriginRetry, OriginHang,
	OriginErrorFix, OriginUserCorrection, OriginSelfReport, OriginBlock, OriginManual,
}

func originRank(o Origin) int { return slices.Index(byOrigin, o) }

func spoken(o *Observation) []byte {
	words := []any{o.Type, o.Pattern, o.Details, o.Mistake, o.Fix, o.Trigger, o.Origin, o.Kind, o.Level, o.Items}
	if o.Action != "" || len(o.Passed) > 0 { // ids are made of these words: no word of those who set nothing
		words = append(words, o.Action, o.Passed)
	}
	return fields.JSON(words)
}

// Clone returns an independent copy.
func (o *Observation) Clone() *Observation {
	if o == nil {
		return nil
	}
	c := *o
	for _, list := range []*[]string{
		&c.Evidence, &c.Sessions, &c.Against, &c.Aliases, &c.Keys, &c.Shapes, &c.Fingerprints, &c.TakenBack, &c.Tags, &c.Items, &c.Passed,
		&c.Examples.Match, &c.Examples.Miss,
	} {
		*list = slices.Clone(*list)
	}
	c.Marks = slices.Clone(o.Marks)
	c.Trigger = o.Trigger.Clone()
	c.Others = slices.Clone(o.Others)
	for i := range c.Others {
		c.Others[i].Trigger = c.Others[i].Trigger.Clone()
	}
	c.Phrased = joinPhrasings(o.Phrased, nil)
	return &c
}
