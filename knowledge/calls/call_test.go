package calls

import (
	"math/rand/v2"
	"reflect"
	"testing"
)

func some(ids ...string) []Call {
	var all []Call
	for i, id := range ids {
		all = append(all, Call{ID: id, Line: i + 1, At: int64(1000 * (i + 1)), Tool: "Bash", Input: "run " + id, Outcome: OK})
	}
	return all
}

func TestMergeIsAUnionInAnyOrderAndSplit(t *testing.T) {
	all := some("a", "b", "c", "d", "e", "f")
	r := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		var got []Call
		for range 6 {
			from := r.IntN(len(all))
			got = Merge(got, all[from:from+r.IntN(len(all)-from)+1])
		}
		got = Merge(got, all)
		if !reflect.DeepEqual(got, all) {
			t.Fatalf("got %v", got)
		}
	}
}

func TestMergeTakesACallAsTheNewerScanHasIt(t *testing.T) {
	old, fresh := some("a", "b"), some("a")
	fresh[0].Outcome = Failed
	if got := Merge(old, fresh); len(got) != 2 || got[0].Outcome != Failed {
		t.Errorf("got %+v", got)
	}
}

func TestEncodeAndParse(t *testing.T) {
	all := some("a", "b")
	all[1].Failure = &Failure{Problem: "p1:x", Program: "git", Line: "error: <no>", Rules: map[string]string{"E1": "x"}}
	all[1].Mends = []Mend{{Call: "a", How: ByRun, Fix: "Run `x`"}}
	s, problems := Parse("abc.jsonl", Encode(all))
	if len(problems) > 0 || s.Name != "abc" || !reflect.DeepEqual(s.Calls, all) {
		t.Errorf("got %+v, %v", s, problems)
	}
}

func TestALineThatCannotBeReadHidesNoOther(t *testing.T) {
	data := append([]byte("{\"id\":\n{}\n"), Encode(some("a"))...)
	s, problems := Parse("abc.jsonl", data)
	if len(s.Calls) != 1 || len(problems) != 2 || problems[0].Line != 1 || problems[1].Line != 2 {
		t.Errorf("got %+v, %v", s, problems)
	}
}

func FuzzParse(f *testing.F) {
	f.Add(Encode(some("a", "b")))
	f.Fuzz(func(t *testing.T, data []byte) {
		s, _ := Parse("x.jsonl", data)
		again, problems := Parse("x.jsonl", Encode(s.Calls))
		if len(problems) > 0 || !reflect.DeepEqual(again.Calls, s.Calls) {
			t.Errorf("%+v became %+v, %v", s.Calls, again.Calls, problems)
		}
	})
}
