package scan

import (
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/internal/automata"
	"github.com/lessons-cli/lessons/internal/shell"
	"github.com/lessons-cli/lessons/knowledge/calls"
	"github.com/lessons-cli/lessons/knowledge/prose"
	"github.com/lessons-cli/lessons/scan/transcript"
)

// teach puts into a finding what its pair of commands teaches: a trigger, its
// examples, title and fix. Other arguments without a trigger that can be believed
// are another task.
func (w *Window) teach(out *finding, failed *Step, f *fault, right *Step, how fixKind) {
	shape := w.learned(failed, f, right).shape
	var s *synthesis
	if f.class == inProgress && out.mend.how == calls.ByArguments && (shape == nil || !shape.credible()) {
		out.mend.how = calls.ByOther // the work went on in another way
	}
	out.mend.named = shape != nil && shape.literal()
	if shape != nil && shape.credible() && !shape.switchesOff() {
		s = w.synthesis(failed, f, right)
	}
	if s == nil || w.contradicts(s, right) {
		if how == changedLine && f.class != inProgress {
			out.unfit = withoutTrigger
		}
		return
	}
	out.meant = slices.ContainsFunc(shape.edits, meant)
	if how == changedLine && (!shape.replaced() || shape.sameModule()) {
		out.mend.how = changedArgs.kind()
	}
	out.trigger, out.examples, out.title, out.fix = s.trigger, s.examples, s.title, s.fix
	out.mistaken = shape.mistake()
	out.unfit = ""
}

// teaches says whether the error of a failed command points at what the other
// command does in another way.
func (w *Window) teaches(failed *Step, f *fault, right *Step) bool {
	if w.editBetween(w.Call(failed), right) {
		return false
	}
	if !slices.ContainsFunc(w.Call(failed).line().All, func(c *shell.Command) bool { return c.Program != "cd" && likeOf(c, right.line()) != nil }) {
		return false // whichever of them the error is about
	}
	l := w.learned(failed, f, right)
	return l.shape != nil && l.shape.pointed() && l.shape.credible() && w.synthesis(failed, f, right) != nil
}

// learned is what a failed command and one that worked teach: how they differ,
// and the trigger, once somebody asked.
type learned struct {
	right *Step
	pair  pair
	shape *shaper
	made  *synthesis
	asked bool
}

func (w *Window) learned(failed *Step, f *fault, right *Step) *learned {
	for _, l := range f.taught {
		if l.right == right {
			return l
		}
	}
	wrong := w.Call(failed)
	if f.message == nil { // a failure is held against many successes
		message := errorTextOf(failed.Text)
		f.message, f.about = &message, message.faulty(wrong.line())
	}
	l := &learned{right: right, pair: pair{wrong: wrong.Command, right: right.Command, class: f.class, message: f.message}}
	l.shape = l.pair.align(f.about, wrong.line(), right.line())
	f.taught = append(f.taught, l)
	return l
}

func (w *Window) synthesis(failed *Step, f *fault, right *Step) *synthesis {
	l := w.learned(failed, f, right)
	if l.shape != nil && !l.asked {
		l.asked = true
		l.made = l.pair.shaped(l.shape, w.Call(failed).line(), right.line())
	}
	return l.made
}

// credible says whether the way of calling was at fault, and not the work. What
// tests and compilers say is about the sources, so of their calls counts what
// runs them, and what they refuse in so many words. Another operand or
// sub-command is another task, and another program another try, unless the error
// refuses the first.
func (s *shaper) credible() bool {
	edits := s.named()
	if w := s.wrapper(); w != nil && fetchers[w.new] && slices.Contains(nodeRunners, launcher(w.old)) {
		return false // it may fetch any program of that name
	}
	if s.replaced() {
		return s.pointed() || s.class == usage || s.otherWay()
	}
	if (otherSubject(s.f, s.g) || !related(s.f, s.g)) && slices.ContainsFunc(edits, func(e change) bool { return e.kind == flagEdit && !protects.MatchString(e.old) }) {
		return false // another sub-command does not show what to do about a flag
	}
	brings := slices.ContainsFunc(s.edits, func(e change) bool { return e.kind == flagEdit || e.kind == envEdit })
	if len(edits) == 0 {
		edits = s.edits
		onlyAdds := !slices.ContainsFunc(edits, func(e change) bool { return e.kind != flagEdit && e.kind != operandEdit || e.old != "" }) && brings
		if len(edits) > 1 && s.class != usage && !onlyAdds && !s.pointed() {
			return false
		}
	}
	for _, e := range edits {
		if e.kind == operandEdit && e.old == "" && brings {
			continue // what came in beside is of this occasion
		}
		if purpose := purposeOf(s.f); s.sets(e) && purpose != tests && purpose != lints {
			continue
		}
		switch e.kind {
		case envEdit:
			if name, _, _ := strings.Cut(e.new, "="); s.class == inProgress && !s.message.names(name) {
				return false
			}
		case flagEdit:
			if s.class == inProgress && !e.moved && !s.refuses(e) {
				return false
			}
		case valueEdit, operandEdit, subEdit:
			if s.class != usage && s.class != notRunnable && !s.refuses(e) && !s.sources() {
				return false
			}
		}
	}
	return true
}

