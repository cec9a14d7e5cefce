package knowledge

import (
	"reflect"
	"testing"
)

func TestReadSections(t *testing.T) {
	text := "intro\r\n\n# One\n\na\n\n```\n# fenced\n```\n\nTwo\n---\nb\n> # quoted\n### Three"
	got := ReadSections([]byte(text), 5)
	want := []Section{
		{0, "", 5, "intro\n\n"},
		{1, "One", 7, "\na\n\n```\n# fenced\n```\n\n"},
		{2, "Two", 15, "b\n> # quoted\n"},
		{3, "Three", 19, ""},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v", got)
	}
}

func TestReadMatter(t *testing.T) {
	m, err := ReadMatter("x.md", []byte("---\nstatus: accepted\ndate: 2024-01-02\nwho: [a, b]\nrules:\n  - field: x\n---\n# T\n"))
	if err != nil || m.Text("state", "status") != "accepted" || m.Text("date") != "2024-01-02" || m.Text("who") != "a, b" || m.Lines["who"] != 4 || m.Line != 8 {
		t.Errorf("%+v, %v", m, err)
	}
	if rules, ok := m.Values["rules"].([]any); !ok || len(rules) != 1 || !reflect.DeepEqual(rules[0], map[string]any{"field": "x"}) {
		t.Errorf("%#v", m.Values["rules"])
	}
	if m, err := ReadMatter("x.md", []byte("# T\n")); err != nil || m.Body != 0 || m.Line != 1 {
		t.Errorf("%+v, %v", m, err)
	}
	if _, err := ReadMatter("x.md", []byte("---\na: [\n---\n")); err == nil {
		t.Error("no error")
	}
}

func TestAddRowsLeavesWhatStands(t *testing.T) {
	m := &Manifest{}
	m.PutRow(Row{ObservationID: "a", Type: "decision", Path: "x"})
	m.Bury(Tombstone{Row: Row{ObservationID: "b", Type: "decision"}})
	m.AddRows(Row{ObservationID: "c", Type: "decision", Path: "z"}, Row{ObservationID: "a", Type: "decision", Path: "y"}, Row{ObservationID: "b", Type: "decision", Path: "y"})
	want := &Manifest{}
	want.PutRow(Row{ObservationID: "a", Type: "decision", Path: "x"})
	want.Bury(Tombstone{Row: Row{ObservationID: "b", Type: "decision"}})
	want.PutRow(Row{ObservationID: "c", Type: "decision", Path: "z"})
	if string(m.Bytes()) != string(want.Bytes()) {
		t.Errorf("got\n%s", m.Bytes())
	}
}

func TestAppendManyIsAppendOneByOne(t *testing.T) {
	for _, start := range []string{"", "# Mine\r\n\r\nText\r\n"} {
		b, _ := ParseBook(DecisionsPath, []byte(start))
		if start == "" {
			b, _ = ParseBook(DecisionsPath, nil)
		}
		many := b.Append(adrEntry(1, "One", "Accepted"), adrEntry(2, "Two", "Accepted"))
		first, _ := ParseBook(DecisionsPath, b.Append(adrEntry(1, "One", "Accepted")))
		if each := first.Append(adrEntry(2, "Two", "Accepted")); string(each) != string(many) {
			t.Errorf("got\n%q, want\n%q", many, each)
		}
	}
}
