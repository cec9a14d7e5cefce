package migrate

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/lessons-cli/lessons/internal/test/schema"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/catalog"
	"github.com/lessons-cli/lessons/knowledge/entry"
	"github.com/lessons-cli/lessons/knowledge/lesson"
	"github.com/lessons-cli/lessons/knowledge/store"
)

func TestExportPath(t *testing.T) {
	for _, p := range []string{
		".lessons/pytest-hangs-0qz4.md", ".lessons/README.md", ".lessons/config.json", ".lessons/skills/deploy/SKILL.md",
		".lessons/skills/deploy/scripts/check.sh", ".memory/knowledge/decisions.md", ".memory/knowledge/decisions/ADR-007-cents.md",
		".memory/knowledge/pitfalls/README.md", ".memory/.learning-manifest.json", ".memory/manifest/obs_a.json",
		".claude/commands/self-learning/ship.md", ".claude/commands/ship.md", ".claude/skills/deploy/SKILL.md", ".agents/skills/deploy/SKILL.md",
		".lessons/console.md", ".lessons/com.md", ".lessons/über.md",
	} {
		if err := ExportPath(p); err != nil {
			t.Errorf("%s: %v", p, err)
		}
	}
	for _, p := range []string{
		"", ".", "..", "/etc/passwd", "../x.md", ".lessons/../x.md", ".lessons//x.md", "./.lessons/x.md", `.lessons\x.md`, `C:\x.md`, "C:/x.md",
		".lessons/x.md:stream", ".lessons/x\x00.md", ".lessons/x\n.md", ".lessons/x\u202ey.md", ".lessons/skills/a\u200bb/SKILL.md", ".git/config", ".lessons/.git/config", ".lessons/skills/a/.GIT/config",
		".lessons/skills/git~1/SKILL.md", ".lessons/skills/a/.hidden", ".lessons/.hidden.md", ".lessons/con.md", ".lessons/NUL.md", ".lessons/aux.x.md",
		".lessons/com1.md", ".lessons/LPT9.md", ".lessons/com\u00b9.md", ".lessons/conin$.md", ".lessons/skills/prn/SKILL.md", ".lessons/skills/a./SKILL.md",
		".lessons/skills/a /SKILL.md", ".lessons/a?.md", ".lessons/a*.md", ".lessons/a|b.md", ".lessons/x.sh", ".lessons/sub/x.md", ".lessons/skills/x.md",
		".claude/settings.json", ".claude/hooks/x.sh", ".claude/skills/deploy/run.sh", ".claude/agents/x.md", ".agents/x.md", ".memory/learning.json",
		".memory/learning-log.jsonl", ".memory/x.md", ".memory/manifest/x.md", ".memory/knowledge/x.sh", ".github/workflows/ci.yml", "README.md", "main.go",
		".lessons/" + strings.Repeat("a", 300) + ".md", ".lessons/skills/" + strings.Repeat("a/", 600) + "b", ".Lessons/x.md",
	} {
		if ExportPath(p) == nil {
			t.Errorf("%q is taken", p)
		}
	}
}

func FuzzExportPath(f *testing.F) {
	f.Add(".lessons/x.md")
	f.Add("../.lessons/x.md")
	f.Fuzz(func(t *testing.T, p string) {
		if ExportPath(p) != nil {
			return
		}
		if strings.Contains(p, "..") && strings.Contains("/"+p+"/", "/../") || strings.ContainsAny(p, "\\:\x00") || p[0] != '.' {
			t.Errorf("%q is taken", p)
		}
	})
}

func exportOf(files ...ExportFile) Export {
	return Export{Schema: exportSchema, Type: exportType, Version: exportVersion, Layout: entry.LayoutBook, Items: []catalog.Item{}, Files: files}
}

