package opencode

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"

	"github.com/lessons-cli/lessons/internal/agent"
)

// Prompt implements [agent.Prompter]. Where everything is denied the model is offered
// no tool; with a title OpenCode does not ask a model for one.
func (Client) Prompt(model string) agent.Headless {
	args := []string{"run", "--pure", "--format", "json", "--title", "lessons learn"}
	if model != "" {
		args = append(args, "--model", model)
	}
	return agent.Headless{
		Program: "opencode", Args: args, Answer: headlessAnswer,
		Env: []string{`OPENCODE_PERMISSION={"*":"deny"}`, "OPENCODE_DISABLE_AUTOUPDATE=1"},
	}
}

// headlessAnswer joins the texts of the events, one object a line.
func headlessAnswer(stdout []byte) (string, error) {
	var texts []string
	for line := range bytes.Lines(stdout) {
		var e struct {
			Type string `json:"type"`
			Part struct {
				Text string `json:"text"`
			} `json:"part"`
			Error json.RawMessage `json:"error"`
		}
		if json.Unmarshal(line, &e) != nil {
			continue // a notice between the events
		}
		switch e.Type {
		case "text":
			texts = append(texts, e.Part.Text)
		case "error":
			return "", errors.New("opencode says: " + string(e.Error))
		}
	}
	if len(texts) == 0 {
		return "", errors.New("opencode printed no answer")
	}
	return strings.Join(texts, "\n"), nil
}
