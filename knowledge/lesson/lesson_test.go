package lesson

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"go.yaml.in/yaml/v3"
	"pgregory.net/rapid"

	"github.com/lessons-cli/lessons/internal/test/kit"
	"github.com/lessons-cli/lessons/internal/test/schema"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/frontmatter"
	"github.com/lessons-cli/lessons/knowledge/prose"
)

func fullLesson() *Lesson {
	return &Lesson{
		ID: "01JQXYZ0000000000000000000", Kind: Warning, Priority: 7, Status: Active, Confidence: 0.9, Action: ActionAuto,
		Triggers: Trigger{Tools: []string{"Bash"}, Commands: []string{"pytest"}, Unless: []string{"--no-header", "TERM=dumb"}, CommandPatterns: []string{`^pytest\b`}, Paths: []string{"**/*.py"}, Keywords: []string{"run tests"}},
		Examples: Examples{Match: []string{"pytest -v tests"}, Miss: []string{"TERM=dumb pytest", "python -m pytest --no-header 'a: b'"}},
		Tags:     []string{"lang:python", "tool:pytest", "severity:hang"}, Source: "obs_abc123", Created: "2026-11-20",
		ReviewedBy: "Ann", ReviewedAt: "2026-11-21T08:00:00Z", Nature: "named",
		Seen:   Seen{Sessions: 2, First: time.Date(2026, 11, 18, 0, 0, 0, 0, time.UTC), Last: time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC)},
		Quotes: []string{"the tests hang: \"no output\" for a minute"},
		Title:  "pytest hangs without a terminal",
		Body:   "Bare `pytest` waits for a TTY in an agent's shell.\n\n**Fix**: `python -m pytest --no-header -rN -p no:faulthandler`\n",
		Path:   ".lessons/pytest-hangs-c123.md",
	}
}

func TestLessonsAreWrittenAsTheDesignShows(t *testing.T) {
	kit.Golden(t, "lesson/full.md", fullLesson().Format())
	kit.Golden(t, "lesson/small.md", (&Lesson{
		ID: "01JQXYZ0000000000000000001", Kind: Checklist, Priority: 5, Status: Draft, Confidence: 0.4, Action: ActionAuto,
		Tags: []string{"tool:git"}, Source: "obs_x", Created: "2026-11-20", Title: "Before a release", Body: "- [ ] tag\n- [ ] push\n",
	}).Format())
}

func TestLessonsReadBackAsWritten(t *testing.T) {
	l := fullLesson()
	got, err := Parse(l.Path, l.Format())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(l, got, cmpopts.IgnoreFields(Lesson{}, "BodyLine")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if want := strings.Count(string(l.Format()), "\n") - strings.Count(l.Body, "\n") - 1 - 2*len(l.Quotes); got.BodyLine != want {
		t.Errorf("the H1 is in line %d, want %d", got.BodyLine, want)
	}
}

func TestLessonsOfAnyTextReadBackAsWritten(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		word := func(name string) string { return strings.ToValidUTF8(kit.HostileText().Draw(t, name), "?") }
		list := func(name string) []string {
			l := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) string { return "a" + strings.ToValidUTF8(kit.HostileText().Draw(t, name), "?") }), 0, 3).Draw(t, name)
			if len(l) == 0 {
				return nil
			}
			return l
		}
		l := &Lesson{
			ID: word("id"), Kind: Pattern, Priority: rapid.IntRange(1, 10).Draw(t, "priority"), Status: Draft,
			Confidence: float64(rapid.IntRange(0, 100).Draw(t, "confidence")) / 100, Action: ActionInform,
			Triggers: Trigger{Tools: list("tools"), Commands: list("commands"), Unless: list("unless"), CommandPatterns: list("patterns"), Paths: list("paths"), Content: list("content"), Keywords: list("keywords"), Context: list("context"), Agents: list("agents")},
			Examples: Examples{Match: list("match"), Miss: list("miss")},
			Tags:     list("tags"), Created: word("created"), ReviewedBy: word("by"), ValidFrom: word("from"), ValidUntil: word("until"), SupersededBy: word("superseded"), Expires: word("expires"),
			Title: prose.OneLine(word("title")), Path: "x.md",
		}
		got, err := Parse("x.md", l.Format())
		if err != nil {
			var parse *knowledge.ParseError
			if errors.As(err, &parse) && strings.Contains(parse.Text, "longer than") {
				return
			}
			t.Fatalf("%v in\n%s", err, l.Format())
		}
		if diff := cmp.Diff(l, got, cmpopts.IgnoreFields(Lesson{}, "BodyLine")); diff != "" {
			t.Errorf("(-want +got):\n%s\nin %q", diff, l.Format())
		}
		l.Title, l.Body = "a"+word("title"), word("body")
		if got, err = Parse("x.md", l.Format()); err == nil && l.WordsHash() != got.WordsHash() {
			t.Errorf("read back it says something else: %q", l.Format())
		}
	})
}

