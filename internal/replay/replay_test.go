package replay

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lessons-cli/lessons/internal/project"
	"github.com/lessons-cli/lessons/internal/redact"
	"github.com/lessons-cli/lessons/knowledge/calls"
	"github.com/lessons-cli/lessons/scan"
)

// recording is a made-up session of Claude Code.
type recording struct {
	id    string
	dir   string
	at    time.Time
	calls int
	lines []string
}

func record(id string, day int) *recording {
	r := &recording{id: id, dir: "/home/ann/app", at: time.Date(2026, 3, day, 9, 0, 0, 0, time.UTC)}
	return r.message("user", "Please look after the program.")
}

func (r *recording) line(role string, content any) *recording {
	r.at = r.at.Add(time.Second)
	message, _ := json.Marshal(map[string]any{"role": role, "content": content})
	r.lines = append(r.lines, fmt.Sprintf(`{"type":%q,"uuid":"%s-%d","sessionId":%q,"cwd":%q,"timestamp":%q,"message":%s}`,
		role, r.id, len(r.lines), r.id, r.dir, r.at.Format(time.RFC3339), message))
	return r
}

func (r *recording) message(role, text string) *recording {
	return r.line(role, []any{map[string]any{"type": "text", "text": text}})
}

// run is a command with its output; an output that begins with "Exit code" is a failure.
func (r *recording) run(command, output string) *recording {
	r.calls++
	id := fmt.Sprintf("%s-t%d", r.id, r.calls)
	r.line("assistant", []any{map[string]any{"type": "tool_use", "id": id, "name": "Bash", "input": map[string]any{"command": command}}})
	return r.line("user", []any{map[string]any{"type": "tool_result", "tool_use_id": id, "content": output, "is_error": strings.HasPrefix(output, "Exit code")}})
}

// report is a lesson in the agent's own words.
func (r *recording) report(trigger, mistake, fix string) *recording {
	return r.message("assistant", "Done.\n\n#lesson\ntool: Bash\ntrigger: "+trigger+"\nmistake: "+mistake+"\nfix: "+fix+"\n#/lesson")
}

func (r *recording) later(d time.Duration) *recording {
	r.at = r.at.Add(d)
	return r
}

const refusal = "Exit code 1\nunknown flag: --stat"

// mistaken makes the mistake that most of these sessions know, and mends it.
func mistaken(id string, day int) *recording {
	return record(id, day).run("gh pr diff 88 --stat", refusal).run("gh pr diff 88 --name-only", "a.go")
}

func reported(id string, day int) *recording {
	return mistaken(id, day).report("gh pr diff --stat", "gh pr diff has no flag --stat", "gh pr diff --name-only")
}

