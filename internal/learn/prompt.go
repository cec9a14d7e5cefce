package learn

import (
	_ "embed"
	"strings"

	"github.com/lessons-cli/lessons/internal/jsonlines"
	"github.com/lessons-cli/lessons/scan"
)

//go:embed prompt.md
var promptText string

//go:embed answer.schema.json
var answerSchema string

// instructions are what every prompt begins with.
var instructions = scan.ModelPrompt + " v2\n" + strings.Replace(promptText, "{{schema}}", strings.TrimSpace(answerSchema), 1)

// Prompt is what the model is asked. The same batch gives the same bytes. JSON writes < as
// an escape, so that no text ends the data.
func (b Batch) Prompt() string {
	known, episodes := jsonlines.Write(b.known()), jsonlines.Write(b.Episodes)
	return instructions + "\n<known>\n" + string(known) + "</known>\n<episodes>\n" + string(episodes) + "</episodes>\n"
}

// again is the prompt with the reasons for which the first answer was refused.
func (b Batch) again(reasons []string) string {
	return b.Prompt() + "\nYour last answer was refused:\n- " + strings.Join(reasons, "\n- ") + "\nAnswer once more for these episodes.\n"
}
