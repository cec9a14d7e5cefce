package hook

import (
	"strings"

	"github.com/lessons-cli/lessons/internal/agent"
	"github.com/lessons-cli/lessons/internal/inject"
	"github.com/lessons-cli/lessons/knowledge/statement"
)

// ask is the line in which the agent that was there is asked whether what just happened
// holds for later sessions; empty: there is no cause, or it was asked often enough. It
// names the block that answers, because the protocol may be far behind by now.
func ask(most int, s *inject.Session, e agent.Event) string {
	if most == 0 || e.AgentID != "" || !e.Can.Has(agent.TellModel) || s.AskedOut(most) {
		return ""
	}
	thing, what := "", ""
	switch {
	case e.Name == agent.UserPromptSubmit:
		thing, what = stated(e.Prompt)
	case e.Name == agent.PostToolUse && e.Call != nil:
		thing, what = mended(s, e.Call)
	}
	if thing == "" {
		return ""
	}
	id := s.ClaimAsk(thing, most)
	if id == "" {
		return ""
	}
	return "[lessons] ask " + id + ": " + what + " If that holds for later sessions too, end your reply with one block, no code fence, each field on its own line: " +
		"#lesson, tool:, trigger:, mistake:, fix:, #/lesson; or #decision, decision:, because:, about:, #/decision. If it does not, end with the line #lesson:none"
}

// maxPrompt is the longest prompt that is read, in bytes: a longer one holds something
// that was pasted.
const maxPrompt = 16 << 10

// stated says whether a prompt may state something that stands, and names it.
func stated(prompt string) (thing, what string) {
	prompt = strings.TrimSpace(prompt)
	if len(prompt) > maxPrompt || strings.HasPrefix(prompt, "<") {
		return "", ""
	}
	all := statement.Asks(prompt)
	if len(all) == 0 {
		return "", ""
	}
	if all[0].Rule != "" {
		prompt = all[0].Rule // the same in other words around it
	}
	return "said " + strings.ToLower(strings.Join(strings.Fields(prompt), " ")), "The user may have stated a rule or a decision."
}
