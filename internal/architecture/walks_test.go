package architecture

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

var (
	walk    = regexp.MustCompile(`(?s)## Five walks\n(.*?)\n## `)
	station = regexp.MustCompile("`([\\w/]+\\.go) (\\w+)`")
)

// The walks of ARCHITECTURE.md lead through code that is there.
func TestStationsExist(t *testing.T) {
	text, err := os.ReadFile("../../ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
	walks := walk.FindSubmatch(text)
	if walks == nil {
		t.Fatal("ARCHITECTURE.md has no walks")
	}
	named := station.FindAllStringSubmatch(string(walks[1]), -1)
	if len(named) < 40 {
		t.Errorf("only %d stations", len(named))
	}
	for _, s := range named {
		code, err := os.ReadFile("../../" + s[1])
		if err != nil {
			t.Error(err)
			continue
		}
		if !regexp.MustCompile(`(?m)^func (\([^)]*\) )?` + s[2] + `[(\[]`).Match(code) {
			t.Errorf("%s has no function %s", s[1], s[2])
		}
	}
	for _, one := range strings.Split(string(walks[1]), "\n**")[1:] {
		if n := strings.Count(one, "\n") - 2; n > 13 {
			t.Errorf("a walk of %d stations: %.40s", n, one)
		}
	}
}
