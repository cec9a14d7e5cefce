package learn

import (
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/internal/redact"
)

// Asker has a model answer a prompt. It returns when the answer is complete, ctx
// ends or its own time is up.
type Asker interface {
	Ask(ctx context.Context, prompt string) (answer string, err error)
}

// Run is one run of the model step over planned batches.
type Run struct {
	Batches  []Batch
	State    State
	Most     int    // runs a day
	Day      string // today
	Model    string // noted beside its words
	Redactor *redact.Redactor
	Asker    Asker
	// Save makes the state durable, Join what holds of a batch's answer. Each may
	// be repeated after a crash.
	Save func(State) error
	Join func([]Verdict) error
	// Tell is told of each batch before and after it; nil: nobody.
	Tell func(Report)
}

// Report is about one batch.
type Report struct {
	Batch    int // from 1
	Episodes int
	Verdicts []Verdict // nil before it was asked
}

// ErrCap says that the day has no run left.
var ErrCap = errors.New("the runs of this day are used up")

// FailedError says that a batch got no answer that can be used. Nothing of it
// was taken; it is asked about again.
type FailedError struct{ Err error }

func (e *FailedError) Error() string { return e.Err.Error() }
func (e *FailedError) Unwrap() error { return e.Err }

// Do asks about the batches in turn, and stops at the first that fails: what
// ails a program ails its next run too. It returns what was joined; the error is
// ctx's, [ErrCap], a *FailedError, or one of Save and Join.
func (r *Run) Do(ctx context.Context) ([]Verdict, error) {
	var all []Verdict
	for i, b := range r.Batches {
		if err := ctx.Err(); err != nil {
			return all, err
		}
		if !r.State.begin(b.Key, r.Day, r.Most) {
			return all, ErrCap
		}
		if err := r.Save(r.State); err != nil {
			return all, err
		}
		r.tell(Report{Batch: i + 1, Episodes: len(b.Episodes)})
		verdicts, err := r.batch(ctx, b)
		all = append(all, verdicts...)
		if err != nil {
			return all, err
		}
		r.tell(Report{i + 1, len(b.Episodes), verdicts})
	}
	return all, nil
}

func (r *Run) tell(report Report) {
	if r.Tell != nil {
		r.Tell(report)
	}
}

// batch asks about one batch and joins what holds, then notes the rest.
func (r *Run) batch(ctx context.Context, b Batch) ([]Verdict, error) {
	verdicts, err := r.ask(ctx, b)
	if ctx.Err() != nil {
		return nil, ctx.Err() // the batch stays open: it goes on next time
	}
	if err != nil {
		if _, unread := errors.AsType[*unreadError](err); unread { // a program that failed says nothing about them
			for _, e := range b.Episodes {
				r.State.fail(e.ID, version(e.found), err.Error(), false)
			}
		}
		r.State.end()
		return nil, errors.Join(&FailedError{err}, r.Save(r.State))
	}
	if err := r.Join(slices.DeleteFunc(slices.Clone(verdicts), func(v Verdict) bool { return v.Outcome == Dropped })); err != nil {
		return nil, err
	}
	for _, v := range verdicts {
		if v.Outcome == Dropped {
			r.State.fail(v.Observation, version(b.episode(v.Observation).found), v.Reason, true)
		}
	}
	r.State.end()
	return verdicts, r.Save(r.State)
}

// unreadError says that what the program printed is no answer.
type unreadError struct{ error }

func (e *unreadError) Unwrap() error { return e.error }

// ask asks, and once more about what was refused, with the reasons why. The
// verdicts are in the order of the episodes; those that a failure of the second
// call left open are not among them. It fails when no answer could be read.
func (r *Run) ask(ctx context.Context, b Batch) ([]Verdict, error) {
	first, err := r.once(ctx, b, b.Prompt())
	unread := new(unreadError)
	switch {
	case errors.As(err, &unread):
		first = answered{held: map[string]Verdict{}, refused: b.all(err.Error()), reasons: []string{err.Error()}}
	case err != nil:
		return nil, err // the program failed, and would again
	}
	if len(first.refused) == 0 {
		return b.verdicts(first), nil
	}
	part := b.only(first.refused)
	second, err2 := r.once(ctx, part, part.again(first.reasons))
	switch {
	case err2 == nil:
		maps.Copy(first.held, second.held)
		first.refused = second.refused
	case err != nil:
		return nil, err2
	case errors.As(err2, &unread):
	default:
		first.refused = nil
	}
	return b.verdicts(first), nil
}

// answered is an answer, sorted by the ids of the episodes.
type answered struct {
	held    map[string]Verdict
	refused map[string]string
	reasons []string // of all that was refused, for the model
}

// once asks about a batch and checks the answer.
func (r *Run) once(ctx context.Context, b Batch, prompt string) (answered, error) {
	answer, err := r.Asker.Ask(ctx, prompt)
	if err != nil {
		return answered{}, err
	}
	items, err := ParseAnswer(answer)
	if err != nil {
		return answered{}, &unreadError{errors.New(r.Redactor.Text(err.Error()).Cut(maxReason).String())}
	}
	return b.check(items, r.Model, r.Redactor), nil
}

// verdicts lists what became of the episodes, in their order.
func (b Batch) verdicts(a answered) []Verdict {
	var list []Verdict
	for _, e := range b.Episodes {
		if v, ok := a.held[e.ID]; ok {
			list = append(list, v)
		} else if why := a.refused[e.ID]; why != "" {
			list = append(list, Verdict{Observation: e.ID, Outcome: Dropped, Reason: why})
		}
	}
	return list
}

// all gives every episode one reason.
func (b Batch) all(why string) map[string]string {
	return lists.Table(b.Episodes, func(e Episode) (string, string) { return e.ID, why })
}

// only is the part of a batch that certain episodes make.
func (b Batch) only(ids map[string]string) Batch {
	part := b
	part.Episodes = lists.Filter(b.Episodes, func(e Episode) bool { return ids[e.ID] != "" })
	return part
}

// episode is the one with an id; nil: there is none.
func (b Batch) episode(id string) *Episode {
	for i := range b.Episodes {
		if b.Episodes[i].ID == id {
			return &b.Episodes[i]
		}
	}
	return nil
}
