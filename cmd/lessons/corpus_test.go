package main

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestCorpusGivesOneLogWhateverTheSchedule scans real sessions with the program
// itself: all at once, and then in random orders and groups, as they grew, with
// copies, with and without the state of the scan before. LESSONS_CORPUS names a
// folder with transcripts in it.
func TestCorpusGivesOneLogWhateverTheSchedule(t *testing.T) {
	corpus := os.Getenv("LESSONS_CORPUS")
	if corpus == "" {
		t.Skip("LESSONS_CORPUS names no folder of sessions: the log's independence of schedules was NOT checked on real ones")
	}
	sessions := corpusSessions(t, corpus)
	whole := newCorpusClone(t)
	for _, s := range sessions {
		whole.put(t, s.name, s.content)
	}
	whole.scan(t)
	want := whole.log(t)
	if len(want) == 0 {
		t.Fatalf("nothing was learned from %d sessions", len(sessions))
	}
	scans := 0
	for seed := range uint64(12) {
		random := rand.New(rand.NewPCG(seed, 0))
		c := newCorpusClone(t)
		for _, i := range random.Perm(len(sessions)) {
			s := sessions[i]
			switch random.IntN(3) {
			case 0:
				c.put(t, s.name, s.grown(random.Float64()))
			case 1:
				c.put(t, "copy/"+s.name, s.grown(random.Float64()))
			}
			if random.IntN(6) == 0 {
				c.scan(t)
				scans++
			}
			c.put(t, s.name, s.content)
			switch random.IntN(12) {
			case 0:
				c.scan(t, "--all")
				scans++
			case 1:
				c.put(t, "copy/"+s.name, s.content)
			}
		}
		c.scan(t)
		scans++
		if got := c.log(t); !bytes.Equal(got, want) {
			t.Errorf("schedule %d gives another log:\n%s", seed, firstDifference(want, got))
		}
	}
	t.Logf("%d sessions, %d observations, 12 schedules of %d scans: the same %d bytes", len(sessions), bytes.Count(want, []byte("\n")), scans, len(want))
}

func firstDifference(want, got []byte) string {
	had := map[string]bool{}
	for line := range strings.Lines(string(want)) {
		had[line] = true
	}
	out := ""
	for line := range strings.Lines(string(got)) {
		if !had[line] {
			out += "+ " + line
		}
		delete(had, line)
	}
	for line := range had {
		out += "- " + line
	}
	return out
}

type corpusSession struct {
	name    string
	content []byte
}

func corpusSessions(t *testing.T, corpus string) []corpusSession {
	var all []corpusSession
	root := filepath.Join(corpus, "transcripts")
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(name, ".jsonl") && !strings.HasSuffix(name, ".json") {
			return err
		}
		content, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, name)
		all = append(all, corpusSession{filepath.ToSlash(rel), content})
		return err
	})
	if err != nil || len(all) == 0 {
		t.Fatalf("%d sessions in %s: %v", len(all), root, err)
	}
	return all
}

// grown returns the session as it was earlier: its beginning, cut anywhere, or
// of one object the first of its messages.
func (s corpusSession) grown(part float64) []byte {
	if strings.HasSuffix(s.name, ".jsonl") {
		return s.content[:int(part*float64(len(s.content)))]
	}
	var object map[string]json.RawMessage
	var messages []json.RawMessage
	if json.Unmarshal(s.content, &object) != nil || json.Unmarshal(object["messages"], &messages) != nil {
		return s.content
	}
	early, err := json.Marshal(messages[:int(part*float64(len(messages)))])
	if err != nil {
		return s.content
	}
	object["messages"] = early
	out, err := json.Marshal(object)
	if err != nil {
		return s.content
	}
	return out
}

// corpusClone is a repository with a folder of sessions beside it.
type corpusClone struct{ dir string }

func newCorpusClone(t *testing.T) corpusClone {
	c := corpusClone{t.TempDir()}
	c.run(t, "git", "init", "-q", "repo")
	return c
}

func (c corpusClone) put(t *testing.T, name string, content []byte) {
	path := filepath.Join(c.dir, "sessions", filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, content, 0o644); err != nil {
		t.Fatal(err)
	}
}

func (c corpusClone) scan(t *testing.T, more ...string) {
	args := append([]string{"-C", "repo", "scan", "--quiet", "--foreign"}, more...)
	c.run(t, "lessons", append(args, filepath.Join(c.dir, "sessions"))...)
}

func (c corpusClone) run(t *testing.T, program string, args ...string) {
	t.Helper()
	command := exec.Command(program, args...)
	command.Dir = c.dir
	command.Env = append(os.Environ(), "HOME="+c.dir, "XDG_STATE_HOME="+filepath.Join(c.dir, "state"), "XDG_CONFIG_HOME="+filepath.Join(c.dir, "config"))
	if out, err := command.CombinedOutput(); err != nil {
		t.Fatalf("%s %s: %v\n%s", program, strings.Join(args, " "), err, out)
	}
}

func (c corpusClone) log(t *testing.T) []byte {
	data, err := os.ReadFile(filepath.Join(c.dir, "repo", ".git", "lessons", "learning-log.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	return data
}
