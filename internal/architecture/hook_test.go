package architecture

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// light are the packages of this module that a hook may link, and what it may use of
// others.
var light = map[string][]string{
	"internal/inject":  {"internal/inject", "internal/shell", "internal/redact", "internal/lists", "internal/provenance", "internal/cputime"},
	"cmd/lessons-hook": {"cmd/lessons-hook", "internal/plain", "internal/hook", "internal/agent", "internal/agent/payload", "internal/agent/tools", "internal/settings/hookfile", "internal/settings/jsonedit", "internal/gitstate/gitdir", "knowledge", "knowledge/prose", "knowledge/statement", "knowledge/statement/weigh", "internal/automata", "internal/phrases"},
}

// What a hook links is what every tool call waits for.
func TestHooksLinkNothingHeavy(t *testing.T) {
	linksOnly(t, "internal/inject", light["internal/inject"])
	linksOnly(t, "cmd/lessons-hook", append(light["internal/inject"], light["cmd/lessons-hook"]...), "os/exec")
}

// linksOnly checks what a package links of this module, and that it can open no socket.
func linksOnly(t *testing.T, pkg string, own []string, also ...string) {
	t.Helper()
	out, err := exec.Command("go", "list", "-deps", module+pkg).Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	deps := strings.Fields(string(out))
	if len(deps) < 10 {
		t.Fatalf("go list found %d packages", len(deps))
	}
	for _, dep := range deps {
		first, _, _ := strings.Cut(dep, "/")
		ours, isOurs := strings.CutPrefix(dep, module)
		switch {
		case isOurs && slices.Contains(own, ours), slices.Contains(also, dep):
		case strings.HasPrefix(dep, "mvdan.cc/sh/"), strings.HasPrefix(dep, "github.com/bmatcuk/doublestar/"):
		case isOurs || strings.Contains(first, "."):
			t.Errorf("%s links %s: it may use the standard library, the shell parser and doublestar", pkg, dep)
		case dep == "net" || strings.HasPrefix(dep, "net/") || strings.HasPrefix(dep, "text/template") || dep == "os/exec":
			t.Errorf("%s links %s: a hook opens no socket and runs no program, and its size is its latency", pkg, dep)
		}
	}
}