func mustBytes(t testing.TB, e Export) []byte {
	t.Helper()
	out, err := e.JSON()
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestExportKeepsEveryByte(t *testing.T) {
	for _, content := range []string{"", "plain\n", "no end", "a\r\nb\r\n", "\xef\xbb\xbfmark\n", "<&>\u2028\t\x01", "\xff\xfe\x00bytes", "\ufffd"} {
		e := exportOf(ExportFile{Path: ".lessons/x.md", ExportText: exportText([]byte(content))})
		log := exportText([]byte(content))
		e.Log = &log
		back, err := ReadExport("x.json", mustBytes(t, e))
		if err != nil {
			t.Fatalf("%q: %v", content, err)
		}
		if got := string(back.Files[0].Data()); got != content || logOf(back) != content {
			t.Errorf("%q came back as %q", content, got)
		}
	}
}

func logOf(e Export) string {
	if e.Log == nil {
		return ""
	}
	return string(e.Log.Data())
}

func TestAnExportIsTakenAsAWholeOrNot(t *testing.T) {
	file := func(rest string) string {
		return "{\n\"type\": \"lessons/export\", \"version\": 1, \"layout\": \"book\",\n\"files\": [\n" + rest + "]}"
	}
	for name, c := range map[string]struct {
		text, want string
	}{
		"empty":         {"", "x.json:1: it ends too early"},
		"not an object": {"[]", "x.json:1: it cannot be read"},
		"cut":           {file(`{"path": ".lessons/x.md", "text": "x"}`)[:90], "x.json:4: it ends too early"},
		"syntax":        {file("{]"), "x.json:4: it cannot be read"},
		"behind":        {file("") + "{}", "behind the end"},
		"other type":    {`{"type": "lessons/config", "version": 1}`, `its type is "lessons/config"`},
		"newer":         {`{"type": "lessons/export", "version": 2, "layout": "book", "files": []}`, "update lessons"},
		"no version":    {`{"type": "lessons/export", "layout": "book", "files": []}`, "no version"},
		"layout":        {`{"type": "lessons/export", "version": 1, "layout": "heap", "files": []}`, `layout "heap"`},
		"path":          {file("{\"path\": \".lessons/x.md\", \"text\": \"x\"},\n{\"path\": \"../x.md\", \"text\": \"x\"}"), "x.json: ../x.md: not a path inside"},
		"twice a file":  {file(`{"path": ".lessons/x.md", "text": "x"}, {"path": ".lessons/X.md", "text": "y"}`), "stands twice"},
		"both":          {file(`{"path": ".lessons/x.md", "text": "x", "base64": "eA=="}`), "either text or base64"},
		"neither":       {file(`{"path": ".lessons/x.md"}`), "either text or base64"},
		"bad base64":    {file(`{"path": ".lessons/x.md", "base64": "!"}`), "it cannot be read"},
		"wrong value":   {file(`{"path": 7}`), "x.json:4: it cannot be read"},
		"no text":       {file("{\"path\": \".lessons/x.md\",\n\"text\": \"\xff\"}"), "x.json:5: it is not UTF-8"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := ReadExport("x.json", []byte(c.text))
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, want %q", err, c.want)
			}
		})
	}
}

func TestACutExportIsRefused(t *testing.T) {
	whole := bytes.TrimSpace(mustBytes(t, exportOf(ExportFile{Path: ".lessons/x.md", ExportText: exportText([]byte("# X\n"))})))
	for n := range whole {
		if _, err := ReadExport("x.json", whole[:n]); err == nil {
			t.Errorf("%d bytes of %d are taken", n, len(whole))
		}
	}
}

