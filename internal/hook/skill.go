package hook

import (
	"encoding/json"
	"os"
	"path/filepath"

	"github.com/lessons-cli/lessons/internal/agent"
)

// skillThere says whether a call asks for a skill or command that the work tree has now.
func skillThere(root string, e agent.Event) bool {
	var in struct{ Skill, Command string }
	if e.Call.Tool != "Skill" || json.Unmarshal(e.Call.Input, &in) != nil || in.Skill+in.Command == "" {
		return false
	}
	name := filepath.Base(in.Skill + in.Command)
	for _, place := range []string{".claude/skills/" + name, ".agents/skills/" + name, ".claude/commands/" + name + ".md"} {
		if _, err := os.Stat(filepath.Join(root, place)); err == nil {
			return true
		}
	}
	return false
}
