package knowledge

import (
	"bytes"
	"cmp"
	"slices"
	"time"

	"github.com/lessons-cli/lessons/internal/redact"
)

// maxEvidence is how many quotes an observation keeps. They are the ones with
// the smallest hashes, so that the choice does not depend on the order in
// which they came and the smallest hash, which the id is made of, stays.
const maxEvidence = 10

// Add joins what a session contributed to the observation that it belongs to,
// or begins a new one, and brings its status up to date. It returns a copy of
// the result. Two signals belong together when they have the same type and
// either the same trigger and fix (rulings 22), the same title or near shapes.
// Any order, repetition and grouping of the same signals gives the same log.
func (l *Log) Add(s Signal, t Thresholds) *Observation {
	line := l.join(&logLine{obs: observationOf(s)})
	Promote(line.obs, t)
	return line.obs.Clone()
}

// Join takes the observations of another log over: set union by id, alias and
// content key, commutative, associative and idempotent. Status and confidence
// only follow the greater of the two sides; call [Log.Settle] afterwards, with
// the thresholds of the repository, to have counts that grew looked at.
func (l *Log) Join(other *Log) {
	if other == nil {
		return
	}
	for _, line := range other.lines {
		if line.live() {
			l.join(&logLine{obs: line.obs.Clone(), unknown: line.unknown, raw: line.raw})
		}
	}
}

// Settle applies [Promote] to every observation that was changed since the log
// was read. Lines that were not changed stay as they are.
func (l *Log) Settle(t Thresholds) {
	for _, line := range l.lines {
		if line.live() && line.touched {
			Promote(line.obs, t)
		}
	}
}

// MergeLogs returns the union of two logs in canonical layout, for a merge
// driver: observations sorted by id, then the lines of either side that cannot
// be read. The result is the same bytes whichever side is called a.
func MergeLogs(a, b *Log, t Thresholds) *Log {
	merged := &Log{}
	var unread [][]byte
	for _, side := range []*Log{a, b} {
		merged.Join(side)
		for _, line := range side.lines {
			if body := bytes.TrimSpace(line.raw); line.obs == nil && len(body) > 0 {
				unread = append(unread, append(slices.Clone(body), '\n'))
			}
		}
	}
	for _, line := range merged.lines {
		line.raw, line.touched = nil, true
	}
	merged.Settle(t)
	slices.SortFunc(unread, bytes.Compare)
	for _, raw := range slices.CompactFunc(unread, bytes.Equal) {
		merged.lines = append(merged.lines, &logLine{raw: raw})
	}
	return merged
}

// Resolve drops the conflict markers of a merge and folds the lines of one id
// that it left. It says whether there was anything to do.
func (l *Log) Resolve() bool {
	before := len(l.lines)
	l.lines = slices.DeleteFunc(l.lines, func(line *logLine) bool {
		return line.obs == nil && isConflictMarker(bytes.TrimSpace(line.raw))
	})
	changed := len(l.lines) != before
	for _, line := range l.lines {
		if line.live() && len(line.twins) > 0 {
			line.touched, changed = true, true
		}
	}
	return changed
}

// DropInvalid removes the lines that cannot be read and returns them, each with
// its line end, for a backup.
func (l *Log) DropInvalid() [][]byte {
	var dropped [][]byte
	l.lines = slices.DeleteFunc(l.lines, func(line *logLine) bool {
		bad := line.obs == nil && len(bytes.TrimSpace(line.raw)) > 0
		if bad {
			dropped = append(dropped, line.raw)
		}
		return bad
	})
	return dropped
}

// join folds a line into those it belongs to and returns the result.
func (l *Log) join(add *logLine) *logLine {
	same := l.relatives(add.obs)
	if len(same) == 0 {
		add.touched = true
		add.raw, add.relaid = nil, false
		l.insert(add)
		return add
	}
	line := same[0]
	id := line.obs.ID
	for _, other := range append(slices.Clone(same[1:]), add) {
		line.absorb(other)
		if other != add {
			l.drop(other)
		}
	}
	if line.obs.ID != id {
		l.move(line)
	}
	l.register(line)
	return line
}

