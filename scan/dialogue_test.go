package scan

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/lessons-cli/lessons/scan/transcript"
)

// A dialogue is one line of the files testdata/*corrections*.txt, which explain
// their form.
type dialogue struct {
	name  string
	story story
	line  int // of the words in question
}

func dialogues(t *testing.T, file string) []dialogue {
	t.Helper()
	raw, err := os.ReadFile("testdata/" + file)
	if err != nil {
		t.Fatal(err)
	}
	var all []dialogue
	for n, line := range strings.Split(string(raw), "\n") {
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		all = append(all, parseDialogue(t, fmt.Sprintf("%s:%d", file, n+1), line))
	}
	return all
}

func parseDialogue(t *testing.T, name, line string) dialogue {
	t.Helper()
	d := dialogue{name: name}
	wrote := map[string]string{} // what the last edit put into a file
	at := 0
	add := func(events int, part func(*teller)) {
		d.story = append(d.story, part)
		at += events
	}
	for i, part := range strings.Split(line, " | ") {
		key, text, ok := strings.Cut(part, ":")
		if !ok {
			t.Fatalf("%s: part %q has no key", name, part)
		}
		text = strings.ReplaceAll(strings.TrimSpace(text), `\n`, "\n")
		switch key {
		case "u":
			add(1, user(text))
			d.line, d.name = at, name+" "+text
		case "a":
			add(1, says(text))
		case "i":
			add(1, interrupt())
		case "b":
			add(2, bash(text, transcript.OK, ""))
		case "f":
			add(2, bash(text, transcript.Fail, "Exit code 1"))
		case "q":
			question, answer, _ := strings.Cut(text, " => ")
			add(2, call("AskUserQuestion", map[string]any{}, transcript.OK, fmt.Sprintf("User has answered your questions: %q=%q. You can now continue.", question, answer)))
			d.line, d.name = at, name+" "+text
		case "e", "w", "x":
			put := fmt.Sprintf("first line of %d\nsecond line of %d\nthird line of %d\n", i, i, i)
			switch key {
			case "w":
				add(2, call("Write", map[string]any{"file_path": text, "content": put}, transcript.OK, "written"))
			case "x":
				add(2, edit(text, wrote[text], put))
			default:
				add(2, edit(text, fmt.Sprintf("what stood there before %d\n", i), put))
			}
			wrote[text] = put
		case "p":
			add(1, func(s *teller) {
				s.add(transcript.Event{Kind: transcript.ToolCall, Tool: "ExitPlanMode", ToolUse: "plan", Input: []byte(fmt.Sprintf(`{"plan":%q}`, text))})
			})
		case "r", "n":
			add(1, func(s *teller) {
				use := "plan"
				if last := s.events[len(s.events)-1]; last.Kind == transcript.ToolResult {
					use = last.ToolUse // a command whose result this is in place of
					s.events = s.events[:len(s.events)-1]
				}
				s.add(transcript.Event{Kind: transcript.Rejection, ToolUse: use, Outcome: transcript.Rejected, Text: text})
			})
			if prev := strings.Split(line, " | ")[i-1]; strings.HasPrefix(prev, "b:") || strings.HasPrefix(prev, "e:") {
				at--
			}
			if key == "r" {
				d.line, d.name = at, name+" "+text
			}
		default:
			t.Fatalf("%s: unknown part %q", name, part)
		}
	}
	return d
}

// linesIn returns the lines that any of the detectors finds.
func linesIn(s story, detectors ...Detector) []int {
	var lines []int
	w := new(Window)
	for _, e := range s.events() {
		w.Push(&e)
		for _, d := range detectors {
			for _, f := range d.Detect(w) {
				lines = append(lines, f.line)
			}
		}
	}
	return lines
}

// measure returns how many dialogues have their event found, how many have
// anything else found, and the names of those that went wrong.
func measure(all []dialogue, sought bool, detectors ...Detector) (found, other int, wrong []string) {
	for _, d := range all {
		lines := linesIn(d.story, detectors...)
		hit := false
		for _, l := range lines {
			if l == d.line && !hit {
				hit = true
			} else {
				other++
			}
		}
		if hit {
			found++
		}
		if hit != sought || len(lines) > 1 {
			wrong = append(wrong, fmt.Sprintf("%s %v", d.name, lines))
		}
	}
	return found, other, wrong
}

// The bars of the tables. The held-out ones were written before the detectors,
// by the same hand, and are not tuned to.
func TestDialogues(t *testing.T) {
	correct := []Detector{rejections{}, interrupts{}, corrections{}}
	for _, c := range []struct {
		right, wrong      string
		detectors         []Detector
		recall, precision float64
	}{
		{"corrections.txt", "no-corrections.txt", correct, 0.95, 0.97},
		{"corrections-heldout.txt", "no-corrections-heldout.txt", correct, 0.75, 0.90},
		{"decisions.txt", "no-decisions.txt", []Detector{statements{}, decisions{}}, 0.95, 0.95},
		{"decisions-heldout.txt", "no-decisions-heldout.txt", []Detector{statements{}, decisions{}}, 0.75, 0.85},
		{"workflows.txt", "no-workflows.txt", []Detector{workflows{}}, 0.90, 0.95},
		{"workflows-heldout.txt", "no-workflows-heldout.txt", []Detector{workflows{}}, 0.75, 0.85},
	} {
		t.Run(c.right, func(t *testing.T) {
			read := dialogues
			if strings.HasPrefix(c.right, "workflows") {
				read = messages
			}
			right, wrong := read(t, c.right), read(t, c.wrong)
			hits, stray, missed := measure(right, true, c.detectors...)
			false1, false2, alarms := measure(wrong, false, c.detectors...)
			recall := float64(hits) / float64(len(right))
			precision := float64(hits) / float64(hits+stray+false1+false2)
			t.Logf("%s: %d of %d, recall %.2f; %d false alarms in %d dialogues and %d beside, precision %.2f",
				c.right, hits, len(right), recall, false1+false2, len(wrong), stray, precision)
			if recall < c.recall || precision < c.precision {
				t.Errorf("bars: recall %.2f, precision %.2f\nmissed:\n%s\nfalse alarms:\n%s", c.recall, c.precision, strings.Join(missed, "\n"), strings.Join(alarms, "\n"))
			}
		})
	}
}

// messages reads a table of single messages, one a line.
func messages(t *testing.T, file string) []dialogue {
	t.Helper()
	raw, err := os.ReadFile("testdata/" + file)
	if err != nil {
		t.Fatal(err)
	}
	var all []dialogue
	for n, line := range strings.Split(string(raw), "\n") {
		if line != "" && !strings.HasPrefix(line, "# ") {
			all = append(all, dialogue{fmt.Sprintf("%s:%d %s", file, n+1, line), story{user(strings.ReplaceAll(line, `\n`, "\n"))}, 1})
		}
	}
	return all
}
