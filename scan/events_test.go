package scan

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/lessons-cli/lessons/scan/transcript"
)

// A story is a session as tests write it: each part yields one or two events.
type story []func(*teller)

type teller struct {
	events []transcript.Event
	agent  string
}

func (s *teller) add(e transcript.Event) {
	n := len(s.events)
	e.Arguments = transcript.ReadArguments(e.Input)
	e.Line, e.Agent, e.Session = n+1, s.agent, "session-1"
	e.Cwd = "/home/dev/app"
	e.Time = time.Date(2026, 3, 1, 12, 0, n, 0, time.UTC)
	if e.ID == "" {
		e.ID = fmt.Sprintf("m%d", n)
	}
	s.events = append(s.events, e)
}

func (s story) events() []transcript.Event {
	t := &teller{}
	for _, part := range s {
		part(t)
	}
	return t.events
}

func user(text string) func(*teller) {
	return func(t *teller) { t.add(transcript.Event{Kind: transcript.User, Text: text}) }
}

func says(text string) func(*teller) {
	return func(t *teller) { t.add(transcript.Event{Kind: transcript.Assistant, Text: text}) }
}

func interrupt() func(*teller) {
	return func(t *teller) { t.add(transcript.Event{Kind: transcript.Interrupt}) }
}

func compaction() func(*teller) {
	return func(t *teller) { t.add(transcript.Event{Kind: transcript.Compaction, Text: "summary"}) }
}

func call(tool string, input map[string]any, outcome transcript.Outcome, output string) func(*teller) {
	return func(t *teller) {
		id := fmt.Sprintf("toolu_%d", len(t.events))
		raw, _ := json.Marshal(input)
		t.add(transcript.Event{Kind: transcript.ToolCall, Tool: tool, ToolUse: id, Input: raw})
		kind := transcript.ToolResult
		if outcome == transcript.Rejected {
			kind = transcript.Rejection
		}
		t.add(transcript.Event{Kind: kind, Tool: tool, ToolUse: id, Outcome: outcome, Text: output, Exit: -1})
	}
}

func bash(command string, outcome transcript.Outcome, output string) func(*teller) {
	return call("Bash", map[string]any{"command": command}, outcome, output)
}

func edit(path, before, after string) func(*teller) {
	return call("Edit", map[string]any{"file_path": path, "old_string": before, "new_string": after}, transcript.OK, "updated")
}

func read(path string, outcome transcript.Outcome, output string) func(*teller) {
	return call("Read", map[string]any{"file_path": path}, outcome, output)
}

// found runs one detector over a story.
func found(d Detector, s story) []finding {
	w := new(Window)
	var all []finding
	for _, e := range s.events() {
		w.Push(&e)
		all = append(all, d.Detect(w)...)
	}
	return all
}

// A detectorCase says what a detector makes of a story; want has one line for
// each finding.
type detectorCase struct {
	name  string
	story story
	want  []string
}

// claims are the kinds of findings that a detector may yield.
var claims = map[Detector][]Kind{
	notes{}:       {Note},
	errorFixes{}:  {ErrorFix},
	hangs{}:       {Hang},
	rejections{}:  {UserCorrection},
	interrupts{}:  {UserCorrection},
	corrections{}: {UserCorrection},
	diagnoses{}:   {SelfDiagnosis},
	statements{}:  {Instruction, Decision},
	decisions{}:   {Decision},
	workflows{}:   {Workflow},
	routines{}:    {Workflow},
}

func testDetector(t *testing.T, d Detector, describe func(finding) string, cases []detectorCase) {
	t.Helper()
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for _, f := range found(d, c.story) {
				if !slices.Contains(claims[d], f.kind) {
					t.Errorf("%T yields %s", d, f.kind)
				}
				got = append(got, describe(f))
			}
			if fmt.Sprintf("%q", got) != fmt.Sprintf("%q", c.want) {
				t.Errorf("found\n%q\nwant\n%q", got, c.want)
			}
		})
	}
}

// allDetectors are in the order in which their findings of one event are recorded.
func allDetectors() []Detector {
	return []Detector{
		reports{},
		notes{},
		errorFixes{},
		hangs{},
		rejections{},
		interrupts{},
		corrections{},
		diagnoses{},
		statements{},
		decisions{},
		workflows{},
		routines{},
	}
}

// A detector that does not listen to a kind of event finds nothing when one comes,
// whatever it holds.
func TestDetectorsListenToWhatTheyAnswer(t *testing.T) {
	kinds := []transcript.EventKind{0, transcript.User, transcript.Assistant, transcript.ToolCall, transcript.ToolResult, transcript.Interrupt, transcript.Rejection, transcript.Compaction}
	answered := map[Detector]bool{}
	for _, kind := range kinds {
		last := -1
		for _, d := range listeners(kind) {
			at := slices.Index(allDetectors(), d)
			if answered[d] = true; at <= last {
				t.Errorf("the detectors of %s are out of order", kind)
			}
			last = at
		}
	}
	if len(answered) != len(allDetectors()) {
		t.Errorf("%d detectors listen", len(answered))
	}

	var stories []story
	for _, file := range []string{"corrections.txt", "no-corrections.txt", "decisions.txt"} {
		for _, d := range dialogues(t, file) {
			stories = append(stories, d.story)
		}
	}
	for _, scene := range scenes {
		stories = append(stories, scene())
	}
	rapid.Check(t, func(t *rapid.T) {
		w := new(Window)
		for _, s := range rapid.SliceOfN(rapid.SampledFrom(stories), 1, 4).Draw(t, "stories") {
			for _, e := range s.events() {
				if rapid.IntRange(0, 3).Draw(t, "another kind") == 0 {
					e.Kind = rapid.SampledFrom(kinds).Draw(t, "kind")
				}
				w.Push(&e)
				for _, d := range allDetectors() {
					if found := d.Detect(w); len(found) > 0 && !slices.Contains(listeners(e.Kind), d) {
						t.Fatalf("%T does not listen to %s and finds %+v", d, e.Kind, found)
					}
				}
			}
		}
	})
}
