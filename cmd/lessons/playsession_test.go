package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/lessons-cli/lessons/internal/agent"
)

// played is a session of Claude Code while it is played.
type played struct {
	*player
	live  bool // hooks answer each call
	id    string
	cwd   string
	agent string // the sub-agent whose calls these are
	lines map[string][]string
	told  string // at its start
}

// session plays "session", "sessions N" or "live session": its lines become a
// transcript, and the hook of its end scans and renders. {n} is its number.
func (p *player) session(l *caseLine) {
	words := strings.Fields(l.text)
	live, times := words[0] == "live", 1
	if n, err := strconv.Atoi(words[len(words)-1]); err == nil {
		times = n
	}
	for n := range times {
		p.day()
		s := p.begin(live)
		for _, b := range l.below {
			s.line(b.with(strings.NewReplacer("{n}", strconv.Itoa(n+1))))
		}
		s.end()
	}
}

// day lets the next day begin.
func (p *player) day() {
	p.now = time.Date(p.now.Year(), p.now.Month(), p.now.Day()+1, 9, 0, 0, 0, time.UTC)
}

// begin begins a session and, where hooks answer, tells them.
func (p *player) begin(live bool) *played {
	p.sessions++
	s := &played{
		player: p, live: live, cwd: p.at.dir, lines: map[string][]string{},
		id: fmt.Sprintf("5e550000-0000-4000-8000-%012d", p.sessions),
	}
	if live {
		s.told = s.send("SessionStart", map[string]any{"source": "startup"}).context
	}
	return s
}

func (s *played) transcript() string {
	folder, _ := agent.ClaudeFolder(s.at.dir)
	return filepath.Join(s.at.home, ".claude", "projects", folder, s.id+".jsonl")
}

// send is hook with what each payload of this session holds.
func (s *played) send(event string, payload map[string]any) reply {
	payload["session_id"], payload["transcript_path"] = s.id, s.transcript()
	payload["cwd"], payload["permission_mode"] = s.cwd, "default"
	if s.agent != "" {
		payload["agent_id"], payload["agent_type"] = s.agent, "general-purpose"
	}
	return s.hook(event, payload)
}

// line plays one line of a session.
func (s *played) line(l *caseLine) {
	word, rest, _ := strings.Cut(l.text, " ")
	switch word {
	case "user:":
		words := said(rest, l.below)
		if s.live {
			s.send("UserPromptSubmit", map[string]any{"prompt": words})
		}
		s.write("user", map[string]any{"role": "user", "content": words}, nil)
	case "user": // user {JSON} words
		s.inUsersPlace(l, rest)
	case "agent:":
		s.write("assistant", message(map[string]any{"type": "text", "text": said(rest, l.below)}), nil)
	case "cd":
		s.cwd = filepath.Join(s.at.dir, rest)
	case "wait":
		d, err := time.ParseDuration(rest)
		if err != nil {
			s.t.Fatalf("line %d: %v", l.number, err)
		}
		s.now = s.now.Add(d)
	case "=>":
		s.check(&caseLine{number: l.number, text: "told at start", below: []*caseLine{l}}, reply{context: s.told})
	case "file":
		s.player.write(rest, block(l.below))
	default:
		s.call(l)
	}
}

// said is what somebody says: the rest of a line and the lines below it, where a
// line with a dot alone is an empty one.
func said(first string, below []*caseLine) string {
	text := strings.TrimSpace(first + "\n" + block(below))
	return strings.ReplaceAll(text, "\n.\n", "\n\n")
}

// inUsersPlace writes what stands in the user's place without being the prompt's
// words alone: "user {JSON} words" adds the fields of the object to the line.
func (s *played) inUsersPlace(l *caseLine, rest string) {
	var fields map[string]any
	dec := json.NewDecoder(strings.NewReader(rest))
	if err := dec.Decode(&fields); err != nil {
		s.t.Fatalf("line %d: user {JSON} words: %v", l.number, err)
	}
	text := map[string]any{"type": "text", "text": said(rest[dec.InputOffset():], l.below)}
	s.write("user", map[string]any{"role": "user", "content": []any{text}}, fields)
}

func message(part map[string]any) map[string]any {
	return map[string]any{"id": "msg_1", "type": "message", "role": "assistant", "model": "claude-opus-4-8", "content": []any{part}}
}

