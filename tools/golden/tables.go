package main

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"time"
)

// tables are the files of dialogues, one a line, that become sessions.
var tables = []string{
	"corrections.txt", "no-corrections.txt", "decisions.txt", "no-decisions.txt", "workflows.txt", "no-workflows.txt",
}

// session is one of Claude Code that is made up.
type session struct {
	id    string
	lines []string
	at    time.Time
	calls int
}

func newSession(id string) *session {
	return &session{id: id, at: time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)}
}

type object = map[string]any

func (s *session) message(role string, content any) {
	s.at = s.at.Add(20 * time.Second)
	data, _ := json.Marshal(object{ // texts and numbers always encode
		"type": role, "uuid": fmt.Sprintf("%s-%d", s.id, len(s.lines)), "sessionId": s.id, "cwd": "/home/dev/project",
		"timestamp": s.at.Format(time.RFC3339), "message": object{"role": role, "content": content},
	})
	s.lines = append(s.lines, string(data)+"\n")
}

func (s *session) person(text string) { s.message("user", strings.ReplaceAll(text, `\n`, "\n")) }

func (s *session) agent(text string) {
	s.message("assistant", []object{{"type": "text", "text": strings.ReplaceAll(text, `\n`, "\n")}})
}

func (s *session) call(tool string, input object, failed bool, result string) {
	s.calls++
	id := fmt.Sprintf("toolu_%s_%d", s.id, s.calls)
	s.message("assistant", []object{{"type": "tool_use", "id": id, "name": tool, "input": input}})
	s.message("user", []object{{"type": "tool_result", "tool_use_id": id, "is_error": failed, "content": result}})
}

func (s *session) write(folder string) error {
	return writeFile(filepath.Join(folder, s.id+".jsonl"), strings.Join(s.lines, ""))
}

// tableSessions makes one session of each twenty dialogues: a file for each
// would be a process for each.
func tableSessions(to, text string) error {
	name := filepath.Base(to)
	var s *session
	n := 0
	for row := range strings.Lines(text) {
		row = strings.TrimSpace(row)
		if row == "" || strings.HasPrefix(row, "#") {
			continue
		}
		if n%20 == 0 {
			if s != nil {
				if err := s.write(to); err != nil {
					return err
				}
			}
			s = newSession(fmt.Sprintf("%s-%02d", name, n/20))
		}
		n++
		if s.dialogue(row); n%20 != 0 {
			s.agent("Done.")
		}
	}
	if s == nil {
		return nil
	}
	return s.write(to)
}

// dialogue plays one line: parts stand between bars, a letter says what each is.
func (s *session) dialogue(row string) {
	for _, part := range strings.Split(row, " | ") {
		kind, text, ok := strings.Cut(part, ": ")
		if !ok || len(kind) != 1 {
			s.person(part)
			continue
		}
		switch kind {
		case "u":
			s.person(text)
		case "a":
			s.agent(text)
		case "e", "x":
			s.call("Edit", object{"file_path": text, "old_string": "old", "new_string": "new"}, false, "The file was updated.")
		case "w":
			s.call("Write", object{"file_path": text, "content": "new"}, false, "The file was written.")
		case "b":
			s.call("Bash", object{"command": text}, false, "ok")
		case "f":
			s.call("Bash", object{"command": text}, true, "Exit code 1\nError: it failed")
		case "p":
			s.call("ExitPlanMode", object{"plan": text}, false, "The plan is accepted.")
		case "q":
			question, answer, _ := strings.Cut(text, " => ")
			s.call("AskUserQuestion", object{"questions": []object{{"question": question}}}, false, `Your questions have been answered: "`+question+`"="`+answer+`".`)
		case "r":
			s.call("Edit", object{"file_path": "a.go", "old_string": "old", "new_string": "new"}, true,
				"The user doesn't want to proceed with this tool use. The tool use was rejected. To tell you how to proceed, the user said:\n"+text)
		default:
			s.person(part)
		}
	}
}

// pairSessions makes sessions of twenty pairs each: a command that fails, and
// the one that works.
func pairSessions(to, text string) error {
	name := filepath.Base(to)
	var s *session
	n := 0
	for _, block := range strings.Split(text, "\n\n") {
		failed, problem, fixed := "", "", ""
		for row := range strings.Lines(block) {
			kind, rest, _ := strings.Cut(strings.TrimSpace(row), ": ")
			switch kind {
			case "failed":
				failed = rest
			case "error":
				problem += rest + "\n"
			case "fixed":
				fixed = rest
			}
		}
		if failed == "" {
			continue
		}
		if s == nil || n%20 == 0 {
			if s != nil {
				if err := s.write(to); err != nil {
					return err
				}
			}
			s = newSession(fmt.Sprintf("%s-%02d", name, n/20))
		}
		n++
		s.person(fmt.Sprintf("Please do task %d.", n))
		s.call("Bash", object{"command": failed}, true, "Exit code 1\n"+problem)
		s.call("Bash", object{"command": fixed}, false, "ok")
		s.agent("Done.")
	}
	if s == nil {
		return nil
	}
	return s.write(to)
}