// absorb joins another line's evidence into this one. When the other adds
// nothing, this one stays untouched.
func (line *logLine) absorb(other *logLine) {
	joined := joinObservations(line.obs, other.obs)
	fromFile := len(other.raw) > 0
	if !fromFile {
		line.obs, line.touched = joined, true
		line.unknown = joinUnknown(line.unknown, other.unknown)
		return
	}
	unknown := joinUnknown(line.unknown, other.unknown)
	if bytes.Equal(encodeObservation(joined, unknown), encodeObservation(line.obs, line.unknown)) {
		return
	}
	line.obs, line.unknown, line.touched, line.relaid = joined, unknown, true, true
}

// relatives returns the lines an observation belongs to, in file order.
func (l *Log) relatives(o *Observation) []*logLine {
	var found []*logLine
	for _, name := range namesOf(o) {
		for _, line := range l.names[name] {
			if line.live() && !slices.Contains(found, line) && slices.Contains(namesOf(line.obs), name) {
				found = append(found, line)
			}
		}
	}
	for _, point := range meetingPoints(o.Shapes) {
		for _, line := range l.meeting()[point] {
			if line.live() && !slices.Contains(found, line) && similar(line.obs.Shapes, o.Shapes) {
				found = append(found, line)
			}
		}
	}
	slices.SortFunc(found, func(a, b *logLine) int { return cmp.Compare(a.obs.ID, b.obs.ID) })
	return found
}

// observationOf is the observation that a single signal makes.
func observationOf(s Signal) *Observation {
	o := &Observation{
		Type: s.Type, Pattern: s.Title.String(), Details: s.Details.String(),
		Evidence: textsOf(s.Evidence), Observations: 1,
		FirstSeen: s.At.UTC(), LastSeen: s.At.UTC(), Status: Observing, QualityOK: s.QualityOK,
		Trigger: s.Trigger.Clone(), Examples: Examples{}.Join(s.Examples), Mistake: s.Mistake.String(), Fix: s.Fix.String(),
		Tags: sortedSet(s.Tags), Origin: s.Origin, Marks: sortedMarks(s.Marks),
		Kind: s.Kind, Level: s.Level, Items: textsOf(s.Items),
	}
	o.Shapes = shapesOf(s)
	if s.Projects >= 2 {
		o.Projects = s.Projects
	}
	if s.Failure != nil {
		o.Fingerprints = []string{s.Failure.Fingerprint()}
	}
	switch {
	case s.TakenBack:
		o.TakenBack, o.Observations = []string{s.Session}, 0
	case s.Session != "":
		o.Sessions = []string{s.Session}
	}
	o.Evidence = chooseEvidence(o.Evidence)
	hashes := identifyingHashes(o)
	if len(hashes) == 0 && o.Fix != "" {
		hashes = []string{EvidenceHash(NormaliseFix(o.Fix))} // a person's own: another fix is another lesson (rulings 22)
	}
	o.ID = ObservationID(o.Type, o.Trigger, o.Pattern, hashes...)
	return o
}

// identifyingHashes are the hashes of the quotes, or without any quote the
// sessions: an observation without quotes still differs from another one's.
func identifyingHashes(o *Observation) []string {
	if len(o.Evidence) == 0 {
		return slices.Concat(o.Sessions, o.TakenBack)
	}
	hashes := make([]string, len(o.Evidence))
	for i, quote := range o.Evidence {
		hashes[i] = EvidenceHash(quote)
	}
	return hashes
}

func textsOf(texts []redact.Text) []string {
	var plain []string
	for _, t := range texts {
		if s := t.String(); s != "" {
			plain = append(plain, s)
		}
	}
	return plain
}

func chooseEvidence(quotes []string) []string {
	set := sortedSet(quotes)
	slices.SortFunc(set, func(a, b string) int { return cmp.Compare(EvidenceHash(a), EvidenceHash(b)) })
	return set[:min(len(set), maxEvidence)]
}

func sortedMarks(marks []Mark) []Mark {
	if len(marks) == 0 {
		return nil
	}
	set := slices.Clone(marks)
	slices.Sort(set)
	return slices.Compact(set)
}

func earlier(a, b time.Time) time.Time {
	if a.IsZero() || (!b.IsZero() && b.Before(a)) {
		return b.UTC()
	}
	return a.UTC()
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b.UTC()
	}
	return a.UTC()
}
