package gemini

import (
	"encoding/json"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/internal/agent"
	"github.com/lessons-cli/lessons/internal/agent/payload"
)

// Obstacles implements [agent.Inspector]: hooks can be switched off as a whole
// or by name, and the settings of a folder that is not trusted are not read.
func (Client) Obstacles(home, repo fs.FS, root string) []agent.Obstacle {
	var found []agent.Obstacle
	trust := true
	for _, file := range []struct {
		fsys fs.FS
		path string
		name string
	}{{home, "settings.json", "settings.json in Gemini's own folder"}, {repo, SettingsPath, SettingsPath}} {
		doc, err := fs.ReadFile(file.fsys, file.path)
		if err != nil {
			continue // a file that is not there switches nothing off
		}
		o, err := payload.Parse(doc)
		if err != nil {
			found = append(found, agent.Obstacle{Text: file.name + ": " + err.Error(), Next: "mend it"})
			continue
		}
		config := o.Object("hooksConfig")
		if config.Has("enabled") && !config.Flag("enabled") {
			found = append(found, agent.Obstacle{Text: "hooks are switched off in " + file.name, Next: "take out hooksConfig.enabled"})
		}
		var disabled []string
		if json.Unmarshal(config["disabled"], &disabled) == nil && slices.ContainsFunc(disabled, func(s string) bool { return s == "lessons" || ours(s) }) {
			found = append(found, agent.Obstacle{Text: "lessons is disabled in " + file.name, Next: "take it out of hooksConfig.disabled"})
		}
		if folder := o.Object("security").Object("folderTrust"); folder.Has("enabled") && file.path == "settings.json" {
			trust = folder.Flag("enabled")
		}
	}
	if trust && !trusted(home, root) {
		found = append(found, agent.Obstacle{Text: "Gemini does not trust this folder, so it does not read its hooks", Next: "start gemini here and accept, or use --skip-trust"})
	}
	return found
}

// trusted says whether a folder or one above it is trusted. The nearest rule
// counts.
func trusted(home fs.FS, root string) bool {
	data, err := fs.ReadFile(home, "trustedFolders.json")
	if err != nil {
		return false
	}
	o, err := payload.Parse(data)
	if err != nil {
		return false
	}
	best, answer := -1, false
	for dir := range o {
		level, at := o.Text(dir), strings.TrimSuffix(dir, "/")
		if level == "TRUST_PARENT" {
			at = strings.TrimSuffix(path.Dir(at), "/")
		}
		if (root == at || strings.HasPrefix(root, at+"/")) && len(at) > best {
			best, answer = len(at), level != "DO_NOT_TRUST"
		}
	}
	return answer
}
