package plugins

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/lessons-cli/lessons/internal/agent"
)

var update = flag.Bool("update", false, "write hooks.json as the adapters register hooks")

const root = "../../../"

func read(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(root + name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// TestHooksAreWhatTheAdapterRegisters: the plugin's file is the adapter's own
// document. Run with -update after events, matchers or commands changed.
func TestHooksAreWhatTheAdapterRegisters(t *testing.T) {
	for file, c := range map[string]*agent.Client{
		"plugins/claude/hooks/hooks.json": agent.Claude,
		"plugins/gemini/hooks/hooks.json": agent.Gemini,
	} {
		want, err := c.AddHooks(nil)
		if err != nil {
			t.Fatal(err)
		}
		var indented bytes.Buffer
		if err := json.Indent(&indented, bytes.TrimSpace(want), "", "  "); err != nil {
			t.Fatal(err)
		}
		indented.WriteByte('\n')
		if *update {
			if err := os.WriteFile(root+file, indented.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		got := read(t, file)
		if !bytes.Equal(got, indented.Bytes()) {
			t.Errorf("%s is not what %s registers: go test ./internal/test/plugins -update", file, c.Name)
		}
		// One event that the client does not know, and the whole file is refused.
		events, err := c.Registered(got)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range c.Events() {
			if n := count(events, string(e)); n != 1 {
				t.Errorf("%s registers %s %d times", file, e, n)
			}
		}
		if len(events) != len(c.Events()) {
			t.Errorf("%s registers %v, the adapter %v", file, events, c.Events())
		}
	}
}

func count(list []string, s string) (n int) {
	for _, e := range list {
		if e == s {
			n++
		}
	}
	return n
}

// manifest is what the manifests have in common.
type manifest struct {
	Name, Version, Description, Source, License string
	ContextFileName                             string
	Plugins                                     []manifest
}

func parse(t *testing.T, name string) manifest {
	t.Helper()
	var m manifest
	if err := json.Unmarshal(read(t, name), &m); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return m
}

var (
	kebab   = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)
	version = regexp.MustCompile(`^[0-9]+\.[0-9]+\.[0-9]+$`)
)

// TestManifestsAgree: one name, one version and one description everywhere, and
// the marketplace points at the plugin.
func TestManifestsAgree(t *testing.T) {
	market := parse(t, ".claude-plugin/marketplace.json")
	if !kebab.MatchString(market.Name) || len(market.Plugins) != 1 {
		t.Fatalf("marketplace %q with %d plugins", market.Name, len(market.Plugins))
	}
	offer := market.Plugins[0]
	plugin := parse(t, strings.TrimPrefix(offer.Source, "./")+"/.claude-plugin/plugin.json")
	extension := parse(t, "plugins/gemini/gemini-extension.json")
	if !version.MatchString(plugin.Version) {
		t.Errorf("version %q", plugin.Version)
	}
	for _, m := range []manifest{offer, plugin, extension} {
		if m.Name != "lessons" || m.Version != plugin.Version || m.Description != plugin.Description || m.Description == "" {
			t.Errorf("%+v differs from %+v", m, plugin)
		}
	}
	if !strings.HasPrefix(offer.Source, "./") {
		t.Errorf("source %q is not relative to the repository", offer.Source)
	}
	read(t, "plugins/gemini/"+extension.ContextFileName)
}

// head are the keys that commands and skills use; more would not be portable.
type head struct {
	Name         string `yaml:"name"`
	Description  string `yaml:"description"`
	License      string `yaml:"license"`
	ArgumentHint string `yaml:"argument-hint"`
	AllowedTools string `yaml:"allowed-tools"`
}

func split(t *testing.T, name string) (head, string) {
	t.Helper()
	text := string(read(t, name))
	body, found := strings.CutPrefix(text, "---\n")
	front, body, closed := strings.Cut(body, "\n---\n")
	if !found || !closed {
		t.Fatalf("%s has no front matter", name)
	}
	var h head
	dec := yaml.NewDecoder(strings.NewReader(front))
	dec.KnownFields(true)
	if err := dec.Decode(&h); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return h, body
}

// active is what Claude Code runs or replaces in a command before the model reads
// it: inline shell, files, variables. Only the person's own words may come in.
var active = regexp.MustCompile("!`|(?m:^```!)|(?:^|\\s)@[\\w./~]|\\$(?:\\{|[0-9A-Za-z_])")

func problems(name string, h head, body string) (found []string) {
	note := func(format string, args ...any) { found = append(found, name+": "+fmt.Sprintf(format, args...)) }
	if n := len(h.Description); n == 0 || n > 1024 || strings.ContainsAny(h.Description, "<>\n") {
		note("description %q", h.Description)
	}
	if strings.TrimSpace(body) == "" || strings.Count(body, "\n") > 500 {
		note("a body of %d lines", strings.Count(body, "\n"))
	}
	for _, m := range active.FindAllString(strings.ReplaceAll(body, "$ARGUMENTS", ""), -1) {
		note("active syntax %q", m)
	}
	if strings.Contains(body, "$ARGUMENTS") != (h.ArgumentHint != "") {
		note("arguments and their hint do not go together")
	}
	for _, tool := range strings.Split(h.AllowedTools, ", ") {
		// What changes the repository is asked for, each time.
		if tool != "" && !harmless.MatchString(tool) {
			note("allows %q without asking", tool)
		}
	}
	return found
}

var harmless = regexp.MustCompile(`^Bash\(lessons (?:(?:scan|list|show|search|status|check|doctor):\*|index|render --dry-run|review --json:\*)\)$`)

func TestCommandsAndSkills(t *testing.T) {
	commands, err := filepath.Glob(root + "plugins/*/commands/*.md")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, path := range commands {
		name := strings.TrimSuffix(filepath.Base(path), ".md")
		names = append(names, name)
		if !kebab.MatchString(name) || len(name) > 64 {
			t.Errorf("command name %q", name)
		}
		h, body := split(t, strings.TrimPrefix(path, root))
		for _, p := range problems(path, h, body) {
			t.Error(p)
		}
	}
	slices.Sort(names)
	if want := []string{"add", "review", "scan", "status"}; !slices.Equal(names, want) {
		t.Errorf("commands %v, want %v", names, want)
	}

	skills, err := filepath.Glob(root + "plugins/*/skills/*/SKILL.md")
	if err != nil || len(skills) == 0 {
		t.Fatalf("skills %v (%v)", skills, err)
	}
	for _, path := range skills {
		h, body := split(t, strings.TrimPrefix(path, root))
		if dir := filepath.Base(filepath.Dir(path)); h.Name != dir || !kebab.MatchString(dir) || len(dir) > 64 {
			t.Errorf("skill %q in folder %q", h.Name, dir)
		}
		for _, p := range problems(path, h, body) {
			t.Error(p)
		}
	}
}

// TestProblemsAreFound: the checks above refuse what they are for.
func TestProblemsAreFound(t *testing.T) {
	good := head{Description: "d"}
	for what, bad := range map[string]struct {
		h    head
		body string
	}{
		"no description":    {head{}, "x\n"},
		"long description":  {head{Description: strings.Repeat("d", 1025)}, "x\n"},
		"markup":            {head{Description: "<b>"}, "x\n"},
		"no body":           {good, "\n"},
		"inline shell":      {good, "Now: !`lessons index`\n"},
		"shell block":       {good, "```!\nlessons index\n```\n"},
		"file":              {good, "See @.memory/knowledge/decisions.md\n"},
		"variable":          {good, "In ${CLAUDE_PLUGIN_ROOT}\n"},
		"numbered argument": {good, "Take $0\n"},
		"hidden arguments":  {good, "Take $ARGUMENTS\n"},
		"writes unasked":    {head{Description: "d", AllowedTools: "Bash(lessons render:*)"}, "x\n"},
		"any command":       {head{Description: "d", AllowedTools: "Bash(lessons list:*), Bash(*)"}, "x\n"},
	} {
		if len(problems(what, bad.h, bad.body)) == 0 {
			t.Errorf("%s is not refused", what)
		}
	}
	if found := problems("good", good, "Mail a@b.example, pay $ 5, run `lessons index`!\n"); len(found) > 0 {
		t.Error(found)
	}
}

// TestCitationsAreTaughtWordForWord: the forms that are counted, and no number
// that an agent could take for an entry.
func TestCitationsAreTaughtWordForWord(t *testing.T) {
	numbered := regexp.MustCompile(`\b(?:ADR|PF)-[0-9]`)
	for _, name := range []string{"plugins/claude/skills/knowledge/SKILL.md", "plugins/gemini/GEMINI.md"} {
		text := string(read(t, name))
		for _, want := range []string{"applies ADR-NNN", "avoids PF-NNN", "lessons index", "lessons show ID", "ever invent an id"} {
			if !strings.Contains(text, want) {
				t.Errorf("%s lacks %q", name, want)
			}
		}
		if m := numbered.FindString(text); m != "" {
			t.Errorf("%s names the entry %s…", name, m)
		}
	}
}
