package scan

import (
	"strings"

	"github.com/lessons-cli/lessons/scan/transcript"
)

// A talk is what the agent did since the person last spoke to it. It follows from
// the events, and the window keeps it, because it is asked for at most of them.
type talk struct {
	said *Step   // the person's message, or their words at a refused call
	acts []*Step // what the agent said and did since then that can prove the words, oldest first
	n    int     // how much it said and did altogether

	answers *occasion // what the message answers to, once somebody asked
	weighed weighed   // what was found to be
	enough  bool      // that it proves a correction, or that it does not
}

// weighed are the first acts after a message, and the occasion before it, which
// only loses its oldest steps, so that its length tells it.
type weighed struct{ acts, turn, earlier int }

func (t *talk) add(s *Step) {
	switch s.Kind {
	case transcript.User:
		t.begin(s)
	case transcript.Rejection:
		if s.speech().n > 0 {
			t.begin(s)
		}
	case transcript.Compaction, transcript.Interrupt:
		t.begin(nil)
	case transcript.Assistant, transcript.ToolCall:
		if t.n++; t.n <= proofSteps && weighs(s) {
			t.acts = append(t.acts, s)
		}
	}
}

func (t *talk) begin(said *Step) {
	clear(t.acts)
	*t = talk{said: said, acts: t.acts[:0]}
}

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
// and what the agent did since then that can prove them. The message is nil when
// it is too long ago.
func (w *Window) lastWords() (said *Step, acts []*Step) {
	t := &w.talk
	if t.said == nil || t.said.seq < w.steps[0].seq || t.n > proofSteps {
		return nil, nil
	}
	return t.said, t.acts
}

// proven is [proven] of the first acts of the talk, which is found out once.
func (t *talk) proven(sp *speech, c *occasion, acts int) bool {
	if now := (weighed{acts, len(c.turn), len(c.earlier)}); acts > 0 && t.weighed != now {
		t.weighed, t.enough = now, proven(sp, c, t.acts[:acts])
	}
	return acts > 0 && t.enough
}
