package scan

import (
	"strings"

	"github.com/lessons-cli/lessons/scan/transcript"
)

// weighs says whether a step can weigh anything: what the agent reads does not.
func weighs(s *Step) bool { return speaks(s) || changes(s) }

// speaks says whether a step is a text of the agent.
func speaks(s *Step) bool {
	return s.Kind == transcript.Assistant && strings.TrimSpace(s.Text) != ""
}

// changes says whether a step is a call that does more than read.
func changes(s *Step) bool {
	return s.Kind == transcript.ToolCall && (isEdit(s.Tool) || isShell(s.Tool))
}

func runs(s *Step) bool { return s.Kind == transcript.ToolCall && isShell(s.Tool) }

// lastWords returns the person's last message, or their words at a refused call,
// and what the agent said and did since then that can prove them, oldest first. The
// message is nil when it is too long ago.
func (w *Window) lastWords() (said *Step, acts []*Step) {
	n := 0
	for s := range w.back(w.seq, "") {
		switch s.Kind {
		case transcript.User, transcript.Rejection:
			if s.Kind == transcript.User || s.speech().n > 0 {
				return s, w.actsSince(s)
			}
		case transcript.Compaction, transcript.Interrupt:
			return nil, nil
		case transcript.Assistant, transcript.ToolCall:
			if n++; n > proofSteps {
				return nil, nil
			}
		}
	}
	return nil, nil
}

// actsSince returns what the agent said and did since some words that can prove them.
func (w *Window) actsSince(said *Step) []*Step {
	acts := make([]*Step, 0, proofSteps)
	for _, s := range w.steps[said.seq+1-w.steps[0].seq:] {
		if s.Agent == "" && weighs(s) {
			acts = append(acts, s)
		}
	}
	return acts
}
