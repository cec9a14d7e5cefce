package flow

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// budgets are the tokens that the summary of a sub-agent may take.
var budgets = map[string]int{Initializer: 1500, Coder: 1000, Tester: 1000}

// bytesPerToken is what a token takes, about.
const bytesPerToken = 4

// Summary is what a sub-agent returned, held against its budget.
type Summary struct {
	Agent  string `json:"agent"`
	Tokens int    `json:"tokens"` // about
	Budget int    `json:"budget"` // 0: the agent has none
	Parts  []Part `json:"parts,omitempty"`
}

// Part is a part of a summary that takes much of it.
type Part struct {
	From   int    `json:"from"` // lines, from 1
	To     int    `json:"to"`
	Tokens int    `json:"tokens"`
	Begins string `json:"begins"`
}

// Measure holds a summary against its agent's budget. Of one that exceeds it the largest
// parts are named: those without which it would fit.
func Measure(agent, text string) Summary {
	s := Summary{Agent: agent, Tokens: tokens(text), Budget: budgets[agent]}
	if !s.Exceeds() {
		return s
	}
	parts := partsOf(text)
	slices.SortStableFunc(parts, func(a, b Part) int { return cmp.Compare(b.Tokens, a.Tokens) })
	left := s.Tokens
	for _, p := range parts {
		if left <= s.Budget {
			break
		}
		s.Parts = append(s.Parts, p)
		left -= p.Tokens
	}
	return s
}

// Exceeds says whether the summary is longer than its budget.
func (s Summary) Exceeds() bool { return s.Budget > 0 && s.Tokens > s.Budget }

// maxParts is how many parts a report names.
const maxParts = 3

// String says what exceeds, for the agent that wrote it.
func (s Summary) String() string {
	if !s.Exceeds() {
		return fmt.Sprintf("about %d tokens", s.Tokens)
	}
	text := fmt.Sprintf("This summary takes about %d tokens; %s may take %d.", s.Tokens, s.Agent, s.Budget)
	for _, p := range s.Parts[:min(len(s.Parts), maxParts)] {
		text += fmt.Sprintf(" Lines %d to %d take %d (%q).", p.From, p.To, p.Tokens, p.Begins)
	}
	return text + " Say what changed, what ran and what is open; name files in place of logs and outputs."
}

func tokens(text string) int { return (len(text) + bytesPerToken - 1) / bytesPerToken }

// partsOf takes a text apart at blank lines. A fenced block is one part.
func partsOf(text string) []Part {
	var parts []Part
	fenced, open := false, false
	n := 0
	for line := range strings.Lines(text) {
		n++
		blank := strings.TrimSpace(line) == ""
		if blank && !fenced {
			open = false
			continue
		}
		fence := strings.HasPrefix(strings.TrimSpace(line), "```")
		if !open || fence && !fenced {
			parts = append(parts, Part{From: n, Begins: firstWords(line)})
			open = true
		}
		last := &parts[len(parts)-1]
		last.To, last.Tokens = n, last.Tokens+tokens(line)
		if fence {
			open = !fenced // a block that ends is a part of its own
			fenced = !fenced
		}
	}
	return parts
}

// firstWords is what a part is known by.
func firstWords(line string) string {
	words := strings.Fields(line)
	return strings.ToValidUTF8(strings.Join(words[:min(len(words), 5)], " "), "")
}
