package scan

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lessons-cli/lessons/internal/redact"
	"github.com/lessons-cli/lessons/knowledge/config"
	"github.com/lessons-cli/lessons/knowledge/observe"
	"github.com/lessons-cli/lessons/scan/transcript"
)

// claudeFile writes events as Claude Code keeps them.
func claudeFile(session string, events []transcript.Event) []byte {
	var out bytes.Buffer
	for _, e := range events {
		typ, content := "user", any(e.Text)
		switch e.Kind {
		case transcript.Assistant:
			typ, content = "assistant", []any{map[string]any{"type": "text", "text": e.Text}}
		case transcript.ToolCall:
			typ, content = "assistant", []any{map[string]any{"type": "tool_use", "id": e.ToolUse, "name": e.Tool, "input": e.Input}}
		case transcript.ToolResult, transcript.Rejection:
			text := e.Text
			if e.Kind == transcript.Rejection {
				text = "The user doesn't want to proceed with this tool use. The tool use was rejected. To tell you how to proceed, the user said:\n" + e.Text
			}
			bad := e.Outcome == fail || e.Outcome == transcript.Rejected || e.Outcome == transcript.TimedOut
			content = []any{map[string]any{"type": "tool_result", "tool_use_id": e.ToolUse, "content": text, "is_error": bad}}
		case transcript.Interrupt:
			content = "[Request interrupted by user]"
		}
		line := map[string]any{
			"type": typ, "uuid": e.ID, "sessionId": session, "cwd": e.Cwd, "timestamp": e.Time,
			"message": map[string]any{"role": typ, "content": content},
		}
		if e.Agent != "" {
			line["agentId"], line["isSidechain"] = e.Agent, true
		}
		raw, _ := json.Marshal(line)
		out.Write(append(raw, '\n'))
	}
	return out.Bytes()
}

type memoryFile struct{ *bytes.Reader }

func (memoryFile) Close() error { return nil }

func memory(path string, content []byte) File {
	info := FileInfo{Size: int64(len(content)), ModTime: time.UnixMilli(int64(len(content))), ID: path}
	return File{
		Path: path,
		Stat: func() (FileInfo, error) { return info, nil },
		Open: func() (io.ReadSeekCloser, FileInfo, error) { return memoryFile{bytes.NewReader(content)}, info, nil },
	}
}

var testRedactor = &redact.Redactor{Home: "/home/dev", User: "dev"}

