package entry

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/lessons-cli/lessons/internal/test/kit"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/prose"
)

func adrEntry(number int, title, status string) Entry {
	return Entry{
		Kind: knowledge.KindADR, Number: number, Title: title, Source: "obs_abc123",
		Fields: []Field{
			{FieldDate, "2026-11-20"},
			{FieldStatus, status},
			{FieldContext, "service layer"},
			{FieldDecision, "return Result"},
			{FieldConsequences, "typed errors"},
			{FieldSource, "self-learning:obs_abc123"},
		},
	}
}

func pfEntry(number int, title, area string) Entry {
	return Entry{
		Kind: knowledge.KindPF, Number: number, Title: title, Source: "obs_pf0001",
		Fields: []Field{
			{FieldArea, area},
			{FieldIssue, "scripts grow"},
			{FieldImpact, ""},
			{FieldResolution, "split into modules"},
			{FieldStatus, "Active"},
			{FieldSource, "self-learning:obs_pf0001"},
		},
	}
}

// parseBook parses a book that must have no problems.
func parseBook(t *testing.T, path string, data []byte) *Book {
	t.Helper()
	b, problems := ParseBook(path, data)
	if len(problems) > 0 {
		t.Fatalf("problems: %v\nin:\n%s", problems, data)
	}
	return b
}

func TestBooksAreWrittenInDevflowsForm(t *testing.T) {
	data := NewBook(knowledge.KindADR)
	for i, title := range []string{"Use Result types instead of thrown errors", "One writer", "Third", "Fourth", "Fifth", "Sixth"} {
		b := parseBook(t, DecisionsPath, data)
		data = b.Append(adrEntry(i+1, title, "Accepted"))
	}
	kit.Golden(t, "book/decisions.md", data)
	pitfalls := parseBook(t, PitfallsPath, NewBook(knowledge.KindPF)).Append(pfEntry(1, "Background hook scripts become god scripts", "scripts/hooks/"))
	kit.Golden(t, "book/pitfalls.md", pitfalls)

	b := parseBook(t, DecisionsPath, data)
	if len(b.Entries) != 6 {
		t.Fatalf("read %d entries back", len(b.Entries))
	}
	for i, e := range b.Entries {
		if e.Number != i+1 || e.Source != "obs_abc123" || e.Kind != knowledge.KindADR || e.Path != DecisionsPath {
			t.Errorf("entry %d: %+v", i, e)
		}
		if string(e.Text) != string(data[e.Start:e.End]) || knowledge.ContentHash(e.Text) != knowledge.ContentHash(Format(e)) {
			t.Errorf("%s: the text is not what was written: %q", e.ID(), e.Text)
		}
		if want := strings.Count(string(data[:e.Start]), "\n") + 1; e.Line != want {
			t.Errorf("%s: line %d, want %d", e.ID(), e.Line, want)
		}
	}
}

// Regression: the first reconcile reports every entry as edited (hash taken over
// different bytes).
func TestRegressionFirstReconcileReportsEveryEntryAsEdited(t *testing.T) {
	first := adrEntry(1, "First", "Accepted")
	rendered := knowledge.ContentHash(Format(first))
	data := parseBook(t, DecisionsPath, NewBook(knowledge.KindADR)).Append(first)
	forms := map[string][]byte{
		"alone":           data,
		"with a second":   parseBook(t, DecisionsPath, data).Append(adrEntry(2, "Second", "Accepted")),
		"CRLF":            bytes.ReplaceAll(data, []byte("\n"), []byte("\r\n")),
		"no last end":     bytes.TrimRight(data, "\n"),
		"empty lines":     append(bytes.Clone(data), "\n\n\n"...),
		"a note behind":   append(bytes.Clone(data), "\n## Notes of ours\n\ntext\n"...),
		"with a mark":     append([]byte("\uFEFF"), data...),
		"in its own":      Format(first),
		"in its own, BOM": append([]byte("\uFEFF"), Format(first)...),
	}
	for name, form := range forms {
		path := DecisionsPath
		if strings.HasPrefix(name, "in its own") {
			path = Path(first)
		}
		b := parseBook(t, path, form)
		if len(b.Entries) == 0 || knowledge.ContentHash(b.Entries[0].Text) != rendered {
			t.Errorf("%s: hash differs: %+v", name, b.Entries)
		}
	}
}

