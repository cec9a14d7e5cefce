package agent

import (
	"cmp"
	"slices"
)

// Learning is the environment variable that marks everything below the model
// step: hooks are silent there, and no further model step starts.
const Learning = "LESSONS_LEARNING"

// Headless is how an agent's program answers one prompt and nothing else: no tools,
// no hooks, no session kept, as far as the agent knows how. The prompt comes on
// standard input, the answer on standard output.
type Headless struct {
	Program string
	Args    []string
	Env     []string          // name=value, beside what the person's environment holds
	Files   map[string]string // written into the folder in which it runs, before it runs
	// Answer takes the model's words out of what the program printed; nil: they
	// are all of it.
	Answer func(stdout []byte) (string, error)
}

// asking is what an agent's program is started with to answer a prompt.
type asking struct {
	before, after []string // arguments on both sides of the model
	model         string   // where the person chose none; empty: the agent's own choice
	env           []string
	files         map[string]string
	answer        func(stdout []byte) (string, error)
}

// Prompt says how the agent's program is asked; ok is false where it cannot be.
// An empty model stands for the one that suits the task, or for the agent's own
// choice.
func (c *Client) Prompt(model string) (h Headless, ok bool) {
	a := c.asking
	if a == nil {
		return Headless{}, false
	}
	model = cmp.Or(model, a.model)
	args := slices.Clone(a.before)
	if model != "" {
		args = append(args, "--model", model)
	}
	return Headless{Program: c.program, Args: append(args, a.after...), Env: a.env, Files: a.files, Answer: a.answer}, true
}

// promptSystem is what an agent that lets its system prompt be replaced is told.
const promptSystem = "You name and phrase what was found in sessions of coding agents. You answer with one JSON object and nothing else."
