package architecture

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// light are the packages of this module that a hook may link.
var light = []string{"internal/inject", "internal/shell", "internal/redact", "internal/lists"}

// What a hook links is what every tool call waits for.
func TestInjectLinksNothingHeavy(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", module+"internal/inject").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	deps := strings.Fields(string(out))
	if len(deps) < 10 {
		t.Fatalf("go list found %d packages", len(deps))
	}
	for _, dep := range deps {
		first, _, _ := strings.Cut(dep, "/")
		own := strings.HasPrefix(dep, module)
		switch {
		case own && slices.Contains(light, strings.TrimPrefix(dep, module)):
		case strings.HasPrefix(dep, "mvdan.cc/sh/"), strings.HasPrefix(dep, "github.com/bmatcuk/doublestar/"):
		case own || strings.Contains(first, "."):
			t.Errorf("inject links %s: it may use the standard library, the shell parser and doublestar", dep)
		case dep == "net" || strings.HasPrefix(dep, "net/") || strings.HasPrefix(dep, "text/template") || dep == "os/exec":
			t.Errorf("inject links %s: a hook opens no socket and runs no program, and its size is its latency", dep)
		}
	}
}
