package knowledge

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"time"
	"unicode/utf8"
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

// ParseLedger reads the ledger. Lines that cannot be read are problems and
// hide nothing else; the ledger is only appended to, so they stay.
func ParseLedger(path string, data []byte) ([]LedgerEvent, []Problem) {
	var events []LedgerEvent
	var problems []Problem
	number := 0
	for raw := range bytes.Lines(bytes.TrimPrefix(data, byteOrderMark)) {
		number++
		body := bytes.TrimSpace(raw)
		if len(body) == 0 {
			continue
		}
		e, err := parseLedgerEvent(body)
		if err != nil {
			problems = append(problems, Problem{
				Path: path, Line: number, Rule: "ledger-line",
				Text: fmt.Sprintf("The line cannot be read (%s); it is kept and not used.", withoutPackage(err)),
			})
			continue
		}
		events = append(events, e)
	}
	return events, problems
}

func parseLedgerEvent(line []byte) (LedgerEvent, error) {
	var e LedgerEvent
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
func (e LedgerEvent) Line() []byte {
	e.At = e.At.UTC()
	return append(encodeJSON(e), '\n')
}

// Name identifies a verdict among those of its key, for the event that undoes
// it: its commit, or its time when it has none.
func (e LedgerEvent) Name() string {
	if e.Commit != "" {
		return e.Commit
	}
	return e.At.UTC().Format(time.RFC3339Nano)
}

// OpenVerdicts returns the verdicts that stand, by artifact. Events count in
// the order of the ledger: a verdict opens; one of the same name replaces the
// former; a committed one completes the staged and uncommitted ones of its
// artifact; undone closes the one it names, or all when it names none.
func OpenVerdicts(events []LedgerEvent) map[Key][]LedgerEvent {
	open := map[Key][]LedgerEvent{}
	for _, e := range events {
		k := e.Key()
		switch e.Event {
		case EventVerdict:
			open[k] = opened(open[k], e)
		case EventUndone:
			open[k] = slices.DeleteFunc(open[k], func(v LedgerEvent) bool {
				return e.Verdict == "" || v.Name() == e.Verdict
			})
		}
		if len(open[k]) == 0 {
			delete(open, k)
		}
	}
	return open
}

func opened(standing []LedgerEvent, e LedgerEvent) []LedgerEvent {
	standing = slices.DeleteFunc(standing, func(v LedgerEvent) bool {
		replaced := v.Name() == e.Name() || (isCommitted(e) && !isCommitted(v))
		if replaced {
			e.N = max(e.N, v.N)
			e.ContentKey = cmp.Or(e.ContentKey, v.ContentKey)
		}
		return replaced
	})
	return append(standing, e)
}

func isCommitted(e LedgerEvent) bool { return e.How == HowCommitted || e.How == HowCommand }