func TestBothSpellingsAndUnknownKeysAreRead(t *testing.T) {
	text := "\uFEFF---\r\nid: X\r\npriority: critical\r\n# a note\r\nteam:   # ours\r\n  - a\r\n  - b\r\nreviewedBy: Ann\r\nvalid_from: 2026-01-01\r\nsource: the wiki\r\ntriggers:\r\n  command_patterns: ['^go\\b']\r\n  keywords: build\r\n---\r\n\r\n# Title \\<b> ##\r\n\r\nBody\r\n"
	l, err := Parse("l.md", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	want := &Lesson{
		ID: "X", Kind: Warning, Priority: 9, Status: Active, Confidence: 1, Action: ActionAuto, ReviewedBy: "Ann", ValidFrom: "2026-01-01",
		Triggers: Trigger{CommandPatterns: []string{`^go\b`}, Keywords: []string{"build"}}, Title: "Title <b>", Body: "\nBody\n", Path: "l.md", BodyLine: 16,
		Unknown: []UnknownKey{{"team", "team:   # ours\n  - a\n  - b"}, {"source", "source: the wiki"}},
	}
	want.Body = "Body\n"
	if diff := cmp.Diff(want, l); diff != "" {
		t.Fatalf("(-want +got):\n%s", diff)
	}
	out := string(l.Format())
	for _, kept := range []string{"\nteam:   # ours\n  - a\n  - b\n", "\nsource: the wiki\n", "\nreviewed_by: Ann\n", "\n  command_patterns: [\"^go\\\\b\"]\n"} {
		if !strings.Contains(out, kept) {
			t.Errorf("%q is not in\n%s", kept, out)
		}
	}
	again, err := Parse("l.md", []byte(out))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(l, again, cmpopts.IgnoreFields(Lesson{}, "BodyLine")); diff != "" {
		t.Errorf("written and read again (-first +second):\n%s", diff)
	}
}

// A person may have called something else so.
func TestOtherExamplesAreKept(t *testing.T) {
	for _, own := range []string{"examples: see the wiki", "examples:\n  - a\n  - b", "examples:\n  good: x\n  match: [y]", "examples: {}"} {
		l, err := Parse("l.md", []byte("---\nid: X\n"+own+"\n---\n# T\n"))
		if err != nil {
			t.Fatalf("%s: %v", own, err)
		}
		if !l.Examples.IsZero() || !strings.Contains(string(l.Format()), "\n"+own+"\n") {
			t.Errorf("%s became\n%s", own, l.Format())
		}
	}
}

func TestBrokenLessonsNameTheirLine(t *testing.T) {
	deep := "a: " + strings.Repeat("[", 30) + strings.Repeat("]", 30)
	many := ""
	for i := range 70 {
		many += fmt.Sprintf("k%d: 1\n", i)
	}
	tests := []struct {
		name, text string
		line       int
		says       string
	}{
		{"empty", "", 1, "no front matter"},
		{"none", "# Title\n", 1, "no front matter"},
		{"not closed", "---\nid: x\n", 1, "not closed"},
		{"closed by dots", "---\nid: x\n...\n---\n", 3, "end with ---"},
		{"double key", "---\nid: x\nkind: warning\nid: y\n---\n", 4, "twice"},
		{"double in two spellings", "---\nreviewed_by: x\nreviewedBy: y\n---\n", 3, "twice"},
		{"double in triggers", "---\ntriggers:\n  paths: []\n  paths: []\n---\n", 4, "twice"},
		{"alias", "---\na: &x [1]\nb: *x\n---\n", 2, "aliases"},
		{"merge key", "---\na:\n  <<: {b: 1}\n---\n", 3, "twice"},
		{"tag", "---\nid: x\na: !!binary x\n---\n", 3, "tags"},
		{"own tag", "---\na: !foo x\n---\n", 2, "tags"},
		{"deep", "---\n" + deep + "\n---\n", 2, "deep"},
		{"very deep", "---\na: " + strings.Repeat("[", 5000) + "\n---\n", 2, "deep"},
		{"many keys", "---\n" + many + "---\n", 66, "more than 64 keys"},
		{"large", "---\n" + strings.Repeat("a: b\n", 4000) + "---\n", 1, "longer"},
		{"not UTF-8", "---\nid: x\nb: \xff\n---\n", 3, "UTF-8"},
		{"NUL", "---\nid: x\x00\n---\n", 2, "NUL"},
		{"lone carriage return", "---\nid: x\rb: c\n---\n", 2, "line break"},
		{"line separator", "---\nid: x\u2028b: c\n---\n", 2, "line break"},
		{"a list", "---\n- a\n---\n", 2, "keys"},
		{"bad yaml", "---\nid: x\nkind: [a\nb: c\n---\n", 0, ""},
		{"conflict", "---\nid: x\n<<<<<<< HEAD\nkind: warning\n=======\nkind: pattern\n>>>>>>> b\n---\n", 3, "merge conflict"},
		{"tab", "---\nid: x\n\tkind: a\n---\n", 3, ""},
		{"kind", "---\nid: x\nkind: warnung\n---\n", 3, "warnung"},
		{"status", "---\nstatus: on\n---\n", 2, "draft"},
		{"action", "---\naction: explode\n---\n", 2, "stop-once"},
		{"priority", "---\npriority: 11\n---\n", 2, "11"},
		{"confidence", "---\nconfidence: 7\n---\n", 2, "0 to 1"},
		{"confidence is no number", "---\nconfidence: NaN\n---\n", 2, "0 to 1"},
		{"trigger", "---\ntriggers:\n  tools: [Bash]\n  comands: [x]\n---\n", 4, "comands"},
		{"triggers", "---\ntriggers: [x]\n---\n", 2, "triggers"},
		{"tags", "---\ntags: {a: b}\n---\n", 2, "list"},
		{"title is a list", "---\nid: [a]\n---\n", 2, "text"},
		{"seen", "---\nseen: {sessions: x}\n---\n", 2, "sessions"},
		{"seen date", "---\nseen:\n  first: soon\n---\n", 3, "soon"},
		{"CRLF", "---\r\nid: x\r\nid: y\r\n---\r\n", 3, "twice"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Parse(".lessons/x.md", []byte(tt.text))
			var parse *knowledge.ParseError
			if !errors.As(err, &parse) {
				t.Fatalf("got %v", err)
			}
			if parse.Path != ".lessons/x.md" || parse.Line < 1 || (tt.line > 0 && parse.Line != tt.line) || !strings.Contains(parse.Text, tt.says) {
				t.Errorf("got %v, want line %d and %q", err, tt.line, tt.says)
			}
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("more than one line: %q", err)
			}
		})
	}
}

