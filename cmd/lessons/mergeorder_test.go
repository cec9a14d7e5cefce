package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/entry"
	"github.com/lessons-cli/lessons/knowledge/manifest"
	"github.com/lessons-cli/lessons/knowledge/merge"
)

// TestRandomHistories merges random branches in every order with the real git:
// with the driver, without it and with resolve, and in layout files with
// neither. LESSONS_TEST_ROUNDS is the number of histories of each (default 3).
func TestRandomHistories(t *testing.T) {
	rounds := uint64(3)
	if n, err := strconv.ParseUint(os.Getenv("LESSONS_TEST_ROUNDS"), 10, 32); err == nil {
		rounds = n
	}
	for _, mode := range []string{"driver", "resolve", "files"} {
		t.Run(mode, func(t *testing.T) {
			for seed := range rounds {
				t.Run(fmt.Sprint(seed), func(t *testing.T) {
					t.Parallel()
					(&randomHistory{T: t, mode: mode, r: rand.New(rand.NewPCG(seed, 7)), dir: t.TempDir(), meant: map[string]string{}, gone: map[string]bool{}, kept: map[string]bool{}}).run()
				})
			}
		})
	}
}

// randomHistory is a random repository with up to four branches.
type randomHistory struct {
	*testing.T
	mode  string
	r     *rand.Rand
	dir   string
	clock int
	added int
	meant map[string]string // citing line → key of the entry it means
	gone  map[string]bool   // keys that some branch removed
	kept  map[string]bool   // keys that some branch added or edited
}

func (h *randomHistory) run() {
	h.git("init", "-q", "-b", "main")
	if h.mode == "driver" {
		h.lessons(0, "init", "--yes", "--layout", "book")
	}
	h.commit(h.base(), "base")
	base := h.git("rev-parse", "HEAD")
	n := 2 + h.r.IntN(3)
	for b := range n {
		h.git("checkout", "-q", "-B", branchName(b), base)
		for range 1 + h.r.IntN(3) {
			h.commit(h.changed(b, n), "work on "+branchName(b))
		}
	}
	want := ""
	for _, order := range orders(n) {
		h.git("checkout", "-q", "--detach", branchName(order[0]))
		for _, b := range order[1:] {
			h.merge(branchName(b))
		}
		if h.mode == "files" {
			continue // no conflict is all that is promised before resolve
		}
		h.lessons(-1, "resolve")
		h.git("add", "-A")
		got := h.git("write-tree")
		h.examine()
		if want == "" {
			want = got
		}
		if got != want {
			h.Fatalf("order %v makes another tree:\n%s", order, h.git("diff", want, got))
		}
		h.git("reset", "-q", "--hard")
	}
}

func branchName(b int) string { return "b" + strconv.Itoa(b) }

func (h *randomHistory) merge(branch string) {
	cmd := h.command("git", "merge", "-q", "--no-ff", "-m", "merge "+branch, branch)
	out, err := cmd.CombinedOutput()
	if err == nil {
		return
	}
	if h.mode == "files" {
		h.Fatalf("a conflict in layout files: %s\n%s", out, h.git("diff"))
	}
	if h.mode == "resolve" {
		h.lessons(-1, "resolve", "--keep-numbers")
	}
	if left := h.git("grep", "-l", "^<<<<<<< ", "--", ".memory", ":!x"); left != "" {
		h.Fatalf("conflict markers are left in %s", left)
	}
	h.git("add", "-A")
	h.git("commit", "-q", "-m", "merge "+branch)
}

// examine looks at a merged and resolved work tree.
func (h *randomHistory) examine() {
	byID, keys := map[string]string{}, map[string]bool{}
	for _, book := range entry.BookPaths() {
		parsed, _ := entry.ParseBook(book, h.read(book))
		for i, key := range entry.Keys(parsed.Entries) {
			id := parsed.Entries[i].ID()
			if byID[id] != "" {
				h.Fatalf("%s is used twice", id)
			}
			byID[id], keys[key] = key, true
		}
	}
	for key := range h.kept {
		if !keys[key] {
			h.Fatalf("%s is lost", key)
		}
	}
	sources, _ := filepath.Glob(filepath.Join(h.dir, "src", "*.go"))
	for _, name := range sources {
		for line := range strings.Lines(string(h.read("src/" + filepath.Base(name)))) {
			h.examineCitation(line, byID)
		}
	}
}

