package markdown

import (
	"reflect"
	"testing"
)

func TestReadSections(t *testing.T) {
	text := "intro\r\n\n# One\n\na\n\n```\n# fenced\n```\n\nTwo\n---\nb\n> # quoted\n### Three"
	got := Sections([]byte(text), 5)
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
