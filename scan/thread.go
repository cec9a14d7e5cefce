package scan

import "slices"

// A thread is one agent's part of a file: the main agent's or a sub-agent's. It
// knows its last results, so that a success with nothing to mend, as nearly all
// are, is not compared with what was before it.
type thread struct {
	agent   string
	results int
	turned  int          // the number of what last ended a turn, see attempts
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

// failedBefore returns which of the thread's last lookFar results before the newest
// failed, oldest first.
func (w *Window) failedBefore(now *Step) []openResult {
	t := w.thread(now.Agent)
	t.open = slices.DeleteFunc(t.open, func(r openResult) bool {
		return r.seq < w.steps[0].seq || t.results-r.nth > lookFar || r.seq < now.seq && w.judge(w.at(r.seq)) == nil
	})
	if n := len(t.open); n > 0 && t.open[n-1].seq == now.seq {
		return t.open[:n-1]
	}
	return t.open
}
