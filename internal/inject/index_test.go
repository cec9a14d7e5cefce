package inject

import (
	"encoding/binary"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"pgregory.net/rapid"
)

func sample() []Lesson {
	return []Lesson{
		{
			ID: "01A", Kind: "warning", Title: "Bare pytest hangs", Path: ".lessons/a.md", Text: "HIGH warning: Bare pytest hangs", Summary: "HIGH warning", Fix: "python -m pytest",
			Source: "self-learning:obs_1", Priority: 8, Confidence: 905, Action: "stop-once", Unreviewed: true, Extra: `{"require":1}`,
			Trigger: Trigger{
				Tools: []string{"Bash"}, Commands: []Spec{{Text: "pytest -x", Wrappers: []string{"sudo"}, Program: "pytest", Sub: []string{"s"}, Flags: []string{"-x"}, Operands: []string{"o"}, Env: []string{"A=b"}}},
				Unless:          []Unless{{Spec: Spec{Text: "-q", Flags: []string{"-q"}}}, {Spec: Spec{Text: "a|b"}, Pattern: Pattern{Source: "a|b", Cost: 5}}},
				CommandPatterns: []Pattern{{Source: `\bpytest\b`, Literal: "pytest", Word: "pytest", Cost: 9}}, Paths: []string{"**/x"}, SeedPaths: []string{"**/x"},
				Content: []Pattern{{Source: "x", Cost: 3}}, Keywords: []string{"größe"}, Context: []string{"c d"}, Agents: []string{"tester"},
			},
		},
		{ID: "01B", Priority: 10, Trigger: Trigger{Paths: []string{"**/*.go"}}},
		{ID: "01C", Priority: 1, Trigger: Trigger{Tools: []string{"Edit"}, Keywords: []string{"ship"}}},
		{ID: "01D", Priority: 1, Confidence: 1},
	}
}

func TestIndexKeepsLessonsAndHeader(t *testing.T) {
	h := Header{
		Fingerprint: Fingerprint{1, 2, 31: 9}, Stamp: 1 << 63, Until: "2026-12-31",
		Settings: Settings{Scoring: ScoringSeed, BudgetBytes: 4096, MaxLessons: 3, CompactionThreshold: 7},
	}
	data := Encode(sample(), h)
	x, err := Open(data)
	if err != nil {
		t.Fatal(err)
	}
	if x.Header != h { // the settings among it
		t.Errorf("header %+v", x.Header)
	}
	want := []string{"01B", "01D", "01C", "01A"}
	for rank, id := range want {
		l, ok := x.Lesson(rank)
		if !ok || l.ID != id {
			t.Fatalf("rank %d: %s, want %s", rank, l.ID, id)
		}
		for _, s := range sample() {
			if s.ID == id && !reflect.DeepEqual(l, s) {
				t.Errorf("lesson changed:\n%+v\n%+v", l, s)
			}
		}
	}
	if !slices.Equal(Encode(sample(), h), data) {
		t.Error("the same lessons make different bytes")
	}
	if !x.NeedsRecent() || x.Len() != 4 || x.Err() != nil {
		t.Errorf("recent %v, %d lessons, %v", x.NeedsRecent(), x.Len(), x.Err())
	}
}

func TestEmptyIndex(t *testing.T) {
	x, err := Open(Encode(nil, Header{}))
	if err != nil {
		t.Fatal(err)
	}
	if got := x.Match(Call{Tool: "Bash", Command: "ls a/b", Content: "x", Agent: "a", Recent: []string{"y"}}, Options{}); len(got) != 0 {
		t.Errorf("matches %v", got)
	}
	if x.NeedsRecent() || len(x.Standing(1)) != 0 || len(x.Prompt("x y")) != 0 {
		t.Error("an empty index says something")
	}
}

