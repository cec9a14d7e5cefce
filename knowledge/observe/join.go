package observe

import (
	"bytes"
	"cmp"
	"slices"
	"time"

	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/internal/redact"
	"github.com/lessons-cli/lessons/knowledge/internal/fields"
	"github.com/lessons-cli/lessons/knowledge/internal/ordered"
	"github.com/lessons-cli/lessons/knowledge/lesson"
)

// maxEvidence is how many quotes an observation keeps. They are the ones with
// the smallest hashes, so that the choice does not depend on the order in
// which they came.
const maxEvidence = 10

// Add joins what a session contributed to the observation that it belongs to,
// or begins a new one, and brings its status up to date. It returns a copy of
// the result. Two signals belong together when they have the same type and
// either the same trigger and fix, the same title or near shapes.
// Any order, repetition and grouping of the same signals gives the same log.
func (l *Log) Add(s Signal, t Thresholds) *Observation { return l.Learn(s, t).Clone() }

// Alone is the observation that a signal makes by itself.
func (s Signal) Alone() *Observation { return observed(s).Observation }

// Related returns copies of what a signal would join.
func (l *Log) Related(s Signal) []*Observation {
	one := &logLine{}
	one.is(observed(s))
	return lists.Map(l.relatives(one), (*logLine).copy)
}

// Learn is [Log.Add] for those who only read what comes out: it is the log's own.
func (l *Log) Learn(s Signal, t Thresholds) *Observation {
	one := &logLine{}
	one.is(observed(s))
	line := l.join(one)
	Promote(line.o(), t)
	return line.o()
}

// Join takes the observations of another log over: set union by id, alias and
// content key, commutative, associative and idempotent. Status and confidence
// only follow the greater of the two sides; call [Log.Settle] afterwards, with
// the thresholds of the repository, to have counts that grew looked at.
func (l *Log) Join(other *Log) {
	if other == nil {
		return
	}
	l.many = true
	defer l.place()
	if l.small(other) {
		defer l.seek(other)()
	}
	for _, line := range each(other.lines) {
		l.join(&logLine{place: line.place, obs: line.obs.Clone(), unknown: line.unknown})
	}
}

// Settle applies [Promote] to every observation that was changed since the log
// was read. Lines that were not changed stay as they are.
func (l *Log) Settle(t Thresholds) {
	for _, line := range l.lines {
		if line.live() && line.touched {
			Promote(line.o(), t)
		}
	}
}

// DropInvalid removes the lines that cannot be read and returns them, each with
// its line end, for a backup.
func (l *Log) DropInvalid() [][]byte {
	var dropped [][]byte
	l.lines = slices.DeleteFunc(l.lines, func(line *logLine) bool {
		if line.observes() {
			return false
		}
		raw := line.bytes()
		bad := len(bytes.TrimSpace(raw)) > 0
		if bad {
			dropped = append(dropped, raw)
		}
		return bad
	})
	return dropped
}

// join folds a line into those it belongs to and returns the result.
func (l *Log) join(add *logLine) *logLine {
	same := l.relatives(add)
	if len(same) == 0 {
		add.touched = true
		add.place, add.relaid = place{}, false
		l.insert(add)
		return add
	}
	line := same[0]
	was := line.member()
	for _, other := range same[1:] {
		line.absorb(other)
		l.drop(other)
	}
	line.absorb(add)
	now := line.member()
	if now.ID != was.ID {
		l.move(line)
	} else {
		l.registerBeyond(line, was.inSets())
	}
	return line
}

// absorb joins another line's evidence into this one. When the other adds
// nothing, this one stays untouched.
func (line *logLine) absorb(other *logLine) {
	joined := joinMembers(line.member(), other.member())
	fromFile := other.size > 0
	if !fromFile {
		line.is(joined)
		line.touched = true
		line.unknown = fields.JoinUnknown(line.unknown, other.unknown)
		return
	}
	unknown := fields.JoinUnknown(line.unknown, other.unknown)
	if bytes.Equal(encodeObservation(joined.Observation, unknown), encodeObservation(line.o(), line.unknown)) {
		return
	}
	line.is(joined)
	line.unknown, line.touched, line.relaid = unknown, true, true
}

// relatives returns the lines an observation belongs to, in file order.
func (l *Log) relatives(add *logLine) []*logLine {
	var found []*logLine
	for name := range add.member().names {
		for _, line := range l.named(name) {
			if line.live() && !slices.Contains(found, line) && line.member().named(name) {
				found = append(found, line)
			}
		}
	}
	for _, shape := range add.o().Shapes {
		for _, m := range l.meets(shape) {
			if m.line.live() && !slices.Contains(found, m.line) && similar(m.shape, shape) && slices.Contains(m.line.o().Shapes, m.shape) {
				found = append(found, m.line)
			}
		}
	}
	slices.SortFunc(found, func(a, b *logLine) int { return cmp.Compare(a.id(), b.id()) })
	return found
}

// observed is the observation that a single signal makes.
func observed(s Signal) *member {
	o := &Observation{
		Type: s.Type, Pattern: s.Title.String(), Details: s.Details.String(),
		Evidence: kept(textsOf(s.Evidence)), Observations: 1,
		FirstSeen: s.At.UTC(), LastSeen: s.At.UTC(), Status: Observing, QualityOK: s.QualityOK, Unfit: s.Unfit,
		Trigger: s.Trigger.Clone(), Examples: lesson.Examples{}.Join(s.Examples), Mistake: s.Mistake.String(), Fix: s.Fix.String(),
		Tags: ordered.Set(s.Tags), Origin: s.Origin, Marks: ordered.Set(s.Marks),
		Kind: s.Kind, Level: s.Level, Items: textsOf(s.Items), Action: s.Action, Passed: slices.Clone(s.Passed),
	}
	if s.Failure != nil {
		o.Fingerprints = []string{s.Failure.Fingerprint()}
	}
	o.Shapes = shapesOf(s)
	if s.Projects >= 2 {
		o.Projects = s.Projects
	}
	switch {
	case s.TakenBack:
		o.TakenBack, o.Observations = []string{s.Session}, 0
	case s.Session != "":
		o.Sessions = []string{s.Session}
	}
	o.ID = observationID(o)
	return memberOf(o)
}

// kept returns the quotes that an observation keeps, in the order of their
// hashes.
func kept(quotes []string) []string {
	quotes = ordered.ByHash(quotes)
	return quotes[:min(len(quotes), maxEvidence)]
}

func textsOf(texts []redact.Text) []string {
	return lists.MapSome(texts, redact.Text.String)
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
