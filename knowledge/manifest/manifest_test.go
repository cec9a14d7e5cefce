package manifest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/lessons-cli/lessons/internal/test/kit"
	"github.com/lessons-cli/lessons/internal/test/schema"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/entry"
)

func mustManifest(t *testing.T, text string) *Manifest {
	t.Helper()
	m, err := Parse(Path, []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestManifestOfAnEarlierToolReads(t *testing.T) {
	m := mustManifest(t, kit.DevflowManifest)
	row, ok := m.Row(knowledge.Key{Observation: "obs_def456", Kind: knowledge.KindADR})
	if !ok || row.Anchor != "ADR-003" || row.ContentHash != "1a2b3c4d" || row.Path != ".memory/knowledge/decisions.md" {
		t.Errorf("row %+v", row)
	}
	if _, ok := m.Row(knowledge.Key{Observation: "obs_abc123", Kind: knowledge.KindCommand}); !ok {
		t.Error("the workflow's row is missing")
	}
	if got := string(m.Bytes()); got != kit.DevflowManifest {
		t.Errorf("an unchanged manifest is rewritten:\n%s", cmp.Diff(kit.DevflowManifest, got))
	}
}

func TestAbsolutePathsInManifestBecomeRelativeOnTheFirstWrite(t *testing.T) {
	m := mustManifest(t, kit.DevflowManifest)
	m.PutRow(Row{ObservationID: "obs_new", Type: "pitfall", Path: ".memory/knowledge/pitfalls.md", Anchor: "PF-001", ContentHash: "sha256:00", RenderedAt: kit.Day(1)})
	got := string(m.Bytes())
	if strings.Contains(got, "/Users/ann") {
		t.Errorf("an absolute path stays:\n%s", got)
	}
	for _, want := range []string{`"lastRun": {"by":"tool"}`, `"anchorId":"ADR-003"`, `"schemaVersion": 1`} {
		if !strings.Contains(got, want) {
			t.Errorf("%s is lost in\n%s", want, got)
		}
	}
}

// TestRowsOfBooksHaveTheAnchorWhereDevflowReadsIt: in the member anchorId too, and always
// the same.
func TestRowsOfBooksHaveTheAnchorWhereDevflowReadsIt(t *testing.T) {
	m := &Manifest{}
	book := Row{ObservationID: "obs_a", Type: "decision", Path: ".memory/knowledge/decisions.md", Anchor: "ADR-001", ContentHash: "sha256:00", RenderedAt: kit.Day(1)}
	file := Row{ObservationID: "obs_b", Type: "decision", Path: ".memory/knowledge/decisions/ADR-002-b.md", Anchor: "ADR-002", ContentHash: "sha256:00", RenderedAt: kit.Day(1)}
	m.AddRows(book, file)
	text := string(m.Bytes())
	if !strings.Contains(text, `"anchor":"ADR-001"`) || !strings.Contains(text, `"anchorId":"ADR-001"`) || strings.Contains(text, `"anchorId":"ADR-002"`) {
		t.Error(text)
	}
	m = mustManifest(t, text)
	book.Anchor = "ADR-007"
	m.PutRow(book)
	if text := string(m.Bytes()); !strings.Contains(text, `"anchorId":"ADR-007"`) || strings.Contains(text, `"anchorId":"ADR-001"`) {
		t.Error(text)
	}
	m.Bury(Tombstone{Row: Row{ObservationID: "obs_a", Type: "decision"}, Commit: "c0ffee", How: "committed"})
	if text := string(m.Bytes()); !strings.Contains(text, `"anchorId":"ADR-007"`) || !IsCanonical(Path, []byte(text)) {
		t.Error(text)
	}
}

// plainFile names an observation's file where there are no clones.
func plainFile(id string) string { return File(id, "") }

func TestManifestBook(t *testing.T) {
	m := mustManifest(t, kit.DevflowManifest)
	m.PutRow(Row{
		ObservationID: "obs_k2", Type: "lesson", Path: ".lessons/a<b.md", ContentHash: "sha256:11", RenderedAt: kit.Day(2),
		N: 2, ContentKey: "L-abc", Copies: []string{".claude/skills/a"}, Title: "a < b",
	})
	m.Bury(Tombstone{Row: Row{ObservationID: "obs_def456", Type: "decision"}, Commit: "c0ffee", By: "Ann <a@example.org>", At: "2026-05-01T00:00:00Z", How: "committed"})
	kit.Golden(t, "manifest/book.json", m.Bytes())
	files := m.Files(plainFile)
	kit.Golden(t, "manifest/files-obs_def456.json", files[".memory/manifest/obs_def456.json"])
	if len(files) != 4 { // three observations and the member that is not known
		t.Errorf("files: %v", slices.Sorted(maps.Keys(files)))
	}
	if again := mustManifest(t, string(m.Bytes())); !bytes.Equal(again.Bytes(), m.Bytes()) {
		t.Error("reading and writing changes the manifest")
	}
}

func TestManifestErrorsNameFileAndLine(t *testing.T) {
	row := `{"observationId":"o_1","type":"lesson"}`
	for _, c := range []struct {
		name, text string
		line       int
		say        string
	}{
		{"not JSON", "{\n\"entries\": [\n}\n", 3, "not JSON"},
		{"cut off", "{\n\"entries\": [", 2, "not JSON"},
		{"conflict", "{\n<<<<<<< HEAD\n", 2, "take out the marker lines"},
		{"not an object", "[]", 1, "JSON object"},
		{"entries are no list", "{\n\n\"entries\": {}}", 3, `"entries" is not a list`},
		{"row without id", "{\"entries\": [\n" + row + ",\n{\"type\":\"lesson\"}]}", 3, "observationId"},
		{"row of the wrong form", "{\"entries\": [\n" + row + ",\n3]}", 3, "not a JSON object"},
		{"field of the wrong form", "{\"entries\": [\n{\"observationId\":\"o_1\",\"type\":\"x\",\n\"n\":\"two\"}]}", 3, `field "n"`},
		{"text behind the end", row + " x", 1, "not JSON"},
	} {
		t.Run(c.name, func(t *testing.T) {
			m, err := Parse("dir/m.json", []byte(c.text))
			at, ok := errors.AsType[*Error](err)
			if !ok || m != nil {
				t.Fatalf("manifest %v, error %v", m, err)
			}
			if at.Line != c.line || !strings.Contains(err.Error(), c.say) || !strings.HasPrefix(err.Error(), fmt.Sprintf("dir/m.json:%d: ", c.line)) {
				t.Errorf("error %q, want line %d and %q", err, c.line, c.say)
			}
		})
	}
}

func TestNewerManifestIsReadAndNeverWritten(t *testing.T) {
	for _, name := range []string{"version", "schemaVersion"} {
		text := `{"` + name + `": 2, "entries": [{"observationId":"o_1","type":"lesson","path":"x"}], "new": []}`
		m, err := Parse("m.json", []byte(text))
		if !errors.Is(err, errNewerSchema) {
			t.Fatalf("error %v, want errNewerSchema", err)
		}
		if _, ok := m.Row(knowledge.Key{Observation: "o_1", Kind: knowledge.KindLesson}); !ok {
			t.Error("its rows are not read")
		}
		m.PutRow(Row{ObservationID: "o_2", Type: "lesson"})
		if got := string(m.Bytes()); got != text {
			t.Errorf("a newer manifest is written:\n%s", got)
		}
	}
	if m, err := Parse("m.json", []byte(`{"version":9,"entries":"elsewhere"}`)); !errors.Is(err, errNewerSchema) || m == nil {
		t.Errorf("a newer form that does not read: %v, %v", m, err)
	}
}

func TestManifestRevisions(t *testing.T) {
	k := knowledge.Key{Observation: "o_1", Kind: knowledge.KindADR}
	row := Row{ObservationID: "o_1", Type: "decision", Path: "p", Anchor: "ADR-001", N: 2}
	m := &Manifest{}
	m.PutRow(row)
	m.PutRow(row)
	if r, _ := m.Row(k); r.Rev != 1 {
		t.Errorf("rev %d of a first row, want 1", r.Rev)
	}
	m.Bury(Tombstone{Row: Row{ObservationID: "o_1", Type: "decision"}, How: "committed"})
	m.Bury(Tombstone{Row: Row{ObservationID: "o_1", Type: "decision"}, How: "command"})
	tomb, ok := m.Tombstone(k)
	if _, has := m.Row(k); has || !ok || tomb.Rev != 2 || tomb.Anchor != "ADR-001" || tomb.N != 2 || tomb.How != "committed" {
		t.Errorf("tombstone %+v", tomb)
	}
	again := row
	again.Anchor = "ADR-005"
	m.PutRow(again)
	r, _ := m.Row(k)
	if r.Rev != 3 || len(m.Tombstones) != 0 {
		t.Errorf("row %+v beside %d tombstones", r, len(m.Tombstones))
	}
	if diff := cmp.Diff([]string{"ADR-001", "ADR-005"}, m.Anchors(knowledge.KindADR)); diff != "" {
		t.Errorf("reserved anchors (-want +got):\n%s", diff)
	}
}

func TestRestoredRowBeatsTombstoneBeatsRow(t *testing.T) {
	k := knowledge.Key{Observation: "o_1", Kind: knowledge.KindLesson}
	first := &Manifest{}
	first.PutRow(Row{ObservationID: "o_1", Type: "lesson", Path: "p"})
	buried := first.Clone()
	buried.Bury(Tombstone{Row: Row{ObservationID: "o_1", Type: "lesson"}})
	restored := buried.Clone()
	restored.PutRow(Row{ObservationID: "o_1", Type: "lesson", Path: "p"})
	if _, ok := Merge(first, buried).Tombstone(k); !ok {
		t.Error("the row beats the tombstone")
	}
	if r, ok := Merge(buried, restored).Row(k); !ok || r.Rev != 3 {
		t.Error("the tombstone beats the restored row")
	}
}

func someManifest(t *rapid.T) *Manifest {
	m := &Manifest{}
	for range rapid.IntRange(0, 6).Draw(t, "rows") {
		row := Row{
			ObservationID: rapid.SampledFrom([]string{"obs_1", "obs_2", "../x"}).Draw(t, "id"),
			Type:          rapid.SampledFrom([]string{"decision", "lesson"}).Draw(t, "type"),
			Anchor:        rapid.SampledFrom([]string{"", "ADR-001", "ADR-002"}).Draw(t, "anchor"),
			Path:          rapid.SampledFrom([]string{"a", "b"}).Draw(t, "path"),
			Rev:           rapid.IntRange(0, 3).Draw(t, "rev"),
			RenderedAt:    kit.Day(rapid.IntRange(0, 2).Draw(t, "day")),
		}
		if rapid.Bool().Draw(t, "buried") {
			m.Bury(Tombstone{Row: row, Commit: rapid.SampledFrom([]string{"", "c1", "c2"}).Draw(t, "commit")})
		} else {
			m.PutRow(row)
		}
	}
	extra := rapid.SampledFrom([]string{"", `"x":1`, `"x":[2]`, `"y":{}`}).Draw(t, "unknown")
	if extra == "" {
		return m
	}
	text := strings.TrimSuffix(string(m.Bytes()), "\n}\n") + ",\n" + extra + "}\n"
	text = strings.Replace(text, `"type":"lesson"`, `"type":"lesson",`+extra, 1)
	m, err := Parse("m", []byte(text))
	if err != nil {
		panic(err)
	}
	return m
}

// A render on more evidence has no greater revision, and still follows the earlier one.
func TestMergeKeepsTheRowWithMoreEvidence(t *testing.T) {
	row := func(n int, hash string) *Manifest {
		return &Manifest{Rows: []Row{{ObservationID: "obs_a", Type: "lesson", Path: "a.md", Rev: 1, N: n, ContentHash: hash}}}
	}
	for _, m := range []*Manifest{Merge(row(1, "f"), row(3, "8")), Merge(row(3, "8"), row(1, "f"))} {
		if got := m.Rows[0]; got.N != 3 || got.ContentHash != "8" {
			t.Errorf("%+v", got)
		}
	}
}

// A clone accepted an entry that another one knows as a proposal yet.
func TestMergedRowOfAnAcceptedEntryIsNoProposal(t *testing.T) {
	row := func(rev int, status string) *Manifest {
		return &Manifest{Rows: []Row{{ObservationID: "obs_a", Type: "decision", Path: "a.md", Anchor: "ADR-001", Rev: rev, Status: status}}}
	}
	for _, m := range []*Manifest{Merge(row(1, "Proposed"), row(2, "")), Merge(row(2, ""), row(1, "Proposed")), Merge(row(1, ""), row(1, "Proposed"))} {
		if got := m.Rows[0].Status; got != "" {
			t.Errorf("status %q", got)
		}
	}
}

func TestMergeOfManifestsIsASemilattice(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		some := rapid.Custom(someManifest)
		a, b, c := some.Draw(t, "a"), some.Draw(t, "b"), some.Draw(t, "c")
		equal := func(what string, x, y *Manifest) {
			if diff := cmp.Diff(string(x.Bytes()), string(y.Bytes())); diff != "" {
				t.Fatalf("not %s:\n%s", what, diff)
			}
		}
		ab := Merge(a, b)
		equal("commutative", ab, Merge(b, a))
		equal("associative", Merge(ab, c), Merge(a, Merge(b, c)))
		equal("idempotent", ab, Merge(ab, a))

		files, problems := ParseFiles(ab.Files(plainFile))
		if len(problems) > 0 {
			t.Fatal(problems)
		}
		equal("the same in both layouts", ab, files)
		for path, content := range ab.Files(plainFile) {
			if strings.Contains(strings.TrimPrefix(path, ".memory/"), "..") || !json.Valid(content) {
				t.Fatalf("file %s:\n%s", path, content)
			}
		}
	})
}

