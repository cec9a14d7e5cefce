package project

import (
	"testing"

	"github.com/lessons-cli/lessons/knowledge/lesson"
)

func TestWithNumbers(t *testing.T) {
	for command, want := range map[string]string{
		"sleep 5 10":              "sleep <number> <number>",
		"go test -timeout=30":     "go test -timeout=<number>",
		"go test -timeout=30s":    "go test -timeout=30s",
		"curl --retry 3 -o v1.2":  "curl --retry <number> -o v1.2",
		"split -l 1.5 --suffix=x": "split -l <number> --suffix=x",
	} {
		l := &lesson.Lesson{Triggers: lesson.Trigger{Commands: []string{command}}}
		if got := withNumbers(l).Triggers.Commands[0]; got != want {
			t.Errorf("%s: %s, want %s", command, got, want)
		}
		if l.Triggers.Commands[0] != command {
			t.Error("the lesson itself was changed")
		}
	}
}
