package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mvdan.cc/sh/v3/shell"
)

// wish is a line of testdata/wishes/triggers.json: what a person wants, calls that are
// meant and calls that are not. Nobody who works on triggers wrote them.
type wish struct {
	N     int
	Wish  string
	Calls []wishedCall
	Near  []wishedCall
}

type wishedCall struct {
	Tool   string
	Input  map[string]any
	Before []wishedCall
}

// Each wish is one line of lessons add, in testdata/wishes/add.txt, whose lesson speaks at the calls that are meant and at no other.
func TestWishesAreOneLineOfAdd(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile("testdata/wishes/triggers.json")
	if err != nil {
		t.Fatal(err)
	}
	var wishes []wish
	if err := json.Unmarshal(data, &wishes); err != nil {
		t.Fatal(err)
	}
	lines := wishLines(t)
	p := prepare(t, true)
	met, others := 0, 0
	for _, w := range wishes {
		title := strings.ToUpper(w.Wish[:1]) + w.Wish[1:]
		p.mustRun(append([]string{"add", title, "--fix", "Do the other thing"}, lines[w.N]...)...)
		for _, c := range w.Calls {
			if p.spokenTo(c) {
				met++
			} else {
				t.Errorf("%d %s: silent at %v", w.N, w.Wish, c)
			}
		}
		for _, c := range w.Near {
			if p.spokenTo(c) {
				others++
				t.Errorf("%d %s: speaks at %v", w.N, w.Wish, c)
			}
		}
		written, err := filepath.Glob(filepath.Join(p.at.dir, ".lessons", "*-*.md"))
		if err != nil || len(written) != 1 {
			t.Fatal(written, err)
		}
		if err := os.Remove(written[0]); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%d wishes: %d calls are met that are meant, %d that are not", len(wishes), met, others)
}

// spokenTo says whether a hook says something at a call, in a session that made the calls
// before it and no other.
func (p *player) spokenTo(c wishedCall) bool {
	p.sessions++
	payload := func(c wishedCall) map[string]any {
		input := map[string]any{}
		for key, value := range c.Input {
			text, _ := value.(string)
			input[key] = strings.ReplaceAll(text, "/home/pat/src/app", p.at.dir)
		}
		p.calls++
		return map[string]any{
			"session_id": fmt.Sprint("wish-", p.sessions), "cwd": p.at.dir, "tool_use_id": fmt.Sprint("call-", p.calls),
			"tool_name": c.Tool, "tool_input": input,
		}
	}
	for _, before := range c.Before {
		done := payload(before)
		done["tool_response"] = map[string]any{"stdout": "", "stderr": "", "interrupted": false}
		p.hook("PostToolUse", done)
	}
	r := p.hook("PreToolUse", payload(c))
	return strings.TrimSpace(r.text()) != ""
}

// wishLines are the arguments of add, by the number of the wish.
func wishLines(t *testing.T) map[int][]string {
	data, err := os.ReadFile("testdata/wishes/add.txt")
	if err != nil {
		t.Fatal(err)
	}
	lines := map[int][]string{}
	for line := range strings.Lines(string(data)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		number, flags, _ := strings.Cut(line, " ")
		var n int
		if _, err := fmt.Sscan(number, &n); err != nil {
			t.Fatal(line, err)
		}
		if lines[n], err = shell.Fields(flags, nil); err != nil {
			t.Fatal(line, err)
		}
	}
	return lines
}