// write adds a line to the transcript, some seconds after the last one.
func (s *played) write(kind string, message map[string]any, more map[string]any) {
	s.now = s.now.Add(5 * time.Second)
	line := map[string]any{
		"type": kind, "message": message, "sessionId": s.id, "cwd": s.cwd, "gitBranch": "main", "version": "2.1.197",
		"isSidechain": s.agent != "", "userType": "external", "timestamp": s.now.UTC().Format("2006-01-02T15:04:05.000Z"),
	}
	s.calls++
	line["uuid"] = fmt.Sprintf("11110000-0000-4000-8000-%012d", s.calls)
	if s.agent != "" {
		line["agentId"] = s.agent
	}
	for k, v := range more {
		line[k] = v
	}
	text, err := json.Marshal(line)
	if err != nil {
		s.t.Fatal(err)
	}
	name := s.transcript()
	if s.agent != "" {
		name = filepath.Join(strings.TrimSuffix(name, ".jsonl"), "subagents", "agent-"+s.agent+".jsonl")
	}
	s.lines[name] = append(s.lines[name], string(text))
}

// call plays a call as the case writes it.
func (s *played) call(l *caseLine) {
	tool, input := s.parse(l)
	checks, below := l.split()
	var inner, shown []*caseLine
	for _, b := range below {
		if strings.HasPrefix(b.text, "| ") {
			inner = append(inner, b)
		} else {
			shown = append(shown, b)
		}
	}
	r := s.made(tool, input, ending(tool, input, shown), inner...)
	s.check(&caseLine{number: l.number, text: l.text, below: checks}, r)
	if s.live && r.stopped && !asked(checks, "stopped") {
		s.fail(l, "it is stopped: %s", r.reason)
	}
}

// made makes a call: hooks are asked, then it ends as e says, or with the hook's refusal.
func (s *played) made(tool string, input map[string]any, e ended, inner ...*caseLine) reply {
	s.calls++
	id := fmt.Sprintf("toolu_%020d", s.calls)
	payload := func() map[string]any {
		return map[string]any{"tool_name": tool, "tool_input": input, "tool_use_id": id}
	}
	s.write("assistant", message(map[string]any{"type": "tool_use", "id": id, "name": tool, "input": input}), nil)
	var r reply
	if s.live && !e.unheard() {
		r = s.send("PreToolUse", payload())
	}
	if r.stopped {
		e = ended{text: r.reason, failed: true}
		s.write("assistant", nil, map[string]any{"type": "attachment", "attachment": map[string]any{
			"type": "hook_success", "hookName": "PreToolUse:" + tool, "hookEvent": "PreToolUse", "toolUseID": id, "exitCode": 0,
			"stdout": `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":` + quoted(r.reason) + `}}`,
		}})
	}
	s.inside(inner)
	if s.live && !r.stopped && !e.unheard() {
		after, event := payload(), "PostToolUse"
		if after["duration_ms"] = 40; e.failed {
			event, after["error"], after["is_interrupt"] = "PostToolUseFailure", e.text, e.interrupted
		} else {
			after["tool_response"] = e.response
		}
		r.context += "\n" + s.send(event, after).context
	}
	result := map[string]any{"type": "tool_result", "tool_use_id": id, "content": e.text, "is_error": e.failed}
	var response any = e.response
	if e.failed {
		response = "Error: " + e.text
	}
	s.write("user", map[string]any{"role": "user", "content": []any{result}}, map[string]any{"toolUseResult": response})
	return r
}

// inside plays the calls of a sub-agent.
func (s *played) inside(calls []*caseLine) {
	if len(calls) == 0 {
		return
	}
	s.agent = fmt.Sprintf("a%016d", s.calls)
	s.write("user", map[string]any{"role": "user", "content": "Look around and report."}, nil)
	for _, c := range calls {
		c.text = strings.TrimPrefix(c.text, "| ")
		s.call(c)
	}
	s.agent = ""
}

func quoted(text string) string {
	data, _ := json.Marshal(text)
	return string(data)
}

// parse reads a call: "$ COMMAND", or a tool with its path, name or words.
func (s *played) parse(l *caseLine) (tool string, input map[string]any) {
	tool, rest, _ := strings.Cut(l.text, " ")
	switch {
	case tool == "$":
		return "Bash", map[string]any{"command": rest, "description": "Run it"}
	case tool == "Read":
		return tool, map[string]any{"file_path": s.path(rest)}
	case tool == "Edit":
		return tool, map[string]any{"file_path": s.path(rest), "old_string": marked(l, "- "), "new_string": marked(l, "+ "), "replace_all": false}
	case tool == "Write":
		return tool, map[string]any{"file_path": s.path(rest), "content": marked(l, "+ ")}
	case tool == "Skill":
		return tool, map[string]any{"skill": rest}
	case tool == "Task":
		kind, words, _ := strings.Cut(rest, " ")
		return tool, map[string]any{"subagent_type": kind, "description": words, "prompt": words}
	case tool == "AskUserQuestion":
		question, options, _ := strings.Cut(rest, " | ")
		var choices []any
		for _, o := range strings.Split(options, " | ") {
			choices = append(choices, map[string]any{"label": o, "description": o})
		}
		asked := map[string]any{"question": question, "header": "Choice", "options": choices, "multiSelect": false}
		return tool, map[string]any{"questions": []any{asked}}
	case strings.HasPrefix(tool, "mcp__"):
		if err := json.Unmarshal([]byte(rest), &input); err != nil {
			s.t.Fatalf("line %d: %v", l.number, err)
		}
		return tool, input
	}
	s.t.Fatalf("line %d: what is %q?", l.number, l.text)
	return "", nil
}