func scanAll(t *testing.T, in Input) Result {
	t.Helper()
	if in.Redactor == nil {
		in.Redactor = testRedactor
	}
	r, err := Run(context.Background(), in)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// learner is a session that teaches one thing of every kind.
func learner() story {
	s := story{
		user("To release:\n1. Bump the version\n2. Run the tests\n3. Push the tag"),
		bash("gh pr diff 88 --stat", fail, "Exit code 1\nunknown flag: --stat"),
		bash("gh pr diff 88 --name-only", ok, "a.go"),
		says("Done.\n\n" + goodTag),
		user("let's use SQLite because it needs no server"),
		edit("/home/dev/app/a.go", "", "func a() {\n\treturn errors.New(\"x\")\n}\n"),
		user("no, use the sentinel error instead"),
		edit("/home/dev/app/a.go", "func a() {\n\treturn errors.New(\"x\")\n}\n", "func a() {\n\treturn ErrX\n}\n"),
		says(process("type: requirement", "title: Signed commits", "requirement: Every commit is signed", "trigger_conditions: {tool_names: [Bash], commands: [git commit]}")),
		bash("npx jest --watch", transcript.TimedOut, "Exit code 143\nCommand timed out after 2m 0s"),
		bash("rm -r build", transcript.Rejected, "never delete the build folder"),
		bash("psql -h a", fail, "Exit code 2\npsql: error: connection refused"),
		bash("psql -h b", fail, "Exit code 2\npsql: error: connection refused"),
		bash("psql -h c", fail, "Exit code 2\npsql: error: connection refused"),
		user("stop that"),
	}
	return s
}

// long is learner with more in it than a window holds.
func long() story {
	s := learner()
	for i := range windowSize {
		s = append(s, bash(fmt.Sprintf("go test ./p%d", i), ok, "ok"))
	}
	return append(s, bash("git show 8312232 --no-stat", fail, "Exit code 128\nfatal: unrecognized argument: --no-stat"), bash("git show 8312232", ok, "commit"))
}

func logOf(t *testing.T, files ...File) []byte {
	t.Helper()
	return scanAll(t, Input{Files: files}).Log.Bytes()
}

func TestScanLearnsEveryKind(t *testing.T) {
	r := scanAll(t, Input{Files: []File{memory("/s/a.jsonl", claudeFile("sess-raw-id", learner().events()))}, Root: "/home/dev/app"})
	kinds := map[Kind]bool{}
	for _, c := range r.Candidates {
		kinds[c.Kind] = true
		if c.Line < 1 || c.File != "/s/a.jsonl" || len(c.Why) == 0 || c.Confidence <= 0 || c.Priority < 1 {
			t.Errorf("a candidate lacks what it must say: %+v", c)
		}
	}
	for _, k := range []Kind{SelfReport, Block, ErrorFix, Hang, UserCorrection, Decision, Workflow} {
		if !kinds[k] {
			t.Errorf("no candidate of kind %s", k)
		}
	}
	if r.Files != 1 || len(r.Problems) != 0 || len(r.Learned) != len(r.Log.Observations()) {
		t.Errorf("files %d, problems %v, learned %d of %d", r.Files, r.Problems, len(r.Learned), len(r.Log.Observations()))
	}
	if bytes.Contains(r.Log.Bytes(), []byte("sess-raw-id")) {
		t.Error("the log holds the session's raw id")
	}
}

func TestAnySplitGivesTheSameLog(t *testing.T) {
	content := claudeFile("s1", long().events())
	want := logOf(t, memory("/s/a.jsonl", content))
	if len(want) == 0 {
		t.Fatal("nothing was learned")
	}
	for cut := 0; cut < len(content); cut += len(content) / 24 {
		log, state := &observe.Log{}, []byte(nil)
		for _, end := range []int{cut, min(cut+5003, len(content)), len(content)} {
			r := scanAll(t, Input{Files: []File{memory("/s/a.jsonl", content[:end])}, Log: log, State: state})
			state = r.State
		}
		if got := log.Bytes(); !bytes.Equal(got, want) {
			t.Fatalf("split at %d the log is\n%s\nwant\n%s", cut, got, want)
		}
	}
}

func TestResumedScanReadsABoundedTail(t *testing.T) {
	s := long()
	for i := range 4 * windowSize {
		s = append(s, bash(fmt.Sprintf("go vet ./p%d", i), ok, strings.Repeat("fine\n", 50)))
	}
	content := claudeFile("s1", s.events())
	last := bytes.LastIndexByte(content[:len(content)-1], '\n') + 1
	first := scanAll(t, Input{Files: []File{memory("/s/a.jsonl", content[:last])}})
	st, _ := parseState("", first.State)
	f := st.files["/s/a.jsonl"]
	if f.Read != int64(last) || f.Offset == 0 || f.Read-f.Offset > int64(len(content))/3 {
		t.Errorf("of %d bytes the next scan would read from %d", last, f.Offset)
	}
}

func TestAnyOrderAndRepetitionGivesTheSameLog(t *testing.T) {
	var files []File
	for i := range 4 {
		events := learner().events()
		for j := range events {
			events[j].ID += fmt.Sprint("-", i)
			events[j].Time = events[j].Time.Add(time.Duration(i) * 24 * time.Hour)
		}
		files = append(files, memory(fmt.Sprintf("/s/%d.jsonl", i), claudeFile(fmt.Sprint("s", i), events)))
	}
	want := logOf(t, files...)
	for _, order := range [][]int{{3, 2, 1, 0}, {1, 3, 0, 2}, {0, 0, 1, 2, 3, 1}} {
		log := &observe.Log{}
		for _, i := range order {
			scanAll(t, Input{Files: []File{files[i]}, Log: log}) // without state: from the beginning each time
		}
		if got := log.Bytes(); !bytes.Equal(got, want) {
			t.Errorf("order %v gives another log:\n%s\nwant\n%s", order, got, want)
		}
	}
	for _, o := range scanAll(t, Input{Files: files}).Log.Observations() {
		if o.Observations != 4 {
			t.Errorf("%q was met in %d sessions, counted %d", o.Pattern, 4, o.Observations)
		}
	}
}

func TestCopiedAndResumedSessionsCountOnce(t *testing.T) {
	original := claudeFile("s1", learner().events())
	more := append(learner(), bash("git show 1 --no-stat", fail, "fatal: unrecognized argument: --no-stat"), bash("git show 1", ok, "c"))
	copies := map[string][]byte{
		"a copy of the file":                      original,
		"a resumed session with an id of its own": claudeFile("s2", learner().events()),
		"a fork that goes on":                     claudeFile("s3", more.events()),
	}
	for name, second := range copies {
		t.Run(name, func(t *testing.T) {
			r := scanAll(t, Input{Files: []File{memory("/s/a.jsonl", original), memory("/s/b.jsonl", second)}})
			for _, o := range r.Log.Observations() {
				if len(o.Sessions) != 1 {
					t.Errorf("%q counts %d sessions", o.Pattern, len(o.Sessions))
				}
			}
		})
	}
}

func TestSubAgentsBelongToTheirSession(t *testing.T) {
	inner := story{func(x *teller) { x.agent = "a1" }, bash("git show 1 --no-stat", fail, "fatal: unrecognized argument: --no-stat"), bash("git show 1", ok, "c")}
	events := inner.events()
	for i := range events {
		events[i].ID += "-sub"
		events[i].ToolUse += "-sub"
	}
	outer := append(learner(), bash("git show 2 --no-stat", fail, "fatal: unrecognized argument: --no-stat"), bash("git show 2", ok, "c"))
	for _, path := range []string{"/s/s1/subagents/agent-a1.jsonl", "/s/agent-a1.jsonl"} {
		r := scanAll(t, Input{Files: []File{memory("/s/s1.jsonl", claudeFile("s1", outer.events())), memory(path, claudeFile("s1", events))}})
		for _, o := range r.Log.Observations() {
			if len(o.Sessions) != 1 {
				t.Errorf("%s: %q counts %d sessions", path, o.Pattern, len(o.Sessions))
			}
		}
	}
}

func TestForeignSessionsAreRefused(t *testing.T) {
	file := memory("/s/a.jsonl", claudeFile("s1", learner().events()))
	for _, root := range []string{"/home/dev/other", "/home/dev/ap", "/home/dev/app/sub"} {
		r := scanAll(t, Input{Files: []File{file}, Root: root})
		if r.Foreign != 1 || len(r.Candidates) != 0 || len(r.Log.Observations()) != 0 {
			t.Errorf("root %s: foreign %d, candidates %d", root, r.Foreign, len(r.Candidates))
		}
		again := scanAll(t, Input{Files: []File{file}, Root: root, State: r.State})
		if again.Foreign != 1 {
			t.Errorf("the second scan counts %d foreign files", again.Foreign)
		}
		taken := scanAll(t, Input{Files: []File{file}, Root: root, State: r.State, Foreign: true})
		if len(taken.Candidates) == 0 {
			t.Error("with Foreign nothing was taken after a refusal")
		}
	}
	for _, in := range []Input{{Root: "/home/dev/app"}, {Root: "/home/dev"}, {Root: "/x", Roots: []string{"/home/dev/app/"}}, {}} {
		in.Files = []File{file}
		if r := scanAll(t, in); r.Foreign != 0 || len(r.Candidates) == 0 {
			t.Errorf("roots %q %q: refused a session of ours", in.Root, in.Roots)
		}
	}
}

func TestTornLastLineIsReadWhenItIsWhole(t *testing.T) {
	content := claudeFile("s1", learner().events())
	torn := content[:len(content)-1]
	r := scanAll(t, Input{Files: []File{memory("/s/a.jsonl", torn)}})
	st, _ := parseState("", r.State)
	if got, want := st.files["/s/a.jsonl"].Read, int64(bytes.LastIndexByte(torn, '\n')+1); got != want {
		t.Errorf("read up to %d, the last whole line ends at %d", got, want)
	}
}

func TestChangedFilesAreScannedAgain(t *testing.T) {
	content := claudeFile("s1", learner().events())
	first := scanAll(t, Input{Files: []File{memory("/s/a.jsonl", content)}})
	if again := scanAll(t, Input{Files: []File{memory("/s/a.jsonl", content)}, State: first.State}); again.Unchanged != 1 || len(again.Candidates) != 0 {
		t.Errorf("an unchanged file: %d unchanged, %d candidates", again.Unchanged, len(again.Candidates))
	}
	other := bytes.ReplaceAll(content, []byte("psql"), []byte("pgql"))
	f := memory("/s/a.jsonl", append(other, '\n'))
	if again := scanAll(t, Input{Files: []File{f}, State: first.State}); len(again.Candidates) != len(first.Candidates) {
		t.Errorf("a rewritten file gave %d candidates, want %d", len(again.Candidates), len(first.Candidates))
	}
	shorter := memory("/s/a.jsonl", content[:len(content)/2])
	if again := scanAll(t, Input{Files: []File{shorter}, State: first.State}); len(again.Candidates) == 0 {
		t.Error("a truncated file was not scanned again")
	}
}

func TestUnchangedFilesAreNotOpened(t *testing.T) {
	f := memory("/s/a.jsonl", claudeFile("s1", learner().events()))
	first := scanAll(t, Input{Files: []File{f}})
	f.Open = func() (io.ReadSeekCloser, FileInfo, error) {
		t.Error("an unchanged file was opened")
		return nil, FileInfo{}, errors.New("opened")
	}
	scanAll(t, Input{Files: []File{f}, State: first.State})
}

func TestOneBadFileHidesNoOther(t *testing.T) {
	bad := File{Path: "/s/0.jsonl", Open: func() (io.ReadSeekCloser, FileInfo, error) { return nil, FileInfo{}, errors.New("permission denied") }}
	droid := memory("/s/1.jsonl", []byte(`{"type":"session_start","id":"x","title":"t"}`+"\n"))
	noise := memory("/s/2.jsonl", []byte("\x00\xff not JSON\n{\"a\":\n[]\n"))
	good := memory("/s/3.jsonl", claudeFile("s1", learner().events()))
	r := scanAll(t, Input{Files: []File{bad, droid, noise, good}})
	if len(r.Candidates) == 0 {
		t.Error("the good file behind the bad ones was not scanned")
	}
	if r.Unknown != 2 {
		t.Errorf("%d files of unknown formats, want 2", r.Unknown)
	}
	var said []string
	for _, p := range r.Problems {
		said = append(said, p.Path+" "+p.Text)
	}
	if len(said) != 2 || !strings.Contains(said[0], "/s/0.jsonl") || !strings.Contains(said[0], "permission denied") || !strings.Contains(said[1], "Droid") {
		t.Errorf("problems %q", said)
	}
}

func TestMalformedBlocksNameFileAndLine(t *testing.T) {
	s := story{user("hi"), says("#lesson\nmistake: m\n#/lesson"), says("[PROCESS_KNOWLEDGE]\ntype: poem\n[/PROCESS_KNOWLEDGE]"), says(goodTag)}
	r := scanAll(t, Input{Files: []File{memory("/s/a.jsonl", claudeFile("s1", s.events()))}})
	want := []string{"/s/a.jsonl:2 lesson-tag", "/s/a.jsonl:3 process-knowledge"}
	var got []string
	for _, p := range r.Problems {
		got = append(got, fmt.Sprintf("%s:%d %s", p.Path, p.Line, p.Rule))
	}
	if !slices.Equal(got, want) || len(r.Candidates) != 1 {
		t.Errorf("problems %q, want %q; candidates %d", got, want, len(r.Candidates))
	}
}

func TestCancelledLessonIsNotLearned(t *testing.T) {
	cancel := says("#lesson:cancel\nmistake: Pytest hangs  without\n#/lesson:cancel")
	content := claudeFile("s1", story{user("hi"), says(goodTag), user("that was wrong"), cancel}.events())
	whole := scanAll(t, Input{Files: []File{memory("/s/a.jsonl", content)}})
	if len(whole.Log.Observations()) != 0 || len(whole.Candidates) != 0 {
		t.Errorf("learned %d, told %d", len(whole.Log.Observations()), len(whole.Candidates))
	}
	half := len(content) * 3 / 4
	first := scanAll(t, Input{Files: []File{memory("/s/a.jsonl", content[:half])}})
	if len(first.Log.Observations()) != 1 {
		t.Fatal("the lesson was not learned before it was taken back")
	}
	scanAll(t, Input{Files: []File{memory("/s/a.jsonl", content)}, Log: first.Log, State: first.State})
	if len(first.Log.Observations()) != 0 {
		t.Error("a lesson that was taken back later stayed")
	}
}

func TestCancelledScanKeepsLogAndStateTogether(t *testing.T) {
	ctx, stop := context.WithCancel(context.Background())
	files := []File{memory("/s/a.jsonl", claudeFile("s1", learner().events())), memory("/s/b.jsonl", claudeFile("s2", learner().events()))}
	r, err := Run(ctx, Input{Files: files, Redactor: testRedactor, Found: func(c Candidate) {
		if c.File == "/s/a.jsonl" {
			stop()
		}
	}})
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("error %v", err)
	}
	rest := scanAll(t, Input{Files: files, Log: r.Log, State: r.State})
	if want := logOf(t, files...); !bytes.Equal(rest.Log.Bytes(), want) {
		t.Error("after an interruption the log is another one")
	}
}

