package claude

import (
	"io/fs"

	"github.com/lessons-cli/lessons/internal/agent"
	"github.com/lessons-cli/lessons/internal/agent/payload"
)

// Obstacles implements [agent.Inspector]: a person or a team may have switched
// all hooks off.
func (Client) Obstacles(home, repo fs.FS, _ string) []agent.Obstacle {
	var found []agent.Obstacle
	for _, file := range []struct {
		fsys       fs.FS
		path, name string
	}{{home, "settings.json", "settings.json in Claude Code's own folder"}, {repo, SettingsPath, SettingsPath}, {repo, LocalSettingsPath, LocalSettingsPath}} {
		doc, err := fs.ReadFile(file.fsys, file.path)
		if err != nil {
			continue // a file that is not there switches nothing off
		}
		if o, err := payload.Parse(doc); err == nil && o.Flag("disableAllHooks") {
			found = append(found, agent.Obstacle{Text: "disableAllHooks is set in " + file.name, Next: "take it out"})
		}
	}
	return found
}
