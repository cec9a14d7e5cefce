package scan

import (
	"github.com/lessons-cli/lessons/scan/transcript"
)

// lookback is a result's look at the failures before it.
type lookback struct {
	*Window
	now     *Step
	worked  bool
	results []*Step // within reach, see attempts
	turn    int     // how many of them belong to this turn
}

// mends says in what way the newest result is the fix of a failure, which is the
// i-th of the results.
func (l *lookback) mends(failed *Step, f *fault, i int) fixKind {
	far := i >= lookCalls
	if !l.worked && !l.further(f, l.now) || far && !l.farReach(failed, l.now) {
		return noFix
	}
	how := l.Window.mends(failed, f, l.now)
	switch {
	case how == noFix, !l.worked && how == afterEdit, far && how != afterEdit && how != sameFile,
		i >= l.turn && !l.sameAgain(failed, l.now, how), f.class == inProgress && l.wasWanted(failed, l.now):
		return noFix
	}
	for _, s := range l.results[:i] {
		if (l.succeeded(s) || l.further(f, s)) && l.Window.mends(failed, f, s) != noFix {
			return noFix
		}
	}
	return how
}

// farReach says whether a success can mend a failure that lies further back than
// another try would: files were changed since, or it is the same file.
func (w *Window) farReach(failed, good *Step) bool {
	wrong, right := w.Call(failed), w.Call(good)
	if !isShell(wrong.Tool) {
		return wrong.Path != "" && wrong.Path == right.Path
	}
	return w.editBetween(wrong, right)
}

// attempts returns the results of the thread before a result within reach of a
// fix, newest first, and how many of them belong to this turn of the agent: a
// person's message, an interruption or a refusal ends it. A compaction ends the
// reach.
func (w *Window) attempts(now *Step) (results []*Step, turn int) {
	turn, results = -1, make([]*Step, 0, lookFar)
	oldest := now.Time.Add(-lookTime)
search:
	for s := range w.before(now, now.Agent) {
		switch s.Kind {
		case transcript.Compaction:
			break search
		case transcript.User, transcript.Interrupt, transcript.Rejection:
			if turn < 0 {
				turn = len(results)
			}
		case transcript.ToolResult:
			results = append(results, s)
		}
		switch {
		case len(results) == lookFar, turn >= 0 && len(results) >= lookCalls, now.seq-s.seq > lookSteps,
			turn < 0 && s.Time.Before(oldest) && !s.Time.IsZero():
			break search
		}
	}
	if turn < 0 {
		turn = len(results)
	}
	return results, turn
}
