package entry

import (
	"bytes"
	"path"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/lessons-cli/lessons/internal/test/kit"
	"github.com/lessons-cli/lessons/knowledge"
)

func TestEntryFilesHoldTheSection(t *testing.T) {
	e := adrEntry(7, "Use Result types: not errors!", "Accepted")
	if got, want := Path(e), ".memory/knowledge/decisions/ADR-007-use-result-types-not-errors.md"; got != want {
		t.Errorf("path %s, want %s", got, want)
	}
	if got, want := Path(pfEntry(1234, "x", "")), ".memory/knowledge/pitfalls/PF-1234-x.md"; got != want {
		t.Errorf("path %s, want %s", got, want)
	}
	kit.Golden(t, "book/ADR-007.md", Format(e))
	got, problems := ParseFile(Path(e), Format(e))
	if len(problems) > 0 || got.Title != e.Title || got.Number != 7 || got.Source != e.Source || got.Line != 1 {
		t.Errorf("read back as %+v, %v", got, problems)
	}
	for text, rule := range map[string]string{"": "entry-file", "# Notes\n": "entry-file", string(Format(e)) + "\n## ADR-008: x\n": "entry-file"} {
		if _, problems := ParseFile(Path(e), []byte(text)); len(problems) != 1 || problems[0].Rule != rule || problems[0].Line < 1 {
			t.Errorf("%q: %v", text, problems)
		}
	}
}

func TestSetStatusInAnEntryFile(t *testing.T) {
	e := pfEntry(4, "x", "scripts/")
	b := parseBook(t, Path(e), Format(e))
	got, err := b.SetStatus(4, "Deprecated")
	if want := strings.Replace(string(Format(e)), "Active", "Deprecated", 1); err != nil || string(got) != want {
		t.Errorf("%v %q", err, got)
	}
}

func TestLayoutsConvertBothWays(t *testing.T) {
	book := "<!-- TL;DR: 2 decisions. Key: ADR-001, ADR-002 -->\n# Architectural Decisions\n\nA decision that no longer holds keeps its entry and changes its status.\n\n" +
		"## ADR-001: One\n\n- **Status**: Accepted\n\n## Our notes\n\nkept with the entry before them\n\n## ADR-002: Two  \n\ntext\n"
	headers := map[string]string{
		"usual":        book,
		"CRLF":         strings.ReplaceAll(book, "\n", "\r\n"),
		"own header":   "# What we decided\n\nRead `this` first.\n\n" + book[strings.Index(book, "## ADR-001"):],
		"own and CRLF": "# What we decided\r\n\r\n" + strings.ReplaceAll(book[strings.Index(book, "## ADR-001"):], "\n", "\r\n"),
		"no entries":   string(NewBook(knowledge.KindADR)),
		"same number":  book + "\n## ADR-002: Two\n\nagain\n",
		"other kind":   book + "\n## PF-003: in the wrong book\n",
	}
	for name, text := range headers {
		text = string(summarise(DecisionsPath, []byte(text)))
		b, _ := ParseBook(DecisionsPath, []byte(text))
		files := SplitBook(b)
		if got := JoinBook(knowledge.KindADR, files); string(got) != text {
			t.Errorf("%s:\n got %q\nwant %q", name, got, text)
		}
		seen := map[string]bool{}
		for _, f := range files {
			if seen[f.Path] || path.Dir(f.Path) != DecisionsDir {
				t.Errorf("%s: path %s", name, f.Path)
			}
			seen[f.Path] = true
		}
		for _, e := range b.Entries {
			if !bytesIn(files, e.Text) {
				t.Errorf("%s: the text of %s is in no file", name, e.ID())
			}
		}
	}
}

func bytesIn(files []File, text []byte) bool {
	for _, f := range files {
		if bytes.HasPrefix(f.Data, text) {
			return true
		}
	}
	return false
}

func TestAnyBookConvertsBothWays(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		data := NewBook(knowledge.KindADR)
		for i := range rapid.IntRange(0, 4).Draw(t, "entries") {
			e := adrEntry(i*i+1, kit.HostileText().Draw(t, "title"), "Accepted")
			e.Fields[2].Value = kit.HostileText().Draw(t, "value")
			b, _ := ParseBook(DecisionsPath, data)
			data = b.Append(e)
		}
		b, _ := ParseBook(DecisionsPath, data)
		files := SplitBook(b)
		if got := JoinBook(knowledge.KindADR, files); !bytes.Equal(got, data) {
			t.Fatalf("(-book +joined):\n%s", cmp.Diff(string(data), string(got)))
		}
		joined, _ := ParseBook(DecisionsPath, JoinBook(knowledge.KindADR, files))
		again := SplitBook(joined)
		if diff := cmp.Diff(files, again); diff != "" {
			t.Fatalf("split again (-first +second):\n%s", diff)
		}
		for i, f := range files {
			e, problems := ParseFile(f.Path, f.Data)
			if len(problems) > 0 || knowledge.ContentHash(e.Text) != knowledge.ContentHash(b.Entries[i].Text) {
				t.Fatalf("%s: %v, or another hash than in the book", f.Path, problems)
			}
		}
	})
}
