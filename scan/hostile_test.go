package scan

import (
	"bytes"
	"cmp"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/lessons-cli/lessons/scan/transcript"
)

// bait are what detectors listen for, and what takes texts apart.
var bait = []string{
	"but that's fine for now", "no, that's wrong", "No. ", "ok but ", "however, ", "actually ", "don't ", "never ", "always ", "please use x instead of y because z. ",
	"let's use SQLite because it needs no server", "you're right, I made a mistake. ", "The problem was that ", "1. do it\n", "2. then that\n", "- first\n", "# Plan\n", "## Steps\n",
	"> quoted\n", "```\n", "````\n", "~~~\n", "#lesson\n", "#/lesson\n", "#lesson:cancel\n", "mistake: m\n", "rule: r\n", "tool: Bash\n", "trigger: git x\n", "fix: y\n",
	"[PROCESS_KNOWLEDGE]\n", "[/PROCESS_KNOWLEDGE]\n", "type: requirement\n", "items: ", "[", "{", "a: ", "- ", "&a ", "*a ", "?", "!", "\n", "\r\n", "\t", "\x00", "\xff", "\u202e", "é", "中文",
	"Exit code 1\n", "error: ", "fatal: unrecognized argument: --x\n", "unknown flag: --stat\n", "command not found: x\n", "No such file or directory\n", "Did you mean y?\n", "usage: x [-y]\n",
	"Traceback (most recent call last):\n", "  File \"a.py\", line 3\n", "src/a.go:3:4: undefined: x\n", "error[E0382]: borrow\n", "/home/dev/app/a.go", "https://u:p@h/x ", "password=hunter2 ",
	"git commit -m \"x\" ", "gh pr diff --stat ", "npm test -- --watch ", "bash -c '", "sudo ", "$(", "`", "&& ", "| tail ", "|| true", "<<E\n", "\"", "'", "\\", "(", ")", "if ", "cd /x ", "X=1 ",
	"first ", "then ", "finally ", "because ", "so that ", "instead ", "should ", "we ", "I ", "x", "word ", ". ", ", ", ": ", "\x1b[31m", "[Request interrupted by user]", "<system-reminder>",
}

// hostileText is a text that means harm: bait in any order, or one many times.
func hostileText(r *rand.Rand, most int) string {
	var b strings.Builder
	size := 1 + r.IntN(60)
	switch r.IntN(8) {
	case 0: // one phrase, or two in turn, up to a size
		a, c := bait[r.IntN(len(bait))], bait[r.IntN(len(bait))]
		if r.IntN(2) == 0 {
			c = a
		}
		for size = r.IntN(most); b.Len() < size; {
			b.WriteString(a + c)
		}
	case 1: // what opens closes again
		open := bait[r.IntN(len(bait))]
		n := r.IntN(1 + most/(1+2*len(open)))
		b.WriteString(strings.Repeat(open, n) + "x" + strings.Repeat(bait[r.IntN(len(bait))], min(n, most/16)))
	default:
		for range size {
			b.WriteString(bait[r.IntN(len(bait))])
		}
	}
	return b.String()
}

// hostileStory is a session of such texts, in which some come again.
func hostileStory(r *rand.Rand, steps, most int) story {
	var said []string
	text := func() string {
		if len(said) > 0 && r.IntN(3) == 0 {
			return said[r.IntN(len(said))]
		}
		said = append(said, hostileText(r, most))
		return said[len(said)-1]
	}
	outcomes := []transcript.Outcome{ok, fail, fail, masked, transcript.Expected, transcript.TimedOut, transcript.Cancelled, transcript.Blocked, transcript.NotRun, transcript.Unsaid}
	var s story
	for range steps {
		switch r.IntN(9) {
		case 0, 1:
			s = append(s, user(text()))
		case 2, 3:
			s = append(s, says(text()))
		case 4:
			s = append(s, edit("/home/dev/app/"+[]string{"a.go", "b.go", text()}[r.IntN(3)], text(), text()))
		case 5:
			s = append(s, rejected(text(), text()))
		case 6:
			s = append(s, []func(*teller){interrupt(), compaction(), read(text(), fail, text()), call(text(), map[string]any{"q": text()}, ok, text())}[r.IntN(4)])
		default:
			s = append(s, bash(text(), outcomes[r.IntN(len(outcomes))], text()))
		}
	}
	return s
}

// maxFound is how many findings one event may have.
const maxFound = 4 * maxTags

// detected is all that the detectors make of a session, in words.
func detected(t *testing.T, s story) string {
	w := new(Window)
	var all strings.Builder
	for _, e := range s.events() {
		w.Push(&e)
		n := 0
		for _, d := range listeners(e.Kind) {
			for _, f := range d.Detect(w) {
				n++
				fmt.Fprintf(&all, "%s %d %d %q %q %q %q %q\n", f.kind, f.line, f.errorLine, f.title, f.mistake, f.fix, f.cancel, f.quotes)
			}
		}
		if n > maxFound {
			t.Errorf("%d findings in %s: %.200q", n, e.Kind, e.Text)
		}
	}
	return all.String()
}