func (s *played) path(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(s.at.dir, name)
}

// marked are the lines below that begin with a mark, without it.
func marked(l *caseLine, mark string) string {
	var lines []string
	for _, b := range l.below {
		if text, ok := strings.CutPrefix(b.text, mark); ok {
			lines = append(lines, text)
		}
	}
	return strings.Join(lines, "\n")
}

// ended is how a call ended.
type ended struct {
	text        string
	response    map[string]any
	failed      bool
	interrupted bool
}

// unheard: the client refused the input itself, so no hook heard of the call.
func (e ended) unheard() bool { return strings.HasPrefix(e.text, "<tool_use_error>") }

const refused = "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the file)."

// ending reads how a call ended from the lines below it: "! text" is a failure
// with exit status 1, "!127 text" one with another, "~ refused", "~ refused WORDS" and
// "~ interrupted" are what the person did; anything else is what it printed.
func ending(tool string, input map[string]any, lines []*caseLine) ended {
	var shown []*caseLine
	for _, l := range lines {
		if tool != "Edit" && tool != "Write" || !strings.HasPrefix(l.text, "- ") && !strings.HasPrefix(l.text, "+ ") {
			shown = append(shown, l)
		}
	}
	text := strings.TrimSuffix(block(shown), "\n")
	switch {
	case text == "~ refused":
		return ended{text: refused + " STOP what you are doing and wait for the user to tell you how to proceed.", failed: true}
	case strings.HasPrefix(text, "~ refused "):
		return ended{text: refused + " To tell you how to proceed, the user said:\n" + strings.TrimPrefix(text, "~ refused "), failed: true}
	case text == "~ interrupted":
		return ended{text: "[Request interrupted by user for tool use]", failed: true, interrupted: true}
	case strings.HasPrefix(text, "!"):
		status, words, _ := strings.Cut(text[1:], " ")
		if status == "" {
			status = "1"
		}
		if tool == "Bash" {
			return exited(status, words)
		}
		return ended{text: words, failed: true}
	}
	e := ended{text: text}
	switch tool {
	case "Bash":
		return exited("0", text)
	case "Read":
		e.response = map[string]any{"type": "text", "file": map[string]any{"filePath": input["file_path"], "content": text, "numLines": 1, "startLine": 1, "totalLines": 1}}
	case "Edit", "Write":
		e.text = fmt.Sprintf("The file %s has been updated successfully.", input["file_path"])
		e.response = map[string]any{
			"filePath": input["file_path"], "oldString": input["old_string"], "newString": input["new_string"],
			"content": input["content"], "userModified": false, "structuredPatch": []any{},
		}
	case "AskUserQuestion":
		return answered(input["questions"].([]any), text)
	default:
		e.response = map[string]any{"content": text}
	}
	return e
}

// exited is how a command line ends.
func exited(status, text string) ended {
	if status != "0" {
		return ended{text: strings.TrimSpace("Exit code " + status + "\n" + text), failed: true}
	}
	return ended{text: text, response: map[string]any{"stdout": text, "stderr": "", "interrupted": false, "isImage": false, "noOutputExpected": false}}
}

// answered is how a question ends: with the answer, and below it "notes: WORDS".
func answered(asked []any, text string) ended {
	question := asked[0].(map[string]any)["question"].(string)
	answer, notes, _ := strings.Cut(text, "\nnotes: ")
	response := map[string]any{"questions": asked, "answers": map[string]any{question: answer}}
	pair := `"` + question + `"="` + answer + `"`
	if notes != "" {
		pair += " user notes: " + notes
		response["annotations"] = map[string]any{question: map[string]any{"notes": notes}}
	}
	return ended{text: "User has answered your questions: " + pair + ". You can now continue with the user's answers in mind.", response: response}
}

// end writes the transcript and lets the hook of the session's end scan and render.
func (s *played) end() {
	s.keep()
	s.now = s.now.Add(time.Minute)
	if s.setUp {
		s.send("SessionEnd", map[string]any{"reason": "other"})
	}
}

// keep writes the transcript.
func (s *played) keep() {
	for name, lines := range s.lines {
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			s.t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(strings.Join(lines, "\n")+"\n"), 0o644); err != nil {
			s.t.Fatal(err)
		}
		if err := os.Chtimes(name, s.now, s.now); err != nil {
			s.t.Fatal(err)
		}
	}
}
