package scan

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/internal/automata"
	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/internal/plain"
	"github.com/lessons-cli/lessons/internal/shell"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/calls"
	"github.com/lessons-cli/lessons/knowledge/fingerprint"
	"github.com/lessons-cli/lessons/knowledge/prose"
	"github.com/lessons-cli/lessons/scan/transcript"
)

// Lengths of what the call log holds, in bytes after redaction.
const (
	maxInput     = 600
	maxComplaint = 200
	maxRules     = 12
)

// called returns what the call log keeps of the newest result, with the failures that
// it mended, or nil when its call is not known.
func (s *sink) called(w *Window, mended []finding) *calls.Call {
	result := w.Last()
	call := w.Call(result)
	if call == nil || result.Kind != transcript.ToolResult && result.Kind != transcript.Rejection {
		return nil
	}
	s.cwd = call.Cwd
	out := &calls.Call{
		ID: calls.IDOf(call.ToolUse, call.Line), Line: result.Line, Bytes: len(result.Text), Agent: callAgent(call.Agent), Tool: call.Tool,
		Input: s.input(call), Dir: s.dir(call.Cwd), Outcome: w.outcome(call, result),
	}
	if !result.Time.IsZero() {
		out.At = result.Time.UnixMilli()
		if !call.Time.IsZero() {
			out.Took = max(0, out.At-call.Time.UnixMilli())
		}
	}
	if out.Outcome == calls.Refused {
		if out.Fired = fired(result.Text); len(out.Fired) > 0 {
			out.Outcome = calls.Stopped
		}
	}
	if line := warned(call, result.Text); line != "" && out.Outcome == calls.OK {
		out.Warned, out.Out = true, s.plain(prose.OneLine(plain.Visible(line)), maxComplaint)
	}
	if f := w.judge(result); f != nil {
		out.Failure = s.failure(call, f)
	}
	for i := range mended {
		if m := mended[i].mend; m != nil {
			out.Mends = append(out.Mends, calls.Mend{Call: m.call, How: m.how, Named: m.named, Rule: m.rule, Fix: shorten(s.Redactor, mended[i].fix, maxText).String()})
		}
	}
	return out
}

func callAgent(agent string) string {
	if agent == "" {
		return ""
	}
	return knowledge.Digest("", 6, "agent", agent)
}

// outcome is how a call ended, as far as it counts for or against a lesson.
func (w *Window) outcome(call, result *Step) calls.Outcome {
	if result.Kind == transcript.Rejection {
		return calls.Refused
	}
	v := w.verdict(result)
	switch result.Outcome {
	case transcript.Rejected, transcript.Blocked:
		return calls.Refused
	case transcript.Interrupted, transcript.Cancelled:
		return calls.Interrupted
	case transcript.Expected:
		if call.line().Masked {
			return calls.Masked // the answer is that of the last command of a pipe
		}
	case transcript.Masked:
		return calls.Masked
	case transcript.Unsaid:
		return calls.Unknown
	}
	switch {
	case v.fault != nil:
		return calls.Failed
	case v.excused, !w.succeeded(result):
		return calls.Unknown
	}
	return calls.OK
}

// input is what a call asked for: a command line, a path, else what its input says
// best.
func (s *sink) input(call *Step) string {
	switch {
	case call.Command != "":
		return s.plain(commandText(call), maxInput)
	case call.Path != "":
		return s.plain(call.Path, maxInput)
	}
	return s.plain(strings.Trim(asked(call), "`"), maxComplaint)
}

// commandText is a command line without the documents that it carries along. Of a
// long one it is its simple commands, a line each.
func commandText(call *Step) string {
	if len(call.Command) <= maxInput && !strings.Contains(call.Command, "<<") {
		return call.Command
	}
	return strings.Join(lists.Map(call.line().Commands, func(c *shell.Command) string { return oneCommand(c.Source) }), "\n")
}

// plain is a text with the repository's paths made relative, redacted, in at most n
// bytes. Of another repository's session the working directory counts as its root.
func (s *sink) plain(text string, n int) string {
	roots := s.roots
	if s.Foreign && s.cwd != "" {
		roots = append(slices.Clip(roots), s.cwd)
	}
	for _, root := range roots {
		if root = strings.TrimRight(root, `/\`); root != "" && strings.Contains(text, root) {
			text = strings.ReplaceAll(strings.ReplaceAll(text, root+"/", ""), root, ".")
		}
	}
	return s.Redactor.Text(text).Cut(n).Clone().String()
}

// dir is a working directory below the root, ".." when it lies outside.
func (s *sink) dir(cwd string) string {
	if cwd == "" || len(s.roots) == 0 || s.Foreign {
		return ""
	}
	dir, inside := relativeTo(s.roots, cwd)
	switch {
	case !inside:
		return ".."
	case dir == ".":
		return ""
	}
	return s.Redactor.Text(dir).Clone().String()
}

// failure says which problem a failed call met.
func (s *sink) failure(call *Step, f *fault) *calls.Failure {
	kind := failureOf(call, f)
	out := &calls.Failure{Class: kind.Class, Line: s.plain(prose.OneLine(plain.Visible(f.salient)), maxComplaint), Rules: map[string]string{}}
	for rule, broken := range f.rules {
		out.Rules[s.plain(rule, maxComplaint)] = s.plain(prose.OneLine(plain.Visible(broken.line)), maxComplaint)
	}
	out.Program, out.Target = s.place(call, f)
	kind.Command = strings.TrimSpace(out.Program + " " + out.Target)
	kind.Text = f.kindOfText(out.Line)
	out.Problem = fingerprint.Problem(*kind, f.rule)
	return out
}

// place is the program that failed with its sub-command or script, or what another
// tool was asked for where that is what was wrong.
func (s *sink) place(call *Step, f *fault) (program, target string) {
	if isShell(call.Tool) {
		c := faulty(call.line(), f)
		if c == nil || f.class == shellSyntax {
			return "", ""
		}
		program, target, _ = strings.Cut(c.Name(), " ")
		if f.class == environment && !interpreters[c.Program] || f.class == notRunnable && (f.program == "" || f.program == program) || noManifest.MatchString(f.salient) {
			target = "" // the way to run it is at fault, whatever it was to do
		}
		if shell.RunsPackageScripts(program) {
			target = strings.TrimPrefix(strings.TrimPrefix(target, "run-script "), "run ")
		}
		return program, s.plain(target, maxComplaint)
	}
	switch {
	case call.Path != "" && f.class == missingPath:
		return "", s.plain(call.Path, maxComplaint)
	case call.Path == "" && (f.class == usage || f.class == missingPath):
		return "", s.plain(strings.Trim(asked(call), "`"), maxComplaint)
	}
	return "", ""
}

// lessonsNamed finds the lessons that a hook's answer names: in its advice to people, and in the
// comment that answers of earlier versions end with.
var lessonsNamed = automata.Lazily(`<!-- lessons:(\{[^\n]*?\}) -->|\blessons (?:show|allow) ([^\s;.]+)`)

// fired reads which lessons an answer of a hook names.
func fired(text string) []string {
	if !strings.Contains(text, "[lessons] ") {
		return nil
	}
	var ids []string
	for _, m := range lessonsNamed().FindAllStringSubmatch(text, -1) {
		var said struct{ Injected []string }
		if m[2] != "" {
			ids = append(ids, m[2])
		} else if json.Unmarshal([]byte(m[1]), &said) == nil {
			ids = append(ids, said.Injected...)
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}