func FuzzParseLesson(f *testing.F) {
	f.Add(fullLesson().Format())
	f.Add([]byte("---\r\nseen:\r\n  first: 2026-11-20\r\nx: >-\r\n  a\r\n---\r\n# T #\r\n\r\n```\r\n"))
	f.Add([]byte("---\n 0:\n---"))
	f.Add([]byte("---\n 00: \n0\n---"))
	f.Add([]byte("---\n---\n0\r\r"))
	f.Add([]byte("---\n000:\r00: 0000\n---"))
	f.Add([]byte("---\ntriggers:\n  unless: \"\"\n---"))
	f.Add([]byte("---\n{a: [b, {c: d}], tags: x}\n---\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 1<<14 {
			return
		}
		l, err := Parse("l.md", data)
		if err != nil {
			var parse *knowledge.ParseError
			if !errors.As(err, &parse) || parse.Path != "l.md" {
				t.Fatalf("%T %v", err, err)
			}
			return
		}
		if again, err := Parse("l.md", l.Format()); err == nil {
			if again.WordsHash() != l.WordsHash() {
				t.Fatalf("read back it says something else: %q", l.Format())
			}
			if !bytes.Equal(again.Format(), l.Format()) {
				t.Fatalf("not stable:\n%q\n%q", l.Format(), again.Format())
			}
		} else if len(data) < 1<<12 {
			t.Fatalf("%q is read, but not as %q: %v", data, l.Format(), err)
		}
		edited, err := frontmatter.Edit(data, "status", "archived")
		if err != nil {
			return
		}
		after, err := Parse("l.md", edited)
		if err != nil || after.Status != Archived || after.Body != l.Body || after.Title != l.Title || after.ID != l.ID {
			t.Fatalf("%q became %q: %v", data, edited, err)
		}
	})
}

