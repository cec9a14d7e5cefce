package entry

import "testing"

func TestEntriesOfOneMarkerAreOne(t *testing.T) {
	of := func(number int, source, status string) Entry {
		e := adrEntry(number, "T", status)
		e.Source = source
		return e
	}
	for _, c := range []struct {
		in   []Entry
		want string
	}{
		{[]Entry{of(1, "a", "Accepted"), of(2, "b", "Accepted"), of(3, "", "Accepted"), of(4, "", "Proposed")}, "1 2 3 4"},
		{[]Entry{of(1, "a", "Proposed"), of(4, "a", "Accepted")}, "4"},
		{[]Entry{of(4, "a", "Proposed"), of(2, "a", "Proposed")}, "2"},
		{[]Entry{of(1, "a", "Accepted"), of(4, "a", "Deprecated"), of(5, "b", "Accepted")}, "4 5"},
	} {
		got := ""
		for _, e := range Together(c.in) {
			got += " " + string(rune('0'+e.Number))
		}
		if got != " "+c.want {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
}
