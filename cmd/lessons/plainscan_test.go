package main

import (
	"io"
	"reflect"
	"testing"

	"github.com/lessons-cli/lessons/internal/plain"
)

// What is read without the grammar is read as the grammar reads it.
func TestPlainScansAreReadAsByTheGrammar(t *testing.T) {
	for _, args := range [][]string{
		{"scan"},
		{"scan", "--quiet", "--render", "--agent", "codex"},
		{"scan", "--quiet", "--render", "--agent", "codex", "--ended", "a1b2"},
		{"scan", "-q", "--all", "--foreign", "--dry-run", "a b", "c.jsonl"},
		{"scan", "sessions", "--json", "--compliance"},
		{"scan", "--all", "--all", "."},
	} {
		got, ok := plainScan(args)
		if !ok {
			t.Errorf("%q: left to the grammar", args)
			continue
		}
		var g grammar
		parser, err := newParser(&g, &system{stdout: plain.NewPrinter(io.Discard), stderr: plain.NewPrinter(io.Discard)}, new(bool))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := parser.Parse(args); err != nil {
			t.Errorf("%q: %v", args, err)
		}
		if !reflect.DeepEqual(*got, g.Scan) {
			t.Errorf("%q: %+v, the grammar says %+v", args, *got, g.Scan)
		}
	}
	for _, args := range [][]string{
		{},
		{"render"},
		{"scan", "--help"},
		{"scan", "-h"},
		{"scan", "--agent"},
		{"scan", "--agent", "--all"},
		{"scan", "--agent=codex"},
		{"scan", "--agent", "codex", "--agent", "claude"},
		{"scan", "--", "-x"},
		{"scan", "-C", "dir"},
		{"scan", "--no-such"},
		{"scan", ""},
	} {
		if _, ok := plainScan(args); ok {
			t.Errorf("%q: not left to the grammar", args)
		}
	}
}
