package scan

import (
	"slices"
	"time"

	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/internal/redact"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/observe"
	"github.com/lessons-cli/lessons/scan/transcript"
)

// Reports is what a text declares in its blocks, each kind in the order of the
// text. Texts are as written: redact them before they are stored.
type Reports struct {
	Lessons   []Tag
	Decisions []Choice
	Processes []ProcessBlock
	Cancels   []Cancel
	None      []int // lines that say that there is nothing to report
	Flaws     []Flaw
}

// ParseReports reads the blocks of an agent's text. One that lacks what it needs is
// a flaw, and never hides the others.
func ParseReports(text string) Reports {
	blocks, flaws := extract(text)
	r := Reports{Flaws: flaws}
	for _, b := range blocks {
		lacks := ""
		switch b.open {
		case lessonOpen:
			lacks = r.lesson(b)
		case decisionOpen:
			lacks = r.decision(b)
		case blockOpen:
			lacks = r.process(b)
		case cancelOpen:
			lacks = r.cancel(b)
		case noneTag:
			r.None = append(r.None, b.line)
		}
		if lacks != "" {
			r.Flaws = append(r.Flaws, Flaw{b.line, ruleOf(b.open), lacks})
		}
	}
	return r
}

// reports finds the blocks in what the agent says. Tool results, the person's words
// and injected context are other events and never looked at.
type reports struct{}

func (reports) Detect(w *Window) []finding {
	s := w.Last()
	if s.Kind != transcript.Assistant {
		return nil
	}
	found := reportFindings(s.Text)
	for i := range found {
		found[i].line, found[i].at = s.Line, s.Time
	}
	return found
}

// ParseBlocks reads the blocks of a text that a person gave, such as `lessons add`
// on standard input, as signals without a session. Name and the line within the
// text locate its problems.
func ParseBlocks(name, text string, r *redact.Redactor, at time.Time) ([]observe.Signal, []knowledge.Problem) {
	var (
		signals  []observe.Signal
		problems []knowledge.Problem
	)
	for _, f := range reportFindings(text) {
		switch {
		case f.flaw != nil:
			problems = append(problems, knowledge.Problem{Path: name, Line: f.flaw.Line, Rule: f.flaw.Rule, Text: f.flaw.Text})
		case f.cancel == "":
			f.at = at
			signals = append(signals, signalOf(f, r, "", nil))
		}
	}
	return signals, problems
}

// reportFindings is what the blocks of a text teach.
func reportFindings(text string) []finding {
	r := ParseReports(text)
	return slices.Concat(
		lists.Map(r.Lessons, Tag.finding), lists.Map(r.Decisions, Choice.finding), lists.Map(r.Processes, ProcessBlock.finding),
		lists.Map(r.Cancels, func(c Cancel) finding { return finding{cancel: c.Prefix} }),
		lists.Map(r.Flaws, func(f Flaw) finding { return finding{flaw: &f} }),
	)
}
