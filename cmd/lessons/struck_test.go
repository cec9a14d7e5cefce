package main

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/lessons-cli/lessons/internal/fsx"
	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/internal/test/fsxtest"
)

// struck are the commands that change several files, each with the repository that
// it is run in.
var struck = []struct {
	name    string
	prepare func(p *player)
	args    []string
}{
	{"layout files", func(p *player) { entries(p, "book") }, []string{"layout", "files", "--yes"}},
	{"layout book", func(p *player) { entries(p, "files") }, []string{"layout", "book", "--yes"}},
	{"resolve", conflict, []string{"resolve"}},
	{"resolve numbers", collision, []string{"resolve"}},
	{"deprecate", func(p *player) { entries(p, "files") }, []string{"deprecate", "ADR-001"}},
	{"archive", twin, []string{"archive", "stale-cache"}},
	{"import", legacy, []string{"import", "adr", "docs/adr", "--yes"}},
	{"migrate", seeded, []string{"migrate", "--apply", "purge-legacy-v2", "--yes"}},
	{"upgrade", seeded, []string{"migrate", "--apply", "upgrade-manifest", "--yes"}},
	{"edit", func(p *player) { entries(p, "files"); p.editor = "sed -i s/take/choose/" }, []string{"edit", "ADR-002"}},
	{"render", ready, []string{"render"}},
	{"session end", func(p *player) { entries(p, "book"); met(p) }, []string{"hook", "claude", "SessionEnd"}},
}

// A process that ends at any write leaves nothing lost and no verdict of its own
// making, and one more run of the command ends where an undisturbed one ends. At a
// session's end that is the next one, whether the hook died or what it starts.
func TestCommandsThatAreKilledAreEndedByTheNextRun(t *testing.T) {
	for _, c := range struck {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p := prepare(t, true)
			c.prepare(p)
			p.write(".git/lessons/clone-key", "a key of this clone\n") // else each run would make its own
			start, home := filepath.Join(p.root, "start"), filepath.Join(p.root, "start of home")
			copyTree(t, p.at.dir, start)
			copyTree(t, p.at.home, home)
			if out, status := p.run("{}", c.args...); status != 0 {
				t.Fatalf("exit status %d: %s", status, out)
			}
			want := knowledgeTree(t, p.at.dir)
			if fsxtest.Diff(knowledgeTree(t, start), want) == "" {
				t.Fatal("the command changes nothing")
			}
			for call := 0; ; call++ {
				copyTree(t, start, p.at.dir)
				copyTree(t, home, p.at.home)
				fault := &fsxtest.Fault{FS: fsx.OS{}, At: call, Mode: fsxtest.KillAfter}
				p.fs = fault
				p.run("{}", c.args...)
				p.fs = fsx.OS{}
				if fault.Calls() <= call {
					break
				}
				out, status := p.run("{}", c.args...)
				diff := fsxtest.Diff(want, knowledgeTree(t, p.at.dir))
				if status != 0 || diff != "" {
					t.Errorf("killed after call %d (%s): exit status %d: %s\n%s", call, fault.Hit(), status, out, diff)
				}
			}
		})
	}
}

// copyTree makes to a copy of from.
func copyTree(t *testing.T, from, to string) {
	t.Helper()
	if err := os.RemoveAll(to); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("cp", "-a", from, to).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
}

// rowEvidence is what a row that is made of its artifact again does not know.
var rowEvidence = regexp.MustCompile(`"renderedAt":"[^"]*",|"n":\d+,|"key":"[^"]*",`)

