package scan

import (
	"strings"

	"github.com/lessons-cli/lessons/scan/transcript"
)

// ModelPrompt begins every prompt of the model step. A session that opens with
// it is the tool's own work and teaches nothing, else the model would learn
// from what it was asked.
const ModelPrompt = "[lessons learn]"

// opening is the beginning of a session: what was said before the agent's first
// answer.
type opening struct {
	own  bool // it holds a prompt of the model step
	over bool
}

// see takes the next event. Some agents have words of their own stand before
// the prompt, so every message until the first answer is looked at.
func (o *opening) see(e transcript.Event) {
	switch {
	case o.over:
	case e.Kind != transcript.User:
		o.over = true
	case strings.HasPrefix(strings.TrimSpace(e.Text), ModelPrompt):
		o.own, o.over = true, true
	}
}
