// Package said keeps what people's messages are about, as a set of facts of which any order
// and split of scans makes the same: by it a decision or a standing instruction is known to be
// said again in another session, in whatever words.
package said

import (
	"cmp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/lessons-cli/lessons/internal/jsonlines"
	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/observe"
	"github.com/lessons-cli/lessons/knowledge/statement"
)

// Message is what one message of a person is about.
type Message struct {
	Session string    `json:"session"` // hashed
	Line    int       `json:"line"`    // of its file
	At      time.Time `json:"at"`      // zero: nobody knows
	statement.About
}

func compare(a, b Message) int {
	return cmp.Or(cmp.Compare(a.Session, b.Session), cmp.Compare(a.Line, b.Line), slices.Compare(a.Words, b.Words), cmp.Compare(a.Form, b.Form))
}

// Merge unites messages.
func Merge(a, b []Message) []Message {
	all := slices.Concat(a, b)
	slices.SortFunc(all, compare)
	return slices.CompactFunc(all, func(a, b Message) bool { return compare(a, b) == 0 })
}

// Encode writes messages, one a line.
func Encode(messages []Message) []byte { return jsonlines.Write(messages) }

// Parse reads messages. A line that cannot be read is left out: it costs one message.
func Parse(data []byte) []Message {
	return jsonlines.Read(data, func(m Message) bool { return m.Session != "" })
}

// What a repository's sessions often speak of tells nothing: a word is rare that is said in
// at most fewSessions of them, or in one of rareShare.
const (
	fewSessions = 3
	rareShare   = 25
)

// inRareWords leaves of each message the words that few sessions say.
func inRareWords(all []Message) []Message {
	sessions, by := map[string]bool{}, map[string]map[string]bool{}
	for _, m := range all {
		sessions[m.Session] = true
		for _, w := range m.Words {
			lists.AddTo(by, strings.TrimPrefix(w, "-"), m.Session)
		}
	}
	most := max(fewSessions, len(sessions)/rareShare)
	return lists.Map(all, func(m Message) Message {
		m.Words = lists.Filter(m.Words, func(w string) bool { return len(by[strings.TrimPrefix(w, "-")]) <= most })
		return m
	})
}

// leastForm is the form that a message has which says an instruction again: who asks for what
// it forbids uses its words too.
const leastForm = 20

// Confirm counts for each decision that one session told, with its reason, the other
// sessions in which a person said it again or went by it, and for each instruction those in
// which a person said it again. What was learned of such words by itself, and is in no file
// yet, is the same one.
func Confirm(log *observe.Log, all []Message, t observe.Thresholds) {
	rare := sync.OnceValue(func() []Message { return inRareWords(all) }) // most scans have nothing to confirm
	var found []*confirmed
	for o := range log.Where(toldOnce) {
		if !settles(o) || !o.Proposable() {
			continue
		}
		if c := confirm(o, rare()); len(c.more) > 0 {
			found = append(found, c)
		}
	}
	slices.SortFunc(found, func(a, b *confirmed) int {
		return cmp.Or(a.o.FirstSeen.Compare(b.o.FirstSeen), cmp.Compare(a.o.ID, b.o.ID))
	})
	again := saidAgain(log, found)
	for _, c := range found {
		if again[c.o.ID] {
			continue
		}
		c.o.Observations += len(c.more)
		c.o.Sessions = append(c.o.Sessions, c.more...)
		slices.Sort(c.o.Sessions)
		slices.Sort(c.o.Aliases)
		observe.Promote(c.o, t)
		log.Put(c.o)
	}
}

// settles says whether an observation is a decision or a standing instruction.
func settles(o *observe.Observation) bool { return o.Type == knowledge.Decision || o.Instructs() }

// confirmed is one of them with the other sessions that say it again.
type confirmed struct {
	o        *observe.Observation
	restates func(statement.About) bool
	more     []string
}

func confirm(o *observe.Observation, all []Message) *confirmed {
	c := &confirmed{o: o, restates: statement.Restates(settled(o))}
	for _, m := range all {
		if o.Instructs() && m.Form < leastForm {
			continue
		}
		about := m.About
		if !m.At.After(o.FirstSeen) {
			about.Form = 0 // it may be what this turns from: its words must do
		}
		if !slices.Contains(o.Sessions, m.Session) && !slices.Contains(c.more, m.Session) && c.restates(about) {
			c.more = append(c.more, m.Session)
		}
	}
	return c
}

// met says whether another one of the kind comes from a session that says this one again.
func (c *confirmed) met(o *observe.Observation) bool {
	return o.Type == c.o.Type && len(o.Sessions) == 1 && slices.Contains(c.more, o.Sessions[0])
}

// saidAgain takes what says one of those before it again out of the log, which get its ids, and
// returns those ids.
func saidAgain(log *observe.Log, found []*confirmed) map[string]bool {
	again := map[string]bool{}
	if len(found) == 0 {
		return again
	}
	var later []*observe.Observation
	for o := range log.Where(toldOnce) {
		if settles(o) && o.ArtifactPath == "" && slices.ContainsFunc(found, func(c *confirmed) bool { return c.met(o) }) {
			later = append(later, o)
		}
	}
	for _, c := range found {
		for _, o := range later {
			if again[c.o.ID] || again[o.ID] || o.ID == c.o.ID || o.FirstSeen.Before(c.o.FirstSeen) || !c.met(o) {
				continue
			}
			if c.restates(statement.About{Words: statement.Said(settled(o).Text()).Words}) { // its form says nothing here
				again[o.ID] = true
				log.Remove(o.ID)
				c.o.Aliases = append(c.o.Aliases, o.Names()...)
			}
		}
	}
	return again
}

// toldOnce says whether one session told an observation that stands.
func toldOnce(h observe.Head) bool {
	return h.Observations == 1 && h.Status != observe.Deprecated
}

// settled is what a decision or an instruction settles.
func settled(o *observe.Observation) statement.Settled {
	details := observe.ParseDetails(o.Details)
	return statement.Settled{Rule: cmp.Or(details["decision"], o.Pattern), Because: details["rationale"], Question: details["context"]}
}