// hostileMessages is how many messages and outputs the next test makes; 10,000 of
// them take a minute.
func hostileMessages(t *testing.T) int {
	n, err := strconv.Atoi(cmp.Or(os.Getenv("LESSONS_HOSTILE"), "600"))
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// Whatever people, agents and programs write, a scan ends, says the same each time
// and learns from the sound session among the others.
func TestHostileSessions(t *testing.T) {
	const steps = 40
	sound := memory("/s/sound.jsonl", claudeFile("sound", learner().events()))
	told := func(r Result) (all []string) {
		for _, c := range r.Candidates {
			if c.File == sound.Path {
				all = append(all, fmt.Sprint(c.Kind, c.Line, c.Mistake))
			}
		}
		return all
	}
	want := told(scanAll(t, Input{Files: []File{sound}}))
	files := []File{sound}
	for i := range max(1, hostileMessages(t)/steps) {
		most := 4 << 10
		if i%8 == 7 {
			most = 200 << 10
		}
		s := hostileStory(rand.New(rand.NewPCG(1, uint64(i))), steps, most)
		if first, again := detected(t, s), detected(t, s); first != again {
			t.Errorf("session %d: two readings differ", i)
		}
		events := s.events()
		for j := range events {
			events[j].ID += fmt.Sprint("-", i)
		}
		files = append(files, memory(fmt.Sprintf("/s/%05d.jsonl", i), claudeFile(fmt.Sprint("h", i), events)))
	}
	r := scanAll(t, Input{Files: files})
	for _, p := range r.Problems {
		if p.Rule == "session-skipped" {
			t.Errorf("%s: %s", p.Path, p.Text)
		}
	}
	if got := told(r); !slices.Equal(got, want) {
		t.Errorf("of the sound session %q is told, want %q", got, want)
	}
	if again := scanAll(t, Input{Files: files}); !bytes.Equal(again.Log.Bytes(), r.Log.Bytes()) {
		t.Error("two scans leave two logs")
	}
}

// Nesting is followed a few levels deep, whatever nests.
func TestNestingEnds(t *testing.T) {
	const n = 20_000
	fences := ""
	for i := 400; i >= 3; i-- {
		fences += strings.Repeat("`", i) + "\n#lesson\n#/lesson\n#lesson\n"
	}
	for name, text := range map[string]string{
		"turns":     strings.Repeat("but great, ", n) + "but that's wrong",
		"fences":    fences,
		"flow YAML": "[PROCESS_KNOWLEDGE]\ntype: requirement\nitems: " + strings.Repeat("[", 8000) + "\n[/PROCESS_KNOWLEDGE]\n",
		"mappings":  "[PROCESS_KNOWLEDGE]\ntype: requirement\nitems: " + strings.Repeat("{a: ", 2000) + strings.Repeat("}", 2000) + "\n[/PROCESS_KNOWLEDGE]\n",
		"headings":  strings.Repeat("# x\n", n),
		"quotes":    strings.Repeat(">", n) + " no",
		"lists":     strings.Repeat("- ", n) + "no",
		"blocks":    strings.Repeat("#lesson\n", n),
		"commands":  strings.Repeat("bash -c '", 3000) + "x",
		"brackets":  strings.Repeat("$(", n),
	} {
		s := story{says(text), user(text), edit("/home/dev/app/a.go", "", text), user(text), bash(text, fail, text), bash(text, ok, text), says(text), rejected(text, text)}
		detected(t, s)
		for _, e := range s.events() {
			if sp := speechOf(e.Text); sp.objects > maxObjection {
				t.Errorf("%s: objects %d", name, sp.objects)
			}
		}
	}
	if !strings.Contains(flat(nested(maxFlat-1)), "x") || flat(nested(maxFlat)) != "" {
		t.Errorf("nodes are not read %d levels deep", maxFlat)
	}
}

func nested(depth int) *yaml.Node {
	n := &yaml.Node{Kind: yaml.ScalarNode, Value: "x"}
	for range depth {
		n = &yaml.Node{Kind: yaml.SequenceNode, Content: []*yaml.Node{n}}
	}
	return n
}

// Every detector ends on any session, and says the same each time.
func FuzzDetectors(f *testing.F) {
	for i, p := range bait {
		f.Add(uint64(i), p, strings.Repeat(p, 50))
	}
	f.Fuzz(func(t *testing.T, seed uint64, one, other string) {
		s := hostileStory(rand.New(rand.NewPCG(seed, 0)), 12, 2<<10)
		s = append(s, user(one), says(other), bash(one, fail, other), says(one), bash(other, ok, one), edit("/home/dev/app/a.go", one, other),
			user(other), rejected(one, other), says(other+one), edit("/home/dev/app/a.go", other, one), bash(one, transcript.TimedOut, other), user(one+"\n"+other))
		if first, again := detected(t, s), detected(t, s); first != again {
			t.Error("two readings differ")
		}
	})
}