func TestWhatIsAnEntry(t *testing.T) {
	tests := []struct {
		name, path, text string
		want             []string
	}{
		{"plain", DecisionsPath, "## ADR-001: One\n", []string{"ADR-001 One"}},
		{"any number of digits", DecisionsPath, "## ADR-7: a\n## ADR-0012: b\n## ADR-12345: c\n", []string{"ADR-007 a", "ADR-012 b", "ADR-12345 c"}},
		{"closing hashes", DecisionsPath, "## ADR-001: One ##\n", []string{"ADR-001 One"}},
		{"setext", DecisionsPath, "ADR-001: One\n---\n\n- **Status**: Accepted\n", []string{"ADR-001 One Accepted"}},
		{"indented", DecisionsPath, "   ## ADR-001: One\n", []string{"ADR-001 One"}},
		{"dash", DecisionsPath, "## ADR-001 — One\n", []string{"ADR-001 One"}},
		{"no title", DecisionsPath, "## ADR-001\n", []string{"ADR-001 "}},
		{"CRLF", DecisionsPath, "# D\r\n\r\n## ADR-001: One\r\n\r\n- **Status**: Accepted\r\n\r\nADR-002: Two\r\n---\r\n", []string{"ADR-001 One Accepted", "ADR-002 Two"}},
		{"in a fence", DecisionsPath, "```\n## ADR-001: One\n```\n## ADR-002: Two\n", []string{"ADR-002 Two"}},
		{"in a fence of tildes with CRLF", DecisionsPath, "~~~md\r\n## ADR-001: One\r\n~~~\r\n## ADR-002: Two\r\n", []string{"ADR-002 Two"}},
		{"in a comment", DecisionsPath, "<!--\n## ADR-001: One\n\n## ADR-003: Three\n-->\n\n## ADR-002: Two\n", []string{"ADR-002 Two"}},
		{"in a quote", DecisionsPath, "> ## ADR-001: One\n\n## ADR-002: Two\n", []string{"ADR-002 Two"}},
		{"in a list", DecisionsPath, "- ## ADR-001: One\n\n## ADR-002: Two\n", []string{"ADR-002 Two"}},
		{"as indented code", DecisionsPath, "    ## ADR-001: One\n\n## ADR-002: Two\n", []string{"ADR-002 Two"}},
		{"other levels", DecisionsPath, "# ADR-001: One\n### ADR-002: Two\n## ADR-003: Three\n#### ADR-4: in three\n", []string{"ADR-003 Three"}},
		{"other names", DecisionsPath, "## ADR-001b: One\n## XADR-001: One\n## ADRX-1: One\n## ADR-: One\n", nil},
		{"level 1 in a file of its own", DecisionsDir + "/ADR-001-one.md", "# ADR-001: One\n\n- **Status**: Accepted\n", []string{"ADR-001 One Accepted"}},
		{"both kinds", PitfallsPath, "## PF-001: One\n## ADR-002: Two\n", []string{"PF-001 One", "ADR-002 Two"}},
		{"bold colon inside", DecisionsPath, "## ADR-001: One\n\n* **Status:** Accepted\n", []string{"ADR-001 One Accepted"}},
		{"status in running text", DecisionsPath, "## ADR-001: One\n\n**Status**: Accepted\n", []string{"ADR-001 One"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b, _ := ParseBook(tt.path, []byte(tt.text))
			var got []string
			for _, e := range b.Entries {
				text := e.ID() + " " + e.Title
				if e.Status() != "" {
					text += " " + e.Status()
				}
				got = append(got, text)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestMarkersCountInBulletsOnly(t *testing.T) {
	tests := []struct{ name, body, want string }{
		{"bullet", "- **Source**: self-learning:obs_a1\n", "obs_a1"},
		{"code", "- **Source**: `self-learning:obs_a1`\n", "obs_a1"},
		{"with words", "- **Source**: self-learning:obs_a1 (by hand)\n", "obs_a1"},
		{"manual", "- **Source**: self-learning:manual_x\n", "manual_x"},
		{"elsewhere", "- **Source**: the wiki\n", ""},
		{"running text", "the line - **Source**: self-learning:obs_a1\n", ""},
		{"fence", "```\n- **Source**: self-learning:obs_a1\n```\n", ""},
		{"comment", "<!--\n- **Source**: self-learning:obs_a1\n-->\n", ""},
		{"quote", "> - **Source**: self-learning:obs_a1\n", ""},
		{"nested", "- **Context**: x\n  - **Source**: self-learning:obs_a1\n", ""},
		{"behind a sub-heading", "### More\n\n- **Source**: self-learning:obs_a1\n", "obs_a1"},
		{"behind another heading", "## Notes\n\n- **Source**: self-learning:obs_a1\n", ""},
		{"odd id", "- **Source**: self-learning:../../x\n", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b, _ := ParseBook(DecisionsPath, []byte("## ADR-001: One\n\n"+tt.body))
			if got := b.Entries[0].Source; got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestConflictMarkersHideNothing(t *testing.T) {
	text := "# Architectural Decisions\n\n## ADR-001: One\n\n- **Status**: Accepted\n\n" +
		"<<<<<<< HEAD\n## ADR-002: Ours\n\n- **Status**: Accepted\n- **Source**: self-learning:obs_ours\n=======\n" +
		"## ADR-002: Theirs\n\n- **Status**: Proposed\n- **Source**: self-learning:obs_theirs\n>>>>>>> topic\n\n## ADR-003: Three\n"
	for _, text := range []string{text, strings.ReplaceAll(text, "\n", "\r\n"), strings.Replace(text, "=======", "||||||| base\n## ADR-002: Base\n=======", 1)} {
		b, problems := ParseBook(DecisionsPath, []byte(text))
		if len(problems) != 1 || problems[0].Rule != "conflict" || problems[0].Line != 7 {
			t.Errorf("problems: %v", problems)
		}
		titles := map[string]string{}
		for _, e := range b.Entries {
			titles[e.Title] = e.Source
		}
		for title, source := range map[string]string{"One": "", "Ours": "obs_ours", "Theirs": "obs_theirs", "Three": ""} {
			if got, ok := titles[title]; !ok || got != source {
				t.Errorf("%s: got %q (there: %v)", title, got, ok)
			}
		}
	}
	_, problems := ParseBook(DecisionsPath, []byte(text+"\n## ADR-003: Again\n"))
	if len(problems) != 2 || problems[1].Rule != "duplicate-number" {
		t.Errorf("a number that stands twice outside of the conflict: %v", problems)
	}
	example := "# D\n\n```\n<<<<<<< HEAD\na\n=======\nb\n>>>>>>> x\n```\n\n## ADR-001: One\n"
	parseBook(t, DecisionsPath, []byte(example))
}

func TestBlocksWithoutAnEndAreReported(t *testing.T) {
	for _, tt := range []struct {
		text string
		line int
	}{
		{"## ADR-001: One\n\n```go\ncode\n\n## ADR-002: Two\n", 3},
		{"## ADR-001: One\n\n````\n```\n## ADR-002: Two\n", 3},
		{"## ADR-001: One\n\n<!-- note\n\n## ADR-002: Two\n", 3},
		{"## ADR-001: One\n\n```\n", 3},
		{"## ADR-001: One\n\n~~~~ x\n", 3},
	} {
		b, problems := ParseBook(DecisionsPath, []byte(tt.text))
		if len(b.Entries) != 1 || len(problems) != 1 || problems[0].Line != tt.line || problems[0].Rule != "book-unclosed" {
			t.Errorf("%q: %d entries, problems %v", tt.text, len(b.Entries), problems)
		}
		after, problems := ParseBook(DecisionsPath, b.Append(adrEntry(3, "Three", "Accepted")))
		if len(after.Entries) != 2 || after.Entries[1].Title != "Three" || len(problems) > 0 {
			t.Errorf("%q: appended to\n%s\n%v", tt.text, after.Bytes(), problems)
		}
	}
	for _, text := range []string{"```\na\n```\n", "```\n```\n", "~~~\na\n~~~~\n", "<!-- a -->\n", "<!--\na\n-->", "```\na\n```", "<div>\n"} {
		if _, problems := ParseBook(DecisionsPath, []byte(text)); len(problems) > 0 {
			t.Errorf("%q: %v", text, problems)
		}
	}
}

func TestSetStatusChangesNothingElse(t *testing.T) {
	tests := []struct {
		name, text, want string
		number           int
	}{
		{
			"the value alone",
			"<!-- TL;DR: 2 decisions. Key: ADR-001, ADR-002 -->\n# Architectural Decisions\n\n## ADR-001: A\n\n-   **Status**:   Accepted  \n- x\n\n## ADR-002: B\n\n- **Status**: Accepted\n",
			"<!-- TL;DR: 1 decisions. Key: ADR-002 -->\n# Architectural Decisions\n\n## ADR-001: A\n\n-   **Status**:   Deprecated  \n- x\n\n## ADR-002: B\n\n- **Status**: Accepted\n", 1,
		},
		{"none left", "<!-- TL;DR: 1 decisions. Key: ADR-001 -->\n## ADR-001: A\n- **Status**: Accepted\n", "<!-- TL;DR: 0 decisions. Key: -->\n## ADR-001: A\n- **Status**: Deprecated\n", 1},
		{"CRLF", "## ADR-001: A\r\n\r\n- **Status**: Accepted\r\n", "## ADR-001: A\r\n\r\n- **Status**: Deprecated\r\n", 1},
		{"empty value", "## ADR-001: A\n\n- **Status**:\n", "## ADR-001: A\n\n- **Status**: Deprecated\n", 1},
		{"colon inside", "## ADR-001: A\n\n- **Status:** Accepted\n", "## ADR-001: A\n\n- **Status:** Deprecated\n", 1},
		{"no status, before the source", "## ADR-001: A\n\n- **Date**: x\n- **Source**: y\n", "## ADR-001: A\n\n- **Date**: x\n- **Status**: Deprecated\n- **Source**: y\n", 1},
		{"no bullet", "## ADR-001: A\n\ntext\n", "## ADR-001: A\n\n- **Status**: Deprecated\n\ntext\n", 1},
		{"no line end", "## ADR-001: A", "## ADR-001: A\n- **Status**: Deprecated\n", 1},
		{"setext without bullets", "ADR-001: A\n----\n", "ADR-001: A\n----\n- **Status**: Deprecated\n", 1},
		{"a status in a fence does not count", "## ADR-001: A\n\n```\n- **Status**: Accepted\n```\n\n- **Status**: Accepted\n", "## ADR-001: A\n\n```\n- **Status**: Accepted\n```\n\n- **Status**: Deprecated\n", 1},
		{"of the right entry", "## ADR-001: A\n\n- **Status**: Accepted\n\n## ADR-002: B\n\n- **Status**: Accepted", "## ADR-001: A\n\n- **Status**: Accepted\n\n## ADR-002: B\n\n- **Status**: Deprecated", 2},
		{"a summary in other words stays", "<!-- TL;DR: we decide here -->\n## ADR-001: A\n- **Status**: Accepted\n", "<!-- TL;DR: we decide here -->\n## ADR-001: A\n- **Status**: Deprecated\n", 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := parseBook(t, DecisionsPath, []byte(tt.text))
			got, err := b.SetStatus(tt.number, "Deprecated")
			if err != nil || string(got) != tt.want {
				t.Fatalf("%v\n got %q\nwant %q", err, got, tt.want)
			}
			for _, e := range parseBook(t, DecisionsPath, got).Entries {
				if e.Number == tt.number && e.Status() != "Deprecated" {
					t.Errorf("reads back as %q", e.Status())
				}
			}
		})
	}
}

func TestSetStatusRefuses(t *testing.T) {
	b, _ := ParseBook(DecisionsPath, []byte("## ADR-001: A\n## ADR-001: B\n"))
	if _, err := b.SetStatus(1, "Deprecated"); err == nil || !strings.Contains(err.Error(), "decisions.md:2") {
		t.Errorf("doubled number: %v", err)
	}
	if _, err := b.SetStatus(7, "Deprecated"); err == nil || !strings.Contains(err.Error(), "ADR-007") {
		t.Errorf("missing number: %v", err)
	}
}

func TestHostileValuesCannotBreakTheStructure(t *testing.T) {
	for _, text := range kit.Hostile {
		for _, where := range []string{"title", "value", "name", "status"} {
			e := adrEntry(1, "Plain", "Accepted")
			switch where {
			case "title":
				e.Title = text
			case "value":
				e.Fields[2].Value = text
			case "name":
				e.Fields[2].Name = text
			case "status":
				e.Fields[1].Value = text
			}
			checkAppend(t, e)
		}
	}
}

// checkAppend appends the entry between two others and reads all three back.
func checkAppend(t interface {
	Helper()
	Errorf(string, ...any)
}, e Entry,
) {
	t.Helper()
	e.Number = 2
	data := NewBook(knowledge.KindADR)
	for _, add := range []Entry{adrEntry(1, "Before", "Accepted"), e, adrEntry(3, "After", "Accepted")} {
		b, _ := ParseBook(DecisionsPath, data)
		next := b.Append(add)
		head, _, _ := bytes.Cut(data, []byte("\n"))
		if !bytes.HasPrefix(next[bytes.IndexByte(next, '\n'):], data[len(head):]) {
			t.Errorf("Append changed what was there: %q to %q", data, next)
		}
		data = next
	}
	b, problems := ParseBook(DecisionsPath, data)
	if len(problems) > 0 || len(b.Entries) != 3 {
		t.Errorf("%q: %d entries, %v in\n%s", e.Title, len(b.Entries), problems, data)
		return
	}
	got := b.Entries[1]
	if got.Title != prose.OneLine(e.Title) {
		t.Errorf("title %q became %q in %q", e.Title, got.Title, got.Text)
	}
	if got.Source != e.Source {
		t.Errorf("source %q became %q in %q", e.Source, got.Source, got.Text)
	}
	for i, f := range e.Fields {
		if name := fieldName(f.Name); f.Name != FieldSource {
			if i >= len(got.Fields) || got.Fields[i] != (Field{name, prose.OneLine(f.Value)}) {
				t.Errorf("field %q became %v", f, got.Fields)
			}
		}
	}
	if b.Entries[0].Title != "Before" || b.Entries[2].Title != "After" || b.Entries[2].Source != "obs_abc123" {
		t.Errorf("neighbours changed: %q", data)
	}
}

func TestEntriesReadBackAsWritten(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e := adrEntry(1, kit.HostileText().Draw(t, "title"), kit.HostileText().Draw(t, "status"))
		for i := range e.Fields[:5] {
			e.Fields[i].Value = kit.HostileText().Draw(t, "value")
		}
		checkAppend(t, e)
	})
}

func hasRule(problems []knowledge.Problem, rule string) bool {
	return slices.ContainsFunc(problems, func(p knowledge.Problem) bool { return p.Rule == rule })
}

func FuzzParseBook(f *testing.F) {
	f.Add([]byte("## ADR-001: One\n\n- **Status**: Accepted\n\n<<<<<<< a\n=======\n>>>>>>> b\n"))
	f.Add([]byte("\uFEFF<!-- TL;DR: 0 decisions. Key: -->\r\nADR-2: x\r\n---\r\n```\r\n"))
	f.Add([]byte("## ADR-0\n#00"))
	f.Add([]byte("\ufeff 00000000000000\nADR-000\n-\r"))
	f.Add([]byte("## PF-1\n- **Status:**\n<!--"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 1<<14 {
			return
		}
		b, problems := ParseBook(DecisionsPath, data)
		last := 0
		for _, e := range b.Entries {
			if e.Start < last || e.End <= e.Start || e.End > len(data) || e.Line < 1 {
				t.Fatalf("%s: range %d-%d, line %d, in %d bytes", e.ID(), e.Start, e.End, e.Line, len(data))
			}
			last = e.End
			if !bytes.HasPrefix(e.Text, data[e.Start:e.End]) {
				t.Fatalf("%s: text is not its range", e.ID())
			}
		}
		for _, p := range problems {
			if p.Path == "" || p.Rule == "" || p.Text == "" || p.Line < 1 {
				t.Fatalf("problem without a place: %+v", p)
			}
		}
		added, _ := ParseBook(DecisionsPath, b.Append(adrEntry(999_999, "Appended", "Accepted")))
		if n := len(added.Entries); n != len(b.Entries)+1 || added.Entries[n-1].Title != "Appended" {
			t.Fatalf("%d entries became %d", len(b.Entries), n)
		}
		for i, e := range b.Entries {
			after := added.Entries[i]
			if knowledge.ContentHash(e.Text) != knowledge.ContentHash(after.Text) && !hasRule(problems, "book-unclosed") {
				t.Fatalf("%s changed by an appended entry:\n%q\n%q", e.ID(), e.Text, after.Text)
			}
			set, err := b.SetStatus(e.Number, "Retired")
			if err != nil {
				continue
			}
			if again, _ := ParseBook(DecisionsPath, set); len(again.Entries) != len(b.Entries) || again.Entries[i].Status() != "Retired" {
				t.Fatalf("%s: status not set in %q", e.ID(), set)
			}
		}
	})
}
