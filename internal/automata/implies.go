package automata

// Implies says whether every text that matches one expression matches another as
// well: then the other, where it is cheaper, may be asked first. It looks for a way
// through an automaton of both that leads to a match of the first and to none of the
// second before, and returns the text of such a way, or a note where there are too
// many states to tell.
func Implies(expr, other string) (text string, implied bool) {
	const match, avoid = 1, 2
	p := newPlan(expr, other)
	if p == nil {
		return "an expression that cannot be read", false
	}
	a := newAutomaton(p)
	ways := map[uint16]string{firstState: ""}
	a.limit = int(lastHit) * a.columns
	for waiting := []uint16{firstState}; len(waiting) > 0; waiting = waiting[1:] {
		for class := range a.end + 1 {
			text := ways[waiting[0]]
			if class < a.end {
				text += string(a.sample[class])
			}
			to, of := a.step(waiting[0], class), uint64(0)
			if firstHit >= to && to >= lastHit {
				of, to = a.hits[firstHit-to].of, a.hits[firstHit-to].to
			}
			if a.hits = a.hits[:0]; a.resets > 1 {
				return "too many states", false
			}
			if of&avoid != 0 {
				continue
			}
			if of&match != 0 {
				return text, false
			}
			if _, known := ways[to]; to != dead && !known {
				ways[to] = text
				waiting = append(waiting, to)
			}
		}
	}
	return "", true
}