func TestManifestFileOfAHostileID(t *testing.T) {
	seen := map[string]string{}
	for _, id := range []string{"../../etc/x", "con", "NUL", "", "a_b/c", "obs_" + strings.Repeat("a", 100), "obs_\x00", "obs_1.json"} {
		path := File(id, "")
		if !strings.HasPrefix(path, ".memory/manifest/id_") || strings.Count(path, "/") != 2 || len(path) > 60 {
			t.Errorf("ManifestFile(%q) = %q", id, path)
		}
		if other, ok := seen[path]; ok {
			t.Errorf("%q and %q share %s", id, other, path)
		}
		seen[path] = id
	}
	for clone, want := range map[string]string{"": ".memory/manifest/obs_abc123.json", "x7f2": ".memory/manifest/obs_abc123-x7f2.json"} {
		if got := File("obs_abc123", clone); got != want {
			t.Errorf("a plain id gives %s", got)
		}
	}
}

func TestOneBadManifestFileHidesNoOther(t *testing.T) {
	m, problems := ParseFiles(map[string][]byte{
		".memory/manifest/obs_a.json": []byte("{\n}}"),
		".memory/manifest/obs_b.json": []byte(`{"entries":[{"observationId":"obs_b","type":"lesson","path":"x"}]}`),
		".memory/manifest/obs_c.json": []byte(`{"version":7}`),
	})
	if _, ok := m.Row(knowledge.Key{Observation: "obs_b", Kind: knowledge.KindLesson}); !ok {
		t.Error("the good file is not read")
	}
	if len(problems) != 2 || problems[0].Path != ".memory/manifest/obs_a.json" || problems[0].Line != 2 || problems[1].Rule != "newer-schema" {
		t.Errorf("problems %+v", problems)
	}
}

