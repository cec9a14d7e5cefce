//go:build e2e

// Command witness stands in for lessons where a test is about an agent's
// contract and not about what lessons has to say: it writes down each event as
// the adapter reads it, and answers with fixed words.
package main

import (
	"encoding/json"
	"io"
	"os"
	"strings"

	"github.com/lessons-cli/lessons/internal/agent"
)

func main() {
	if len(os.Args) != 4 {
		os.Exit(1)
	}
	input, err := io.ReadAll(os.Stdin)
	if err != nil {
		panic(err)
	}
	for _, c := range []*agent.Client{agent.Claude, agent.Codex, agent.Gemini, agent.OpenCode} {
		if c.Name != os.Args[2] {
			continue
		}
		e, err := c.Decode(os.Args[3], input)
		if err != nil {
			panic(err)
		}
		note(e)
		if e.Name != "" {
			_, _ = os.Stdout.Write(c.Encode(e.Native, answer(e)))
		}
	}
}

// note appends the event to the file that WITNESS names.
func note(e agent.Event) {
	line, err := json.Marshal(e)
	if err != nil {
		panic(err)
	}
	f, err := os.OpenFile(os.Getenv("WITNESS"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		panic(err)
	}
	defer f.Close()
	if _, err := f.Write(append(line, '\n')); err != nil {
		panic(err)
	}
}

func answer(e agent.Event) agent.Answer {
	switch e.Name {
	case agent.SessionStart:
		return agent.Answer{Context: "WITNESS-START " + e.Source}
	case agent.UserPromptSubmit:
		return agent.Answer{Context: "WITNESS-PROMPT"}
	case agent.SubagentStart:
		return agent.Answer{Context: "WITNESS-SUBAGENT"}
	case agent.PreToolUse:
		switch {
		case strings.Contains(e.Call.Command, "forbidden"):
			return agent.Answer{Decision: agent.Deny, Reason: "WITNESS-DENIES"}
		case strings.Contains(e.Call.Command, "original") && e.Can.Has(agent.ChangeInput):
			return agent.Answer{Input: changed(e.Call.Input)}
		case strings.Contains(e.Call.Command, "quiet"):
			return agent.Answer{}
		}
		return agent.Answer{Context: "WITNESS-BEFORE"}
	case agent.PostToolUse:
		if e.Call.Failed {
			return agent.Answer{Context: "WITNESS-FIX " + e.Call.Tool}
		}
	case agent.Stop:
		if !e.Again && e.Can.Has(agent.HoldStop) && strings.Contains(e.Message, "too early") {
			return agent.Answer{Decision: agent.Block, Reason: "WITNESS-HOLDS"}
		}
	}
	return agent.Answer{}
}

func changed(input json.RawMessage) json.RawMessage {
	return json.RawMessage(strings.ReplaceAll(string(input), "original", "replaced"))
}
