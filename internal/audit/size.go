package audit

import "github.com/lessons-cli/lessons/knowledge"

// maxBytes is how much of instructions Codex reads; Claude Code warns from 40000 characters on.
const maxBytes = 32 << 10

// bytesPerToken is what a token of English text is worth, roughly.
const bytesPerToken = 4

// Cost is what an instruction file costs.
type Cost struct {
	Path   string   `json:"path"`
	Bytes  int      `json:"bytes"`
	Tokens int      `json:"tokens"`
	Scope  []string `json:"scope,omitempty"` // of the files for which it is read; none: in every session
}

// Costs are what the files cost, in their order.
func Costs(files []Source) []Cost {
	all := []Cost{}
	for _, f := range files {
		all = append(all, Cost{f.Path, f.Bytes, (f.Bytes + bytesPerToken - 1) / bytesPerToken, f.Scope})
	}
	return all
}

func tooLarge(files []Source) []knowledge.Problem {
	var found []knowledge.Problem
	for _, f := range files {
		if f.Bytes > maxBytes {
			l := line{file: f.Path, number: 1}
			found = append(found, l.problem(TooLarge, "%d bytes: Codex reads the first %d alone, and every session pays for all of it", f.Bytes, maxBytes))
		}
	}
	return found
}
