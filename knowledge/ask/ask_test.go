package ask

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

func asked(session string, line int, name string) Fact {
	return Fact{Session: session, Line: line, At: int64(line), Name: name}
}

func answered(session string, line int, a Answer) Fact {
	return Fact{Session: session, Line: line, At: int64(line), Answer: a}
}

func TestABlockAnswersTheNewestAskBeforeIt(t *testing.T) {
	for name, c := range map[string]struct {
		facts []Fact
		want  Count
	}{
		"nothing":                     {nil, Count{}},
		"ignored":                     {[]Fact{asked("a", 1, "x")}, Count{Asked: 1, Ignored: 1}},
		"a lesson":                    {[]Fact{asked("a", 1, "x"), answered("a", 2, Lesson)}, Count{Asked: 1, Block: 1}},
		"a decision":                  {[]Fact{asked("a", 1, "x"), answered("a", 2, Decision)}, Count{Asked: 1, Block: 1}},
		"none":                        {[]Fact{asked("a", 1, "x"), answered("a", 2, None)}, Count{Asked: 1, None: 1}},
		"a block before the ask":      {[]Fact{answered("a", 1, Lesson), asked("a", 2, "x")}, Count{Asked: 1, Ignored: 1}},
		"the answer of another":       {[]Fact{asked("a", 1, "x"), answered("b", 2, Lesson), asked("b", 9, "y")}, Count{Asked: 2, Ignored: 2}},
		"one answer for two":          {[]Fact{asked("a", 1, "x"), asked("a", 3, "y"), answered("a", 4, Lesson)}, Count{Asked: 2, Block: 1, Ignored: 1}},
		"two answers":                 {[]Fact{asked("a", 1, "x"), asked("a", 3, "y"), answered("a", 4, Lesson), answered("a", 4, None)}, Count{Asked: 2, Block: 1, None: 1}},
		"a copy of the session's ask": {[]Fact{asked("a", 1, "x"), asked("a", 7, "x"), answered("a", 8, Lesson)}, Count{Asked: 1, Block: 1}},
		"answers nobody asked for":    {[]Fact{asked("a", 1, "x"), answered("a", 2, Lesson), answered("a", 3, Lesson)}, Count{Asked: 1, Block: 1}},
	} {
		if got := CountOf(Of(c.facts)); got != c.want {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
	}
}

func TestInVain(t *testing.T) {
	for _, c := range []struct {
		ignored, answered, ignoredBefore int
		want                             bool
	}{{19, 0, 0, false}, {20, 0, 0, true}, {19, 1, 0, true}, {18, 2, 0, false}, {30, 0, 0, true}, {18, 2, 40, false}, {5, 15, 0, false}} {
		var facts []Fact
		line := 0
		add := func(n int, a Answer) {
			for range n {
				line += 2
				facts = append(facts, asked(fmt.Sprint("s", line), line, fmt.Sprint("n", line)))
				if a != "" {
					facts = append(facts, answered(fmt.Sprint("s", line), line+1, a))
				}
			}
		}
		add(c.ignoredBefore, "")
		add(c.answered, None)
		add(c.ignored, "")
		if got := InVain(Of(facts)); got != c.want {
			t.Errorf("%+v: in vain is %v", c, got)
		}
	}
}

func TestMergeIsASetInAnyOrder(t *testing.T) {
	all := []Fact{asked("a", 1, "x"), answered("a", 2, Lesson), asked("b", 3, "y"), answered("b", 9, None)}
	want := Encode(Merge(all, nil))
	r := rand.New(rand.NewPCG(1, 2))
	for range 100 {
		r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		n := r.IntN(len(all))
		if got := Encode(Merge(Merge(all[:n], all), all[n:])); string(got) != string(want) {
			t.Fatalf("%s\nwant %s", got, want)
		}
	}
	if got := Parse(append([]byte("{\n\n"), want...)); !slices.Equal(got, Merge(all, nil)) {
		t.Errorf("read back: %v", got)
	}
	if got := Merge([]Fact{answered("c", 1, Lesson)}, nil); len(got) > 0 {
		t.Errorf("kept of a session that was not asked: %v", got)
	}
}
