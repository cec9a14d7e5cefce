// Package said keeps what people's messages are about, as a set of facts of which any order
// and split of scans makes the same: by it a decision is known to be said again in another
// session, in whatever words.
package said

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
	"strings"
	"sync"

	"github.com/lessons-cli/lessons/internal/jsonlines"
	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/observe"
	"github.com/lessons-cli/lessons/knowledge/statement"
)

// Message is what one message of a person is about.
type Message struct {
	Session string   `json:"session"` // hashed
	Line    int      `json:"line"`    // of its file
	Words   []string `json:"words"`   // see [statement.Said]
}

func compare(a, b Message) int {
	return cmp.Or(cmp.Compare(a.Session, b.Session), cmp.Compare(a.Line, b.Line), slices.Compare(a.Words, b.Words))
}

// Merge unites messages.
func Merge(a, b []Message) []Message {
	all := slices.Concat(a, b)
	slices.SortFunc(all, compare)
	return slices.CompactFunc(all, func(a, b Message) bool { return compare(a, b) == 0 })
}

// Encode writes messages, one a line.
func Encode(messages []Message) []byte {
	var b bytes.Buffer
	for _, m := range messages {
		line, _ := json.Marshal(m) // texts and numbers always marshal
		b.Write(append(line, '\n'))
	}
	return b.Bytes()
}

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
			w = strings.TrimPrefix(w, "-")
			if by[w] == nil {
				by[w] = map[string]bool{}
			}
			by[w][m.Session] = true
		}
	}
	most := max(fewSessions, len(sessions)/rareShare)
	return lists.Map(all, func(m Message) Message {
		m.Words = lists.Filter(m.Words, func(w string) bool { return len(by[strings.TrimPrefix(w, "-")]) <= most })
		return m
	})
}

// Confirm counts for each decision that one session told, with its reason, the other
// sessions in which a person said it again or went by it. What was learned of such words as
// a decision of its own, and is in no file yet, is the same one.
func Confirm(log *observe.Log, all []Message, t observe.Thresholds) {
	rare := sync.OnceValue(func() []Message { return inRareWords(all) }) // most scans have nothing to confirm
	told := lists.Filter(slices.Collect(log.Where(toldOnce)), func(o *observe.Observation) bool { return o.Type == knowledge.Decision })
	slices.SortStableFunc(told, func(a, b *observe.Observation) int { return a.FirstSeen.Compare(b.FirstSeen) })
	again := map[string]bool{} // ids of decisions that say an earlier one again
	for i, o := range told {
		if again[o.ID] || !o.Proposable() {
			continue
		}
		rule, why := wordsOf(o)
		restates := statement.Restates(rule, why)
		before := len(o.Sessions)
		for _, m := range rare() {
			if !slices.Contains(o.Sessions, m.Session) && restates(m.Words) {
				o.Sessions = append(o.Sessions, m.Session)
			}
		}
		more := o.Sessions[before:]
		if len(more) == 0 {
			continue
		}
		for _, later := range told[i+1:] {
			rule, why := wordsOf(later)
			if later.ArtifactPath == "" && slices.Contains(more, later.Sessions[0]) && restates(statement.Said(rule+". "+why)) {
				again[later.ID] = true
				log.Remove(later.ID)
				o.Aliases = append(o.Aliases, later.Names()...)
			}
		}
		o.Observations += len(more)
		slices.Sort(o.Sessions)
		slices.Sort(o.Aliases)
		observe.Promote(o, t)
		log.Put(o)
	}
}

// toldOnce says whether one session told an observation that stands.
func toldOnce(h observe.Head) bool {
	return h.Observations == 1 && h.Status != observe.Deprecated
}

// wordsOf are what a decision is, and what was asked with the reason.
func wordsOf(o *observe.Observation) (rule, why string) {
	details := observe.ParseDetails(o.Details)
	return cmp.Or(details["decision"], o.Pattern), details["context"] + "\n" + details["rationale"]
}