// knowledgeTree are the files of a repository with what it stores of observations and
// verdicts, and without what is derived of them.
func knowledgeTree(t *testing.T, dir string) map[string]string {
	t.Helper()
	tree := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		name, _ := filepath.Rel(dir, path)
		switch inGit := strings.HasPrefix(name, ".git/"); {
		case err != nil:
			return err
		case d.IsDir(), inGit && !stored(name):
			return nil
		}
		data, err := os.ReadFile(path)
		text := string(data)
		if d.Name() == "ledger.jsonl" { // what was seen there may have been seen sooner
			text = strings.Join(lists.Filter(strings.SplitAfter(text, "\n"), func(l string) bool { return !strings.Contains(l, `"seen"`) }), "")
		}
		if text = rowEvidence.ReplaceAllString(text, ""); text != "" {
			tree[name] = text
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

// stored: a file in the git directory that tells what was learned. A temporary file that
// no lock guards goes later.
func stored(name string) bool {
	folder, file := filepath.Base(filepath.Dir(name)), filepath.Base(name)
	known := file == "learning-log.jsonl" || file == "ledger.jsonl" || folder == "calls" || folder == "waiting"
	return known && !strings.HasPrefix(file, fsx.TempPrefix)
}

// entries makes a repository with committed entries and a lesson.
func entries(p *player, layout string) {
	if layout == "book" {
		p.write(".lessons/config.json", "{\"layout\":\"book\"}")
	}
	for i := range 3 {
		p.mustRun("add", fmt.Sprintf("Choice %d", i), "--type", "decision", "--decision", fmt.Sprintf("take %d", i), "--because", fmt.Sprintf("reason %d", i))
	}
	p.mustRun("add", "Shared port", "--type", "pitfall", "--area", "test", "--issue", "port in use", "--resolution", "ask for port 0")
	p.mustRun("add", "pytest hangs", "--command", "pytest", "--mistake", "it hangs", "--fix", "pytest -q")
	p.git("add", "-A")
	p.git("commit", "-qm", "Entries in "+layout)
}

// conflict makes a merge of two branches that git could not do alone.
func conflict(p *player) {
	entries(p, "book")
	p.git("branch", "other")
	p.mustRun("add", "Ours", "--type", "decision", "--decision", "our way", "--because", "we came first")
	p.git("add", "-A")
	p.git("commit", "-qm", "Ours")
	p.git("switch", "-q", "other")
	p.mustRun("add", "Theirs", "--type", "decision", "--decision", "their way", "--because", "they were many")
	p.git("add", "-A")
	p.git("commit", "-qm", "Theirs")
	p.git("switch", "-q", "main")
	p.mergeAlone("other")
}

// collision makes a merge of two clones that gave one number twice, and cite it.
func collision(p *player) {
	entries(p, "book")
	home := p.at
	p.at = p.place("bob", "bob")
	p.git("clone", "-q", home.dir, ".")
	p.configure("Bob")
	for _, side := range []struct {
		at    *clone
		title string
	}{{p.at, "Theirs"}, {home, "Ours"}} {
		p.at = side.at
		p.mustRun("add", side.title, "--type", "decision", "--decision", side.title+" alone", "--because", "it is so")
		p.mustRun("add", side.title+" port", "--type", "pitfall", "--area", side.title, "--issue", "port in use", "--resolution", "ask for port 0")
		p.write(side.title+".md", "# Notes\n\nADR-004 and PF-002 say how.\n")
		p.git("add", "-A")
		p.git("commit", "-qm", side.title)
	}
	p.git("fetch", "-q", p.clones["bob"].dir, "HEAD")
	p.mergeAlone("FETCH_HEAD")
}

// mergeAlone merges without a driver, which must leave a conflict.
func (p *player) mergeAlone(commit string) {
	for _, driver := range []string{"log", "manifest", "book", "lesson"} {
		p.git("config", "--remove-section", "merge.lessons-"+driver)
	}
	if err := p.tryGit("merge", commit); err == nil {
		p.t.Fatal("no conflict")
	}
}

// twin makes a lesson.
func twin(p *player) {
	p.mustRun("add", "Stale cache", "--command", "make rates", "--mistake", "old rates", "--fix", "make clean rates")
	p.git("add", "-A")
	p.git("commit", "-qm", "A lesson")
}

// legacy makes a folder of decision records.
func legacy(p *player) {
	for i := range 3 {
		p.write(fmt.Sprintf("docs/adr/%04d-use-%d.md", i+1, i), fmt.Sprintf("# %d. Use %d\n\nDate: 2026-01-02\n\n## Status\n\nAccepted\n\n## Context\n\nWe need %d.\n\n## Decision\n\nUse %d.\n\n## Consequences\n\nFine.\n", i+1, i, i, i))
	}
	p.git("add", "-A")
	p.git("commit", "-qm", "Records")
}

// seeded makes what an earlier tool left.
func seeded(p *player) {
	p.write(".memory/knowledge/decisions.md", "<!-- TL;DR: 2 decisions. Key: ADR-001, ADR-002 -->\n# Architectural Decisions\n\nAppend-only. Status changes allowed; deletions prohibited.\n\n"+
		"## ADR-001: Use Result types\n\n- **Date**: 2026-01-02\n- **Status**: Accepted\n- **Decision**: return a Result\n- **Source**: self-learning:obs_a1b2c3\n\n"+
		"## ADR-002: Seeded\n\n- **Status**: Accepted\n- **Decision**: whatever\n")
	p.write(".memory/PROJECT-PATTERNS.md", "# Patterns\n\nSeeded.\n")
	p.write(".memory/.learning-manifest.json", `{"schemaVersion":1,"entries":[{"observationId":"obs_a1b2c3","type":"decision","path":"/x/.memory/knowledge/decisions.md","contentHash":"12345679","renderedAt":"2026-01-02T00:00:00.000Z","anchorId":"ADR-001"}]}`+"\n")
	p.git("add", "-A")
	p.git("commit", "-qm", "From an earlier tool")
}

// met makes two sessions that met one mistake and took one decision.
func met(p *player) {
	for n := range 2 {
		s := p.begin(false)
		s.call(&caseLine{text: fmt.Sprintf("$ gh pr diff %d --stat", n), below: []*caseLine{{text: "! HTTP 406: the summary of this pull request is too large"}}})
		s.call(&caseLine{text: fmt.Sprintf("$ gh pr diff %d --name-only", n), below: []*caseLine{{text: "main.go"}}})
		s.line(&caseLine{text: "agent: #decision\ndecision: dates are stored as UTC\nbecause: offsets change twice a year\n#/decision"})
		s.keep()
	}
}

// ready makes observations that are ready, and drafts of a session.
func ready(p *player) {
	var log strings.Builder
	for i, kind := range []string{"procedural", "workflow", "decision", "pitfall"} {
		fmt.Fprintf(&log, `{"id":"obs_aaaaa%d","type":%q,"pattern":"Thing %d","details":"context: a; decision: do %d; rationale: because; area: src/a.go; issue: breaks; resolution: care; steps: 1. tag 2. push","evidence":["we do %d"],"observations":5,"confidence":0.95,"first_seen":"2026-01-01T00:00:00Z","last_seen":"2026-01-20T00:00:00Z","status":"ready","quality_ok":true}`+"\n", i, kind, i, i, i)
	}
	p.write(".git/lessons/learning-log.jsonl", log.String())
}
