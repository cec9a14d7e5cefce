package agent

import (
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/internal/agent/payload"
	"github.com/lessons-cli/lessons/internal/settings/hookfile"
)

// geminiObstacles: hooks can be switched off as a whole or by name, and the
// settings of a folder that is not trusted are not read.
func geminiObstacles(home, repo fs.FS, root string) []Obstacle {
	var found []Obstacle
	trust := true
	for _, file := range []struct {
		fsys fs.FS
		path string
		name string
	}{{home, "settings.json", "settings.json in Gemini's own folder"}, {repo, geminiSettings, geminiSettings}} {
		doc, err := fs.ReadFile(file.fsys, file.path)
		if err != nil {
			continue // a file that is not there switches nothing off
		}
		o, err := payload.Parse(doc)
		if err != nil {
			found = append(found, Obstacle{Text: file.name + ": " + err.Error(), Next: "correct it"})
			continue
		}
		config := o.Object("hooksConfig")
		if config.Has("enabled") && !config.Flag("enabled") {
			found = append(found, Obstacle{Text: "hooks are switched off in " + file.name, Next: "take out hooksConfig.enabled"})
		}
		if slices.ContainsFunc(config.Texts("disabled"), func(s string) bool { return s == "lessons" || hookfile.Ours("gemini", s) }) {
			found = append(found, Obstacle{Text: "lessons is disabled in " + file.name, Next: "take it out of hooksConfig.disabled"})
		}
		if folder := o.Object("security").Object("folderTrust"); folder.Has("enabled") && file.path == "settings.json" {
			trust = folder.Flag("enabled")
		}
	}
	if trust && !geminiTrusts(home, root) {
		found = append(found, Obstacle{Text: "Gemini does not trust this folder, so it does not read its hooks", Next: "start gemini here and accept, or use --skip-trust"})
	}
	return found
}

// geminiTrusts says whether a folder or one above it is trusted. The nearest rule
// counts.
func geminiTrusts(home fs.FS, root string) bool {
	rules := objectIn(home, "trustedFolders.json")
	best, answer := -1, false
	for dir := range rules {
		level, at := rules.Text(dir), strings.TrimSuffix(dir, "/")
		if level == "TRUST_PARENT" {
			at = strings.TrimSuffix(path.Dir(at), "/")
		}
		if (root == at || strings.HasPrefix(root, at+"/")) && len(at) > best {
			best, answer = len(at), level != "DO_NOT_TRUST"
		}
	}
	return answer
}
