package scan

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/lessons-cli/lessons/knowledge/observe"
	"github.com/lessons-cli/lessons/scan/transcript"
)

// agentFile writes events as one agent keeps them. The path ends as the agent's
// files do.
type agentFile struct {
	name   string
	suffix string
	object bool // read whole whenever it has changed
	write  func(session string, events []transcript.Event) []byte
}

var otherAgents = []agentFile{
	{"Codex", ".jsonl", false, codexFile},
	{"Gemini CLI, lines", ".jsonl", false, geminiLines},
	{"Gemini CLI, one object", ".json", true, geminiObject},
	{"OpenCode", ".json", true, openCodeFile},
}

type object = map[string]any

func encode(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return b
}

// status is the exit status that an event's text begins with, and the rest.
func status(e transcript.Event) (exit int, text string) {
	if n, err := fmt.Sscanf(e.Text, "Exit code %d\n", &exit); n == 1 && err == nil {
		_, text, _ = strings.Cut(e.Text, "\n")
		return exit, text
	}
	return 0, e.Text
}

// codexFile says each message twice, as Codex does.
func codexFile(session string, events []transcript.Event) []byte {
	var out bytes.Buffer
	line := func(e transcript.Event, kind string, payload object) {
		out.Write(append(encode(object{"timestamp": e.Time, "type": kind, "payload": payload}), '\n'))
	}
	for i, e := range events {
		if i == 0 {
			line(e, "session_meta", object{"id": session, "cwd": e.Cwd, "source": "cli"})
		}
		message := func(role, part, event string) {
			line(e, "response_item", object{"type": "message", "id": e.ID, "role": role, "content": []any{object{"type": part, "text": e.Text}}})
			line(e, "event_msg", object{"type": event, "message": e.Text})
		}
		switch e.Kind {
		case transcript.User:
			message("user", "input_text", "user_message")
		case transcript.Assistant:
			message("assistant", "output_text", "agent_message")
		case transcript.ToolCall:
			name := "shell"
			if e.Tool != "Bash" {
				name = e.Tool
			}
			line(e, "response_item", object{"type": "function_call", "name": name, "arguments": string(e.Input), "call_id": e.ToolUse})
		case transcript.ToolResult:
			exit, text := status(e)
			if e.Outcome == transcript.TimedOut {
				exit, text = 124, "command timed out after 120000 milliseconds\n"
			}
			text = fmt.Sprintf("Exit code: %d\nWall time: 0.1 seconds\nOutput:\n%s", exit, text)
			line(e, "response_item", object{"type": "function_call_output", "call_id": e.ToolUse, "output": text})
		case transcript.Rejection:
			line(e, "response_item", object{"type": "function_call_output", "call_id": e.ToolUse, "output": "exec command rejected by user"})
		}
	}
	return out.Bytes()
}

// geminiMessages puts a call's end into the message that made the call.
func geminiMessages(events []transcript.Event, put func(object)) {
	for i, e := range events {
		m := object{"id": e.ID, "timestamp": e.Time, "type": "gemini", "content": ""}
		switch e.Kind {
		case transcript.User:
			m["type"], m["content"] = "user", []any{object{"text": e.Text}}
			put(m)
		case transcript.Assistant:
			m["content"] = e.Text
			put(m)
		case transcript.ToolCall:
			name := map[string]string{"Bash": "run_shell_command", "Edit": "replace"}[e.Tool]
			call := object{"id": e.ToolUse, "name": name, "args": e.Input, "status": "executing"}
			if i+1 < len(events) {
				end := events[i+1]
				exit, text := status(end)
				answer := object{"output": fmt.Sprintf("Command: x\nDirectory: (root)\nOutput: %s\nError: (none)\nExit Code: %d\nSignal: 0", text, exit)}
				call["status"], call["timestamp"] = "success", end.Time
				switch {
				case end.Kind == transcript.Rejection:
					call["status"], answer = "cancelled", object{"error": "[Operation Cancelled] Reason: User did not allow tool call"}
				case end.Outcome == transcript.TimedOut:
					answer = object{"output": "Command was automatically cancelled because it exceeded the timeout of 2 minutes"}
				}
				call["result"] = []any{object{"functionResponse": object{"response": answer}}}
			}
			m["toolCalls"] = []any{call}
			put(m)
		}
	}
}

