package inject

import (
	"fmt"
	"testing"
)

// A lesson that is withheld is neither told nor stopped for, its delivery is recorded once,
// and guards, critical lessons and notices are told as ever.
func TestWithheldLessonsAreRecordedAndNotTold(t *testing.T) {
	stop, critical, guard := aLesson("A", "stop-once", 5), aLesson("B", "inform", Critical), aLesson("C", "deny", 5)
	guard.Extra = Guard{Never: true}.Encode()
	notice := Lesson{ID: "N", Kind: KindNotice, Text: "a notice", Source: "p1:x", Priority: 6}
	for n := range 20 {
		s := OpenSession(Places{GitDir: t.TempDir()}, fmt.Sprint("s", n), "")
		ask := func(found ...Lesson) Decision {
			return Decide(Input{At: AtCall, Tool: "Bash", Can: everything, Found: found, Session: s, Name: "log", Call: "call", Settings: Settings{Holdout: 50}})
		}
		withheld := Withheld(s.key, "A", 50)
		if d := ask(stop); (d.Verdict == Pass) != withheld || (len(d.Injected) == 0) != withheld {
			t.Errorf("%d, withheld %v: %+v", n, withheld, d)
		}
		if d := ask(stop); d.Verdict != Pass || len(d.Injected) > 0 {
			t.Errorf("%d, once more: %+v", n, d)
		}
		recorded := Recorded(s.places)
		want := Trace{Act: ActTold, Moment: AtCall, Lesson: "A", Session: "log", Call: "call"}
		if withheld {
			want.Act = ActWithheld
		}
		if len(recorded) != 1 {
			t.Fatalf("%d: recorded %+v", n, recorded)
		}
		if want.Bytes = recorded[0].Bytes; (want.Bytes == 0) != withheld || fmt.Sprint(recorded[0]) != fmt.Sprint(want) {
			t.Errorf("%d: recorded %+v, want %+v", n, recorded[0], want)
		}
		if d := ask(critical, notice); len(d.Injected) != 2 {
			t.Errorf("%d, a critical lesson and a notice: %+v", n, d)
		}
		if d := ask(guard); d.Verdict != Deny {
			t.Errorf("%d, a guard: %+v", n, d)
		}
	}
}

// Of many sessions and lessons the share that the setting names is withheld.
func TestWithheldIsAShareOfTheSessions(t *testing.T) {
	for _, percent := range []int{0, 10, 50} {
		n := 0
		for i := range 10_000 {
			if Withheld(fmt.Sprint("s", i), fmt.Sprint("l", i%7), percent) {
				n++
			}
		}
		if n < percent*100-200 || n > percent*100+200 {
			t.Errorf("%d %%: %d of 10,000", percent, n)
		}
	}
	if Withheld("", "l", 50) {
		t.Error("withheld where no session is known")
	}
}
