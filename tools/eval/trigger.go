package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/lessons-cli/lessons/internal/inject"
	"github.com/lessons-cli/lessons/internal/inject/compile"
	"github.com/lessons-cli/lessons/internal/provenance"
	"github.com/lessons-cli/lessons/knowledge/config"
	"github.com/lessons-cli/lessons/knowledge/lesson"
	"github.com/lessons-cli/lessons/scan"
	"github.com/lessons-cli/lessons/scan/transcript"
)

// shellCall is a command line that an agent ran, and how it ended.
type shellCall struct {
	file    string
	line    int // of the result
	command string
	outcome transcript.Outcome
}

// shellCalls reads the commands of every session that can be read.
func shellCalls(c *corpus) ([]shellCall, error) {
	var all []shellCall
	err := filepath.WalkDir(c.sessions(), func(name string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		calls, err := callsOf(name, c.relative(name))
		all = append(all, calls...)
		return err
	})
	return all, err
}

func callsOf(name, file string) ([]shellCall, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var calls []shellCall
	open := map[string]string{} // command lines by tool-use id
	_, err = transcript.Read(name, f, transcript.Options{}, func(e transcript.Event) error {
		switch e.Kind {
		case transcript.ToolCall:
			if command := commandOf(e.Input); command != "" {
				open[e.ToolUse] = command
			}
		case transcript.ToolResult:
			if command := open[e.ToolUse]; command != "" {
				calls = append(calls, shellCall{file, e.Line, command, e.Outcome})
			}
		}
		return nil
	})
	var format *transcript.ErrFormat
	if errors.As(err, &format) {
		return nil, nil // scan names what it cannot read
	}
	return calls, err
}

// commandOf reads the command line of a call, "" where the tool has none.
func commandOf(input json.RawMessage) string {
	var in struct{ Command any }
	if json.Unmarshal(input, &in) != nil {
		return ""
	}
	switch v := in.Command.(type) {
	case string:
		return v
	case []any: // an argument vector, mostly of bash -lc
		if len(v) > 0 {
			last, _ := v[len(v)-1].(string)
			return last
		}
	}
	return ""
}

// triggerTest is what came of holding one trigger against all commands.
type triggerTest struct {
	trigger *lesson.Trigger
	origin  scan.Candidate
	stopped []shellCall // failing calls on which it fires
	wrong   []shellCall // calls that succeeded: counterexamples
}

// triggerTests are the tests of all triggers.
type triggerTests struct {
	tests    []triggerTest
	commands int
}

// testTriggers compiles each trigger that scan made into a lesson of its own, as
// a hook would see it, and holds it against every command of every session.
func testTriggers(c *corpus, candidates []scan.Candidate) (triggerTests, error) {
	calls, err := shellCalls(c)
	if err != nil {
		return triggerTests{}, err
	}
	out := triggerTests{commands: len(calls)}
	seen := map[string]bool{}
	for _, k := range candidates {
		if k.Trigger == nil || len(k.Trigger.Commands)+len(k.Trigger.CommandPatterns) == 0 {
			continue
		}
		if key := fmt.Sprintf("%q", *k.Trigger); seen[key] {
			continue
		} else {
			seen[key] = true
		}
		test, err := testTrigger(k, calls)
		if err != nil {
			return out, err
		}
		out.tests = append(out.tests, test)
	}
	return out, nil
}

func testTrigger(k scan.Candidate, calls []shellCall) (triggerTest, error) {
	l := &lesson.Lesson{
		ID: "eval", Kind: lesson.Warning, Status: lesson.Active, Priority: 5, Confidence: 1,
		Triggers: *k.Trigger, Title: "eval", Body: "eval",
	}
	data, _ := compile.Compile(provenance.Parted([]*lesson.Lesson{l}, nil), compile.Options{Config: config.Default()})
	index, err := inject.Open(data)
	if err != nil {
		return triggerTest{}, err
	}
	t := triggerTest{trigger: k.Trigger, origin: k}
	for _, call := range calls {
		switch {
		case len(index.Match(inject.Call{Tool: "Bash", Command: call.command}, inject.Options{Budget: -1})) == 0:
		case failing(call.outcome):
			t.stopped = append(t.stopped, call)
		case succeeded(call.outcome):
			t.wrong = append(t.wrong, call)
		}
	}
	return t, nil
}

// What a pipe hides, a person refused or a client took back says nothing about
// the command.
func failing(o transcript.Outcome) bool { return o == transcript.Fail || o == transcript.TimedOut }

func succeeded(o transcript.Outcome) bool { return o == transcript.OK || o == transcript.Expected }
