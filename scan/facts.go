package scan

import (
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/internal/inject"
	"github.com/lessons-cli/lessons/internal/shell"
	"github.com/lessons-cli/lessons/knowledge/statement"
	"github.com/lessons-cli/lessons/scan/transcript"
)

// facts are what is derived of a step. Each is found out when it is first asked for,
// because most are never asked for, and kept, because several detectors ask.
type facts struct {
	line     once[*shell.Line]
	held     once[*inject.Held]
	change   once[replacement]
	rewrites once[bool]
	speech   once[*speech]
	reply    once[reply]
	stated   once[[]statement.Statement]
	claim    once[claimed]
	verdict  once[verdict]
}

// once is a value that is found out when it is first asked for.
type once[T any] struct{ value *T }

func (o *once[T]) get(find func() T) T {
	if o.value == nil {
		value := find()
		o.value = &value
	}
	return *o.value
}

// line returns the call's command line as package shell reads it, which is how the
// hooks see it too. It must not be changed.
func (s *Step) line() *shell.Line {
	return s.facts.line.get(func() *shell.Line { return shell.Parse(s.Command) })
}

// fires says whether a trigger of a shell tool would have fired on the call.
func (s *Step) fires(t *inject.Trigger) bool {
	return t.FiresOn(s.facts.held.get(func() *inject.Held {
		return inject.Hold(inject.Call{Tool: "Bash", Command: s.Command, Line: s.line()})
	}))
}

// change returns what an edit changed. Its input is not kept beside that.
func (s *Step) change() replacement {
	return s.facts.change.get(func() replacement {
		if s.Kind != transcript.ToolCall || !isEdit(s.Tool) {
			return replacement{}
		}
		made := replacementOf(transcript.ReadChange(s.Input))
		s.Input = nil
		return made
	})
}

// editsInPlace says whether a command line changes source files as an edit
// does.
func (s *Step) editsInPlace() bool {
	return s.facts.rewrites.get(func() bool {
		return slices.ContainsFunc(s.line().Commands, func(c *shell.Command) bool {
			switch c.Program {
			case "sed", "perl":
				return slices.ContainsFunc(c.FlagNames(), func(f string) bool { return strings.HasPrefix(f, "-i") || strings.HasSuffix(f, "i") })
			case "patch", "apply_patch":
				return true
			case "git":
				return len(c.Sub) > 0 && c.Sub[0] == "apply"
			case "cat":
				return strings.Contains(s.Command, "cat >")
			}
			return false
		})
	})
}

// speech returns what a person's message says.
func (s *Step) speech() *speech {
	return s.facts.speech.get(func() *speech { return speechOf(MiddleOut(s.Text, keepBytes)) })
}

// reply returns how a text of the agent takes what was said to it.
func (s *Step) reply() reply {
	return s.facts.reply.get(func() reply { return replyOf(MiddleOut(s.Text, keepBytes)) })
}

// claim returns what a text of the agent says about something that went wrong, and
// the sentence that says it.
func (s *Step) claim() (claim, string) {
	c := s.facts.claim.get(func() claimed {
		kind, said := claimIn(MiddleOut(s.Text, keepBytes))
		return claimed{kind, said}
	})
	return c.kind, c.said
}

// claimed is a claim and the sentence that says it.
type claimed struct {
	kind claim
	said string
}

// verdict is what is wrong with a result.
type verdict struct {
	fault   *fault // nil: nothing, or nothing that anybody could know
	excused bool   // it failed, as it was meant to
}

// judge returns what is wrong with a result, or nil when nothing is, or when
// nobody can know.
func (w *Window) judge(result *Step) *fault { return w.verdict(result).fault }

// verdict judges a result together with its call. Those whose call is in the window
// no more are not judged.
func (w *Window) verdict(result *Step) verdict {
	call := w.Call(result)
	if result.Kind != transcript.ToolResult || call == nil {
		return verdict{}
	}
	return result.facts.verdict.get(func() verdict { return w.examine(call, result) })
}
