package observe

import (
	"strings"
	"testing"

	"github.com/lessons-cli/lessons/internal/redact"
	"github.com/lessons-cli/lessons/internal/test/kit"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/lesson"
)

func objected(title, session string) Signal {
	return Signal{Type: knowledge.Pitfall, Origin: OriginUserCorrection, Session: session, At: kit.Day(1), Title: redact.Stored(title)}
}

func TestUnitedStaysOneWhateverComesLater(t *testing.T) {
	th := DefaultThresholds()
	l := &Log{}
	a, b := l.Add(objected("use pnpm here", "s1"), th), l.Add(objected("npm is wrong for this", "s2"), th)
	one, err := l.Unite(a.ID, b.ID)
	if err != nil || len(one.Sessions) != 2 || one.Observations != 2 {
		t.Fatalf("%+v, %v", one, err)
	}
	if again, err := l.Unite(b.ID, a.ID); err != nil || again.ID != one.ID {
		t.Errorf("%+v, %v", again, err)
	}
	l, _ = ParseLog("log", l.Bytes())
	for _, s := range []Signal{objected("npm is wrong for this", "s3"), objected("use pnpm here", "s1")} {
		if got := l.Add(s, th); got.ID != one.ID {
			t.Errorf("%s is apart", got.ID)
		}
	}
	if all := l.Observations(); len(all) != 1 || len(all[0].Sessions) != 3 {
		t.Errorf("%d observations", len(all))
	}
	if l.Get(a.ID).ID != l.Get(b.ID).ID {
		t.Error("one of the two names is lost")
	}
}

func TestWhatIsNotUnited(t *testing.T) {
	is := func(id string, f func(o *Observation)) *Observation {
		o := &Observation{ID: id, Type: knowledge.Pitfall, Pattern: id, Status: Observing, Sessions: []string{id}, Observations: 1}
		f(o)
		return o
	}
	armed := func(program string, origin Origin) func(*Observation) {
		return func(o *Observation) {
			o.Trigger, o.Origin = &lesson.Trigger{Commands: []string{program}}, origin
		}
	}
	plain := func(*Observation) {}
	status := func(s Status) func(*Observation) { return func(o *Observation) { o.Status = s } }
	for name, c := range map[string]struct {
		a, b func(*Observation)
		why  string // empty: they are united
	}{
		"words":                        {plain, plain, ""},
		"a trigger and words":          {armed("npm", OriginErrorFix), plain, ""},
		"the same trigger":             {armed("npm", OriginSelfReport), armed("npm", OriginErrorFix), ""},
		"one in a file":                {status(Created), plain, ""},
		"different triggers":           {armed("npm", OriginErrorFix), armed("yarn", OriginErrorFix), "different calls"},
		"an agent's word and a call":   {armed("npm", OriginErrorFix), func(o *Observation) { o.Origin = OriginSelfReport }, "stands for one"},
		"a promoted one and a call":    {armed("npm", OriginErrorFix), func(o *Observation) { o.Recorded = RecordedManual }, "stands for one"},
		"a typed one and a call":       {armed("npm", OriginErrorFix), func(o *Observation) { o.Marks = []Mark{MarkManual} }, "stands for one"},
		"another type":                 {plain, func(o *Observation) { o.Type = knowledge.Decision }, "a decision"},
		"a retired one":                {plain, status(Deprecated), "retired"},
		"two in files":                 {status(Created), status(Created), "both stand in files"},
		"one that is gone, by another": {plain, nil, "not there"},
	} {
		l := &Log{}
		l.Put(is("obs_a", c.a))
		if c.b != nil {
			l.Put(is("obs_b", c.b))
		}
		before := string(l.Bytes())
		_, err := l.Unite("obs_a", "obs_b")
		if (err == nil) != (c.why == "") || err != nil && !strings.Contains(err.Error(), c.why) {
			t.Errorf("%s: %v", name, err)
		}
		if err != nil && string(l.Bytes()) != before {
			t.Errorf("%s: the log changed", name)
		}
	}
}
