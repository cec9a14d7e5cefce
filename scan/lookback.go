package scan

import (
	"slices"

	"github.com/lessons-cli/lessons/scan/transcript"
)

// lookback is a result's look at the failures before it.
type lookback struct {
	*Window
	thread  *thread
	now     *Step
	worked  bool
	first   int // the number of the first failure
	how     fixKind
	results []*Step // see attempts, once they are needed
	turn    int
	upTo    int // the number of the event from which they come
}

// reaches says whether a failure lies within reach, by its place among the results
// before the newest. Nothing that was before a near one is looked at.
func (l *lookback) reaches(failed *Step, i int) bool {
	first := failed.seq
	if i >= lookCalls {
		first = l.first
	}
	if l.results == nil || first < l.upTo {
		l.results, l.turn = l.attempts(l.now, first, lookFar, l.near[:0])
		l.near, l.upTo = l.results, first
	}
	return i < len(l.results)
}

// mended says whether the newest result is the fix of a failure, by its place among
// the results, and in what way.
func (l *lookback) mended(failed *Step, i int) bool {
	f := l.judge(failed)
	if !l.worked && !l.further(f, l.now) {
		return false
	}
	far := i >= lookCalls // then it lies in this turn, if within reach
	if far && (failed.seq < l.thread.turned || !l.farReach(failed, l.now) || !l.reaches(failed, i)) {
		return false
	}
	l.how = l.mends(failed, f, l.now)
	if l.how == noFix || !l.worked && l.how == afterEdit || far && l.how != afterEdit && l.how != sameFile {
		return false // as nearly always
	}
	return l.reaches(failed, i) && (i < l.turn || l.sameAgain(failed, l.now, l.how)) && !(f.class == inProgress && l.wasWanted(failed, l.now)) &&
		!slices.ContainsFunc(l.results[:i], func(s *Step) bool {
			return (l.succeeded(s) || l.further(f, s)) && l.mends(failed, f, s) != noFix
		})
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
// What was before the event with number first is not asked for, nor are more than
// some, at most lookFar. Into is where the results go, empty.
func (w *Window) attempts(now *Step, first, most int, into []*Step) (results []*Step, turn int) {
	results, turn = into, -1
	endTurn := func() {
		if turn < 0 {
			turn = len(results)
		}
	}
	oldest := now.Time.Add(-lookTime)
	for i := now.seq - w.steps[0].seq - 1; i >= 0; i-- { // by hand: so many steps are looked at
		s := w.steps[i]
		if s.Agent != now.Agent {
			continue
		}
		switch s.Kind {
		case transcript.User, transcript.Interrupt, transcript.Rejection:
			endTurn()
		case transcript.Compaction:
			endTurn()
			return results, turn
		case transcript.ToolResult:
			results = append(results, s)
		}
		switch {
		case len(results) == most, s.seq <= first, turn >= 0 && len(results) >= lookCalls, now.seq-s.seq > lookSteps,
			turn < 0 && s.Time.Before(oldest) && !s.Time.IsZero():
			endTurn()
			return results, turn
		}
	}
	endTurn()
	return results, turn
}
