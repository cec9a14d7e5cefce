package scan

import "slices"

// A thread is one agent's part of a file: the main agent's or a sub-agent's. It
// knows its last results, so that a success with nothing to mend, as nearly all
// are, is not compared with what was before it.
type thread struct {
	agent   string
	results int
	open    []openResult // what may have failed, oldest first
}

// openResult is a result by its place in the file and among those of its thread.
type openResult struct{ seq, nth int }

func (w *Window) thread(agent string) *thread {
	i := slices.IndexFunc(w.threads, func(t *thread) bool { return t.agent == agent })
	if i < 0 {
		i = len(w.threads)
		w.threads = append(w.threads, &thread{agent: agent})
	}
	return w.threads[i]
}

func (t *thread) add(result *Step) {
	t.results++
	t.open = append(t.open, openResult{result.seq, t.results})
}

// failedBefore says whether one of the thread's last lookFar results before the
// newest failed, and the number of the first that did.
func (w *Window) failedBefore(now *Step) (first int, any bool) {
	t := w.thread(now.Agent)
	t.open = slices.DeleteFunc(t.open, func(r openResult) bool {
		at := r.seq - w.steps[0].seq
		return at < 0 || t.results-r.nth > lookFar || r.seq < now.seq && w.judge(w.steps[at]) == nil
	})
	if len(t.open) == 0 || t.open[0].seq == now.seq {
		return 0, false
	}
	return t.open[0].seq, true
}

// mayMendAny says whether a result can mend one of the failures that
// [Window.failedBefore] left, by the tools that were called.
func (w *Window) mayMendAny(now *Step) bool {
	right := w.Call(now)
	return slices.ContainsFunc(w.thread(now.Agent).open, func(r openResult) bool {
		failed := w.steps[r.seq-w.steps[0].seq]
		return r.seq < now.seq && mayMend(w.Call(failed), w.judge(failed), right)
	})
}
