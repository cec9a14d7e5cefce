package scan

import "github.com/lessons-cli/lessons/scan/transcript"

func commandStep(line string) *Step {
	return &Step{Event: transcript.Event{Arguments: transcript.Arguments{Command: line}}}
}
