package main

import (
	"encoding/json"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestCorpusImportsWholeAndOnce imports real files of other tools with the
// program itself: each is imported or refused with a reason, a second import is
// empty, and the gate finds nothing. LESSONS_IMPORTS names folders by format:
// adr=DIR:lessons-learned=DIR.
func TestCorpusImportsWholeAndOnce(t *testing.T) {
	corpus := os.Getenv("LESSONS_IMPORTS")
	if corpus == "" {
		t.Skip("LESSONS_IMPORTS names no folders: imports were NOT checked on real files")
	}
	for _, layout := range []string{"book", "files"} {
		dir := t.TempDir()
		do := func(program string, args ...string) string {
			t.Helper()
			cmd := exec.Command(program, args...)
			cmd.Dir = dir
			cmd.Env = append(os.Environ(), "HOME="+t.TempDir(), "GIT_AUTHOR_NAME=Dev", "GIT_AUTHOR_EMAIL=dev@example.com", "GIT_COMMITTER_NAME=Dev", "GIT_COMMITTER_EMAIL=dev@example.com")
			out, err := cmd.Output()
			if err != nil {
				t.Fatalf("%s %s: %v\n%s", program, strings.Join(args, " "), err, out)
			}
			return string(out)
		}
		do("git", "init", "-q")
		do("lessons", "init", "--yes", "--layout", layout)
		for pair := range strings.SplitSeq(corpus, ":") {
			format, folder, _ := strings.Cut(pair, "=")
			var first, second importFacts
			decode(t, do("lessons", "import", "--yes", "--json", format, folder), &first)
			decode(t, do("lessons", "import", "--yes", "--json", format, folder), &second)
			t.Logf("%s, %s: %d files, %d imported, %d refused", layout, format, first.Files, first.Imported, len(first.Refused))
			if second.Imported > 0 || second.Known != first.Imported+first.Known {
				t.Errorf("%s: %d imported again, %d known", format, second.Imported, second.Known)
			}
			if first.Imported == 0 {
				t.Errorf("%s: nothing imported", format)
			}
			said := map[string]bool{}
			for _, item := range first.Items {
				said[item.Source.Path] = true
			}
			for _, r := range first.Refused {
				if said[r.Path] = true; r.Reason == "" {
					t.Errorf("%s is refused without a reason", r.Path)
				}
			}
			_ = filepath.WalkDir(folder, func(name string, d fs.DirEntry, err error) error {
				rel, _ := filepath.Rel(filepath.Dir(folder), name)
				if err == nil && d.Type().IsRegular() && !said[filepath.ToSlash(rel)] {
					t.Errorf("nothing was said of %s", rel)
				}
				return nil
			})
		}
		do("lessons", "check")
	}
}

func decode(t *testing.T, text string, into any) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), into); err != nil {
		t.Fatal(err)
	}
}
