package project_test

import (
	"testing"

	"github.com/lessons-cli/lessons/internal/project"
	"github.com/lessons-cli/lessons/knowledge/problem"
)

// A sweep of a linter reports many rules at once. Where nothing is known to mend them, one
// of them is told, and not what other sessions broke.
func TestOneRuleOfASweepIsTold(t *testing.T) {
	rule := func(name string, sessions ...string) *problem.Problem {
		return &problem.Problem{ID: name, Rule: name, Nature: problem.Rule, Sessions: sessions}
	}
	all := project.Problems{All: []*problem.Problem{rule("MD013", "a", "b", "c"), rule("MD059", "a", "b"), rule("MD033", "b", "d"), rule("MD026", "c", "a")}}
	var told []string
	for _, p := range all.Telling() {
		told = append(told, p.Rule)
	}
	if len(told) != 2 || told[0] != "MD013" || told[1] != "MD033" {
		t.Errorf("told %v", told)
	}
}