func geminiLines(session string, events []transcript.Event) []byte {
	var out bytes.Buffer
	put := func(m object) { out.Write(append(encode(m), '\n')) }
	put(object{"sessionId": session, "projectHash": "h", "kind": "main"})
	geminiMessages(events, func(m object) {
		if _, calls := m["toolCalls"]; calls { // such a message is written without its calls first
			put(object{"id": m["id"], "timestamp": m["timestamp"], "type": "gemini", "content": m["content"]})
			put(object{"$set": object{"lastUpdated": m["timestamp"]}})
		}
		put(m)
	})
	return out.Bytes()
}

func geminiObject(session string, events []transcript.Event) []byte {
	messages := []any{}
	geminiMessages(events, func(m object) { messages = append(messages, m) })
	b, err := json.MarshalIndent(struct {
		ID       string `json:"sessionId"`
		Hash     string `json:"projectHash"`
		Messages []any  `json:"messages"`
	}{session, "h", messages}, "", "  ")
	if err != nil {
		panic(err)
	}
	return b
}

func openCodeFile(session string, events []transcript.Event) []byte {
	messages := []any{}
	put := func(e transcript.Event, role string, part object) {
		messages = append(messages, object{"info": object{"id": e.ID, "role": role, "time": object{"created": e.Time.UnixMilli()}}, "parts": []any{part}})
	}
	for i, e := range events {
		switch e.Kind {
		case transcript.User:
			put(e, "user", object{"type": "text", "text": e.Text})
		case transcript.Assistant:
			put(e, "assistant", object{"type": "text", "text": e.Text})
		case transcript.ToolCall:
			state := object{"status": "running", "input": e.Input}
			if i+1 < len(events) {
				end := events[i+1]
				exit, text := status(end)
				state["time"] = object{"start": e.Time.UnixMilli(), "end": end.Time.UnixMilli()}
				state["status"], state["output"], state["metadata"] = "completed", text, object{"exit": exit}
				switch {
				case end.Kind == transcript.Rejection:
					state["status"], state["error"] = "error", "The user rejected permission to use this specific tool call with the following feedback: "+end.Text
				case end.Outcome == transcript.TimedOut:
					state["output"] = "<bash_metadata>\nexceeding timeout 120000 ms\n</bash_metadata>"
				}
			}
			put(e, "assistant", object{"type": "tool", "callID": e.ToolUse, "tool": strings.ToLower(e.Tool), "state": state})
		}
	}
	return encode(struct {
		Info     object `json:"info"`
		Messages []any  `json:"messages"`
	}{object{"id": session, "projectID": "p", "directory": "/home/dev/app"}, messages})
}

// ownKeys is what a log says in an agent's words or of one session.
var ownKeys = regexp.MustCompile(`"(?:sessions|evidence)":\[[^\]]*\],?|"id":"[^"]*",?`)

// What a session teaches does not depend on the agent: the same mistake met in
// two agents is one observation with two sessions.
func TestEveryAgentTeachesTheSame(t *testing.T) {
	for _, s := range []story{
		{bash("gh pr diff 88 --stat", fail, "Exit code 1\nunknown flag: --stat"), bash("gh pr diff 88 --name-only", ok, "a.go")},
		{user("let's use SQLite because it needs no server")},
		{says(goodTag)},
		{bash("npx jest --watch", transcript.TimedOut, "Exit code 143\nCommand timed out after 2m 0s")},
	} {
		s = append(story{user("hi")}, s...)
		ours := memory("/s/claude.jsonl", claudeFile("claude", s.events()))
		want := scanAll(t, Input{Files: []File{ours}}).Log
		if len(want.Observations()) == 0 {
			t.Fatal("nothing was learned")
		}
		for _, a := range otherAgents {
			theirs := memory("/s/other"+a.suffix, a.write("other", s.events()))
			got := scanAll(t, Input{Files: []File{theirs}}).Log
			if g, w := ownKeys.ReplaceAll(got.Bytes(), nil), ownKeys.ReplaceAll(want.Bytes(), nil); !bytes.Equal(g, w) {
				t.Errorf("%s teaches\n%s\nwant\n%s", a.name, g, w)
			}
			for _, o := range scanAll(t, Input{Files: []File{ours, theirs}}).Log.Observations() {
				if len(o.Sessions) != 2 {
					t.Errorf("%s: %q counts %d sessions", a.name, o.Pattern, len(o.Sessions))
				}
			}
		}
	}
}

