package codex

import "github.com/lessons-cli/lessons/internal/agent"

// Prompt implements [agent.Prompter]. Codex has no switch for all tools: those that
// run or change something are off, and the sandbox lets nothing be written.
// Settings that a version does not know are ignored by it.
func (Client) Prompt(model string) agent.Headless {
	args := []string{
		"exec", "--skip-git-repo-check", "--ephemeral", "--sandbox", "read-only", "--color", "never",
		"-c", "features.shell_tool=false", "-c", "features.multi_agent=false", "-c", "web_search=disabled", "-c", "skills.include_instructions=false",
	}
	if model != "" {
		args = append(args, "--model", model)
	}
	return agent.Headless{Program: "codex", Args: append(args, "-")}
}