func TestLessonsFitTheirSchema(t *testing.T) {
	check := func(data []byte) error {
		m, err := frontmatter.Parse(data)
		if err != nil {
			t.Fatal(err)
		}
		values, err := json.Marshal(plainYAML(m.Root))
		if err != nil {
			t.Fatal(err)
		}
		return schema.Validate("lesson", values)
	}
	if err := check(fullLesson().Format()); err != nil {
		t.Error(err)
	}
	for _, bad := range []string{"kind: x", "priority: 11", "confidence: 2", "triggers: {tool: [x]}", "triggers: []", "tags: {a: b}", "seen: {sessions: x}", "action: x", "status: x"} {
		text := []byte("---\n" + bad + "\n---\n")
		if check(text) == nil {
			t.Errorf("%s fits", bad)
		}
		if _, err := Parse("l.md", text); err == nil {
			t.Errorf("%s is read", bad)
		}
	}
}

// plainYAML turns a node into values as JSON has them; dates stay texts.
func plainYAML(n *yaml.Node) any {
	switch n.Kind {
	case yaml.MappingNode:
		m := map[string]any{}
		for i := 0; i+1 < len(n.Content); i += 2 {
			m[n.Content[i].Value] = plainYAML(n.Content[i+1])
		}
		return m
	case yaml.SequenceNode:
		list := []any{}
		for _, c := range n.Content {
			list = append(list, plainYAML(c))
		}
		return list
	}
	if n.Tag == "!!int" || n.Tag == "!!float" {
		var number float64
		if json.Unmarshal([]byte(n.Value), &number) == nil {
			return number
		}
	}
	return n.Value
}

func TestKeysAreThoseThatAreRead(t *testing.T) {
	for _, key := range Keys {
		value := "x"
		switch key {
		case "kind":
			value = "warning"
		case "priority":
			value = "high"
		case "status":
			value = "active"
		case "confidence":
			value = "1"
		case "action":
			value = "inform"
		case "triggers", "seen", "examples":
			value = "{}"
		case "tags", "quotes":
			value = "[]"
		case "source":
			value = "self-learning:obs_x"
		}
		l, err := Parse("x.md", []byte("---\n"+key+": "+value+"\n---\n# T\n"))
		if err != nil {
			t.Errorf("%s: %v", key, err)
		} else if known := len(l.Unknown) == 0; known == (key == "require" || key == "onError" || key == "examples") {
			t.Errorf("%s: read %v", key, known)
		}
	}
}

// Quotes stand behind the body, where a reviewer reads, and are no part of what it says.
func TestQuotesBehindABody(t *testing.T) {
	const head = "---\nid: x\n"
	long := QuoteLabel + strings.Repeat("word ", 40) + "end"
	for name, c := range map[string]struct {
		text, body string
		quotes     []string
	}{
		"behind a body":       {head + "---\n# T\n\nSay it.\n\n**Quote**: a `b` <c>\n\n**Quote**: d\n", "Say it.\n", []string{"a `b` <c>", "d"}},
		"behind a title":      {head + "---\n# T\n\n**Quote**: a\n", "", []string{"a"}},
		"as in older files":   {head + "quotes: [a]\n---\n# T\n\nSay it.\n", "Say it.\n", []string{"a"}},
		"more than two":       {head + "---\n# T\n\n**Quote**: a\n\n**Quote**: b\n\n**Quote**: c\n", "**Quote**: a\n", []string{"b", "c"}},
		"longer than a quote": {head + "---\n# T\n\n" + long + "\n", long + "\n", nil},
		"within a body":       {head + "---\n# T\n\n**Quote**: a\n\nSay it.\n", "**Quote**: a\n\nSay it.\n", nil},
	} {
		l, err := Parse("x.md", []byte(c.text))
		if err != nil || l.Body != c.body || !slices.Equal(l.Quotes, c.quotes) {
			t.Errorf("%s: %v, body %q, quotes %q", name, err, l.Body, l.Quotes)
			continue
		}
		if again, err := Parse("x.md", l.Format()); err != nil || again.WordsHash() != l.WordsHash() || !slices.Equal(again.Quotes, l.Quotes) {
			t.Errorf("%s: %v, written as %q", name, err, l.Format())
		}
	}
}
