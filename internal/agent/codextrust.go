package agent

import (
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/lessons-cli/lessons/internal/settings/hookfile"
	"github.com/lessons-cli/lessons/internal/settings/tomlscan"
)

// codexObstacles: Codex skips hooks that nobody has
// trusted, without a word, and does not even read those of a project that is
// not trusted.
func codexObstacles(home, repo fs.FS, root string) []Obstacle {
	config, err := fs.ReadFile(home, "config.toml")
	if err != nil {
		config = nil // a Codex that was never set up has trusted nothing
	}
	statements, err := tomlscan.Scan(config)
	if err != nil {
		return []Obstacle{{Text: "config.toml in Codex's own folder: " + err.Error(), Next: "mend it"}}
	}
	facts := factsOf(statements)
	var found []Obstacle
	if facts.off {
		found = append(found, Obstacle{Text: "hooks are switched off in config.toml", Next: "take out features.hooks = false"})
	}
	if facts.projects[root] != "trusted" {
		found = append(found, Obstacle{Text: "Codex does not trust this project, so it does not read its hooks", Next: "start codex here and accept"})
	}
	if n := facts.untrusted(repo, root); n > 0 {
		found = append(found, Obstacle{Text: fmt.Sprintf("%d of lessons' hooks in %s were never trusted, and are skipped", n, codexHooks), Next: "start codex here and review them with /hooks"})
	}
	return found
}

// facts is what a person's config.toml says about hooks.
type facts struct {
	off      bool
	projects map[string]string // path → trust level
	trusted  map[string]bool   // "<file>:<event>:<group>:<handler>"
}

func factsOf(statements []tomlscan.Statement) facts {
	f := facts{projects: map[string]string{}, trusted: map[string]bool{}}
	disabled := map[string]bool{}
	for _, s := range statements {
		path, value := s.Path(), string(s.Value)
		text, _ := tomlscan.Text(s.Value)
		switch {
		case s.Key == nil:
		case len(path) == 2 && path[0] == "features" && (path[1] == "hooks" || path[1] == "codex_hooks"):
			f.off = value == "false"
		case len(path) == 3 && path[0] == "projects" && path[2] == "trust_level":
			f.projects[path[1]] = text
		case len(path) == 4 && path[0] == "hooks" && path[1] == "state" && path[3] == "trusted_hash":
			f.trusted[path[2]] = text != ""
		case len(path) == 4 && path[0] == "hooks" && path[1] == "state" && path[3] == "enabled":
			disabled[path[2]] = value == "false"
		}
	}
	for key, off := range disabled {
		if off {
			f.trusted[key] = false
		}
	}
	return f
}

// untrusted counts our hooks in the project's hooks.json that have no trusted
// hash. Whether a hash is still that of the definition, only Codex can say.
func (f facts) untrusted(repo fs.FS, root string) int {
	doc, err := fs.ReadFile(repo, codexHooks)
	if err != nil {
		return 0
	}
	places, err := hookfile.Nested.Commands(doc)
	if err != nil {
		return 0 // doctor reports the file itself
	}
	n := 0
	for _, p := range places {
		key := fmt.Sprintf("%s:%s:%d:%d", filepath.Join(root, codexHooks), snake(p.Event), p.Entry, p.Handler)
		if hookfile.Ours("codex", p.Command) && !f.trusted[key] {
			n++
		}
	}
	return n
}

// snake turns PreToolUse into pre_tool_use.
func snake(event string) string {
	var b strings.Builder
	for i, r := range event {
		if r >= 'A' && r <= 'Z' {
			if i > 0 {
				b.WriteByte('_')
			}
			r += 'a' - 'A'
		}
		b.WriteRune(r)
	}
	return b.String()
}
