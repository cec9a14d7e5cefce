package scan

import (
	"time"

	"github.com/lessons-cli/lessons/internal/redact"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/observe"
)

// ParseBlocks reads the #lesson and [PROCESS_KNOWLEDGE] blocks of a text that a
// person gave, such as `lessons add` on standard input, as signals without a
// session. Name and the line within the text locate its problems.
func ParseBlocks(name, text string, r *redact.Redactor, at time.Time) ([]observe.Signal, []knowledge.Problem) {
	var (
		signals  []observe.Signal
		problems []knowledge.Problem
	)
	for _, f := range explicitFindings(text) {
		if f.flaw != nil {
			problems = append(problems, knowledge.Problem{Path: name, Line: f.flaw.Line, Rule: f.flaw.Rule, Text: f.flaw.Text})
			continue
		}
		if f.cancel != "" {
			continue
		}
		f.at = at
		signals = append(signals, signalOf(f, r, "", nil))
	}
	return signals, problems
}

// explicitFindings reads both tagged formats of a text.
func explicitFindings(text string) []finding {
	return append(lessonFindings(text), processFindings(text)...)
}
