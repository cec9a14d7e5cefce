package scan

import "github.com/lessons-cli/lessons/scan/transcript"

// tried names a call in a sentence.
func tried(call *Step) string {
	if call.Command != "" {
		return "`" + oneCommand(call.Command) + "`"
	}
	if call.Path != "" {
		return call.Tool + " of " + call.Path
	}
	return call.Tool
}

// A subject is what a call was about: a program with its sub-command, or a tool and
// its file.
type subject struct{ tool, on string }

func (s subject) String() string {
	if s.tool == "" {
		return s.on
	}
	return s.tool + " " + s.on
}

// isAbout says whether a result's call was about a subject.
func (w *Window) isAbout(result *Step, f *fault, about subject) bool {
	return w.subject(result, f) == about
}

// subject is what a result's call was about, empty when there is nothing to name.
func (w *Window) subject(result *Step, f *fault) subject {
	call := w.Call(result)
	if call == nil || result.Kind != transcript.ToolResult {
		return subject{}
	}
	if !isShell(call.Tool) {
		if call.Path == "" {
			return subject{}
		}
		return subject{call.Tool, call.Path}
	}
	c := mainCommand(call.line())
	if f != nil {
		c = faulty(call.line(), f)
	}
	if c == nil {
		return subject{}
	}
	return subject{on: c.Name()}
}