// examineCitation compares what a line cites now with what it was written for.
func (h *randomHistory) examineCitation(line string, byID map[string]string) {
	note, id, ok := strings.Cut(strings.TrimSpace(line), " see ")
	key := h.meant[note]
	if !ok || h.gone[key] && !h.kept[key] {
		return
	}
	if byID[id] != key {
		h.Fatalf("%q means %s and not %s", line, byID[id], key)
	}
}

// base is the knowledge that all branches begin with.
func (h *randomHistory) base() map[string][]byte {
	var entries []entry.Entry
	for i := range 4 {
		entries = append(entries, h.entry(knowledge.KindADR, i+1, fmt.Sprintf("obs_base%d", i)))
	}
	return h.write(entries, &manifest.Manifest{})
}

func (h *randomHistory) entry(kind knowledge.Kind, number int, id string) entry.Entry {
	return entry.Entry{
		Kind: kind, Number: number, Title: "About " + id, Source: id,
		Fields: []entry.Field{{Name: "Date", Value: "2026-01-01"}, {Name: "Status", Value: "Accepted"}, {Name: "Context", Value: "because of " + id}, {Name: "Decision", Value: "do it"}},
	}
}

// changed is one commit's work on branch b of n.
func (h *randomHistory) changed(b, n int) map[string][]byte {
	entries, m := h.load()
	own := func(e entry.Entry) bool { // in layout files branches touch entries of their own
		var i int
		if _, err := fmt.Sscanf(e.Source, "obs_base%d", &i); err != nil {
			return strings.HasPrefix(e.Source, "obs_"+branchName(b))
		}
		return h.mode != "files" || i%n == b
	}
	for range 1 + h.r.IntN(3) {
		i := h.r.IntN(len(entries))
		e := &entries[i]
		switch op := h.r.IntN(6); {
		case op < 2:
			kind := []knowledge.Kind{knowledge.KindADR, knowledge.KindPF}[h.r.IntN(2)]
			number := entry.MaxNumber(kind, entries, m.Anchors(kind)...) + 1
			h.added++
			id := fmt.Sprintf("obs_%s_%d", branchName(b), h.added)
			entries = append(entries, h.entry(kind, number, id))
			h.kept["id "+string(kind)+" "+id] = true
		case !own(*e):
		case op == 2:
			e.Fields[2+h.r.IntN(2)].Value = fmt.Sprintf("changed to %d", h.r.IntN(4))
			h.kept["id "+string(e.Kind)+" "+e.Source] = true
		case op == 3:
			e.Fields[1].Value = []string{"Deprecated", "Superseded", "Proposed"}[h.r.IntN(3)]
			h.kept["id "+string(e.Kind)+" "+e.Source] = true
		case op == 4 && len(entries) > 2:
			key := "id " + string(e.Kind) + " " + e.Source
			h.gone[key] = true
			if strings.HasPrefix(e.Source, "obs_"+branchName(b)) {
				delete(h.kept, key)
			}
			if h.kept[key] {
				delete(h.kept, key) // its edit may have been this branch's own
			}
			m.Bury(manifest.Tombstone{Row: h.row(*e)})
			entries = slices.Delete(entries, i, i+1)
		}
	}
	cited := entries[h.r.IntN(len(entries))]
	h.clock++
	note := fmt.Sprintf("// note %d of %s,", h.clock, branchName(b))
	h.meant[note] = "id " + string(cited.Kind) + " " + cited.Source
	files := h.write(entries, m)
	source := "src/" + branchName(b) + ".go"
	files[source] = slices.Concat(h.read(source), []byte(note+" see "+cited.ID()+"\n"))
	return files
}

func (h *randomHistory) row(e entry.Entry) manifest.Row {
	return manifest.Row{ObservationID: e.Source, Type: knowledge.RowType(e.Kind), Path: entry.BookPath(e.Kind), Anchor: e.ID(), ContentHash: knowledge.ContentHash(entry.Format(e)), Title: e.Title}
}

