package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lessons-cli/lessons/knowledge/statement/weigh"
)

// Every example can be read, and what it marks is in its message.
func TestExamples(t *testing.T) {
	files, err := filepath.Glob("examples/*.jsonl")
	if err != nil || len(files) == 0 {
		t.Fatal("no examples", err)
	}
	for _, name := range files {
		if _, err := read(name); err != nil {
			t.Error(err)
		}
	}
}

func TestReadNamesTheLine(t *testing.T) {
	for line, want := range map[string]string{
		`{"said":"use pnpm","kind":"rule"}`:                           `"rule" is no kind`,
		`{"said":"use pnpm","kind":"instruction","rule":["use npm"]}`: `"use npm" is no part`,
		`{"said":`: "unexpected end",
	} {
		name := filepath.Join(t.TempDir(), "x.jsonl")
		if err := os.WriteFile(name, []byte(`{"said":"thanks","kind":"nothing"}`+"\n"+line+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := read(name); err == nil || !strings.Contains(err.Error(), name+":2: ") || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", line, err)
		}
	}
}

func TestDivide(t *testing.T) {
	e := &example{Said: "pnpm here. npm broke twice. thanks", Kind: decision, Rule: []string{"pnpm here"}, Reason: []string{"npm broke twice."}}
	e.divide()
	want := []weigh.Class{weigh.Decision, weigh.Reason, weigh.Nothing}
	for i, c := range want {
		if len(e.classes) != len(want) || e.classes[i] != c {
			t.Fatalf("classes %v, want %v", e.classes, want)
		}
	}
}

// A word that only one class has tells that class.
func TestFit(t *testing.T) {
	var all []sample
	for range 5 {
		all = append(all, sample{[]weigh.Feature{1, 2}, 0}, sample{[]weigh.Feature{1, 3}, 1})
	}
	w := fit(all, 2)
	if w[2][0] <= w[2][1] || w[3][1] <= w[3][0] {
		t.Errorf("weights %v", w)
	}
}
