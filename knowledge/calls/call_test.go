package calls

import (
	"bytes"
	"math/rand/v2"
	"reflect"
	"testing"
	"unicode/utf8"
)

func some(ids ...string) []Call {
	var all []Call
	for i, id := range ids {
		all = append(all, Call{ID: id, Line: i + 1, At: int64(1000 * (i + 1)), Tool: "Bash", Input: "run " + id, Outcome: OK})
	}
	return all
}

func linesOf(all []Call) []byte {
	var lines []byte
	for i := range all {
		lines = AppendLine(lines, &all[i])
	}
	return lines
}

func TestUniteIsAUnionInAnyOrderAndSplit(t *testing.T) {
	all := some("a", "b", "c", "d", "e", "f")
	r := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		var data []byte
		for range 6 {
			from := r.IntN(len(all))
			data = Unite(data, linesOf(all[from:from+r.IntN(len(all)-from)+1]))
		}
		data = Unite(data, linesOf(all))
		if s, problems := Parse("s", data); len(problems) > 0 || !reflect.DeepEqual(s.Calls, all) || bytes.Count(data, []byte("\n")) != len(all) {
			t.Fatalf("got %s", data)
		}
	}
}

func TestUniteTakesACallAsTheNewerScanHasIt(t *testing.T) {
	old := linesOf(some("a", "b"))
	fresh := some("a")
	fresh[0].Outcome = Failed
	data := Unite(old, linesOf(fresh))
	if s, _ := Parse("s", data); len(s.Calls) != 2 || s.Calls[0].Outcome != Failed {
		t.Errorf("got %s", data)
	}
	if again := Unite(data, linesOf(fresh)); !bytes.Equal(again, data) {
		t.Errorf("%s became %s", data, again)
	}
}

func TestUniteKeepsWhatIsThere(t *testing.T) {
	old := append(linesOf(some("a", "b")), `{"id":"c","l`...) // a crash tore the last line
	fresh := linesOf(some("a", "b", "c"))
	data := Unite(old, fresh)
	if !bytes.HasPrefix(data, linesOf(some("a", "b"))) {
		t.Errorf("got %s", data)
	}
	if s, _ := Parse("s", data); len(s.Calls) != 3 {
		t.Errorf("got %s", data)
	}
}

func TestOfTwoLinesOfACallTheLastHolds(t *testing.T) {
	all := some("a", "a")
	all[1].Outcome = Failed
	if s, _ := Parse("s", linesOf(all)); len(s.Calls) != 1 || s.Calls[0].Outcome != Failed {
		t.Errorf("got %+v", s.Calls)
	}
}

func TestAppendLineAndParse(t *testing.T) {
	all := some("a", "b")
	all[0].Took, all[0].Bytes, all[0].Agent, all[0].Dir, all[0].Fired = 1, 2, "x", "..", []string{"l1", "l2"}
	all[1].Failure = &Failure{Problem: "p1:x", Program: "git", Target: "push", Class: "usage", Line: "error: <no>", Rules: map[string]string{"E2": "y", "E1": "x"}}
	all[1].Mends = []Mend{{Call: "a", How: ByRun, Fix: "Run `x`", Named: true}, {Call: "b", How: ByEdit, Rule: "errcheck"}}
	s, problems := Parse("abc.jsonl", linesOf(all))
	if len(problems) > 0 || s.Name != "abc" || !reflect.DeepEqual(s.Calls, all) {
		t.Errorf("got %+v, %v", s, problems)
	}
}

func FuzzAppendLine(f *testing.F) {
	f.Add("a", "line\n\t\"\\ <b> & \x00\x1f\x7f \u2028\u2029", "b", true, int64(7))
	f.Add("a", "", "", false, int64(0))
	f.Fuzz(func(t *testing.T, one, two, three string, named bool, n int64) {
		if valid := utf8.ValidString; one == "" || !valid(one) || !valid(two) || !valid(three) || len(one+two+three) > 1000 {
			t.Skip("no call has such texts")
		}
		c := Call{ID: one, Line: int(n), At: n, Took: n, Bytes: int(n), Agent: two, Tool: three, Input: two, Dir: three, Outcome: Outcome(one), Warned: named, Out: three}
		if named {
			c.Failure = &Failure{Problem: one, Program: two, Target: three, Class: one, Line: two, Rules: map[string]string{one: two, "b": three}}
			c.Mends = []Mend{{Call: one, How: How(two), Fix: three, Named: named}, {}}
			c.Fired = []string{one, two}
		}
		line := AppendLine(nil, &c)
		if s, problems := Parse("x", line); len(problems) > 0 || !reflect.DeepEqual(s.Calls, []Call{c}) {
			t.Errorf("%s is read as %+v, want %+v (%v)", line, s.Calls, c, problems)
		}
	})
}

func TestReadLinesOfOthers(t *testing.T) {
	for line, want := range map[string]bool{
		`{"id":"a","l":1,"t":2,"tool":"Bash","o":"ok"}`:                                                   true,
		` { "tool" : "Bash" , "new" : [ { "x" : "}" } , -1.5e3 , null ] , "id" : "a" } `:                  true,
		`{"id":"a","f":{"p":"p1:x","rules":{"E1":"\u00e9"},"more":{}},"m":[{"c":"b","how":"run","x":0}]}`: true,
		`{}`:                   false,
		`[]`:                   false,
		`{"id":"a"}}`:          false,
		`{"id":"a"`:            false,
		`{"id":"a",}`:          false,
		`{"id":"a" "l":1}`:     false,
		`{"id":"a","l":}`:      false,
		`{"id":"a","l":"1"}`:   false,
		`{"id":7}`:             false,
		`{"id":"a","in":"x`:    false,
		`{"id":"a","in":"\q"}`: false,
		`{"id":"a","x":[1,2}`:  false,
	} {
		s, problems := Parse("x", []byte(line))
		if (len(s.Calls) == 1 && len(problems) == 0) != want {
			t.Errorf("%s: %+v, %v", line, s.Calls, problems)
		}
	}
}

func TestALineThatCannotBeReadHidesNoOther(t *testing.T) {
	data := append([]byte("{\"id\":\n{}\n"), linesOf(some("a"))...)
	s, problems := Parse("abc.jsonl", data)
	if len(s.Calls) != 1 || len(problems) != 2 || problems[0].Line != 1 || problems[1].Line != 2 {
		t.Errorf("got %+v, %v", s, problems)
	}
}

func FuzzParse(f *testing.F) {
	f.Add(linesOf(some("a", "b")))
	f.Fuzz(func(t *testing.T, data []byte) {
		s, _ := Parse("x.jsonl", data)
		again, problems := Parse("x.jsonl", linesOf(s.Calls))
		if len(problems) > 0 || !reflect.DeepEqual(again.Calls, s.Calls) {
			t.Errorf("%+v became %+v, %v", s.Calls, again.Calls, problems)
		}
	})
}
