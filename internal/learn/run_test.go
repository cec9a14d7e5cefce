package learn

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/lessons-cli/lessons/knowledge/observe"
)

// script answers prompt by prompt; an error in it is the program's failure.
type script struct {
	answers []any
	prompts []string
}

func (s *script) Ask(ctx context.Context, prompt string) (string, error) {
	if err := ctx.Err(); err != nil {
		return "", err
	}
	s.prompts = append(s.prompts, prompt)
	if len(s.answers) == 0 {
		return "", errors.New("asked too often")
	}
	next := s.answers[0]
	s.answers = s.answers[1:]
	if err, ok := next.(error); ok {
		return "", err
	}
	return next.(string), nil
}

// diary is what a run told its caller, in order.
type diary struct {
	*Run
	saved  []State
	joined []Verdict
}

func runOf(asker Asker, batches ...Batch) *diary {
	d := &diary{}
	d.Run = &Run{
		Batches: batches, State: State{Version: stateVersion}, Most: 5, Day: "2026-11-20", Model: "m", Redactor: redactor, Asker: asker,
		Save: func(s State) error { d.saved = append(d.saved, s); return nil },
		Join: func(v []Verdict) error { d.joined = append(d.joined, v...); return nil },
	}
	return d
}

func outcomes(list []Verdict) string {
	var words []string
	for _, v := range list {
		words = append(words, v.Observation[len(v.Observation)-1:]+string(v.Outcome))
	}
	return strings.Join(words, " ")
}

func TestOneRetryWithTheReasonsThenDrop(t *testing.T) {
	one, two := met(1, "a"), met(2, "a")
	b := batchOf(t, one, two)
	bad := strings.Replace(good(two), "timed out", "invented", 1)
	exit := errors.New("exit status 1")
	for name, c := range map[string]struct {
		answers []any
		want    string // the last digit of each observation, and its outcome
		calls   int
		failed  bool
	}{
		"good at once":             {[]any{answerOf(good(one), good(two))}, "2phrased 1phrased", 1, false},
		"good the second time":     {[]any{answerOf(good(one), bad), answerOf(good(two))}, "2phrased 1phrased", 2, false},
		"bad twice":                {[]any{answerOf(good(one), bad), answerOf(bad)}, "2dropped 1phrased", 2, false},
		"no JSON, then good":       {[]any{"sorry", answerOf(good(one), good(two))}, "2phrased 1phrased", 2, false},
		"good, then no JSON":       {[]any{answerOf(good(one), bad), "sorry"}, "2dropped 1phrased", 2, false},
		"no JSON twice":            {[]any{"sorry", "sorry"}, "", 2, true},
		"no JSON, then exit":       {[]any{"sorry", exit}, "", 2, true},
		"exit":                     {[]any{exit}, "", 1, true},
		"half good, then exit":     {[]any{answerOf(good(one), bad), exit}, "1phrased", 2, false},
		"the second one brings no": {[]any{answerOf(good(one)), answerOf(none(two, "trivial"))}, "2rejected 1phrased", 2, false},
	} {
		t.Run(name, func(t *testing.T) {
			s := &script{answers: c.answers}
			d := runOf(s, b)
			verdicts, err := d.Do(t.Context())
			if failed := new(FailedError); errors.As(err, &failed) != c.failed {
				t.Errorf("error %v", err)
			}
			if got := outcomes(verdicts); got != c.want || len(s.prompts) != c.calls {
				t.Errorf("%s in %d calls, want %s in %d", got, len(s.prompts), c.want, c.calls)
			}
			if strings.Contains(outcomes(d.joined), "dropped") {
				t.Error("what was dropped was joined")
			}
			last := d.saved[len(d.saved)-1]
			if last.Open != "" || last.Runs != 1 {
				t.Errorf("state %+v", last)
			}
			if dropped := strings.Contains(c.want, "2dropped"); last.away(two) != dropped || last.away(one) {
				t.Errorf("put away: %+v", last.Away)
			}
			if len(s.prompts) == 2 && !strings.Contains(s.prompts[1], "Your last answer was refused:\n- ") {
				t.Errorf("the second prompt gives no reason: …%s", s.prompts[1][max(0, len(s.prompts[1])-300):])
			}
		})
	}
}

func TestTheSecondCallIsAboutWhatWasRefused(t *testing.T) {
	one, two := met(1, "a"), met(2, "a")
	s := &script{answers: []any{answerOf(good(one)), answerOf(good(two))}}
	if _, err := runOf(s, batchOf(t, one, two)).Do(t.Context()); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(s.prompts[1], one.Evidence[0]) || !strings.Contains(s.prompts[1], two.Evidence[0]) {
		t.Error("the second call asks about other episodes")
	}
}

