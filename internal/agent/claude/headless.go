package claude

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/lessons-cli/lessons/internal/agent"
)

// promptModel is what Claude Code is asked with where the person chose none.
const promptModel = "sonnet"

// Prompt implements [agent.Prompter]. The system prompt replaces the one that teaches
// tools, so that a question costs what it says. Other people's hooks stay quiet
// as ours do; signing in works as always.
func (Client) Prompt(model string) agent.Headless {
	if model == "" {
		model = promptModel
	}
	return agent.Headless{
		Program: "claude",
		Args: []string{
			"-p", "--model", model, "--output-format", "json", "--tools", "", "--no-session-persistence", "--strict-mcp-config",
			"--settings", `{"disableAllHooks":true}`, "--system-prompt", agent.PromptSystem,
		},
		Answer: headlessAnswer,
	}
}

// headlessAnswer reads the one object that --output-format json prints.
func headlessAnswer(stdout []byte) (string, error) {
	var result struct {
		Type    string `json:"type"`
		Subtype string `json:"subtype"`
		IsError bool   `json:"is_error"`
		Result  string `json:"result"`
	}
	if err := json.Unmarshal(stdout, &result); err != nil || result.Type != "result" {
		return "", fmt.Errorf("claude did not print its result as JSON")
	}
	if result.IsError || result.Subtype != "success" {
		return "", fmt.Errorf("claude ended with %s: %s", result.Subtype, strings.TrimSpace(result.Result))
	}
	return result.Result, nil
}
