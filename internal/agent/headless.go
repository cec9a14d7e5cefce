package agent

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

// Prompter is a client whose program can be asked. An empty model stands for the
// one that suits the task, or for the agent's own choice.
type Prompter interface {
	Prompt(model string) Headless
}

// PromptSystem is what an agent that lets its system prompt be replaced is told.
const PromptSystem = "You name and phrase what was found in sessions of coding agents. You answer with one JSON object and nothing else."
