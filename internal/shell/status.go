package shell

import "slices"

// status is what can be said of a statement's exit status.
type status struct {
	hides   bool       // a failure inside may not show in it
	last    []*Command // whose status it can be
	unclear bool       // it can be that of others too
}

// harmless says whether a status can only be that of commands whose failure does
// not matter.
func (s status) harmless() bool {
	return !s.unclear && !slices.ContainsFunc(s.last, func(c *Command) bool { return !isHarmless(c.Program) })
}

// list walks statements that follow each other: the last one's status is theirs,
// under "set -e" a failure of any.
func (w *walker) list(all []statement, st *state, in context) (out status) {
	hides := false
	for i := range all {
		s, last := &all[i], i == len(all)-1
		// Under set -e the failure of a in "a && b" goes on.
		out = w.statement(s, st, in.at(0, !last && (!st.errexit || joins(s))))
		hides = hides || out.hides || !last && !st.errexit && !out.harmless()
	}
	out.hides = hides
	return out
}

func joins(s *statement) bool {
	return s.kind == chain && !slices.ContainsFunc(s.parts, func(p statement) bool { return p.joined == "||" })
}

// chain walks "a && b || c". What stands before a || can fail unseen, unless what
// is behind it fails by intention.
func (w *walker) chain(parts []statement, st *state, in context) (out status) {
	hidden := -1 // the last part whose success nothing proves
	for i := range parts {
		if parts[i].joined == "||" && !fails(&parts[i]) {
			hidden = i
		}
	}
	for i := range parts {
		p := &parts[i]
		intended := p.joined == "||" && fails(p)
		s := w.statement(p, st, in.at(0, i <= hidden || intended))
		switch {
		case intended:
		case p.joined == "||":
			out = status{hides: true, unclear: true}
		case i == 0:
			out = s
		default:
			out = status{out.hides || s.hides, append(out.last, s.last...), out.unclear || s.unclear}
		}
	}
	return out
}

// fails says whether a statement ends the line, or gives a status of its own
// choice.
func fails(s *statement) bool {
	switch s.kind {
	case simple:
		if len(s.words) == 0 {
			return false
		}
		switch s.words[0].text {
		case "exit", "return":
			return len(s.words) == 1 || s.words[1].text != "0"
		case "false":
			return true
		}
	case list, subshell, pipeline:
		return len(s.parts) > 0 && fails(&s.parts[len(s.parts)-1])
	case chain:
		return slices.ContainsFunc(s.parts, func(p statement) bool { return fails(&p) })
	}
	return false
}

// pipeline walks "a | b": the status is b's, or with pipefail that of any.
func (w *walker) pipeline(parts []statement, st *state, in context) (out status) {
	pipefail := st.pipefail
	hides := false
	for i := range parts[:len(parts)-1] {
		own := state{dir: st.dir, exports: st.exports}
		s := w.statement(&parts[i], &own, in.at(Piped, !pipefail))
		hides = hides || !pipefail && (s.hides || !s.harmless())
	}
	out = w.statement(&parts[len(parts)-1], st, in)
	out.hides = out.hides || hides
	out.unclear = out.unclear || pipefail
	return out
}

// condition walks an if. The status of what it asks is seen by nobody.
func (w *walker) condition(parts []statement, st *state, in context) status {
	in = in.at(Conditional, true)
	hides := false
	for i := range parts {
		s := w.statement(&parts[i], st, in)
		if asked := i%2 == 0 && i+1 < len(parts); asked {
			s.hides = s.hides || s.unclear || slices.ContainsFunc(s.last, func(c *Command) bool { return !isHarmless(c.Program) && !givesAnswers(c.Program) })
		}
		hides = hides || s.hides
	}
	return status{hides: hides, unclear: true}
}

// loop walks a loop: the status of all rounds but the last is hidden.
func (w *walker) loop(parts []statement, st *state, in context) status {
	in = in.at(Conditional, true)
	var s status
	for i := range parts {
		s = w.statement(&parts[i], st, in)
	}
	return status{hides: s.hides || !s.harmless(), unclear: true}
}
