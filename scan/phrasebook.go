package scan

import (
	_ "embed" // the phrases

	"github.com/lessons-cli/lessons/internal/phrases"
)

var (
	//go:embed phrases/person.txt
	personPhrases string // what people say
	//go:embed phrases/answers.txt
	answerPhrases string // what they answer to an agent, and what it had asked
	//go:embed phrases/workflow.txt
	workflowPhrases string // how they tell a way of working
	//go:embed phrases/agent.txt
	agentPhrases string // what an agent says
	//go:embed phrases/output.txt
	outputPhrases string // what programs print
)

// phrasebook holds the expressions that detectors look for, by name.
var phrasebook = phrases.Must(personPhrases + answerPhrases + workflowPhrases + agentPhrases + outputPhrases)