// An answer that nobody can read counts against the episodes after three runs; a
// program that fails says nothing about them.
func TestWhatIsPutAway(t *testing.T) {
	o := met(1, "a")
	for _, c := range []struct {
		answers []any
		want    bool
	}{{[]any{"no", "no"}, true}, {[]any{errors.New("exit status 1")}, false}} {
		state := State{Version: stateVersion}
		for range maxTries {
			if state.away(o) {
				t.Error("put away too early")
			}
			d := runOf(&script{answers: append([]any{}, c.answers...)}, batchOf(t, o))
			d.State = state
			_, _ = d.Do(t.Context())
			state = d.saved[len(d.saved)-1]
		}
		if state.away(o) != c.want {
			t.Errorf("%v: put away %v", c.answers, state.away(o))
		}
	}
}

func TestTheDaysCap(t *testing.T) {
	one, two := batchOf(t, met(1, "a")), batchOf(t, met(2, "a"))
	s := &script{answers: []any{answerOf(good(met(1)))}}
	d := runOf(s, one, two)
	d.State = State{Version: stateVersion, Day: "2026-11-20", Runs: 4}
	if verdicts, err := d.Do(t.Context()); !errors.Is(err, ErrCap) || len(verdicts) != 1 {
		t.Errorf("%v, %d verdicts", err, len(verdicts))
	}
	last := d.saved[len(d.saved)-1]
	if d := runOf(&script{answers: []any{answerOf(good(met(1)))}}, one); true {
		d.State, d.Day = last, "2026-11-21"
		if _, err := d.Do(t.Context()); err != nil || d.saved[0].Runs != 1 {
			t.Errorf("the next day: %v, %+v", err, d.saved)
		}
	}
	if last.Left("2026-11-20", 5) != 0 || last.Left("2026-11-21", 5) != 5 || last.Left("2026-11-20", 3) != 0 {
		t.Errorf("left: %+v", last)
	}
}

// The run is counted before anything is asked, and a batch that was cut off goes
// on once without being counted again.
func TestACutOffBatchGoesOnOnceUncounted(t *testing.T) {
	o := met(1, "a")
	ctx, cancel := context.WithCancel(t.Context())
	stop := &cutOff{cancel: cancel}
	d := runOf(stop, batchOf(t, o))
	if _, err := d.Do(ctx); !errors.Is(err, context.Canceled) {
		t.Fatalf("%v", err)
	}
	if len(d.saved) != 1 || d.saved[0].Runs != 1 || d.saved[0].Open == "" || d.saved[0].away(o) {
		t.Fatalf("saved %+v", d.saved)
	}
	state := d.saved[0]
	for want := 1; want <= 2; want++ { // interrupted again, and again
		ctx, cancel := context.WithCancel(t.Context())
		d := runOf(&cutOff{cancel: cancel}, batchOf(t, o))
		d.State = state
		_, _ = d.Do(ctx)
		if state = d.saved[len(d.saved)-1]; state.Runs != want {
			t.Errorf("%d runs are counted, want %d", state.Runs, want)
		}
	}
}

type cutOff struct{ cancel func() }

func (c *cutOff) Ask(ctx context.Context, _ string) (string, error) {
	c.cancel()
	return "", ctx.Err()
}

func TestParseState(t *testing.T) {
	s := State{Version: stateVersion, Day: "2026-11-20", Runs: 2, Open: "k", Resumed: true, Away: map[string]Away{"obs_1": {"v", 3, "no"}}}
	again, err := ParseState(s.Bytes())
	if err != nil || string(again.Bytes()) != string(s.Bytes()) {
		t.Errorf("%v\n%s", err, again.Bytes())
	}
	for _, data := range []string{"", " \n", "{}"} {
		if s, err := ParseState([]byte(data)); err != nil || s.Version != stateVersion {
			t.Errorf("%q: %+v, %v", data, s, err)
		}
	}
	if _, err := ParseState([]byte("{")); err == nil {
		t.Error("a damaged state is no error")
	}
	newer := new(NewerError)
	if _, err := ParseState([]byte(`{"version":9}`)); !errors.As(err, &newer) {
		t.Errorf("a newer version: %v", err)
	}
	s.Prune(func(string) bool { return false })
	if len(s.Away) != 0 {
		t.Error("a row of nothing stays")
	}
}

func TestPhrasingFitsTheWordsThatWereSent(t *testing.T) {
	o := met(1, "a")
	d := runOf(&script{answers: []any{answerOf(good(o))}}, batchOf(t, o))
	if _, err := d.Do(t.Context()); err != nil {
		t.Fatal(err)
	}
	o.AddPhrasing(d.joined[0].Phrasing)
	want := observe.Phrasing{
		Of: observe.PhrasingKey(o), Model: "m", Title: "Run pytest with -q", Mistake: "pytest waits for input",
		Fix: "run `python -m pytest -q tests/unit`", Why: "nobody types", Quotes: []string{"timed out"}, QualityOK: true,
	}
	if got, ok := o.Phrasing(); !ok || strings.Join([]string{got.Title, got.Mistake, got.Fix, got.Why, got.Model, got.Quotes[0]}, "|") != strings.Join([]string{want.Title, want.Mistake, want.Fix, want.Why, want.Model, want.Quotes[0]}, "|") || !got.QualityOK {
		t.Errorf("%+v", got)
	}
}
