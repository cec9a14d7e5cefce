package transcript

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

var inClaude = Layout{Format: Claude}

var update = flag.Bool("update", false, "rewrite the golden files")

// read returns all events of a text, which must be readable.
func read(t testing.TB, text string, opts Options) ([]Event, Stats) {
	t.Helper()
	var events []Event
	stats, err := inClaude.Read(strings.NewReader(text), opts, func(e Event) error {
		events = append(events, e)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return events, stats
}

// show renders events one a line, without what all share.
func show(events []Event) string {
	var b strings.Builder
	for _, e := range events {
		fmt.Fprintf(&b, "%d %s", e.Line, e.Kind)
		for _, v := range []string{e.Agent, e.Tool, e.Outcome.String()} {
			if v != "" {
				b.WriteString(" " + v)
			}
		}
		if e.Kind == ToolResult && e.Exit >= 0 {
			fmt.Fprintf(&b, " exit %d", e.Exit)
		}
		if text := e.Text + string(e.Input); text != "" {
			if len(text) > 100 {
				text = strings.ToValidUTF8(text[:100], "") + "…"
			}
			fmt.Fprintf(&b, " %q", text)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// TestRecordedSessions reads sessions that the real client wrote.
func TestRecordedSessions(t *testing.T) {
	files, err := filepath.Glob("testdata/claude/*.jsonl")
	if err != nil || len(files) == 0 {
		t.Fatal("no recorded sessions", err)
	}
	for _, name := range files {
		t.Run(filepath.Base(name), func(t *testing.T) {
			data, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			events, stats := read(t, string(data), Options{})
			m := stats.Meta
			got := show(events) + fmt.Sprintf("session %s agent %q in %s on %q version %s, %d machine, %d bad, %d unknown\n",
				m.Session, m.Agent, m.Cwd, m.Branch, m.Version, stats.Machine, stats.Bad, stats.Unknown)
			golden := strings.TrimSuffix(name, ".jsonl") + ".golden"
			if *update {
				if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), got); diff != "" {
				t.Error(diff)
			}
			for _, e := range events {
				if e.Time.IsZero() || e.Session == "" || e.ID == "" {
					t.Errorf("line %d: %+v lacks what the line has", e.Line, e)
				}
			}
		})
	}
}

// recordedByClaude are the recorded sessions by their names.
func recordedByClaude(t *testing.T) map[string][]byte {
	t.Helper()
	files, err := filepath.Glob("testdata/claude/*.jsonl")
	if err != nil || len(files) == 0 {
		t.Fatal("no recorded sessions", err)
	}
	sessions := map[string][]byte{}
	for _, name := range files {
		if sessions[name], err = os.ReadFile(name); err != nil {
			t.Fatal(err)
		}
	}
	return sessions
}

// Members are read one by one, however often lines look alike, where spaces
// stand between them.
func TestSpacesChangeNothing(t *testing.T) {
	for name, data := range recordedByClaude(t) {
		var narrow, wide bytes.Buffer
		for l := range bytes.Lines(data) {
			var spaced bytes.Buffer
			if json.Compact(&narrow, l) != nil || json.Indent(&spaced, l, "", " ") != nil {
				t.Fatalf("%s: %s", name, l)
			}
			narrow.WriteByte('\n')
			wide.Write(bytes.ReplaceAll(bytes.TrimSpace(spaced.Bytes()), []byte{'\n'}, []byte{' '}))
			wide.WriteByte('\n')
		}
		want, _ := read(t, narrow.String(), Options{})
		got, _ := read(t, wide.String(), Options{})
		for i := range got {
			var input bytes.Buffer
			if len(got[i].Input) > 0 && json.Compact(&input, got[i].Input) == nil {
				got[i].Input = input.Bytes()
			}
			got[i].Offset = want[min(i, len(want)-1)].Offset
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s:\n%s", name, diff)
		}
	}
}

func line(kind, uuid, content string) string {
	return fmt.Sprintf(`{"type":%q,"uuid":%q,"sessionId":"s","timestamp":"2026-01-02T03:04:05Z","message":{"role":%q,"content":%s}}`, kind, uuid, kind, content)
}

func TestDamagedFiles(t *testing.T) {
	one, two := line("user", "u1", `"first"`), line("user", "u2", `"second"`)
	for _, tt := range []struct {
		name, text string
		opts       Options
		want       string
		bad        int
		torn       bool
	}{
		{"two objects on one line", one + two + "\n", Options{}, "first second", 0, false},
		{"two objects and a space", one + "  " + two + "\n", Options{}, "first second", 0, false},
		{"byte order mark", "\uFEFF" + one + "\n" + two + "\n", Options{}, "first second", 0, false},
		{"carriage returns", one + "\r\n" + two + "\r\n", Options{}, "first second", 0, false},
		{"zeros where a crash left them", one + "\n\x00\x00\x00\x00\n\x00\x00" + two + "\n", Options{}, "first second", 0, false},
		{"empty lines", "\n\n" + one + "\n\n" + two + "\n", Options{}, "first second", 0, false},
		{"a line that is no JSON", "hello\n" + one + "\n{\"a\":\n" + two + "\n", Options{}, "first second", 2, false},
		{"other values", "[1,2]\nnull\n\"x\"\n" + one + "\n", Options{}, "first", 3, false},
		{"torn last line", one + "\n" + two[:40], Options{}, "first", 0, true},
		{"whole last line without its end", one + "\n" + two, Options{}, "first", 0, true},
		{"last line of a file that is finished", one + "\n" + two, Options{Whole: true}, "first second", 0, false},
		{"torn last line of a file that is finished", one + "\n" + two[:40], Options{Whole: true}, "first", 1, false},
		{"torn line with the next one behind it", two[:60] + one + "\n", Options{}, "first", 1, false},
		{"keys in another case are other keys", strings.Replace(one, `"type"`, `"Type"`, 1) + "\n" + two + "\n", Options{}, "second", 0, false},
		{"a line that is too long", line("user", "u0", `"`+strings.Repeat("x", 500)+`"`) + "\n" + one + "\n", Options{MaxLine: 300}, "first", 0, false},
		{"fields of other types", `{"type":"user","uuid":7,"sessionId":["s"],"message":"error"}` + "\n" + one + "\n", Options{}, "first", 0, false},
		{"content of other types", line("user", "u0", `{"a":1}`) + "\n" + line("user", "u0", `[1,null,{"type":7,"text":false}]`) + "\n" + one + "\n", Options{}, "first", 0, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			events, stats := read(t, tt.text, tt.opts)
			var got []string
			for _, e := range events {
				got = append(got, e.Text)
			}
			if strings.Join(got, " ") != tt.want || stats.Bad != tt.bad || stats.Torn != tt.torn {
				t.Errorf("got %q, %+v", got, stats)
			}
		})
	}
}

// A scan goes on where the last one stopped, so a line that was torn then is
// read once it is whole, and nothing is read twice or left out.
func TestReadingGoesOnWhereItStopped(t *testing.T) {
	data, err := os.ReadFile("testdata/claude/all-tools.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	all, stats := read(t, string(data), Options{})
	if stats.Offset != int64(len(data)) {
		t.Fatalf("stopped at %d of %d", stats.Offset, len(data))
	}
	rapid.Check(t, func(t *rapid.T) {
		cut := rapid.IntRange(0, len(data)).Draw(t, "cut")
		var got []Event
		collect := func(e Event) error { got = append(got, e); return nil }
		first, err := inClaude.Read(strings.NewReader(string(data[:cut])), Options{}, collect)
		if err != nil {
			t.Fatal(err)
		}
		if first.Offset > int64(cut) || first.Torn != (first.Offset < int64(cut)) {
			t.Fatalf("cut at %d: %+v", cut, first)
		}
		last, err := inClaude.Read(strings.NewReader(string(data[first.Offset:])), Options{From: first.Position}, collect)
		if err != nil {
			t.Fatal(err)
		}
		if last.Position != stats.Position {
			t.Fatalf("ended at %+v, want %+v", last.Position, stats.Position)
		}
		if len(got) != len(all) {
			t.Fatalf("%d events, want %d", len(got), len(all))
		}
		for i := range got {
			if got[i].Line != all[i].Line || got[i].ID != all[i].ID || got[i].Kind != all[i].Kind || got[i].Text != all[i].Text {
				t.Fatalf("event %d: got %+v, want %+v", i, got[i], all[i])
			}
		}
	})
}

func TestErrorsEndTheReading(t *testing.T) {
	text := line("user", "u1", `"first"`) + "\n" + line("user", "u2", `"second"`) + "\n"
	enough := errors.New("enough")
	n := 0
	stats, err := inClaude.Read(strings.NewReader(text), Options{}, func(Event) error { n++; return enough })
	if !errors.Is(err, enough) || n != 1 || stats.Events != 1 {
		t.Errorf("emit's error: %v after %d events, %+v", err, n, stats)
	}
	broken := errors.New("broken")
	stats, err = inClaude.Read(&failing{text[:len(text)/2+10], broken}, Options{}, func(Event) error { return nil })
	if !errors.Is(err, broken) || stats.Line != 1 {
		t.Errorf("reader's error: %v, %+v", err, stats)
	}
}

// failing gives a text and then an error.
type failing struct {
	text string
	err  error
}

func (f *failing) Read(p []byte) (int, error) {
	if f.text == "" {
		return 0, f.err
	}
	n := copy(p, f.text)
	f.text = f.text[n:]
	return n, nil
}

func TestWhoSaidIt(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"a person", line("user", "u", `"use tabs"`), "1 user \"use tabs\"\n"},
		{"a person in blocks", line("user", "u", `[{"type":"text","text":"see"},{"type":"image","source":{}},{"type":"text","text":"this"}]`), "1 user \"see\"\n1 user \"this\"\n"},
		{"meta", strings.Replace(line("user", "u", `"skill body"`), `{`, `{"isMeta":true,`, 1), ""},
		{"summary of a compaction", strings.Replace(line("user", "u", `"This session is being continued"`), `{`, `{"isCompactSummary":true,`, 1), "1 compaction\n"},
		{"boundary and summary are one compaction", `{"type":"system","subtype":"compact_boundary","uuid":"b","sessionId":"s"}` + "\n" + strings.Replace(line("user", "u", `"x"`), `{`, `{"isCompactSummary":true,`, 1), "1 compaction\n"},
		{"prompt of a sub-agent", strings.Replace(line("user", "u", `"do it"`), `{`, `{"isSidechain":true,"agentId":"a1",`, 1), ""},
		{"text of a sub-agent", strings.Replace(line("assistant", "u", `[{"type":"text","text":"did it"}]`), `{`, `{"isSidechain":true,"agentId":"a1",`, 1), "1 assistant a1 \"did it\"\n"},
		{"unnamed sub-agent", strings.Replace(line("assistant", "u", `[{"type":"text","text":"did it"}]`), `{`, `{"isSidechain":true,`, 1), "1 assistant sidechain \"did it\"\n"},
		{"accepted plan", strings.Replace(line("user", "u", `"Do: 1, 2"`), `{`, `{"planContent":"1, 2",`, 1), ""},
		{"other origin", strings.Replace(line("user", "u", `"done"`), `{`, `{"origin":{"kind":"task-notification"},`, 1), ""},
		{"human origin", strings.Replace(line("user", "u", `"done"`), `{`, `{"origin":{"kind":"human"},`, 1), "1 user \"done\"\n"},
		{"interrupt", line("user", "u", `[{"type":"text","text":"[Request interrupted by user]"}]`), "1 interrupt\n"},
		{"interrupt and words", line("user", "u", `"[Request interrupted by user for tool use]\nuse make"`), "1 interrupt\n1 user \"use make\"\n"},
		{"error of the service", strings.Replace(line("assistant", "u", `[{"type":"text","text":"API Error: 529"}]`), `{`, `{"isApiErrorMessage":true,`, 1), ""},
		{"thinking is not said", line("assistant", "u", `[{"type":"thinking","thinking":"hm"},{"type":"text","text":"ok"}]`), "1 assistant \"ok\"\n"},
		{"hook's context", `{"type":"attachment","uuid":"a","sessionId":"s","attachment":{"type":"hook_additional_context","content":["learn me"]}}`, ""},
		{"typed during a turn", `{"type":"attachment","uuid":"a","sessionId":"s","attachment":{"type":"queued_command","prompt":"wait","commandMode":"prompt"}}`, "1 user \"wait\"\n"},
		{"notice during a turn", `{"type":"attachment","uuid":"a","sessionId":"s","attachment":{"type":"queued_command","prompt":"<task-notification>x</task-notification>","commandMode":"task-notification"}}`, ""},
		{"title", `{"type":"summary","summary":"A title","leafUuid":"x"}`, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			events, _ := read(t, tt.text+"\n", Options{})
			if got := strings.ReplaceAll(show(events), "2 compaction", "1 compaction"); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

// What the person types while the agent works is queued, and said once.
func TestQueuedWordsAreSaidOnce(t *testing.T) {
	op := func(operation, content string) string {
		return fmt.Sprintf(`{"type":"queue-operation","operation":%q,"content":%q,"sessionId":"s"}`+"\n", operation, content)
	}
	said := line("user", "u", `"stop that"`) + "\n"
	for _, tt := range []struct{ name, text, want string }{
		{"delivered in the turn", op("enqueue", "stop that") + op("remove", ""), "2 user \"stop that\"\n"},
		{"delivered in the turn and attached", op("enqueue", "stop that") + op("remove", "") + `{"type":"attachment","uuid":"a","attachment":{"type":"queued_command","prompt":"stop that"}}` + "\n", "2 user \"stop that\"\n"},
		{"delivered as a message", op("enqueue", "stop that") + op("dequeue", "") + said, "3 user \"stop that\"\n"},
		{"taken back", op("enqueue", "stop that") + op("popAll", "") + op("remove", ""), ""},
		{"a notice", op("enqueue", `{"task_id":"a1"}`) + op("remove", ""), ""},
		{"twice the same", op("enqueue", "stop that") + op("remove", "") + said + said, "2 user \"stop that\"\n4 user \"stop that\"\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if events, _ := read(t, tt.text, Options{}); show(events) != tt.want {
				t.Errorf("got %q, want %q", show(events), tt.want)
			}
		})
	}
}

// A forked or resumed session repeats history in a file of its own.
func TestCopiesAreKnownAcrossFiles(t *testing.T) {
	var seen Dedupe
	var ids []string
	copies := 0
	for _, name := range []string{"resumed", "forked", "resumed", "all-tools"} {
		data, err := os.ReadFile("testdata/claude/" + name + ".jsonl")
		if err != nil {
			t.Fatal(err)
		}
		if name == "all-tools" {
			seen = Dedupe{} // ids count from one again in every recording
		}
		events, stats := read(t, string(data), Options{Seen: &seen})
		copies += stats.Copies
		for _, e := range events {
			key := name[:1] + e.Kind.String() + e.ID + e.ToolUse + e.Text
			if name != "all-tools" && slices.Contains(ids, key[1:]) {
				t.Errorf("%s: %+v came twice", name, e)
			}
			ids = append(ids, key[1:])
		}
		if name == "all-tools" && stats.Copies != 0 {
			t.Errorf("%d copies in one file", stats.Copies)
		}
	}
	if copies < 8 || seen.size() == 0 {
		t.Errorf("%d copies found", copies)
	}
}

// A picture makes a line too long, but its call has come to an end all the same.
func TestLongResultStillEndsItsCall(t *testing.T) {
	text := line("assistant", "a", `[{"type":"tool_use","id":"t1","name":"Read","input":{"file_path":"x.png"}}]`) + "\n" +
		line("user", "u", `[{"tool_use_id":"t1","type":"tool_result","content":[{"type":"image","source":{"data":"`+strings.Repeat("A", 5000)+`"}}]}]`) + "\n"
	events, stats := read(t, text, Options{MaxLine: 1000})
	if got := show(events); !strings.HasSuffix(got, "2 tool-result Read ok\n") || stats.TooLong != 1 {
		t.Errorf("got %q, %+v", got, stats)
	}
}

func TestMemoryDoesNotGrow(t *testing.T) {
	var b strings.Builder
	for i := range 20_000 {
		fmt.Fprintln(&b, line("assistant", "a", fmt.Sprintf(`[{"type":"tool_use","id":"t%d","name":"Bash","input":{"command":"x"}}]`, i)))
		fmt.Fprintf(&b, `{"type":"queue-operation","operation":"enqueue","content":"c%d","sessionId":"s"}`+"\n", i)
	}
	r := newReader(&claudeFormat, Options{}, func(Event) error { return nil })
	c := &claude{reader: r}
	if err := r.lines(strings.NewReader(b.String()), lineForm{common: claudeLines.common, step: c.object}); err != nil {
		t.Fatal(err)
	}
	if r.stats.Events != 20_000 || len(c.calls.open) > 2*maxCalls || len(c.calls.order) > 2*maxCalls || len(c.waiting) > maxQueue {
		t.Errorf("%d events; %d calls, %d in order, %d in the queue are kept", r.stats.Events, len(c.calls.open), len(c.calls.order), len(c.waiting))
	}
}

func BenchmarkReadClaude(b *testing.B) {
	data, err := os.ReadFile("testdata/claude/all-tools.jsonl")
	if err != nil {
		b.Fatal(err)
	}
	text := strings.Repeat(string(data), 20)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := inClaude.Read(strings.NewReader(text), Options{}, func(Event) error { return nil }); err != nil {
			b.Fatal(err)
		}
	}
}

func FuzzReadClaude(f *testing.F) {
	f.Add([]byte(line("user", "u", `"x"`) + "\n"))
	f.Add([]byte(line("assistant", "a", `[{"type":"tool_use","id":"t1","name":"Bash","input":{"command":"a|b"}}]`) + "\n" + line("user", "u", `[{"type":"tool_result","tool_use_id":"t1","content":"Exit code 1","is_error":true}]`) + "\n"))
	f.Add([]byte("{\"type\":\"user\"}{\"type\":\x00\n\uFEFF{\"parentUuid\":null,\"uuid\":\"\\ud83d\\ude00\\ud83d\"}\n"))
	f.Add([]byte(resultLine("u1", "p1", "p1", `{"stdout":"a\"b","interrupted":false}`, `,"cwd":"/a","version":"2.1.9"`) + "\n" + resultLine("u2", "p2", "p2", `{"file":{}}`, `,"cwd":"/a","version":"2.1.9"`) + "\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		var one, other []Event
		whole, err := inClaude.Read(strings.NewReader(string(data)), Options{MaxLine: 4096}, func(e Event) error { one = append(one, e); return nil })
		if err != nil {
			t.Fatal(err)
		}
		if whole.Offset > int64(len(data)) || whole.Torn == (whole.Offset == int64(len(data))) && strings.Trim(string(data[whole.Offset:]), "\x00 \t\r") != "" {
			t.Fatalf("%+v of %d bytes", whole, len(data))
		}
		if _, err := inClaude.Read(iotestHalf(data), Options{MaxLine: 4096}, func(e Event) error { other = append(other, e); return nil }); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(one, other); diff != "" {
			t.Fatalf("events depend on how the file is read:\n%s", diff)
		}
		_, _ = Detect("x.jsonl", data)
	})
}

func TestWebExports(t *testing.T) {
	one, two := line("user", "u1", `"first"`), line("assistant", "u2", `[{"type":"text","text":"second"}]`)
	events, _ := readAs(t, "x.json", "{\n \"loglines\": [\n"+one+",\n"+two+"]}\n", Options{})
	if got := show(events); got != "0 user \"first\"\n1 assistant \"second\"\n" {
		t.Error(got)
	}
}

// resultLine is a line as the client writes it: its end names its parent again.
func resultLine(uuid, parent, source, result, end string) string {
	return fmt.Sprintf(`{"parentUuid":%q,"isSidechain":false,"sessionId":"s","type":"user","message":{"role":"user","content":[{"tool_use_id":"t-%s","type":"tool_result","content":"done"}]},`+
		`"uuid":%q,"timestamp":"2026-01-02T03:04:05Z","toolUseResult":%s,"sourceToolAssistantUUID":%q%s}`, parent, uuid, uuid, result, source, end)
}
