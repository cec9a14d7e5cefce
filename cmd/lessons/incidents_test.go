package main

import (
	"flag"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

var seeds = flag.Int("seeds", 6, "how many accounts of each incident are told")

// TestIncidents tells each incident of testdata/incidents in mixtures and orders
// that seeds decide. One incident is one artifact, what was written passes
// lessons check, and how the sessions were scanned makes no difference.
func TestIncidents(t *testing.T) {
	t.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	const dir = "testdata/incidents"
	pending := pendingCases(t, dir)
	files, err := filepath.Glob(filepath.Join(dir, "*.txt"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no incidents in %s (%v)", dir, err)
	}
	for _, file := range files {
		i := readIncident(t, file)
		for seed := range *seeds {
			name := fmt.Sprintf("%s-%d", i.name, seed)
			waits := pending[name]
			delete(pending, name)
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				told := i.tell(uint64(seed))
				t.Log(told)
				settle(t, dir, name, waits, told.check(t))
			})
		}
	}
	for name := range pending {
		t.Errorf("%s/pending names %s, which is no case", dir, name)
	}
}

// incident is one thing that happened and the ways to tell of it.
type incident struct {
	name     string
	request  *caseLine // with which each session begins
	tellings []*caseLine
	waits    string // a telling that alone may be kept back
}

func readIncident(t *testing.T, file string) incident {
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	i := incident{name: strings.TrimSuffix(filepath.Base(file), ".txt")}
	for _, l := range readCase(string(text)) {
		switch word, rest, _ := strings.Cut(l.text, " "); word {
		case "request":
			i.request = &caseLine{number: l.number, text: "user: " + rest}
		case "telling":
			i.tellings = append(i.tellings, &caseLine{number: l.number, text: rest, below: l.below})
		case "waits":
			i.waits = rest
		default:
			t.Fatalf("%s:%d: what is %q?", file, l.number, l.text)
		}
	}
	return i
}

// account is an incident told in one session or two, in some order.
type account struct {
	incident
	sessions [][]*caseLine
}

// tell draws an account. Each session has one to all of the tellings.
func (i incident) tell(seed uint64) account {
	name := fnv.New64a()
	name.Write([]byte(i.name))
	r := rand.New(rand.NewPCG(seed, name.Sum64()))
	a := account{incident: i}
	for range 1 + r.IntN(2) {
		all := slices.Clone(i.tellings)
		r.Shuffle(len(all), func(x, y int) { all[x], all[y] = all[y], all[x] })
		a.sessions = append(a.sessions, all[:1+r.IntN(len(all))])
	}
	return a
}

func (a account) String() string {
	var b strings.Builder
	b.WriteString(a.name)
	for n, tellings := range a.sessions {
		fmt.Fprintf(&b, "; session %d:", n+1)
		for _, l := range tellings {
			b.WriteString(" " + l.text)
		}
	}
	return b.String()
}

// mayWait says whether nothing was told but what alone may be kept back.
func (a account) mayWait() bool {
	return !slices.ContainsFunc(slices.Concat(a.sessions...), func(l *caseLine) bool { return l.text != a.waits })
}

// schedules are the orders in which lessons gets to see the sessions.
var schedules = []struct {
	name string
	play func(*player, account)
}{
	{"all at once", func(p *player, a account) {
		p.play(a)
		p.mustRun("scan")
	}},
	{"one by one", func(p *player, a account) {
		for n := range a.sessions {
			p.play(account{a.incident, a.sessions[n : n+1]})
			p.mustRun("scan")
		}
	}},
	{"the last one first", func(p *player, a account) {
		files := p.play(a)
		for _, f := range files {
			f.cut(0)
		}
		for _, f := range slices.Backward(files) {
			f.cut(1)
			p.mustRun("scan")
		}
	}},
	{"while they grow", func(p *player, a account) {
		files := p.play(a)
		for part := range 4 {
			for _, f := range files {
				f.cut(float64(part+1) / 4)
			}
			p.mustRun("scan")
		}
	}},
}

// check says what is wrong with what becomes of an account: hooks scan and write
// at the end of each session, and each schedule of scans ends with one render.
func (a account) check(t *testing.T) (wrong []string) {
	hooked := prepare(t, true)
	hooked.play(a)
	hooked.mustRun("render")
	wrong = append(wrong, a.holds("hooks", hooked)...)
	var first string // what the first schedule leaves; never empty
	for _, s := range schedules {
		p := prepare(t, true)
		p.setUp = false // no hook
		s.play(p, a)
		p.mustRun("render")
		switch all := p.everything(); {
		case first == "":
			first = all
			wrong = append(wrong, a.holds(s.name, p)...)
		case all != first:
			wrong = append(wrong, fmt.Sprintf("%s: other bytes than %s: %s", s.name, schedules[0].name, cmp.Diff(first, all)))
		}
	}
	return wrong
}

// holds checks that there is one artifact, and what lessons check says of it.
func (a account) holds(how string, p *player) []string {
	wrong := p.wrong
	if all := p.pieces(); len(all) != 1 && (len(all) > 0 || !a.mayWait()) {
		wrong = append(wrong, fmt.Sprintf("%s: %d artifacts of one incident:", how, len(all)))
		for _, w := range all {
			wrong = append(wrong, fmt.Sprintf("  [%s %s] %s: %s", w.kind, w.status, w.title, shorten(oneLine(w.text), 300)))
		}
	}
	if out, status := p.run("", "check"); status != 0 {
		wrong = append(wrong, fmt.Sprintf("%s: lessons check: exit status %d: %s", how, status, out))
	}
	return wrong
}

// play plays the sessions and returns their files.
func (p *player) play(a account) (files []transcriptFile) {
	for _, tellings := range a.sessions {
		below := []*caseLine{a.request}
		for _, l := range tellings {
			below = append(below, l.below...)
		}
		p.session(&caseLine{text: "session", below: append(below, &caseLine{text: "agent: That is all."})})
	}
	names, err := filepath.Glob(filepath.Join(p.at.home, ".claude", "projects", "*", "*.jsonl"))
	if err != nil {
		p.t.Fatal(err)
	}
	for _, name := range names {
		files = append(files, newTranscriptFile(p.t, name))
	}
	return files
}

// transcriptFile is a session's file that may be there in part.
type transcriptFile struct {
	t     *testing.T
	name  string
	lines []string
	ended time.Time
}

func newTranscriptFile(t *testing.T, name string) transcriptFile {
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(name)
	if err != nil {
		t.Fatal(err)
	}
	return transcriptFile{t, name, strings.SplitAfter(string(data), "\n"), info.ModTime()}
}

// cut leaves the first lines of the file: a share of them, or no file.
func (f transcriptFile) cut(share float64) {
	n := int(share * float64(len(f.lines)))
	if err := os.Remove(f.name); err != nil && !os.IsNotExist(err) {
		f.t.Fatal(err)
	}
	if n == 0 {
		return
	}
	if err := os.WriteFile(f.name, []byte(strings.Join(f.lines[:n], "")), 0o644); err != nil {
		f.t.Fatal(err)
	}
	at := f.ended.Add(-time.Duration(len(f.lines)-n) * time.Second)
	if err := os.Chtimes(f.name, at, at); err != nil {
		f.t.Fatal(err)
	}
}

// fileEnd is the end of a rendered file's name, which each clone chooses.
var fileEnd = regexp.MustCompile(`-[a-z2-7]{4}\.(md|json)\b`)

// everything is what was written into the work tree, alike for all clones.
func (p *player) everything() string {
	return fileEnd.ReplaceAllString(p.tree(".lessons")+p.tree(".memory"), "-····.$1")
}
