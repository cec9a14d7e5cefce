package project

import (
	"errors"

	"github.com/lessons-cli/lessons/internal/inject"
)

// ErrBelowAgent: an agent runs the command, and a guard is not the agent's to
// pass.
var ErrBelowAgent = errors.New("only a person may do that, and this runs below an agent")

// agentVariables are set by agents in the environment of what they run.
var agentVariables = []string{"CLAUDECODE", "CODEX_SANDBOX", "CODEX_THREAD_ID", "GEMINI_CLI", "OPENCODE", "CURSOR_AGENT", "COPILOT_AGENT"}

// Allow lets the session that a guard held back last pass it, once or until the
// session ends.
func (p *Project) Allow(id string, once bool) error {
	for _, name := range agentVariables {
		if p.Env(name) != "" {
			return ErrBelowAgent
		}
	}
	if p.BelowAgent != nil && p.BelowAgent() {
		return ErrBelowAgent
	}
	return inject.Allow(p.sessionPlaces(), id, once)
}