func TestProgressOnlyGrows(t *testing.T) {
	var last, total int64
	scanAll(t, Input{
		Files: []File{memory("/s/a.jsonl", claudeFile("s1", long().events())), memory("/s/b.jsonl", nil)},
		Progress: func(done, all int64) {
			if done < last || done > all {
				t.Errorf("progress %d of %d after %d", done, all, last)
			}
			last, total = done, all
		},
	})
	if last != total || total == 0 {
		t.Errorf("ended at %d of %d", last, total)
	}
}

func TestMaxCandidatesLimitsWhatIsToldAndNotWhatIsLearned(t *testing.T) {
	settings := config.Default()
	settings.MaxCandidatesPerScan = 1
	file := memory("/s/a.jsonl", claudeFile("s1", learner().events()))
	all, few := scanAll(t, Input{Files: []File{file}}), scanAll(t, Input{Files: []File{file}, Config: settings})
	if len(few.Candidates) != 3 || few.Withheld != len(all.Candidates)-3 { // one, and the two that the agent reported by tag
		t.Errorf("told %d, withheld %d of %d", len(few.Candidates), few.Withheld, len(all.Candidates))
	}
	if !bytes.Equal(few.Log.Bytes(), all.Log.Bytes()) {
		t.Error("the limit changed what was learned")
	}
}