// probe asks everything that hooks ask.
func probe(x *Index) {
	c := Call{Tool: "Bash", Command: "sudo pytest -x o; ls a/x b.go", Content: "x", Agent: "tester", Prompt: "größe", Recent: []string{"ship"}, Root: "/r"}
	x.Match(c, Options{})
	c.Tool, c.Command, c.Paths = "Edit", "", []string{"/r/a/b.go", "x"}
	x.Match(c, Options{})
	x.Explain(c, Options{})
	x.Prompt("größe c d")
	x.Starting("tester")
	x.Standing(0)
	x.Find("01A")
}

func TestDamagedIndexIsAnErrorAndNeverAPanic(t *testing.T) {
	data := Encode(sample(), Header{})
	header := prefixSize + int(binary.LittleEndian.Uint32(data[16:]))
	for n := range len(data) {
		if _, err := Open(data[:n]); !errors.Is(err, ErrCorrupt) {
			t.Fatalf("cut at %d: %v", n, err)
		}
	}
	for i := range data {
		for _, bit := range []byte{1, 0x80, 0xff} {
			b := slices.Clone(data)
			b[i] ^= bit
			x, err := Open(b)
			if err != nil {
				var format *FormatError
				if !errors.Is(err, ErrCorrupt) && !errors.As(err, &format) {
					t.Fatalf("byte %d: %v", i, err)
				}
				continue
			}
			if i < header {
				t.Fatalf("byte %d of the header changed unseen", i)
			}
			probe(x)
			for rank := range x.Len() {
				if l, ok := x.Lesson(rank); ok && !slices.ContainsFunc(sample(), func(s Lesson) bool { return reflect.DeepEqual(s, l) }) {
					t.Fatalf("byte %d: an invented lesson %+v", i, l)
				}
			}
		}
	}
}

func TestOtherFormatIsNamed(t *testing.T) {
	data := Encode(nil, Header{})
	data[8] = Format + 1
	_, err := Open(data)
	var format *FormatError
	if !errors.As(err, &format) || format.Version != Format+1 || !strings.Contains(err.Error(), "lessons compile") {
		t.Errorf("%v", err)
	}
}

func FuzzOpen(f *testing.F) {
	f.Add(Encode(sample(), Header{}))
	f.Add(Encode(nil, Header{Until: "2026-01-01"}))
	f.Add([]byte(magic))
	f.Fuzz(func(_ *testing.T, data []byte) {
		if x, err := Open(data); err == nil {
			probe(x)
		}
	})
}

// The lookup is a shortcut: it finds what holding every lesson against the call
// finds.
func TestLookupFindsWhatExplainFinds(t *testing.T) {
	words := rapid.SampledFrom([]string{"git", "push", "pytest", "src", "a.go", "go.mod", "x", "-v", "--force", "A=b", "main"})
	globs := rapid.SampledFrom([]string{"**/*.go", "src/**", "src/*.go", "**/go.mod", "**", "s?c/**", "**/x", "*", "a/b/**/c.[gt]o", "/etc/*"})
	rapid.Check(t, func(t *rapid.T) {
		var lessons []Lesson
		for i := range rapid.IntRange(1, 12).Draw(t, "lessons") {
			l := Lesson{ID: fmt.Sprintf("%02d", i), Priority: rapid.IntRange(1, 10).Draw(t, "priority")}
			tr := &l.Trigger
			if rapid.Bool().Draw(t, "tool") {
				tr.Tools = []string{rapid.SampledFrom([]string{"Bash", "Edit"}).Draw(t, "tool name")}
			}
			switch rapid.IntRange(0, 5).Draw(t, "slot") {
			case 0:
				w := words.Draw(t, "program")
				tr.Commands = []Spec{{Text: w, Program: w}}
			case 1:
				tr.Commands = []Spec{{Text: "git push", Program: "git", Sub: []string{"push"}}}
			case 2:
				tr.Paths = []string{globs.Draw(t, "glob"), globs.Draw(t, "glob")}
			case 3:
				tr.CommandPatterns = []Pattern{{Source: `\bpytest\b`, Literal: "pytest", Word: "pytest", Cost: 9}}
			case 4:
				tr.Keywords = []string{words.Draw(t, "keyword")}
			case 5:
				tr.Agents = []string{"tester"}
			}
			lessons = append(lessons, l)
		}
		x, err := Open(Encode(lessons, Header{}))
		if err != nil {
			t.Fatal(err)
		}
		c := Call{Tool: rapid.SampledFrom([]string{"Bash", "Edit"}).Draw(t, "tool"), Root: "/r", Agent: rapid.SampledFrom([]string{"", "tester"}).Draw(t, "agent")}
		text := strings.Join(rapid.SliceOfN(words, 1, 6).Draw(t, "words"), rapid.SampledFrom([]string{" ", "/", " && "}).Draw(t, "between"))
		if c.Tool == "Bash" {
			c.Command = text
		} else {
			c.Paths = strings.Fields(text)
		}
		c.Recent = []string{words.Draw(t, "recent")}
		var slow []string
		for _, m := range x.Explain(c, Options{Budget: -1}) {
			if m.OK {
				slow = append(slow, m.Lesson.ID)
			}
		}
		var fast []string
		for _, m := range x.Match(c, Options{Budget: -1}) {
			fast = append(fast, m.Lesson.ID)
		}
		if !slices.Equal(fast, slow) {
			t.Fatalf("lookup finds %v, all tests find %v for %+v", fast, slow, c)
		}
	})
}

