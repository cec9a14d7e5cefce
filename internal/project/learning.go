package project

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/lessons-cli/lessons/internal/fsx"
	"github.com/lessons-cli/lessons/internal/jsonlines"
	"github.com/lessons-cli/lessons/internal/learn"
	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/config"
	"github.com/lessons-cli/lessons/knowledge/lesson"
	"github.com/lessons-cli/lessons/knowledge/observe"
	"github.com/lessons-cli/lessons/knowledge/store"
)

// Files of the model step in the clone's shared folder.
const (
	learnStateName  = "learn-state.json"
	learnLockName   = "learn.lock"
	learnHolderName = "learn-holder.json"
)

// Learning is the model step of one repository, planned.
type Learning struct {
	Plan  learn.Plan
	Today []learn.Batch // those that the day's runs suffice for
	Cost  learn.Cost    // of Today
	Left  int           // runs that the day has
	Most  int           // runs a day

	Problems []knowledge.Problem
	Config   config.Config

	state    learn.State
	day      string
	p        *Project
	unsolved []*observe.Observation // of problems
}

// BusyError says that another process learns here.
type BusyError struct {
	PID   int
	Since time.Time
}

func (e *BusyError) Error() string {
	if e.PID == 0 {
		return "another lessons learn is at work in this clone"
	}
	return fmt.Sprintf("another lessons learn is at work in this clone: process %d, since %s", e.PID, e.Since.Local().Format("15:04"))
}

// LockLearning makes sure that no two learn at once; it does not wait. The error
// is a *[BusyError] when one does.
func (p *Project) LockLearning() (unlock func(), err error) {
	shared := p.Store.Places.Shared
	if err := fsx.MkdirAll(p.FS, shared); err != nil {
		return nil, err
	}
	holder := filepath.Join(shared, learnHolderName) // of whoever had it last
	release, err := p.FS.Lock(filepath.Join(shared, learnLockName), 0)
	if errors.Is(err, fsx.ErrLocked) {
		busy := &BusyError{}
		if data, err := p.FS.ReadFile(holder); err == nil {
			_ = json.Unmarshal(data, busy) // without it nobody is named
		}
		return nil, busy
	}
	if err != nil {
		return nil, err
	}
	if err := fsx.WriteFile(p.FS, holder, jsonlines.Line(BusyError{os.Getpid(), p.Now().UTC()})); err != nil {
		return nil, errors.Join(err, release())
	}
	return func() { _ = release() }, nil // the end of the process frees it anyway
}

// PlanLearning plans what a model is asked today. now makes a batch of what
// waits for more sessions, too.
func (p *Project) PlanLearning(now bool) (*Learning, error) {
	s, err := p.Store.Load()
	if err != nil {
		return nil, err
	}
	history, trouble, err := p.Evidence(s, s.Lessons)
	if err != nil {
		return nil, err
	}
	l := &Learning{Problems: slices.Concat(s.Problems, trouble), Config: s.Config, Most: s.Config.DailyCap, day: p.Now().Format(time.DateOnly), p: p}
	if l.state, err = p.learnState(l); err != nil {
		return nil, err
	}
	l.unsolved = history.unsolved(s)
	all := slices.Concat(s.Log.Observations(), lists.Filter(l.unsolved, func(o *observe.Observation) bool { return s.Log.Get(o.ID) == nil }))
	l.state.Prune(func(id string) bool {
		return slices.ContainsFunc(all, func(o *observe.Observation) bool { return o.ID == id })
	})
	l.Left = l.state.Left(l.day, l.Most)
	facts := &learnFacts{Evidence: history, excerpts: p.excerpts(history.log), verdicts: history.tried(all), free: history.free()}
	l.Plan = learn.NewPlan(learn.Input{
		Observations: all, Known: facts.known(s, p.Redactor()), Facts: facts.of, Unread: unread(s), State: l.state, Config: s.Config,
		Redactor: p.Redactor(), Most: l.Left, Now: now,
	})
	l.Today = l.Plan.Batches
	l.Cost = learn.CostOf(l.Today)
	return l, nil
}

