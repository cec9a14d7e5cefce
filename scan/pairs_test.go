package scan

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lessons-cli/lessons/internal/inject/compile"
	"github.com/lessons-cli/lessons/internal/shell"
	"github.com/lessons-cli/lessons/knowledge/lesson"
	"github.com/lessons-cli/lessons/knowledge/statement"
	"github.com/lessons-cli/lessons/scan/transcript"
)

// specimen is one block of testdata/pairs.
type specimen struct {
	name, failed, said, fixed string
	fires, silent             []string
}

func (s specimen) output() string { return "Exit code 1\n" + s.said }

func (s specimen) class() class { return faultIn(s.failed, s.output()).class }

func (s specimen) synthesise() *synthesis {
	return synthesise(s.failed, s.output(), s.fixed, s.class())
}

// synthesise makes a trigger from a command that failed, its output and the command
// that worked.
func synthesise(wrong, output, right string, class class) *synthesis {
	message, failed, worked := errorTextOf(output), shell.Parse(wrong), shell.Parse(right)
	p := pair{wrong: wrong, right: right, class: class, message: &message}
	if s := p.align(message.faulty(failed), failed, worked); s != nil {
		return p.shaped(s, failed, worked)
	}
	return nil
}

// faultIn judges a failed command as a scan does.
func faultIn(command, output string) *fault {
	w := new(Window)
	for _, e := range (story{bash(command, outcomeOf(output), output)}).events() {
		w.Push(&e)
	}
	if f := w.judge(w.Last()); f != nil {
		return f
	}
	return &fault{}
}

func outcomeOf(said string) transcript.Outcome {
	if strings.Contains(said, "Command timed out") {
		return transcript.TimedOut
	}
	return fail
}

func specimens(t testing.TB) []specimen { return specimensIn(t, "documentation.txt", "practice.txt") }

func specimensIn(t testing.TB, files ...string) []specimen {
	var all []specimen
	for _, name := range files {
		data, err := os.ReadFile(filepath.Join("testdata", "pairs", name))
		if err != nil {
			t.Fatal(err)
		}
		for i, line := range strings.Split(string(data), "\n") {
			key, value, _ := strings.Cut(line, " ")
			value = strings.TrimSpace(value)
			var s *specimen
			if len(all) > 0 {
				s = &all[len(all)-1]
			}
			switch key {
			case "", "#":
			case "==":
				all = append(all, specimen{name: value})
			case "failed:":
				s.failed = value
			case "error:":
				s.said = strings.TrimPrefix(s.said+"\n"+value, "\n")
			case "fixed:":
				s.fixed = value
			case "fires:":
				s.fires = append(s.fires, value)
			case "silent:":
				s.silent = append(s.silent, value)
			default:
				t.Fatalf("%s:%d: %q is no line of a pair", name, i+1, line)
			}
		}
	}
	return all
}

func TestPairsCoverWhatTheyShould(t *testing.T) {
	programs := map[string]bool{}
	all := specimens(t)
	for _, s := range all {
		if s.said == "" || s.fixed == "" || len(s.fires) < 2 || len(s.silent) < 2 {
			t.Errorf("%s: a pair has an error, a fix, two paraphrases and two near misses", s.name)
		}
		for _, c := range shell.Parse(s.failed).All {
			programs[c.Program] = true
		}
	}
	if len(all) < 100 || len(programs) < 25 {
		t.Errorf("%d pairs over %d programs", len(all), len(programs))
	}
	t.Logf("%d pairs over %d programs", len(all), len(programs))
}

// judgement says what a trigger does wrong on a specimen.
func (s specimen) judge(t *lesson.Trigger) (wrong []string) {
	if t == nil {
		return []string{"no trigger"}
	}
	fires, problems := compile.Matcher(t)
	for _, p := range problems {
		wrong = append(wrong, p.Text)
	}
	for _, line := range append([]string{s.failed}, s.fires...) {
		if !fires(line) {
			wrong = append(wrong, "silent on "+line)
		}
	}
	for _, line := range append([]string{s.fixed}, s.silent...) {
		if fires(line) {
			wrong = append(wrong, "fires on "+line)
		}
	}
	return wrong
}

// A trigger made from one example fires on the mistake in other words and
// neither on its fix nor on what is near to it.
func TestTriggersFromOneExample(t *testing.T) {
	for _, set := range []struct {
		name              string
		specimens         []specimen
		atLeast, detected int // per cent
	}{
		{"pairs", specimens(t), 90, 85},
		{"pairs written afterwards", specimensIn(t, "heldout.txt"), 90, 85},
		{"pairs of what interpreters and runners run", specimensIn(t, "targets.txt"), 100, 100},
	} {
		good, found := 0, 0
		for _, s := range set.specimens {
			var trigger *lesson.Trigger
			if made := s.synthesise(); made != nil {
				trigger = made.trigger
			}
			wrong := s.judge(trigger)
			if len(wrong) == 0 {
				good++
			} else {
				t.Logf("%s: %+v\n\t%s", s.name, trigger, strings.Join(wrong, "\n\t"))
			}
			detected := detect(s)
			if len(s.judge(detected)) == 0 {
				found++
			} else if len(wrong) == 0 {
				t.Logf("%s: a scan finds %+v", s.name, detected)
			}
		}
		n := len(set.specimens)
		t.Logf("%s: %d of %d are right (%.1f %%), %d as a scan finds them (%.1f %%)", set.name, good, n, share(good, n), found, share(found, n))
		if share(good, n) < float64(set.atLeast) || share(found, n) < float64(set.detected) {
			t.Errorf("%s: %d %% have to be right, and %d %% as a scan finds them", set.name, set.atLeast, set.detected)
		}
	}
}

func share(n, of int) float64 { return 100 * float64(n) / float64(of) }

// detect returns the trigger that a scan finds in a session with the pair.
func detect(s specimen) *lesson.Trigger {
	for _, f := range found(errorFixes{}, story{bash(s.failed, outcomeOf(s.said), "Exit code 1\n"+s.said), bash(s.fixed, ok, "done")}) {
		if f.trigger != nil {
			return f.trigger
		}
	}
	return nil
}

// What an agent is shown of such a lesson has room for the fix, whatever the
// commands were.
func TestLessonsOfPairsFitIntoTheTextThatIsShown(t *testing.T) {
	for _, s := range specimens(t) {
		made := s.synthesise()
		if made == nil {
			continue
		}
		l := lesson.Lesson{
			Kind: lesson.Warning, Priority: 9, Title: made.title,
			Body: made.shape.mistake() + "\n\n**Fix**: " + made.fix + "\n",
		}
		if shown := l.Shown(); len(shown) > 200 || !strings.Contains(shown, made.fix) {
			t.Errorf("%s: %d bytes: %s", s.name, len(shown), shown)
		} else if testing.Verbose() {
			t.Log(shown)
		}
		if len(made.title) > maxTitle || statement.CountWords(made.shape.mistake()+" "+made.fix) < minWords {
			t.Errorf("%s: %s: %s", s.name, made.title, made.fix)
		}
	}
}