func (r *recording) file(t *testing.T, dir string) scan.File {
	t.Helper()
	name := filepath.Join(dir, r.id+".jsonl")
	if err := os.WriteFile(name, []byte(strings.Join(r.lines, "\n")+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	files, _, err := project.NamedFiles([]string{name})
	if err != nil {
		t.Fatal(err)
	}
	return files[0]
}

// playedBack replays recordings as one repository.
func playedBack(t *testing.T, all ...*recording) (Table, []Decision) {
	t.Helper()
	dir := t.TempDir()
	var files []scan.File
	for _, r := range all {
		files = append(files, r.file(t, dir))
	}
	var said []Decision
	report, problems, err := Run(context.Background(), Options{
		Archives: []Archive{{Name: "made up", Files: files}}, Redactor: &redact.Redactor{}, Decided: func(d Decision) { d.of = nil; said = append(said, d) },
	})
	if err != nil || len(problems) > 0 {
		t.Fatal(err, problems)
	}
	return report.Archives[0], said
}

func TestAMistakeIsStoppedOnceItIsKnown(t *testing.T) {
	table, said := playedBack(t, reported("s1", 1), mistaken("s2", 2))
	if table.Sessions != 2 || table.Calls != 4 || table.Failures != 2 {
		t.Errorf("%+v", table)
	}
	if table.All.Repeats != 1 || table.All.Stopped != 1 || table.Stops.Right != 1 || table.Stops.Wrong != 0 || len(table.Stops.Harm()) != 0 {
		t.Errorf("%+v %+v", table.All, table.Stops)
	}
	if table.All.Enough {
		t.Error("one repeat is enough evidence")
	}
	var stop *Decision
	for i := range said {
		if said[i].Mode == "deny" {
			stop = &said[i]
		}
	}
	if stop == nil || stop.Verdict != right || stop.Outcome != "failed" || stop.Call != 0 || len(stop.Problems) != 1 || len(stop.Lessons) != 1 {
		t.Errorf("%+v", said)
	}
}

// A hook is asked in the directory of the call, which the recording's work tree has.
func TestACallInAFolderIsStoppedToo(t *testing.T) {
	second := record("s2", 2)
	second.dir += "/web/client"
	table, _ := playedBack(t, reported("s1", 1), second.run("gh pr diff 89 --stat", refusal))
	if table.Stops.Right != 1 {
		t.Errorf("%+v", table.Stops)
	}
}

// What a session is told comes from sessions that ended before it began.
func TestNothingLeaksFromTheFuture(t *testing.T) {
	past := []*recording{reported("s1", 2), mistaken("s2", 3)}
	_, short := playedBack(t, past...)
	_, long := playedBack(t, append(past, reported("s3", 4).report("go vet", "go vet is slow", "go vet ./x"), record("s4", 5).run("go vet ./...", ""))...)
	if len(long) <= len(short) || !reflect.DeepEqual(short, long[:len(short)]) {
		t.Errorf("without the later sessions:\n%+v\nwith them:\n%+v", short, long)
	}
	table, _ := playedBack(t, reported("late", 2).later(48*time.Hour).run("ls", "a.go"), mistaken("early", 3))
	if table.All.Repeats != 0 || table.All.Stopped != 0 || table.Stops.Right != 0 {
		t.Errorf("a session that had not ended taught: %+v", table.All)
	}
}

func TestTwoReplaysAreAlikeToTheByte(t *testing.T) {
	var runs [2]string
	for i := range runs {
		table, said := playedBack(t, reported("s1", 1), mistaken("s2", 2), mistaken("s3", 3))
		text, err := json.Marshal([]any{table, said})
		if err != nil {
			t.Fatal(err)
		}
		if runs[i] = string(text); strings.Contains(runs[i], "lessons-replay-") {
			t.Error("the place of the replay is told")
		}
	}
	if runs[0] != runs[1] {
		t.Errorf("%s\n%s", runs[0], runs[1])
	}
}

func TestAWrongLessonShowsAsHarm(t *testing.T) {
	wrong := record("s1", 1).run("make build", "ok").report("make lint", "make lint does not exist", "make check")
	table, _ := playedBack(t, wrong, record("s2", 2).run("make lint", "ok"), reported("s3", 3), mistaken("s4", 4))
	harm := table.Stops.Harm()
	if table.Stops.Wrong != 1 || table.Stops.Right != 1 || len(harm) != 1 || harm[0].Wrong != 1 || !strings.Contains(harm[0].Title, "make lint") {
		t.Errorf("%+v", table.Stops)
	}
	if table.Stops.WrongPer10k != 1666.6667 {
		t.Errorf("%v in 10,000 of %d calls", table.Stops.WrongPer10k, table.Calls)
	}
}

// The files may be listed in any order.
func TestTheOrderOfFilesDoesNotMatter(t *testing.T) {
	all := []*recording{reported("s1", 1), mistaken("s2", 2), mistaken("s3", 3)}
	dir := t.TempDir()
	var files []scan.File
	for _, r := range all {
		files = append(files, r.file(t, dir))
	}
	survey := func(files []scan.File) (order []string) {
		sessions, _, err := survey(t.Context(), files, func(int) {})
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range sessions {
			order = append(order, s.id)
		}
		return order
	}
	forth := survey(files)
	slices.Reverse(files)
	if back := survey(files); !slices.Equal(forth, back) || !slices.Equal(forth, []string{"s1", "s2", "s3"}) {
		t.Errorf("%v and %v", forth, back)
	}
}

func TestFilesThatAFailureNames(t *testing.T) {
	name := callName{"s", "c"}
	l := &labels{calls: map[callName]*calls.Call{name: {Failure: &calls.Failure{
		Line: "cmd/a.go:12:3: Error return value is not checked (errcheck)", Rules: map[string]string{"E1": `src\b.cs(4,2): error E1`},
	}}}}
	got := l.filesOf(name)
	if slices.Sort(got); !slices.Equal(got, []string{"cmd/a.go", "src/b.cs"}) {
		t.Errorf("%q", got)
	}
}

func TestMacroAndMicro(t *testing.T) {
	parts := [][]part{{{0, 1, 1}, {0, 1, 1}, {0, 1, 1}}, {{1, 0, 1}}, nil}
	all := []int{0, 1, 2}
	if got := micro(parts, all); got != 0.75 {
		t.Errorf("micro %v", got)
	}
	if got := macro(parts, all, 2); got != 0.5 {
		t.Errorf("macro %v", got)
	}
	share := shareOf(3, func(order []int) float64 { return macro(parts, order, 2) })
	if share.Value != 0.5 || share.Low != 0 || share.High != 1 {
		t.Errorf("%+v", share)
	}
}

func TestLedLateAndAtTheStart(t *testing.T) {
	isFor := func(lesson string) bool { return lesson == "l" }
	for name, c := range map[string]struct {
		told                told
		led, late, atTStart bool
	}{
		"the same program":       {told{lesson: "l", call: 10, about: []string{"gh"}, own: true}, true, false, false},
		"another program":        {told{lesson: "l", call: 10, about: []string{"go"}, own: true}, false, false, false},
		"another lesson":         {told{lesson: "m", call: 10, about: []string{"gh"}, own: true}, false, false, false},
		"too long ago":           {told{lesson: "l", call: 9, about: []string{"gh"}, own: true}, false, false, false},
		"the call itself":        {told{lesson: "l", call: 30, about: []string{"gh"}, own: true}, false, true, false},
		"a later call":           {told{lesson: "l", call: 31, about: []string{"gh"}, own: true}, false, false, false},
		"a file of the finding":  {told{lesson: "l", call: 10, about: []string{"/home/ann/app/cmd/x.go"}, own: true}, true, false, false},
		"another file":           {told{lesson: "l", call: 10, about: []string{"/home/ann/app/cmd/xx.go"}, own: true}, false, false, false},
		"a prompt that names it": {told{lesson: "l", call: 30, about: []string{"use", "gh"}}, true, false, false},
		"the start":              {told{lesson: "l", start: true}, false, false, true},
		"a later compaction":     {told{lesson: "l", call: 31, start: true}, false, false, false},
	} {
		call := &played{at: 30, thread: &thread{told: []told{c.told}}}
		led, late, atStart := call.met([]string{"gh", "cmd/x.go"}, isFor)
		if led != c.led || late != c.late || atStart != c.atTStart {
			t.Errorf("%s: led %v, late %v, at start %v", name, led, late, atStart)
		}
	}
}

func TestPathsOfTheRecordingLieInTheReplay(t *testing.T) {
	p := places{roots: []string{"/home/ann/app/.worktrees/2", "/home/ann/app", "D:/app"}, to: "/replay"}
	for from, want := range map[string]string{
		"/home/ann/app": "/replay", "/home/ann/app/a/b.go": "/replay/a/b.go", "/home/ann/app/.worktrees/2/b.go": "/replay/b.go",
		"/home/ann/apple/b.go": "/home/ann/apple/b.go", `D:\\app\src\b.go`: "/replay/src/b.go", "a/b.go": "a/b.go",
	} {
		if got := p.path(from); got != want {
			t.Errorf("%s lies at %s, want %s", from, got, want)
		}
	}
	if got := p.dir("/tmp"); got != "/replay" {
		t.Errorf("a directory outside became %s", got)
	}
	if got, want := p.text("cd /home/ann/app && ls /home/ann/apple /home/ann/app/x"), "cd /replay && ls /home/ann/apple /replay/x"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
