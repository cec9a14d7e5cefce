package stale

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/lessons-cli/lessons/internal/gitstate"
)

// goneTargets finds targets and scripts that their manifest had when the text was
// written and has not any more.
func goneTargets(ctx context.Context, repo gitstate.Repository, refs []anchored) ([]Finding, error) {
	texts := map[string]string{}
	read := func(commit, file string) (string, error) {
		name := commit + ":" + file
		if text, ok := texts[name]; ok {
			return text, nil
		}
		objects, err := repo.Objects(ctx, []string{name}, true)
		if err != nil {
			return "", err
		}
		texts[name] = string(objects[0].Data)
		return texts[name], nil
	}
	var found []Finding
	for _, r := range refs {
		file, target, _ := strings.Cut(r.Name, "#")
		then, err := read(r.commit, file)
		if err != nil {
			return nil, err
		}
		now, err := read("HEAD", file)
		if err != nil {
			return nil, err
		}
		if has(file, then, target) && !has(file, now, target) {
			found = append(found, r.finding(gitstate.Commit{}))
		}
	}
	return found, nil
}

// has says whether a manifest has a target.
func has(file, text, target string) bool {
	if file == "package.json" {
		var manifest struct {
			Scripts map[string]string `json:"scripts"`
		}
		if json.Unmarshal([]byte(text), &manifest) != nil {
			return false
		}
		_, ok := manifest.Scripts[target]
		return ok
	}
	for line := range strings.Lines(text) {
		names, _, ok := strings.Cut(line, ":")
		if !ok || strings.HasPrefix(line, "\t") || strings.HasPrefix(line, ".PHONY") {
			continue
		}
		for name := range strings.FieldsSeq(names) {
			if name == target {
				return true
			}
		}
	}
	return false
}
