package agent

import (
	"fmt"
	"io/fs"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/lessons-cli/lessons/internal/settings/hookfile"
)

// codexObstacles: Codex skips hooks that nobody has trusted, without a word, and
// does not even read those of a project that is not trusted.
func codexObstacles(home, repo fs.FS, root string) []Obstacle {
	config, err := fs.ReadFile(home, "config.toml")
	if err != nil {
		config = nil // a Codex that was never set up has trusted nothing
	}
	facts := factsOf(string(config))
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
	disabled map[string]bool   // by the same keys
}

// factsOf reads them line by line, in the form in which Codex writes them: a table for each
// project and each hook, with the name in quotes.
func factsOf(config string) facts {
	header := regexp.MustCompile(`^\[([\w.]+?)(?:\.("(?:[^"\\]|\\.)*"|'[^']*'))?\]`)
	setting := regexp.MustCompile(`^([\w.]+)\s*=\s*["']?(\w+)`)
	f := facts{projects: map[string]string{}, trusted: map[string]bool{}, disabled: map[string]bool{}}
	var table, name string
	for line := range strings.Lines(config) {
		line = strings.TrimSpace(line)
		if h := header.FindStringSubmatch(line); h != nil {
			if table, name = h[1]+".", strings.Trim(h[2], "'"); strings.HasPrefix(h[2], `"`) {
				name, _ = strconv.Unquote(h[2]) // TOML's escapes are Go's
			}
			continue
		}
		s := setting.FindStringSubmatch(line)
		if s == nil {
			continue
		}
		switch table + s[1] {
		case "features.hooks", "features.codex_hooks":
			f.off = s[2] == "false"
		case "projects.trust_level":
			f.projects[name] = s[2]
		case "hooks.state.trusted_hash":
			f.trusted[name] = true
		case "hooks.state.enabled":
			f.disabled[name] = s[2] == "false"
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
		if hookfile.Ours("codex", p.Command) && (!f.trusted[key] || f.disabled[key]) {
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