func FuzzReadExport(f *testing.F) {
	f.Add([]byte(`{"type":"lessons/export","version":1,"layout":"book","files":[{"path":".lessons/x.md","text":"x"}],"log":{"text":"{}"}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		e, err := ReadExport("x.json", data)
		if err != nil {
			return
		}
		again, err := ReadExport("x.json", mustBytes(t, e))
		if err != nil {
			t.Fatalf("what was read is not written as it can be read: %v", err)
		}
		for i, f := range e.Files {
			if ExportPath(f.Path) != nil || !bytes.Equal(f.Data(), again.Files[i].Data()) {
				t.Errorf("%q", f.Path)
			}
		}
	})
}

func TestExportFitsItsSchema(t *testing.T) {
	validate := func(data []byte) error { return schema.Validate("export", data) }
	log := exportText([]byte("{}\n"))
	e := exportOf(ExportFile{Path: ".lessons/x.md", ExportText: exportText([]byte("x"))}, ExportFile{Path: ".lessons/y.md", ExportText: exportText([]byte("\xff"))})
	e.Log, e.Items = &log, []catalog.Item{{ID: "ADR-001", Kind: "adr", Title: "T", Status: "Accepted", Path: "x", Line: 3}}
	if err := validate(mustBytes(t, e)); err != nil {
		t.Error(err)
	}
	for _, bad := range []string{
		`{"type":"lessons/export","version":1,"layout":"heap","files":[]}`,
		`{"type":"lessons/export","version":1,"layout":"book"}`,
		`{"type":"lessons/export","version":1,"layout":"book","files":[{"path":"x"}]}`,
		`{"type":"lessons/export","version":1,"layout":"book","files":[{"text":"x"}]}`,
	} {
		if validate([]byte(bad)) == nil {
			t.Errorf("taken: %s", bad)
		}
	}
}

// What is exported as decision records says the same when it is read as such.
func TestMADRReadsBack(t *testing.T) {
	book := `# Decisions

## ADR-007: Money is "integer": cents

- **Date**: 2026-03-04
- **Status**: Superseded by ADR-009 (was too narrow)
- **Context**: floats lost a cent
- **Drivers**: exactness
- **Options**: cents; decimals
- **Decision**: amounts are int cents
- **Consequences**: exact sums
- **Deciders**: Ada, Grace
- **Rollout**: slowly
- **Source**: self-learning:obs_a1

## ADR-007: Money is "integer": cents

- **Status**: Accepted
- **Decision**: the same again
`
	b, problems := entry.ParseBook(entry.BookPath(knowledge.KindADR), []byte(book))
	if len(b.Entries) != 2 {
		t.Fatal(problems)
	}
	files := MADR(&store.Snapshot{Decisions: b.Entries})
	if files[0].Path != "0007-money-is-integer-cents.md" || files[1].Path != "0007-money-is-integer-cents-2.md" {
		t.Errorf("%s and %s", files[0].Path, files[1].Path)
	}
	things, refused := adr.Read("adr/"+files[0].Path, files[0].Data)
	if len(refused) > 0 || len(things) != 1 {
		t.Fatalf("%v\n%s", refused, files[0].Data)
	}
	got := things[0]
	if got.Title != b.Entries[0].Title || got.Date.Format("2006-01-02") != "2026-03-04" || !strings.HasPrefix(got.Status, "Superseded") {
		t.Errorf("%q %v %q\n%s", got.Title, got.Date, got.Status, files[0].Data)
	}
	values := map[string]string{}
	for _, f := range got.Fields {
		values[f.Name] = f.Value
	}
	for _, name := range []string{"Context", "Drivers", "Options", "Decision", "Consequences", "Deciders"} {
		if want := b.Entries[0].Field(name); values[name] != want {
			t.Errorf("%s: %q, want %q", name, values[name], want)
		}
	}
	if !strings.Contains(values["More"], "slowly") {
		t.Errorf("the field that MADR does not know is lost: %q", values)
	}
}

func TestDeeper(t *testing.T) {
	for text, want := range map[string]string{
		"# A\ntext\n## B\n":                 "### A\ntext\n#### B\n",
		"```sh\n# a comment\n```\n# A\n":    "```sh\n# a comment\n```\n### A\n",
		"~~~~\n```\n# x\n~~~~\n# A":         "~~~~\n```\n# x\n~~~~\n### A",
		"#tag\n###### Six\n    # code\n":    "#tag\n###### Six\n    # code\n",
		"####### seven\n  ```\n# x\n ```\n": "####### seven\n  ```\n# x\n ```\n",
	} {
		if got := deeper(text, 2); got != want {
			t.Errorf("%q became %q, want %q", text, got, want)
		}
	}
}

func TestSkillsHoldWhatHolds(t *testing.T) {
	b, _ := entry.ParseBook(entry.BookPath(knowledge.KindADR), []byte("# D\n\n## ADR-001: Old\n\n- **Status**: Deprecated\n\n## ADR-002: New\n\n- **Status**: Accepted\n"))
	s := &store.Snapshot{Decisions: b.Entries, Lessons: []*lesson.Lesson{{Title: "Draft lesson", Status: "draft"}, {Title: "Live lesson", Status: "active"}}}
	e := exportOf(ExportFile{Path: ".lessons/skills/" + knowledgeSkill + "/SKILL.md", ExportText: exportText([]byte("theirs"))})
	files := Skills(s, e)
	if len(files) != 2 || string(files[0].Data) != "theirs" || files[1].Path != knowledgeSkill+"-2/SKILL.md" {
		t.Fatal(files)
	}
	text := string(files[1].Data)
	for word, want := range map[string]bool{"ADR-002: New": true, "Live lesson": true, "ADR-001": false, "Draft lesson": false} {
		if strings.Contains(text, word) != want {
			t.Error(fmt.Sprintf("%q: want %v", word, want), text)
		}
	}
}