// Whatever is shown is in the log, with what it says.
func TestEveryFindingIsLogged(t *testing.T) {
	work := story{
		bash("go test ./...", fail, "Exit code 1\n--- FAIL: TestA (0.00s)"), edit("/home/dev/app/a.go", "a", "b"), bash("go test ./...", ok, "ok  app 0.1s"),
		read("/home/dev/app/cart.ts", fail, "File does not exist."), read("/home/dev/app/src/cart.ts", ok, "x"),
		read("/home/dev/app/cart.ts", fail, "File does not exist."), read("/home/dev/app/lib/cart.ts", ok, "x"),
		bash("gh pr diff 88 --stat", fail, "Exit code 1\nunknown flag: --stat"), bash("gh pr diff 88 --name-only", ok, "a.go"),
	}
	result := scanAll(t, Input{Files: []File{memory("/s/a.jsonl", claudeFile("s1", work.events()))}})
	unfit := 0
	for _, c := range result.Candidates {
		o := result.Log.Get(c.Observation)
		if o == nil || !slices.ContainsFunc(o.Pairs(), func(p observe.Pair) bool { return p.Fix == c.Fix }) {
			t.Errorf("line %d is not in the log: %s", c.Line, c.Fix)
			continue
		}
		if c.Unfit != "" {
			unfit++
		}
		if o.QualityOK == (o.Unfit != "") {
			t.Errorf("quality %v, and it lacks %q", o.QualityOK, o.Unfit)
		}
	}
	if len(result.Candidates) != 4 || unfit != 3 || len(result.Log.Observations()) != 3 {
		t.Errorf("%d findings, %d unfit:\n%s", len(result.Candidates), unfit, result.Log.Bytes())
	}
}

func TestWindowIsBounded(t *testing.T) {
	w := new(Window)
	for i := range 3 * windowSize {
		w.Push(&transcript.Event{Kind: transcript.Assistant, Text: strings.Repeat("line\n", 40<<10), ToolUse: fmt.Sprint(i)})
		w.Push(&transcript.Event{Kind: transcript.ToolCall, ToolUse: fmt.Sprint(i), Tool: "Write", Input: json.RawMessage(`{"content":"` + strings.Repeat("x", 1<<20) + `"}`)})
	}
	size := 0
	for _, s := range w.steps {
		size += len(s.Text) + len(s.change().new) + len(s.Input)
	}
	if len(w.steps) != windowSize || size > windowSize*keepBytes {
		t.Errorf("%d steps, %d bytes", len(w.steps), size)
	}
}
