package scan

import (
	"slices"

	"github.com/lessons-cli/lessons/scan/transcript"
)

// fix is a failure that the newest result mends.
type fix struct {
	failed *Step
	fault  *fault
	how    fixKind
	calls  int  // back from the result
	turn   bool // it belongs to this turn of the agent
}

// settle holds the newest result against the open failures of its thread: those that
// it mends are open no more, and those out of reach will never be mended.
func (w *Window) settle(now *Step) {
	worked := w.succeeded(now)
	if worked || stageOf(w, now) > 0 {
		var results []*Step
		turn := -1
		w.open = slices.DeleteFunc(w.open, func(failed *Step) bool {
			if failed.seq < w.steps[0].seq || failed.Agent != now.Agent {
				return failed.seq < w.steps[0].seq
			}
			if turn < 0 {
				results, turn = w.attempts(now)
			}
			i, f := slices.Index(results, failed), w.judge(failed)
			if i < 0 || !worked && !w.further(f, now) {
				return i < 0
			}
			how := w.mends(failed, f, now)
			if how != noFix {
				w.fixes = append(w.fixes, fix{failed, f, how, i, i < turn})
			}
			return how != noFix
		})
	}
	if w.judge(now) != nil {
		w.open = append(w.open, now)
	}
}

// tells says whether a fix is one to speak of. Far from the failure it must plainly
// be about the same thing.
func (w *Window) tells(m fix, now *Step) bool {
	far := m.calls >= lookCalls
	switch {
	case far && (m.how != afterEdit && m.how != sameFile || !w.farReach(m.failed, now)),
		m.how == afterEdit && !w.succeeded(now),
		!m.turn && !w.sameAgain(m.failed, now, m.how):
		return false
	}
	return m.fault.class != inProgress || !w.wasWanted(m.failed, now)
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
