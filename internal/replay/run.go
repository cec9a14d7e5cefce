package replay

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/internal/redact"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/observe"
	"github.com/lessons-cli/lessons/scan"
	"github.com/lessons-cli/lessons/scan/transcript"
)

// Archive is the history of one repository: its sessions, in any order.
type Archive struct {
	Name  string
	Files []scan.File
}

// Options of [Run].
type Options struct {
	Archives []Archive
	Redactor *redact.Redactor // of what is told
	Decided  func(Decision)   // nil: nobody asks
	Progress func(done, total int64)
}

// Run replays archives, each by itself.
func Run(ctx context.Context, o Options) (Report, []knowledge.Problem, error) {
	var (
		report   Report
		problems []knowledge.Problem
		all      []*history
		sessions [][]*scored
		done     int64
	)
	total := readings * sizeOf(o.Archives)
	progress := func(n int) {
		if done += int64(n); o.Progress != nil {
			o.Progress(min(done, total), total)
		}
	}
	for _, a := range o.Archives {
		h, scores, trouble, err := replay(ctx, a, o.Decided, progress)
		if err != nil {
			return report, problems, fmt.Errorf("%s: %w", a.Name, err)
		}
		problems = append(problems, trouble...)
		all, sessions = append(all, h), append(sessions, scores)
		report.Archives = append(report.Archives, tableOf(a.Name, o.Redactor, []*history{h}, [][]*scored{scores}))
	}
	if len(all) > 1 {
		pooled := tableOf("pooled", o.Redactor, all, sessions)
		report.Pooled = &pooled
	}
	return report, problems, nil
}

// readings is how often a session is read: for its times, to be replayed, and to be
// learned from.
const readings = 3

func sizeOf(archives []Archive) (total int64) {
	for _, a := range archives {
		for _, f := range a.Files {
			if f.Stat == nil {
				continue
			}
			if info, err := f.Stat(); err == nil {
				total += info.Size
			}
		}
	}
	return total
}

// replay plays the sessions of one repository one after another.
func replay(ctx context.Context, a Archive, decided func(Decision), progress func(int)) (*history, []*scored, []knowledge.Problem, error) {
	sessions, problems, err := survey(ctx, a.Files, progress)
	if err != nil || len(sessions) == 0 {
		return newHistory(), nil, problems, err
	}
	w, err := newWorld(ctx, sessions[0].start)
	if err != nil {
		return nil, nil, nil, err
	}
	defer func() { _ = w.close() }()
	run := &running{world: w, history: newHistory(), seen: &transcript.Dedupe{}, progress: progress}
	var scores []*scored
	for _, s := range sessions {
		if err := run.learnEnded(s); err != nil {
			return nil, nil, nil, err
		}
		p, err := run.play(s)
		if err != nil {
			return nil, nil, nil, err
		}
		scores = append(scores, run.waiting[len(run.waiting)-1].scored)
		for _, d := range p.decisions {
			if d.Archive = a.Name; decided != nil {
				decided(d)
			}
		}
	}
	err = run.learnAll() // for what is told of problems and lessons
	return run.history, scores, append(problems, run.problems...), err
}

// running is the replay of one repository under way.
type running struct {
	*world
	history  *history
	seen     *transcript.Dedupe
	waiting  []*ended // sessions that are played, and not yet learned from
	problems []knowledge.Problem
	progress func(int)
}

// ended is a session that was played.
type ended struct {
	*session
	*scored
	calls []*played
}

// play plays one session.
func (r *running) play(s *session) (*player, error) {
	if err := r.enter(s); err != nil {
		return nil, err
	}
	steps, err := s.steps(r.ctx, r.seen, r.progress)
	if err != nil {
		return nil, err
	}
	p := &player{world: r.world, session: s, name: observe.SessionHash(s.id), steps: steps}
	p.play()
	scored := r.history.score(p, active(r.lessons))
	for _, c := range p.calls {
		c.made, c.thread, c.stopped = nil, nil, answer{} // what is not asked again
	}
	r.waiting = append(r.waiting, &ended{s, scored, p.calls})
	return p, r.ctx.Err()
}

// learnEnded learns from the sessions that ended before one begins.
func (r *running) learnEnded(next *session) error {
	slices.SortStableFunc(r.waiting, func(a, b *ended) int { return cmp.Or(a.end.Compare(b.end), strings.Compare(a.id, b.id)) })
	for len(r.waiting) > 0 && r.waiting[0].end.Before(next.start) {
		if err := r.learnFrom(r.waiting[0]); err != nil {
			return err
		}
		r.waiting = r.waiting[1:]
	}
	return nil
}

func (r *running) learnAll() error {
	slices.SortStableFunc(r.waiting, func(a, b *ended) int { return cmp.Or(a.end.Compare(b.end), strings.Compare(a.id, b.id)) })
	for _, e := range r.waiting {
		if err := r.learnFrom(e); err != nil {
			return err
		}
	}
	return nil
}

func (r *running) learnFrom(e *ended) error {
	result, err := r.learn(e.session)
	if err != nil {
		return err
	}
	for _, f := range e.files {
		if f.Stat != nil {
			if info, err := f.Stat(); err == nil {
				r.progress(int(info.Size))
			}
		}
	}
	r.problems = append(r.problems, result.Problems...)
	r.history.learn(e.scored, e.calls, result, r.lessons)
	return nil
}
