package reconcile

import (
	"slices"
	"time"

	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/manifest"
	"github.com/lessons-cli/lessons/knowledge/observe"
	"github.com/lessons-cli/lessons/knowledge/verdict"
)

// memory is what the clone remembers: its ledger, read for one work tree.
type memory struct {
	workTree string
	seen     map[knowledge.Key]bool // this work tree has had it
	rendered map[string]bool        // ids of which some work tree of the clone has had an artifact
	open     map[knowledge.Key][]verdict.Event
	undone   map[knowledge.Key]map[string]bool
	log      *observe.Log

	added []verdict.Event
}

func readLedger(events []verdict.Event, log *observe.Log, workTree string) *memory {
	m := &memory{
		workTree: workTree, log: log,
		seen:     map[knowledge.Key]bool{},
		rendered: map[string]bool{},
		undone:   map[knowledge.Key]map[string]bool{},
		open:     verdict.Open(events),
	}
	for _, e := range events {
		switch e.Event {
		case verdict.EventSeen:
			m.rendered[e.ID] = true
			if e.WorkTree == workTree {
				m.seen[e.Key()] = true
			}
		case verdict.EventUndone:
			lists.AddTo(m.undone, e.Key(), e.Verdict)
		}
	}
	return m
}

// recordSeen notes that the artifact stands in this work tree, once.
func (m *memory) recordSeen(row manifest.Row, at time.Time) {
	if !m.seen[row.Key()] {
		m.seen[row.Key()] = true
		m.append(verdict.Event{
			Event: verdict.EventSeen, WorkTree: m.workTree, ID: row.ObservationID, Type: row.Type, At: at.UTC(),
		})
	}
}

// recordUndone takes verdicts back.
func (m *memory) recordUndone(row manifest.Row, verdicts []string, at time.Time) {
	for _, name := range verdicts {
		lists.AddTo(m.undone, row.Key(), name)
		m.append(verdict.Event{
			Event: verdict.EventUndone, WorkTree: m.workTree, ID: row.ObservationID, Type: row.Type, Verdict: name, At: at.UTC(),
		})
	}
}

// recordVerdict records a verdict unless it is known, and says whether it is a new
// deletion. A staged removal adds nothing to a verdict that stands; a committed
// one completes it; the same commit on another branch is the same verdict.
func (m *memory) recordVerdict(item Item, now time.Time) bool {
	key := item.Key()
	open := m.open[key]
	known := slices.ContainsFunc(open, func(v verdict.Event) bool {
		switch item.How {
		case HowStaged:
			return true
		case HowUncommitted:
			return v.How == HowUncommitted && v.WorkTree == m.workTree
		}
		return v.Commit == item.Commit
	})
	if known {
		return false
	}
	v := verdict.Event{
		Event: verdict.EventVerdict, WorkTree: m.workTree, ID: item.ObservationID, Type: item.Type,
		How: item.How, Commit: item.Commit, By: item.By, At: removedAt(item, now), N: m.evidence(item.row), ContentKey: item.row.ContentKey,
	}
	m.append(v)
	m.open[key] = verdict.Open(append(slices.Clone(open), v))[key]
	return len(open) == 0
}

// removedAt is when the artifact was removed: the time of the commit, which every
// clone knows alike, or now when no commit says it.
func removedAt(item Item, now time.Time) time.Time {
	if at, err := time.Parse(time.RFC3339, item.At); err == nil && item.Commit != "" {
		return at.UTC()
	}
	return now.UTC()
}

func (m *memory) append(e verdict.Event) { m.added = append(m.added, e) }

// evidence is the count that a verdict weighs against: that of the observation
// now, or at render where the observation is not known here.
func (m *memory) evidence(row manifest.Row) int {
	n := row.N
	if o := m.observation(row.ObservationID); o != nil {
		n = max(n, o.Observations)
	}
	return n
}

func (m *memory) observation(id string) *observe.Observation {
	if m.log == nil {
		return nil
	}
	return m.log.Get(id)
}

// renderedHere says whether this clone rendered an artifact of the observation, and
// may render it again.
func (m *memory) renderedHere(id string) bool {
	o := m.observation(id)
	return o != nil && o.Status != observe.Deprecated && slices.ContainsFunc(o.Names(), func(id string) bool { return m.rendered[id] })
}
