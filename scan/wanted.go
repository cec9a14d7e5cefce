package scan

import (
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/internal/shell"
	"github.com/lessons-cli/lessons/scan/transcript"
)

// A failure that the agent wanted to see is no mistake: the first run of a test
// that was written before its code, or a command that must refuse something.

// wanted are words before a run that announce its failure, red words after it
// that are content with it. Both are looked for in the agent's text beside the
// run and in the description that it gave to the call.
var wanted = phrasebook.Pattern("wanted")

var wantedAfter = phrasebook.Pattern("wantedAfter")

// notWanted are words with which the same sentences ask for the opposite.
var notWanted = phrasebook.Pattern("notWanted")

// lookWords is how many events before a call its announcement may lie.
const lookWords = 3

// wantedToFail says whether the agent announced that a call must fail.
func (w *Window) wantedToFail(call *Step) bool {
	if announcesFailure(call.Description) {
		return true
	}
	n := 0
	for s := range w.before(call, call.Agent) {
		switch s.Kind {
		case transcript.Assistant:
			return announcesFailure(lastLine(s.Text))
		case transcript.User, transcript.ToolResult, transcript.Rejection, transcript.Interrupt, transcript.Compaction:
			return false
		}
		if n++; n >= lookWords {
			return false
		}
	}
	return false
}

// wasWanted says whether the agent, seeing a failure, was content with it.
func (w *Window) wasWanted(failed, until *Step) bool {
	after := ""
	for s := range w.between(failed, until) {
		switch s.Kind {
		case transcript.Assistant:
			after = s.Text
		case transcript.ToolCall:
			after = ""
		}
	}
	first, _, _ := strings.Cut(strings.TrimSpace(after), "\n")
	if first == "" || len(first) > 1000 {
		return false
	}
	return wantedAfter.MatchString(first) || older.MatchString(first) && !claimPatterns().fixes.MatchString(after)
}

// older are words by which the agent leaves a failure alone that was there
// before it began.
var older = phrasebook.Pattern("older")

// announcesFailure says whether a sentence of a text announces a failure.
func announcesFailure(text string) bool {
	if len(text) > 2000 {
		text = text[len(text)-2000:]
	}
	at := wanted.FindStringIndex(text)
	return at != nil && !notWanted.MatchString(text[at[0]:at[1]])
}

// lastLine is the last line of a text that says anything.
func lastLine(text string) string {
	text = strings.TrimRight(text, " \n\t")
	return text[strings.LastIndexByte(text, '\n')+1:]
}

// lookBuilt is how many events before a call the build of its program may lie.
const lookBuilt = 100

// builtHere says whether a call runs a program that was built in this session:
// what it answers to odd arguments is the behaviour under test.
func (w *Window) builtHere(call *Step) bool {
	if !isShell(call.Tool) {
		return false
	}
	made := ""
	for _, c := range call.line().Commands {
		if strings.Contains(c.Path, "/") && !strings.Contains(c.Path, "node_modules") && !strings.Contains(c.Path, "venv") {
			made = c.Path
		}
	}
	if made == "" {
		return false
	}
	makes := func(s *Step) bool {
		return slices.ContainsFunc(s.line().Commands, func(c *shell.Command) bool {
			return c.Path != made && purposeOf(c) == builds && (strings.Contains(c.Source, made) || inBuildFolder(made))
		})
	}
	if makes(call) {
		return true
	}
	n := 0
	for s := range w.before(call, call.Agent) {
		if n++; n > lookBuilt {
			return false
		}
		if s.Kind != transcript.ToolCall || !isShell(s.Tool) {
			continue
		}
		if makes(s) {
			return true
		}
	}
	return false
}

// inBuildFolder says whether a program lies where builds put theirs.
func inBuildFolder(p string) bool {
	return slices.ContainsFunc([]string{"target/debug/", "target/release/", "dist/", "build/", "bin/Debug/", "bin/Release/", ".build/", "zig-out/", "_build/", "out/"}, func(dir string) bool {
		return strings.Contains(p, dir)
	})
}
