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

// Every command is found by its name, and a line of its own grammar alone is read as the
// whole grammar reads it.
func TestCommandsAreParsedAlone(t *testing.T) {
	for _, cmd := range newGrammar(t).Model.Children {
		if _, ok := commandField(cmd.Name); !ok {
			t.Errorf("%s has no field", cmd.Name)
		}
	}
	inv := &invocation{sys: &system{stdout: plain.NewPrinter(io.Discard), stderr: plain.NewPrinter(io.Discard)}}
	for _, args := range [][]string{
		{"show", "-C", "elsewhere", "ADR-001"},
		{"merge-driver", "a", "b", "c", "d"},
		{"add", "words", "--command", "--rm"},
		{"scan", "--all", "."},
		{"flow", "next", "--json"},
	} {
		var g grammar
		parser, err := newParser(&g, inv.sys, new(bool))
		if err != nil {
			t.Fatal(err)
		}
		whole, err := parser.Parse(dashValues(parser.Model, args))
		flags, alone := inv.parseAlone(args)
		if alone == nil {
			t.Errorf("%q: left to the whole grammar, which says %v", args, err)
			continue
		}
		if err != nil || flags != g.everywhere || whole.Command() != alone.Command() || !reflect.DeepEqual(whole.Selected().Target.Interface(), alone.Selected().Target.Interface()) {
			t.Errorf("%q: %+v %+v, the whole grammar says %+v %v", args, flags, alone.Selected().Target, whole.Selected().Target, err)
		}
	}
	for _, args := range [][]string{{}, {"help", "show"}, {"show", "--help"}, {"show"}, {"show", "--no-such"}, {"nosuch"}, {"-C", "x", "show", "y"}, {"Show", "y"}} {
		if _, alone := inv.parseAlone(args); alone != nil {
			t.Errorf("%q: not left to the whole grammar", args)
		}
	}
}