// sets says whether an edit only brought in a variable of the program's: make deploy ENV=staging.
func (s *shaper) sets(e change) bool {
	return e.kind == operandEdit && e.old == "" && assignment.MatchString(e.new)
}

var assignment = automata.New(`^[A-Za-z_]\w*=`)

// sameModule says whether Python runs the file as a module now: src/shop/cli.py, -m shop.cli.
func (s *shaper) sameModule() bool {
	file, _ := s.f.Script()
	return slices.Contains(s.g.Wrappers, s.f.Program) && strings.HasSuffix("/"+file, "/"+strings.ReplaceAll(s.g.Program, ".", "/")+".py")
}

// otherWay says whether another program did to the same thing what the first could not.
// One that looks or reports on the sources does not do what another does.
func (s *shaper) otherWay() bool {
	if s.class == inProgress || s.class == missingPath || onlyShows(s.f) || onlyShows(s.g) || purposeOf(s.f) == lints || purposeOf(s.f) == tests {
		return false
	}
	if toolKinds[s.f.Program] != "" && toolKinds[s.f.Program] == toolKinds[s.g.Program] && len(s.f.Sub) > 0 && slices.Equal(s.f.Sub, s.g.Sub) {
		return true // npm install, pnpm install
	}
	return slices.ContainsFunc(operandsOf(s.f), func(o string) bool { return slices.Contains(operandsOf(s.g), o) })
}

// switchesOff says whether the fix turned a check off that the failed command kept on;
// -f is a file to many.
func (s *shaper) switchesOff() bool {
	var added []string
	for _, e := range s.edits {
		switch {
		case meant(e):
		case e.new == "-f" && !slices.Contains([]string{"git", "rm", "mv", "cp", "ln", "npm", "docker", "podman"}, s.f.Program):
		default:
			added = append(added, e.new)
		}
	}
	return switchesOff(added)
}

// meant says whether the flag that came in is what the one that left was to be: its
// beginning, or another spelling.
func meant(e change) bool {
	return e.kind == flagEdit && len(e.old) > 3 && e.new != "" &&
		(strings.HasPrefix(e.new, e.old) || strings.HasPrefix(e.old, e.new) || prose.Distance(e.old, e.new) <= 2)
}

// sources says whether the command reads another script into the shell.
func (s *shaper) sources() bool { return s.f.Program == "source" || s.f.Program == "." }

var refusals = phrasebook.Pattern("refusals")

// refuses says whether a line of the error, or the one before it, turns down
// what an edit took out, or asks for what it brought in.
func (s *shaper) refuses(e change) bool {
	before := false
	for line := range strings.Lines(s.message.text) {
		now := refusals.MatchString(line)
		if now || before {
			one := &shaper{f: s.f, g: s.g, message: errorText{text: line}, class: s.class}
			if one.speaksOf(e) || e.old == "" && e.new != "" && one.message.names(e.new) {
				return true
			}
		}
		before = now
	}
	return false
}

// contradicts says whether a call before the fix succeeded on which the trigger
// would have fired: then it says too little of what was wrong (algorithms
// section 4, step 8). Of a program that is said not to run here, a call that failed at its
// work ran too.
func (w *Window) contradicts(s *synthesis, right *Step) bool {
	for result := range w.before(right, right.Agent) {
		if result.Kind != transcript.ToolResult || !w.succeeded(result) && !(s.shape.replaced() && s.shape.cannotRun() && stage(w.judge(result)) == 3) {
			continue
		}
		if call := w.Call(result); isShell(call.Tool) && call.fires(&s.compiled) {
			return true
		}
	}
	return false
}
