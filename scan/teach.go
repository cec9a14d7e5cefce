package scan

// teach puts into a finding what its pair of commands teaches.
func (w *Window) teach(out *finding, failed *Step, f *fault, right *Step) {
	s := w.synthesis(failed, f, right)
	if s == nil {
		return
	}
	out.trigger, out.examples, out.title, out.fix = s.trigger, s.examples, s.title, s.fix
	out.keep = (s.pointed || f.class != inProgress) && !switchesOff(s.added)
	out.qualityOK = out.keep
}

// teaches says whether the error of a failed command points at what the other
// command does in another way.
func (w *Window) teaches(failed *Step, f *fault, right *Step) bool {
	if w.editBetween(w.Call(failed), right) {
		return false
	}
	s := w.synthesis(failed, f, right)
	return s != nil && s.pointed
}

func (w *Window) synthesis(failed *Step, f *fault, right *Step) *synthesis {
	return pair{wrong: w.Call(failed).Command, right: right.Command, output: failed.Text, class: f.class}.synthesise()
}
