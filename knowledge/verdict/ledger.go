package verdict

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"time"
	"unicode/utf8"

	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/internal/fields"
	"github.com/lessons-cli/lessons/knowledge/internal/textfile"
)

// Events of the ledger, and how a verdict was witnessed.
const (
	EventSeen    = "seen"
	EventVerdict = "verdict"
	EventUndone  = "undone"

	HowCommitted   = "committed"
	HowStaged      = "staged"
	HowUncommitted = "uncommitted"
	HowCommand     = "command"
)

// RuleLine is the rule of a line of the ledger that cannot be read.
const RuleLine = "ledger-line"

// ReadLedger reads the ledger. Lines that cannot be read are problems and
// hide nothing else; the ledger is only appended to, so they stay.
func ReadLedger(path string, data []byte) ([]Event, []knowledge.Problem) {
	var events []Event
	var problems []knowledge.Problem
	number := 0
	for raw := range bytes.Lines(bytes.TrimPrefix(data, textfile.ByteOrderMark)) {
		number++
		body := bytes.TrimSpace(raw)
		if len(body) == 0 {
			continue
		}
		e, err := parseEvent(body)
		if err != nil {
			problems = append(problems, knowledge.Problem{
				Path: path, Line: number, Rule: RuleLine,
				Text: fmt.Sprintf("The line cannot be read (%s); it is kept and not used.", fields.WithoutPackage(err)),
			})
			continue
		}
		events = append(events, e)
	}
	return events, problems
}

func parseEvent(line []byte) (Event, error) {
	var e Event
	if !utf8.Valid(line) {
		return e, fmt.Errorf("it is not UTF-8")
	}
	if err := json.Unmarshal(line, &e); err != nil {
		return e, err
	}
	switch {
	case e.Event != EventSeen && e.Event != EventVerdict && e.Event != EventUndone:
		return e, fmt.Errorf("the event %q is not known here", e.Event)
	case e.ID == "" || e.Type == "":
		return e, fmt.Errorf("it has no observationId or type")
	}
	e.At = e.At.UTC()
	return e, nil
}

// Line returns the event as one line of the ledger, with its line end.
func (e Event) Line() []byte {
	e.At = e.At.UTC()
	return append(fields.JSON(e), '\n')
}

// Name identifies a verdict among those of its key, for the event that undoes
// it: its commit, or its time when it has none.
func (e Event) Name() string {
	return cmp.Or(e.Commit, e.At.UTC().Format(time.RFC3339Nano))
}

// Open returns the verdicts that stand, by artifact. Events count in
// the order of the ledger: a verdict opens; one of the same name replaces the
// former; a committed one completes the staged and uncommitted ones of its
// artifact; undone closes the one it names, or all when it names none.
func Open(events []Event) map[knowledge.Key][]Event {
	open := map[knowledge.Key][]Event{}
	for _, e := range events {
		k := e.Key()
		switch e.Event {
		case EventVerdict:
			open[k] = opened(open[k], e)
		case EventUndone:
			open[k] = slices.DeleteFunc(open[k], func(v Event) bool {
				return e.Verdict == "" || v.Name() == e.Verdict
			})
		}
		if len(open[k]) == 0 {
			delete(open, k)
		}
	}
	return open
}

func opened(standing []Event, e Event) []Event {
	standing = slices.DeleteFunc(standing, func(v Event) bool {
		replaced := v.Name() == e.Name() || (isCommitted(e) && !isCommitted(v))
		if replaced {
			e.N = max(e.N, v.N)
			e.ContentKey = cmp.Or(e.ContentKey, v.ContentKey)
		}
		return replaced
	})
	return append(standing, e)
}

func isCommitted(e Event) bool { return e.How == HowCommitted || e.How == HowCommand }