func TestGlob(t *testing.T) {
	for _, c := range []struct {
		pattern, name string
		want          bool
	}{
		{"**/*.go", "a.go", true},
		{"**/*.go", "a/b/c.go", true},
		{"*.go", "a/b.go", false},
		{"a/**", "a", true},
		{"a/**", "a/b/c", true},
		{"a/**", "ab", false},
		{"a/**/z", "a/z", true},
		{"a/**/z", "a/b/c/z", true},
		{"a/**/b/**/z", "a/b/x/b/y/z", true},
		{"a/**/b/**/z", "a/x/y/z", false},
		{"a?c", "abc", true},
		{"a?c", "a/c", false},
		{"a?c", "aéc", true},
		{"*é*", "xéy", true},
		{"[a-c]x", "bx", true},
		{"[!a-c]x", "bx", false},
		{"[^a-c]x", "dx", true},
		{"[]]x", "]x", true},
		{"[x", "[x", true},
		{`\*`, "*", true},
		{`\*`, "a", false},
		{"**", "", true},
		{"**", "a/b", true},
		{"a*b*c", "aXbYbZc", true},
		{"a*b*c", "aXbYbZ", false},
		{".env*", ".env.local", true},
	} {
		if got := Glob(c.pattern, c.name); got != c.want {
			t.Errorf("%q on %q: %v", c.pattern, c.name, got)
		}
	}
	slow, text := strings.Repeat("*a", 100)+"b", strings.Repeat("a", 4000)
	if Glob(slow, text) || Glob(strings.Repeat("**/", 100)+"b", strings.Repeat("a/", 2000)) {
		t.Error("matched")
	}
}

func TestStampSeesTheFolderAndFiles(t *testing.T) {
	files := fstest.MapFS{"a": {Data: []byte("x")}, "b": {Data: []byte("xy")}}
	a, err := files.Stat("a")
	if err != nil {
		t.Fatal(err)
	}
	b, err := files.Stat("b")
	if err != nil {
		t.Fatal(err)
	}
	stamps := map[uint64]bool{Stamp(): true, Stamp(nil): true, Stamp(a): true, Stamp(b): true, Stamp(a, nil): true, Stamp(nil, a): true, Stamp(a, b): true}
	if len(stamps) != 7 {
		t.Errorf("%d different stamps of 7", len(stamps))
	}
	again, err := files.Stat("a")
	if err != nil {
		t.Fatal(err)
	}
	if Stamp(again, b) != Stamp(a, b) {
		t.Error("the same state has two stamps")
	}
}
