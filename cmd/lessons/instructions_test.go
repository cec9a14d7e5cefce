package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lessons-cli/lessons/internal/test/gittest"
	"github.com/lessons-cli/lessons/migrate"
)

// expectedDrafts says what of one instruction file a person would keep, and what nobody would.
type expectedDrafts struct {
	Keep []struct {
		Line int
		Gist string
	}
	Not []int
}

// Of made-up instruction files in the manner of real ones, what a person would keep becomes
// a draft, and headings, descriptions and lists of commands do not. With -v the drafts are
// printed.
func TestInstructionFiles(t *testing.T) {
	t.Parallel()
	cases, err := filepath.Glob("testdata/instructions/*/expected.json")
	if err != nil || len(cases) == 0 {
		t.Fatalf("cases: %v, %v", cases, err)
	}
	keep, kept, wrong, drafts := 0, 0, 0, 0
	for _, name := range cases {
		folder := filepath.Dir(name)
		var expected map[string]expectedDrafts
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(data, &expected); err != nil {
			t.Fatal(err)
		}
		found := draftsOf(t, folder)
		for path, want := range expected {
			var lines []int
			texts := map[int]string{}
			for _, d := range found {
				if strings.HasSuffix(path, d.path) {
					lines = append(lines, d.line)
					texts[d.line] += " " + strings.ToLower(d.text)
				}
			}
			drafts += len(lines)
			all := strings.Join(strings.Fields(strings.Join(slices.Collect(func(yield func(string) bool) {
				for _, text := range texts {
					if !yield(text) {
						return
					}
				}
			}), " ")), " ")
			for _, k := range want.Keep {
				keep++
				if hasWords(texts[k.Line], k.Gist) {
					kept++
				} else {
					t.Logf("MISSED %s/%s:%d %q (in another draft: %v)", folder, path, k.Line, k.Gist, hasWords(all, k.Gist))
				}
			}
			for _, line := range lines {
				if slices.Contains(want.Not, line) {
					wrong++
					t.Logf("WRONG %s/%s:%d %s", folder, path, line, texts[line])
				}
			}
		}
	}
	t.Logf("%d of %d instructions became drafts; %d drafts, %d of them of what is none", kept, keep, drafts, wrong)
	if 10*kept < 9*keep || 20*wrong > drafts {
		t.Errorf("less than 90 %% of the instructions, or more than 5 %% of the drafts wrong")
	}
}

type draftOf struct {
	path, text string
	line       int
}

// draftsOf imports a folder of files as a repository, twice, and reads the drafts.
func draftsOf(t *testing.T, folder string) []draftOf {
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(folder)); err != nil {
		t.Fatal(err)
	}
	gittest.NewAt(t, dir)
	args := []string{"import", "--yes", "--json"}
	if memory, _ := filepath.Glob(filepath.Join(dir, ".claude", "projects", "*", "memory")); len(memory) > 0 {
		args = append(args, "memories", memory[0])
	}
	var first, again importFacts
	for _, facts := range []*importFacts{&first, &again} {
		status, out := do(dir, t.TempDir(), "", false, args...)
		if status != 0 {
			t.Fatalf("%s: exit status %d\n%s", folder, status, out)
		}
		decode(t, out, facts)
	}
	if again.Imported > 0 || again.Known != first.Imported+first.Known {
		t.Errorf("%s: again, %d are imported and %d known, of %d", folder, again.Imported, again.Known, first.Imported)
	}
	var drafts []draftOf
	for _, item := range first.Items {
		if item.Outcome != migrate.Imported {
			continue
		}
		data, err := os.ReadFile(filepath.Join(dir, item.Place))
		if err != nil {
			t.Fatal(err)
		}
		_, body, _ := strings.Cut(string(data), "\n---\n")
		t.Logf("%s:%d\n%s", filepath.Join(filepath.Base(folder), item.Source.Path), item.Source.Line, strings.TrimSpace(body))
		drafts = append(drafts, draftOf{item.Source.Path, body, item.Source.Line})
	}
	return drafts
}

func hasWords(text, gist string) bool {
	for word := range strings.FieldsSeq(strings.ToLower(gist)) {
		if !strings.Contains(text, word) {
			return false
		}
	}
	return true
}
