package project

import (
	"context"
	"encoding/json"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/lessons-cli/lessons/internal/fsx"
	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/scan"
)

// maxDoc bounds what is read of one document, in bytes.
const maxDoc = 256 << 10

// docs are the files at the root that tell agents what to do, or hold them to
// it: what stands there is no lesson any more.
var docs = []string{
	"README.md", "README", "README.rst", "CONTRIBUTING.md", "AGENTS.md", "CLAUDE.md", ".claude/CLAUDE.md", "GEMINI.md", ".cursorrules",
	".github/copilot-instructions.md", ".golangci.yml", ".golangci.yaml", ".eslintrc.json", "eslint.config.js", "biome.json", "ruff.toml", ".pre-commit-config.yaml", ".editorconfig",
}

// Surroundings is what this repository says by itself. Its names are read when the gate of quality first asks.
func (p *Project) Surroundings(ctx context.Context) scan.Surroundings {
	around := scan.Surroundings{Docs: p.docs()}
	if p.Git == nil {
		return around
	}
	names := sync.OnceValue(func() map[string]bool { return p.names(ctx) })
	around.Has = func(name string) bool { return names()[strings.TrimSuffix(strings.TrimPrefix(name, "./"), "/")] }
	return around
}

func (p *Project) docs() []string {
	var texts []string
	for _, name := range docs {
		if data, err := fsx.ReadBelow(p.FS, p.Root, name, maxDoc); err == nil && len(data) > 0 {
			texts = append(texts, scan.FlatDoc(string(data)))
		}
	}
	return texts
}

// names are the tracked paths, their folders and base names, and what the
// manifests declare. What cannot be read names nothing.
func (p *Project) names(ctx context.Context) map[string]bool {
	names := map[string]bool{}
	entries, err := p.Git.Index(ctx, nil)
	if err != nil {
		return names
	}
	for _, e := range entries {
		names[e.Path] = true
		if base := path.Base(e.Path); strings.Contains(base, ".") || base != strings.ToLower(base) {
			names[base] = true
		}
		for dir := path.Dir(e.Path); dir != "." && !names[dir]; dir = path.Dir(dir) {
			names[dir] = true
		}
	}
	for _, m := range manifestReaders {
		if data, err := fsx.ReadBelow(p.FS, p.Root, m.file, maxDoc); err == nil {
			for _, name := range m.read(data) {
				names[name] = true
			}
		}
	}
	return names
}

// manifestReaders find the dependencies, scripts and targets of a manifest.
var manifestReaders = []struct {
	file string
	read func([]byte) []string
}{
	{"package.json", packageNames},
	{"go.mod", goModules},
	{"Makefile", lineNames(`(?m)^([A-Za-z][\w-]+):`)},
	{"requirements.txt", lineNames(`(?m)^([A-Za-z][\w.-]+)`)},
	{"Cargo.toml", lineNames(`(?m)^([a-z][\w-]+)\s*=\s*(?:"[\d^~=]|\{)`)},
	{"pyproject.toml", lineNames(`(?m)^\s*"?([A-Za-z][\w.-]+)(?:\[[\w,]+\])?\s*(?:[=<>~!]=|=\s*"[\d^~<>=*])`)},
}

func packageNames(data []byte) []string {
	var manifest struct{ Dependencies, DevDependencies, PeerDependencies, Scripts map[string]json.RawMessage }
	if json.Unmarshal(data, &manifest) != nil {
		return nil
	}
	var names []string
	for _, part := range []map[string]json.RawMessage{manifest.Dependencies, manifest.DevDependencies, manifest.PeerDependencies, manifest.Scripts} {
		names = slices.AppendSeq(names, maps.Keys(part))
	}
	return names
}

func goModules(data []byte) []string {
	var names []string
	for _, module := range lineNames(`(?m)^(?:require\s+|\s+)([\w.-]+\.[\w.-]+/\S+) v`)(data) {
		names = append(names, module)
		base := path.Base(module)
		if len(base) > 1 && base[0] == 'v' && strings.Trim(base[1:], "0123456789") == "" {
			base = path.Base(path.Dir(module))
		}
		names = append(names, base)
	}
	return names
}

// lineNames finds the first group of a pattern; it is compiled when a manifest
// is there.
func lineNames(pattern string) func([]byte) []string {
	return func(data []byte) []string {
		return lists.Map(regexp.MustCompile(pattern).FindAllSubmatch(data, -1), func(m [][]byte) string { return string(m[1]) })
	}
}