func (h *randomHistory) load() ([]entry.Entry, *manifest.Manifest) {
	files := map[string][]byte{}
	var entries []entry.Entry
	for _, name := range strings.Fields(h.git("ls-files", ".memory")) {
		switch merge.Driver(name) {
		case merge.Book:
			parsed, _ := entry.ParseBook(name, h.read(name))
			for _, e := range parsed.Entries {
				e.Fields = slices.DeleteFunc(slices.Clone(e.Fields), func(f entry.Field) bool { return f.Name == entry.FieldSource })
				entries = append(entries, e)
			}
		case merge.Manifest:
			files[name] = h.read(name)
		}
	}
	m, problems := manifest.ParseFiles(files)
	if len(problems) > 0 {
		h.Fatal(problems)
	}
	return entries, m
}

// write lays out entries and rows in the history's layout.
func (h *randomHistory) write(entries []entry.Entry, m *manifest.Manifest) map[string][]byte {
	files := map[string][]byte{}
	for _, e := range entries {
		m.PutRow(h.row(e))
	}
	if h.mode == "files" {
		for _, name := range strings.Fields(h.git("ls-files", ".memory")) {
			files[name] = nil
		}
		for _, e := range entries {
			files[entry.Path(e)] = entry.Format(e)
		}
		for name, data := range m.Files(func(id string) string { return manifest.File(id, "") }) {
			files[name] = data
		}
		return files
	}
	for _, kind := range []knowledge.Kind{knowledge.KindADR, knowledge.KindPF} {
		var parts []entry.File
		for _, e := range entries {
			if e.Kind == kind {
				parts = append(parts, entry.File{Path: entry.Path(e), Data: entry.Format(e)})
			}
		}
		files[entry.BookPath(kind)] = entry.JoinBook(kind, parts)
	}
	files[manifest.Path] = m.Bytes()
	return files
}

func (h *randomHistory) commit(files map[string][]byte, message string) {
	for name, data := range files {
		full := filepath.Join(h.dir, filepath.FromSlash(name))
		if data == nil {
			_ = os.Remove(full)
			continue
		}
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			h.Fatal(err)
		}
		if err := os.WriteFile(full, data, 0o644); err != nil {
			h.Fatal(err)
		}
	}
	h.clock++
	h.git("add", "-A")
	h.git("commit", "-q", "--allow-empty", "-m", message)
}

func (h *randomHistory) read(name string) []byte {
	data, err := os.ReadFile(filepath.Join(h.dir, filepath.FromSlash(name)))
	if err != nil && !os.IsNotExist(err) {
		h.Fatal(err)
	}
	return data
}

func (h *randomHistory) command(name string, args ...string) *exec.Cmd {
	cmd := exec.Command(name, args...)
	cmd.Dir = h.dir
	at := time.Date(2026, 1, 1, 0, 0, h.clock, 0, time.UTC).Format(time.RFC3339)
	cmd.Env = append(os.Environ(), "HOME="+h.dir+"/.git/home", "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1",
		"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.com",
		"GIT_AUTHOR_DATE="+at, "GIT_COMMITTER_DATE="+at)
	return cmd
}

func (h *randomHistory) git(args ...string) string {
	cmd := h.command("git", args...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil && args[0] != "grep" {
		h.Fatalf("git %v: %v\n%s", args, err, stderr.Bytes())
	}
	return strings.TrimSpace(string(out))
}

// lessons runs the program; status -1 accepts what a person has to settle too.
func (h *randomHistory) lessons(status int, args ...string) {
	out, err := h.command("lessons", args...).CombinedOutput()
	code := 0
	if exit, ok := err.(*exec.ExitError); ok {
		code = exit.ExitCode()
	}
	if code != status && !(status < 0 && (code == 0 || code == exitFound)) {
		h.Fatalf("lessons %v: exit %d\n%s", args, code, out)
	}
}

func orders(n int) [][]int {
	if n == 0 {
		return [][]int{{}}
	}
	var all [][]int
	for _, p := range orders(n - 1) {
		for at := 0; at <= len(p); at++ {
			all = append(all, slices.Insert(slices.Clone(p), at, n-1))
		}
	}
	return all
}
