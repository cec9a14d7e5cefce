package learn

import (
	_ "embed"
	"encoding/json"
	"strings"

	"github.com/lessons-cli/lessons/scan"
)

//go:embed prompt.md
var promptText string

//go:embed answer.schema.json
var answerSchema string

// instructions are what every prompt begins with.
var instructions = scan.ModelPrompt + " v2\n" + strings.Replace(promptText, "{{schema}}", strings.TrimSpace(answerSchema), 1)

// Prompt is what the model is asked. The same batch gives the same bytes.
func (b Batch) Prompt() string {
	return instructions + "\n<known>\n" + jsonLines(b.known()) + "</known>\n<episodes>\n" + jsonLines(b.Episodes) + "</episodes>\n"
}

// jsonLines writes an object a line. JSON writes < as an escape, so that no text ends
// the data.
func jsonLines[T any](all []T) string {
	var data strings.Builder
	for _, one := range all {
		line, err := json.Marshal(one)
		if err != nil {
			panic("learn: episodes are plain data: " + err.Error())
		}
		data.Write(append(line, '\n'))
	}
	return data.String()
}

// again is the prompt with the reasons for which the first answer was refused.
func (b Batch) again(reasons []string) string {
	return b.Prompt() + "\nYour last answer was refused:\n- " + strings.Join(reasons, "\n- ") + "\nAnswer once more for these episodes.\n"
}