func (p *Project) learnStatePath() string { return p.shared(learnStateName) }

func (p *Project) learnState(l *Learning) (learn.State, error) {
	name := p.learnStatePath()
	data, err := p.readOwn(name)
	if err != nil {
		return learn.State{}, err
	}
	state, err := learn.ParseState(data)
	if _, newer := errors.AsType[*learn.NewerError](err); newer {
		return state, fmt.Errorf("%s: %w", name, err)
	}
	if err != nil {
		l.Problems = append(l.Problems, knowledge.Problem{Path: name, Rule: "learn-state", Text: err.Error()})
	}
	return state, nil
}

// unread says of rendered observations whether their words can still change: all
// that stands of them is a draft as it was rendered.
func unread(s *store.Snapshot) func(o *observe.Observation) bool {
	drafts := map[string]bool{}
	for _, l := range s.Lessons {
		row, ok := s.Manifest.Row(knowledge.Key{Observation: l.Source, Kind: knowledge.KindLesson})
		if ok && l.Status == lesson.Draft && knowledge.SameHash(row.ContentHash, s.Before(l.Path)) {
			drafts[l.Source] = true
		}
	}
	return func(o *observe.Observation) bool { return drafts[o.ID] }
}

// Run has the batches of today asked about. model names in the log who phrased.
// It needs the lock of [Project.LockLearning].
func (l *Learning) Run(asker learn.Asker, model string, tell func(learn.Report)) *learn.Run {
	return &learn.Run{
		Batches: l.Today, State: l.state, Most: l.Most, Day: l.day, Model: model, Redactor: l.p.Redactor(), Asker: asker,
		Save: l.save, Join: l.join, Tell: tell,
	}
}

func (l *Learning) save(s learn.State) error {
	return fsx.WriteFile(l.p.FS, l.p.learnStatePath(), s.Bytes())
}

// join puts a batch's words beside those of the observations, and makes one of what
// belongs together. What people did to an observation meanwhile stands, one that is gone
// stays so, and nothing stands against a call that worked meanwhile.
func (l *Learning) join(verdicts []learn.Verdict) error {
	s, err := l.p.Store.Load()
	if err != nil {
		return err
	}
	history, _, err := l.p.Evidence(s, nil)
	if err != nil {
		return err
	}
	l.keepProblems(s.Log, verdicts)
	against := history.against(s.Log.Observations())
	united := map[string]bool{}
	for _, v := range verdicts {
		if v.Outcome == learn.Joined && against[v.Into] == "" && against[v.Observation] == "" {
			_, err := s.Log.Unite(v.Into, v.Observation)
			united[v.Into] = united[v.Into] || err == nil // what changed meanwhile stays apart
		}
	}
	against = history.against(s.Log.Observations())
	for _, v := range verdicts {
		o := s.Log.Get(v.Observation)
		if o == nil || v.Outcome == learn.Joined || v.Outcome == learn.Phrased && against[o.ID] != "" {
			continue
		}
		if united[v.Observation] {
			v.Phrasing.Of = observe.PhrasingKey(o) // the words are for all of them
		}
		o.AddPhrasing(v.Phrasing)
		observe.Promote(o, s.Config.Thresholds)
		s.Log.Put(o)
	}
	return l.p.Store.Apply(store.Transaction{Log: s.Log})
}

// keepProblems puts those problems into a log that a model was asked about, now or before.
func (l *Learning) keepProblems(log *observe.Log, verdicts []learn.Verdict) {
	problems := &observe.Log{}
	for _, o := range l.unsolved {
		asked := slices.ContainsFunc(verdicts, func(v learn.Verdict) bool { return v.Observation == o.ID })
		if asked || log.Get(o.ID) != nil {
			problems.Put(o)
		}
	}
	log.Join(problems)
}