func FuzzParseManifest(f *testing.F) {
	f.Add([]byte(kit.DevflowManifest))
	f.Add([]byte(`{"version":1,"entries":[{"observationId":"a_","type":"lesson","n":1,"rev":2}],"tombstones":[{"observationId":"a_","type":"lesson","rev":2,"how":"committed"}]}`))
	f.Add([]byte("{\n<<<<<<< a\n}"))
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := Parse("m", data)
		if err != nil {
			return
		}
		if len(data) > 0 && !bytes.Equal(m.Bytes(), data) {
			t.Fatalf("an unchanged manifest is rewritten: %q became %q", data, m.Bytes())
		}
		canonical := Merge(m, m).Bytes()
		again, err := Parse("m", canonical)
		if err != nil {
			t.Fatalf("we cannot read what we wrote: %v\n%s", err, canonical)
		}
		if !bytes.Equal(again.layout(), canonical) {
			t.Fatalf("the layout is not stable:\n%s", cmp.Diff(string(canonical), string(again.layout())))
		}
		if files, problems := ParseFiles(m.Files(plainFile)); len(problems) > 0 || len(files.Rows) != len(again.Rows) {
			t.Fatalf("layout files loses rows: %v", problems)
		}
	})
}

func TestManifestsFitTheirSchema(t *testing.T) {
	m := &Manifest{}
	row := Row{ObservationID: "obs_a", Type: "decision", Path: entry.DecisionsPath, Anchor: "ADR-001", ContentHash: knowledge.ContentHash(nil), RenderedAt: time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC), N: 2, Rev: 1, Title: "x"}
	m.PutRow(row)
	row.ObservationID, row.Type, row.Anchor = "obs_b", "lesson", ""
	m.Bury(Tombstone{Row: row, How: "committed", At: "2026-11-20T00:00:00Z"})
	if err := schema.Validate("manifest", m.Bytes()); err != nil {
		t.Errorf("%s: %v", m.Bytes(), err)
	}
	for _, bad := range []string{`{"entries":[{}]}`, `{"entries":{}}`, `{"tombstones":[{"observationId":"x"}]}`} {
		if schema.Validate("manifest", []byte(bad)) == nil {
			t.Errorf("%s fits", bad)
		}
	}
}
