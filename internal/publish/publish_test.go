package publish

import (
	"bytes"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

var part = file{lines: []string{"## Lessons", "", "- one", "- two"}}

// Our part goes into any file and out of it without a trace, and is there once.
func TestPartGoesWithoutATrace(t *testing.T) {
	piece := rapid.SampledFrom([]string{"a", "# x", " ", "\t", "\n", "\n\n", "\r\n", "\r", "```\n", "---\n", "---\nx: y\n---\n", "\ufeff", "<!-- other:start -->\n", "<!-- lessons:end -->\n", "é"})
	rapid.Check(t, func(t *rapid.T) {
		before := []byte(strings.Join(rapid.SliceOfN(piece, 0, 8).Draw(t, "pieces"), ""))
		after, kept := put(before, part)
		if kept != "" || !Has(after) {
			t.Fatalf("%q: %s, became %q", before, kept, after)
		}
		if again, _ := put(after, part); !bytes.Equal(again, after) {
			t.Fatalf("again %q, was %q", again, after)
		}
		if out, kept := put(after, file{}); kept != "" || out == nil || !bytes.Equal(out, before) {
			t.Fatalf("%s: taken out leaves %q of %q", kept, out, before)
		}
	})
}

func TestAFileOfOursIsRemoved(t *testing.T) {
	for _, head := range []string{"", "---\napplyTo: \"**\"\n---\n"} {
		after, _ := put(nil, file{head: head, lines: part.lines})
		if out, kept := put(after, file{}); out != nil || kept != "" {
			t.Errorf("with the head %q it leaves %q (%s)", head, out, kept)
		}
	}
}

func TestPartsMerge(t *testing.T) {
	text := func(prose string, items ...string) []byte {
		after, _ := put([]byte(prose), file{lines: append(append([]string{"## Lessons", ""}, items...), "", "Look there.")})
		return after
	}
	base, ours, theirs, ok := Merge(text("A\n", "- a", "- b"), text("A\nB\n", "- b", "- c"), text("A\n", "- a", "- b", "- d"))
	if want := text("A\n", "- b", "- c", "- d"); !ok || !bytes.Equal(base, want) || !bytes.Equal(theirs, want) {
		t.Errorf("merged %q, %q, %v", base, theirs, ok)
	}
	if want := text("A\nB\n", "- b", "- c", "- d"); !bytes.Equal(ours, want) {
		t.Errorf("ours is %q, want %q", ours, want)
	}
	edit := bytes.Replace(text("A\n", "- a"), []byte("- a"), []byte("- mine"), 1)
	if _, _, _, ok := Merge(nil, edit, text("A\n", "- b")); ok {
		t.Error("a person's edit was merged away")
	}
	if _, kept := put(edit, part); kept != edited {
		t.Errorf("an edit is kept: %q", kept)
	}
}

func TestAConflictInOurPartIsSettled(t *testing.T) {
	text := block([]string{"<<<<<<< ours", "- a", "=======", "- b", ">>>>>>> theirs"}) + "\n"
	if after, kept := put([]byte("# A\n\n"+text), part); kept != "" || !strings.HasPrefix(string(after), "# A\n\n"+begin) || strings.Contains(string(after), "<<<") {
		t.Errorf("%q: %s", after, kept)
	}
	if _, kept := put([]byte("<<<<<<< ours\nA\n=======\nB\n>>>>>>> theirs\n\n"+text), part); kept != conflicted {
		t.Errorf("a person's conflict: %q", kept)
	}
}

// A conflict in our part is settled with the lessons of both sides, whatever the line ends
// are; what people wrote stays as the merge left it.
func TestAConflictIsResolvedWithTheLessonsOfBothSides(t *testing.T) {
	for _, eol := range []string{"\n", "\r\n"} {
		text := func(items ...string) []byte {
			after, _ := put([]byte("# A"+eol), file{lines: append([]string{"## Lessons", ""}, items...)})
			return append(after, "Behind it."+eol...)
		}
		base, ours, theirs := text("- a"), text("- a", "- b"), text("- c")
		conflict := bytes.Replace(ours, []byte("- b"+eol), []byte("<<<<<<< ours"+eol+"- b"+eol+"======="+eol+"- c"+eol+">>>>>>> theirs"+eol), 1)
		got, ok := Resolved(conflict, base, ours, theirs)
		if want := text("- b", "- c"); !ok || !bytes.Equal(got, want) {
			t.Errorf("%v, %q\nwant %q", ok, got, want)
		}
		if _, ok := Resolved(append([]byte("<<<<<<< ours\nA\n=======\nB\n>>>>>>> theirs\n"), ours...), base, ours, theirs); ok {
			t.Error("a person's conflict was settled")
		}
	}
}
