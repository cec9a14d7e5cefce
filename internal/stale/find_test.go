package stale_test

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lessons-cli/lessons/internal/fsx"
	"github.com/lessons-cli/lessons/internal/gitstate"
	"github.com/lessons-cli/lessons/internal/stale"
	"github.com/lessons-cli/lessons/internal/test/gittest"
	"github.com/lessons-cli/lessons/knowledge/artifact"
	"github.com/lessons-cli/lessons/knowledge/entry"
)

// world is a repository whose knowledge names files and functions, and the truth
// about them.
type world struct {
	*testing.T
	r     *rand.Rand
	git   *gittest.Repo
	files map[string][]string // path → functions in it
	names int
	gone  map[string]bool // paths and functions that nothing has any more
	named map[string]bool // that an entry names
}

func TestGeneratedHistories(t *testing.T) {
	var right, wrong, missed int
	for seed := range uint64(12) {
		w := &world{T: t, r: rand.New(rand.NewPCG(seed, 3)), git: gittest.New(t), files: map[string][]string{}, gone: map[string]bool{}, named: map[string]bool{}}
		w.grow()
		w.note()
		for range 10 + w.r.IntN(40) {
			w.change()
		}
		found := map[string]bool{}
		for _, f := range w.find() {
			found[f.Name] = true
			if f.Commit == "" {
				t.Errorf("seed %d: nobody is named for %s", seed, f.Name)
			}
		}
		for name := range w.named {
			switch {
			case found[name] && w.gone[name]:
				right++
			case found[name]:
				wrong++
				t.Logf("seed %d: %s is not gone", seed, name)
			case w.gone[name]:
				missed++
				t.Logf("seed %d: %s is gone", seed, name)
			}
		}
	}
	precision, recall := float64(right)/float64(right+wrong), float64(right)/float64(right+missed)
	t.Logf("precision %.3f, recall %.3f of %d", precision, recall, right+missed)
	if precision < 0.95 || recall < 0.9 || right < 50 {
		t.Error("below the bars: precision 0.95, recall 0.9")
	}
}

func (w *world) name(prefix string) string { w.names++; return fmt.Sprintf("%s%d", prefix, w.names) }

// grow makes folders of files with functions.
func (w *world) grow() {
	for range 12 {
		p := fmt.Sprintf("pkg/%s/%s.go", []string{"alpha", "beta", "gamma"}[w.r.IntN(3)], w.name("file"))
		for range 4 {
			w.files[p] = append(w.files[p], w.name("DoThing"))
		}
		w.write(p)
	}
	w.git.Commit("grow")
}

func (w *world) write(p string) {
	text := "package x\n\n// " + strings.Repeat(p+" is long enough to be recognised. ", 4) + "\n"
	for _, f := range w.files[p] {
		text += "\nfunc " + f + "() int {\n\tsum := 0\n\tfor i := 0; i < 10; i++ {\n\t\tsum += i\n\t}\n\treturn sum // " + f + "\n}\n"
	}
	w.git.Write(p, text)
}

// note writes entries that name half of it.
func (w *world) note() {
	var book strings.Builder
	book.WriteString("# Architectural Decisions\n")
	n := 0
	for _, p := range slices.Sorted(maps.Keys(w.files)) {
		functions := w.files[p]
		n++
		fmt.Fprintf(&book, "\n## ADR-%03d: About %d\n\n- **Status**: Accepted\n- **Context**: see `%s` and `%s()`\n- **Source**: self-learning:obs_%d\n", n, n, p, functions[0], n)
		w.named[p], w.named[functions[0]] = true, true
	}
	w.git.Write(entry.DecisionsPath, book.String())
	w.git.Commit("note")
}

func (w *world) pick() string {
	all := slices.Sorted(maps.Keys(w.files))
	if len(all) == 0 {
		return ""
	}
	return all[w.r.IntN(len(all))]
}

// change is one commit: a rename, a move, a deletion, an edit, a function renamed
// or moved.
func (w *world) change() {
	p := w.pick()
	if p == "" {
		return
	}
	functions := w.files[p]
	switch w.r.IntN(6) {
	case 0, 1: // renamed, or moved to another folder
		to := filepath.ToSlash(filepath.Join(filepath.Dir(p), w.name("renamed")+".go"))
		if w.r.IntN(2) == 0 {
			to = "lib/" + w.name("moved") + "/" + filepath.Base(p)
		}
		w.git.Write(to, w.git.Read(p))
		w.git.Remove(p)
		w.files[to] = functions
		delete(w.files, p)
	case 2: // deleted
		if w.r.IntN(3) > 0 {
			return
		}
		w.git.Remove(p)
		delete(w.files, p)
		w.gone[w.origin(p)] = true
		for _, f := range functions {
			w.gone[f] = true
		}
	case 3: // edited
		w.git.Write(p, w.git.Read(p)+"\n// "+w.name("more")+"\n")
	case 4: // a function gets another name
		if len(functions) > 0 {
			w.gone[functions[0]] = true
			w.files[p] = append([]string{w.name("DoOther")}, functions[1:]...)
			w.git.Write(p, strings.ReplaceAll(w.git.Read(p), functions[0], w.files[p][0]))
		}
	case 5: // a function moves to another file
		to := w.pick()
		if to != p && len(functions) > 1 {
			w.files[to] = append(w.files[to], functions[0])
			w.files[p] = functions[1:]
			w.git.Write(to, w.git.Read(to)+"\nfunc "+functions[0]+"() {}\n")
			w.git.Write(p, strings.ReplaceAll(w.git.Read(p), functions[0], "other"))
		}
	}
	w.git.Commit("change")
}

// origin is the path that a file had when it was named: it is in its first line.
func (w *world) origin(p string) string {
	for old := range w.named {
		if strings.HasSuffix(old, ".go") && w.wasAt(p, old) {
			return old
		}
	}
	return p
}

func (w *world) wasAt(p, old string) bool {
	out, err := w.git.TryGit("show", "HEAD:"+p)
	return err == nil && strings.Contains(out, "// "+old+" is long enough")
}

func (w *world) find() []stale.Finding {
	repo, err := gitstate.Open(context.Background(), w.git.Path("."))
	if err != nil {
		w.Fatal(err)
	}
	defer repo.Close()
	all := artifact.Read(fsx.OS{}, w.git.Path("."))
	artifacts, problems := all.Artifacts, all.Problems
	if len(problems) > 0 {
		w.Fatal(problems)
	}
	found, err := stale.Find(context.Background(), repo.(gitstate.Program), artifacts)
	if err != nil {
		w.Fatal(err)
	}
	return found
}
