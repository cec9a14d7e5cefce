package replay

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/internal/project"
	"github.com/lessons-cli/lessons/internal/redact"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/lesson"
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
		done     int64
	)
	var total int64
	for _, a := range o.Archives {
		for _, f := range a.Files {
			total += readings * sizeOf(f)
		}
	}
	progress := func(n int) {
		if done += int64(n); o.Progress != nil {
			o.Progress(min(done, total), total)
		}
	}
	for _, a := range o.Archives {
		h, trouble, err := replay(ctx, a, o.Decided, progress)
		if err != nil {
			return report, problems, fmt.Errorf("%s: %w", a.Name, err)
		}
		problems = append(problems, trouble...)
		h.name = a.Name
		all = append(all, h)
		report.Archives = append(report.Archives, tableOf(a.Name, o.Redactor, []*history{h}))
	}
	if len(all) > 1 {
		pooled := tableOf("pooled", o.Redactor, all)
		report.Pooled = &pooled
	}
	return report, problems, nil
}

// readings is how often a session is read: for its times, to be replayed, and to be
// learned from.
const readings = 3

func sizeOf(f scan.File) int64 {
	if f.Stat == nil {
		return 0
	}
	info, err := f.Stat()
	if err != nil {
		return 0
	}
	return info.Size
}

// replay plays the sessions of one repository one after another.
func replay(ctx context.Context, a Archive, decided func(Decision), progress func(int)) (*history, []knowledge.Problem, error) {
	sessions, problems, err := survey(ctx, a.Files, progress)
	if err != nil || len(sessions) == 0 {
		return &history{}, problems, err
	}
	w, err := newWorld(ctx, sessions[0].start)
	if err != nil {
		return nil, nil, err
	}
	defer func() { _ = w.close() }()
	run := &running{world: w, seen: &transcript.Dedupe{}, progress: progress, about: map[errorAt][]string{}, sources: map[string][]string{}, titles: map[string]string{}}
	for _, s := range sessions {
		if err := run.learnEnded(s.start); err != nil {
			return nil, nil, err
		}
		if err := run.play(s); err != nil {
			return nil, nil, err
		}
	}
	if err := run.learnEnded(time.Time{}); err != nil { // what is told of problems and lessons comes from all
		return nil, nil, err
	}
	h, err := run.judge()
	if err != nil || decided == nil {
		return h, append(problems, run.problems...), err
	}
	for _, p := range run.played {
		for _, d := range p.decisions {
			d.Archive = a.Name
			decided(d)
		}
	}
	return h, append(problems, run.problems...), nil
}

// running is the replay of one repository under way.
type running struct {
	*world
	seen     *transcript.Dedupe
	played   []*player
	waiting  []*player // that are played, and not yet learned from
	problems []knowledge.Problem
	progress func(int)

	about   map[errorAt][]string // failing results to observations
	sources map[string][]string  // observations to lessons
	titles  map[string]string    // of lessons
}

// play plays one session.
func (r *running) play(s *session) error {
	if err := r.enter(s); err != nil {
		return err
	}
	steps, err := s.steps(r.ctx, r.seen, r.progress)
	if err != nil {
		return err
	}
	p := &player{world: r.world, session: s, name: knowledge.SessionHash(s.id), steps: steps}
	for _, l := range r.lessons {
		if l.Status == lesson.Active {
			p.listed, p.listedBytes = append(p.listed, l.ID), p.listedBytes+len("- \n")+len(l.Shown())
		}
	}
	p.play()
	p.steps, p.results, p.open = nil, nil, nil
	for _, c := range p.calls {
		c.made = nil
	}
	r.played, r.waiting = append(r.played, p), append(r.waiting, p)
	return r.ctx.Err()
}

// learnEnded learns from the sessions that ended before a time, in the order of their
// ends; the zero time is the end of all.
func (r *running) learnEnded(before time.Time) error {
	slices.SortStableFunc(r.waiting, func(a, b *player) int {
		return cmp.Or(a.session.end.Compare(b.session.end), strings.Compare(a.session.id, b.session.id))
	})
	for len(r.waiting) > 0 && (before.IsZero() || r.waiting[0].session.end.Before(before)) {
		if err := r.learnFrom(r.waiting[0]); err != nil {
			return err
		}
		r.waiting = r.waiting[1:]
	}
	return nil
}

func (r *running) learnFrom(p *player) error {
	result, err := r.learn(p.session)
	if err != nil {
		return err
	}
	for _, f := range p.session.files {
		r.progress(int(sizeOf(f)))
	}
	for _, c := range p.calls {
		c.name.session = result.Sessions[c.file]
	}
	r.problems = append(r.problems, result.Problems...)
	observed(result, func(at errorAt, observation string) { r.about[at] = lists.With(r.about[at], observation) })
	for _, l := range r.lessons {
		r.titles[l.ID] = l.Title
		if l.Source != "" {
			r.sources[l.Source] = lists.With(r.sources[l.Source], l.ID)
		}
	}
	return nil
}

// judge holds what was said against how the calls ended.
func (r *running) judge() (h *history, err error) {
	err = r.within(func(p *project.Project) error {
		log, trouble, err := p.Calls()
		if err != nil {
			return err
		}
		s, err := p.Store.Load()
		if err != nil {
			return err
		}
		r.problems = append(r.problems, trouble...)
		sources := map[string][]string{} // by what observations are called now, and were
		for o := range s.Log.All() {
			for _, id := range append(o.Aliases, o.ID) {
				for _, source := range append(o.Aliases, o.ID) {
					sources[id] = lists.With(sources[id], r.sources[source]...)
				}
			}
		}
		h = judge(r.played, labelsOf(log, r.about, sources), r.titles)
		return nil
	})
	return h, err
}
