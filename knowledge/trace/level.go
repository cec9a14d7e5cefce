package trace

import (
	"encoding/json"
	"fmt"
	"time"
)

// Level is how much of a trace is told: first what there is, then whether it is of use,
// then all of it.
type Level string

const (
	Metadata Level = "metadata" // id, type, timestamp, agent
	Summary  Level = "summary"  // and what happened, and why
	Full     Level = "full"
)

// budgets are how many tokens one answer may take.
var budgets = map[Level]int{Metadata: 500, Summary: 1000, Full: 2000}

// bytesPerToken is what a token takes, about.
const bytesPerToken = 4

// Told is a trace at the level of metadata or summary.
type Told struct {
	ID        string    `json:"id"`
	Type      Type      `json:"type"`
	Timestamp time.Time `json:"timestamp"`
	Agent     string    `json:"agent,omitempty"`
	What      string    `json:"what,omitempty"`
	Why       string    `json:"why,omitempty"`
}

// At is a trace at a level.
func (t Trace) At(level Level) any {
	if level == Full {
		return t
	}
	told := Told{ID: t.ID, Type: t.Type, Timestamp: t.Timestamp, Agent: t.Context.Agent}
	if level == Summary {
		told.What, told.Why = t.Event.Happened, t.Event.Why
	}
	return told
}

// Answer is the first of some traces, as many as the budget of their level takes, and how many were
// left out. One is told in any case.
type Answer struct {
	Traces  []json.RawMessage `json:"traces"`
	LeftOut int               `json:"left_out,omitempty"`
	Told    []Trace           `json:"-"` // the same, for whoever prints them
}

// Within tells traces at a level within its budget.
func Within(all []Trace, level Level) (Answer, error) {
	budget, ok := budgets[level]
	if !ok {
		return Answer{}, fmt.Errorf("level is %q, and must be one of metadata, summary, full", level)
	}
	a, room := Answer{Traces: []json.RawMessage{}}, budget*bytesPerToken
	for i, t := range all {
		line, err := json.Marshal(t.At(level))
		if err != nil {
			return a, err
		}
		if room -= len(line) + 1; room < 0 && i > 0 {
			a.LeftOut = len(all) - i
			break
		}
		a.Traces, a.Told = append(a.Traces, line), append(a.Told, t)
	}
	return a, nil
}
