package gemini

import (
	"encoding/json"
	"errors"

	"github.com/lessons-cli/lessons/internal/agent"
)

const (
	policyFile = "no-tools.toml"
	policyText = "[[rule]]\ntoolName = \"*\"\ndecision = \"deny\"\npriority = 999\n"
)

// Prompt implements [agent.Prompter]. The policy takes all tools from the model; the
// argument of -p stands behind what comes on standard input.
func (Client) Prompt(model string) agent.Headless {
	args := []string{"--output-format", "json", "--policy", policyFile, "--extensions", "none"}
	if model != "" {
		args = append(args, "--model", model)
	}
	return agent.Headless{
		Program: "gemini",
		Args:    append(args, "--prompt", "Answer now."),
		Env:     []string{"GEMINI_CLI_NO_RELAUNCH=true"},
		Files:   map[string]string{policyFile: policyText},
		Answer:  headlessAnswer,
	}
}

// headlessAnswer reads the one object that --output-format json prints.
func headlessAnswer(stdout []byte) (string, error) {
	var result struct {
		Response string `json:"response"`
		Error    *struct {
			Message string `json:"message"`
		} `json:"error"`
	}
	switch err := json.Unmarshal(stdout, &result); {
	case err != nil:
		return "", errors.New("gemini did not print its answer as JSON")
	case result.Error != nil:
		return "", errors.New("gemini says: " + result.Error.Message)
	}
	return result.Response, nil
}
