package tally

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/lessons-cli/lessons/knowledge/problem"
	"github.com/lessons-cli/lessons/knowledge/prose"
)

// Account is a verdict as people and programs read it.
type Account struct {
	Standing          Standing         `json:"standing"`
	Why               string           `json:"why"`
	Nature            problem.Nature   `json:"nature,omitempty"`
	Problem           string           `json:"problem,omitempty"`
	Failed            int              `json:"failed"`          // with the problem that it is about
	Sessions          int              `json:"sessions"`        // in which it failed or was avoided
	Otherwise         int              `json:"failedOtherwise"` // with another one
	Succeeded         int              `json:"succeeded"`
	Fired             int              `json:"fired"` // stops
	Heeded            int              `json:"heeded"`
	RepeatedFailed    int              `json:"repeatedFailed"`
	RepeatedSucceeded int              `json:"repeatedSucceeded"`
	Unless            []string         `json:"unless,omitempty"`
	Against           []Counterexample `json:"against,omitempty"` // the latest first
}

// Counterexample is a call that worked and that the lesson matches.
type Counterexample struct {
	Day     string `json:"day,omitempty"`
	Session string `json:"session"`
	Call    string `json:"call"`
}

// maxAgainst is how many calls an account names, maxCall how long each may be.
const (
	maxAgainst = 8
	maxCall    = 120
)

// Account tells a verdict.
func (v Verdict) Account() Account {
	t := v.Tally
	a := Account{
		Standing: v.Standing, Why: v.Why, Nature: v.Nature, Problem: v.Problem, Unless: v.Unless,
		Failed: len(t.Failed), Sessions: sessions(t.Failed, t.Heeded), Otherwise: len(t.Otherwise), Succeeded: len(t.OK) + v.Elsewhere,
		Fired: t.Fired, Heeded: len(t.Heeded), RepeatedFailed: t.RepeatedFailed, RepeatedSucceeded: t.RepeatedOK,
	}
	for _, m := range slices.Backward(t.OK[max(0, len(t.OK)-maxAgainst):]) {
		c := Counterexample{Session: m.Session, Call: m.String()}
		if m.Call.At != 0 {
			c.Day = time.UnixMilli(m.Call.At).UTC().Format(time.DateOnly)
		}
		a.Against = append(a.Against, c)
	}
	return a
}

// String is the call in one line.
func (m Match) String() string {
	return strings.TrimSpace(m.Call.Tool + " " + prose.Shorten(prose.OneLine(m.Call.Input), maxCall))
}

// Silent says whether history has nothing to say of the lesson.
func (a Account) Silent() bool {
	return a.Standing == Untried || a.Standing == Typed && a.Failed+a.Otherwise+a.Fired == 0
}

// String is the account in one line: what the lesson does, why, and the tally.
func (a Account) String() string {
	parts := []string{fmt.Sprintf("past calls: %d failed, %d succeeded", a.Failed, a.Succeeded)}
	if a.Otherwise > 0 {
		parts = append(parts, fmt.Sprintf("%d failed otherwise", a.Otherwise))
	}
	if a.Fired > 0 {
		parts = append(parts, fmt.Sprintf("%d stopped: %d heeded, %d repeated and failed, %d repeated and succeeded", a.Fired, a.Heeded, a.RepeatedFailed, a.RepeatedSucceeded))
	}
	if len(a.Unless) > 0 {
		parts = append(parts, "not with "+strings.Join(a.Unless, ", "))
	}
	if a.Standing == Untried {
		return string(a.Standing) + ": " + a.Why
	}
	return string(a.Standing) + ": " + a.Why + " (" + strings.Join(parts, "; ") + ")"
}
