package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lessons-cli/lessons/internal/test/fsxtest"
)

// Who interrupts a merge gets it back as it was: git keeps our version of a file and says
// that it is not merged, and resolve merges it later.
func TestAnInterruptedMergeChangesNothing(t *testing.T) {
	p := prepare(t, true)
	conflict(p)
	before := knowledgeTree(t, p.at.dir)
	interrupted, stop := context.WithCancel(t.Context())
	stop()
	for i, side := range []string{"base", "ours", "theirs"} {
		p.write(".git/"+side, strings.Repeat("\n", i))
	}
	for _, args := range [][]string{{"resolve"}, {"merge-driver", ".git/base", ".git/ours", ".git/theirs", ".memory/learning-log.jsonl"}} {
		sys, _ := hookSystem(t, p.at.dir, strings.NewReader(""))
		if status := runUntil(interrupted, args, sys); status != exitInterrupted {
			t.Errorf("%v: exit status %d", args, status)
		}
		if diff := fsxtest.Diff(before, knowledgeTree(t, p.at.dir)); diff != "" {
			t.Errorf("%v: %s", args, diff)
		}
	}
	if ours, err := os.ReadFile(filepath.Join(p.at.dir, ".git", "ours")); err != nil || string(ours) != "\n" {
		t.Errorf("our version: %q, %v", ours, err)
	}
}