func TestAnySplitGivesTheSameLogForEveryAgent(t *testing.T) {
	events := long().events()
	for _, a := range otherAgents {
		t.Run(a.name, func(t *testing.T) {
			path := "/s/a" + a.suffix
			content := a.write("s1", events)
			whole := scanAll(t, Input{Files: []File{memory(path, content)}})
			want := whole.Log.Bytes()
			if len(whole.Log.Observations()) < 5 || whole.Files != 1 || len(whole.Problems) != 0 {
				t.Fatalf("%d observations, %+v", len(whole.Log.Observations()), whole.Problems)
			}
			for cut := range 10 {
				// Lines come byte by byte; an object is always a whole one.
				stages := [][]byte{content[:cut*len(content)/10], content[:min(cut*len(content)/10+5003, len(content))], content}
				if a.object {
					n := cut * len(events) / 10
					stages = [][]byte{a.write("s1", events[:n]), a.write("s1", events[:min(n+7, len(events))]), content}
				}
				log, state := &observe.Log{}, []byte(nil)
				for _, stage := range slices.Concat(stages, stages[2:]) {
					r := scanAll(t, Input{Files: []File{memory(path, stage)}, Log: log, State: state})
					state = r.State
				}
				if got := log.Bytes(); !bytes.Equal(got, want) {
					t.Fatalf("split at %d the log is\n%s\nwant\n%s", cut, got, want)
				}
			}
		})
	}
}

// The size of a session in a database is a number that grows, and not how much
// there is to read.
func TestSizeOfADatabaseSessionIsNoLength(t *testing.T) {
	f := memory("/s/a.db#s1", openCodeFile("s1", long().events()))
	open := f.Open
	f.Stat = nil
	f.Open = func() (io.ReadSeekCloser, FileInfo, error) {
		r, info, err := open()
		info.Size = 5
		return r, info, err
	}
	if r := scanAll(t, Input{Files: []File{f}}); len(r.Log.Observations()) < 5 || r.Files != 1 {
		t.Errorf("%d observations, %+v", len(r.Log.Observations()), r.Problems)
	}
}

// Indexes of messages count from 0, lines from 1.
func TestPlacesOfFindings(t *testing.T) {
	s := story{bash("gh pr diff 88 --stat", fail, "Exit code 1\nunknown flag: --stat"), bash("gh pr diff 88 --name-only", ok, "a.go")}
	for _, a := range otherAgents {
		r := scanAll(t, Input{Files: []File{memory("/s/a"+a.suffix, a.write("s", append(story{user("hi")}, s...).events()))}})
		want := map[string]string{"Codex": "7 5", "Gemini CLI, lines": "8 5", "Gemini CLI, one object": "2 1", "OpenCode": "2 1"}[a.name]
		if len(r.Candidates) != 1 || fmt.Sprint(r.Candidates[0].Line, *r.Candidates[0].ErrorLine) != want {
			t.Errorf("%s: %+v, want %s", a.name, r.Candidates, want)
		}
	}
}

// What was reported once is not reported again because a file is read whole.
func TestGrownObjectsReportOnlyWhatIsNew(t *testing.T) {
	events := append(learner(), bash("git show 1 --no-stat", fail, "Exit code 128\nfatal: unrecognized argument: --no-stat"), bash("git show 1", ok, "c")).events()
	for _, a := range otherAgents {
		path := "/s/a" + a.suffix
		first := scanAll(t, Input{Files: []File{memory(path, a.write("s1", events[:len(events)-4]))}})
		second := scanAll(t, Input{Files: []File{memory(path, a.write("s1", events))}, Log: first.Log, State: first.State})
		if len(first.Candidates) == 0 || len(second.Candidates) != 1 {
			t.Errorf("%s: %d candidates, then %d", a.name, len(first.Candidates), len(second.Candidates))
		}
		third := scanAll(t, Input{Files: []File{memory(path, a.write("s1", events))}, Log: second.Log, State: second.State})
		if third.Unchanged != 1 || len(third.Candidates) != 0 {
			t.Errorf("%s: an unchanged file gave %d candidates", a.name, len(third.Candidates))
		}
	}
}
