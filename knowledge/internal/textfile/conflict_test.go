package textfile

import "testing"

func TestConflictsAreFoundWhateverTheSizeOfTheirMarkers(t *testing.T) {
	for _, c := range []struct{ name, text, ours, theirs string }{
		{"git's own", "a\n<<<<<<< HEAD\nb\n=======\nc\n>>>>>>> x\nd\n", "a\nb\nd\n", "a\nc\nd\n"},
		{"with the base", "<<<<<<< HEAD\nb\n||||||| 1a2b\no\n=======\nc\n>>>>>>> x\n", "b\n", "c\n"},
		{"of a file that both sides moved", "a\n<<<<<<<< HEAD:y\nb\n========\nc\n>>>>>>>> x:z\nd\n", "a\nb\nd\n", "a\nc\nd\n"},
		{"a heading within", "<<<<<<<< HEAD:y\nb\n=======\n========\nc\n>>>>>>>> x:z\n", "b\n=======\n", "c\n"},
		{"a heading alone", "Title\n=======\n", "", ""},
		{"without an end", "<<<<<<< HEAD\nb\n=======\nc\n>>>>>>>> x\n", "", ""},
		{"quoted", "> <<<<<<< HEAD\n>>>>>>>>\n", "", ""},
	} {
		got, ok := SplitConflicts([]byte(c.text))
		if ok != (c.ours != "") || string(got.Ours) != c.ours || string(got.Theirs) != c.theirs {
			t.Errorf("%s: %v %q %q", c.name, ok, got.Ours, got.Theirs)
		}
	}
}
