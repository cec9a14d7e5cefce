package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/lessons-cli/lessons/internal/agent"
)

// allowed is how much processor time a hook may take for any input.
const allowed = time.Second

// payload is the recorded input of one hook.
type payload struct {
	file, client, event string
	input               []byte
}

// recordedPayloads reads what released clients wrote, with the event for which
// the command is registered. Events that lessons does not hook are passed under
// the agent's own word.
func recordedPayloads(t *testing.T) []payload {
	t.Helper()
	var all []payload
	for _, c := range []*agent.Client{agent.Claude, agent.Codex, agent.Gemini, agent.OpenCode} {
		files, err := filepath.Glob("../../internal/test/contract/testdata/payloads/" + c.Name + "/*.json")
		if err != nil || len(files) < 30 {
			t.Fatalf("%d payloads of %s (%v)", len(files), c.Name, err)
		}
		for _, f := range files {
			data, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			event, _, _ := strings.Cut(strings.TrimSuffix(filepath.Base(f), ".json"), "-")
			if c.Name == "opencode" {
				for _, e := range c.Events() {
					if strings.HasPrefix(event, string(e)+".") {
						event = string(e)
					}
				}
			} else {
				event, _, _ = strings.Cut(event, ".")
			}
			all = append(all, payload{c.Name + "/" + filepath.Base(f), c.Name, event, bytes.TrimSpace(data)})
		}
	}
	return all
}

// damage is one way in which input can be bad.
type damage struct {
	name  string
	every int // of how many payloads one is damaged so
	do    func(p payload) []byte
}

const (
	evilKeys = `"SESSION_ID":"evil","Hook_Event_Name":"SessionEnd","Tool_Name":"Read","TOOL_INPUT":{"command":"evil"},"Cwd":"/evil","Prompt":"evil"`
	firsts   = `"session_id":"first","cwd":"/","tool_name":"first","tool_input":{"command":"first"},"hook_event_name":"first"`
)

// damages are all of them. Each payload is sent as it is; of the others each
// payload has some, chosen by its name, so that every run tries the same.
var damages = []damage{
	{"as it is", 1, func(p payload) []byte { return p.input }},
	{"cut after a byte", 6, func(p payload) []byte { return p.input[:1] }},
	{"cut in a third", 3, func(p payload) []byte { return p.input[:len(p.input)/3] }},
	{"cut before the end", 3, func(p payload) []byte { return p.input[:len(p.input)-1] }},
	{"strings that are numbers", 3, func(p payload) []byte { return retype(p.input, json.RawMessage(`-1e99`)) }},
	{"strings that are lists", 3, func(p payload) []byte { return retype(p.input, json.RawMessage(`[[{}],1]`)) }},
	{"strings that are null", 6, func(p payload) []byte { return retype(p.input, json.RawMessage(`null`)) }},
	{"no object", 6, func(payload) []byte { return []byte(`["PreToolUse",1,null]`) }},
	{"keys of another case", 3, func(p payload) []byte { return front(p.input, evilKeys) }},
	{"keys twice", 3, func(p payload) []byte { return front(p.input, firsts) }},
	{"invalid UTF-8", 3, func(p payload) []byte { return bytes.ReplaceAll(p.input, []byte("o"), []byte("\xff\xfe")) }},
	{"half a rune in the folder", 3, func(p payload) []byte {
		return bytes.ReplaceAll(p.input, []byte("/repo"), []byte("/r\xc3\x28po\xed\xa0\x80"))
	}},
	{"zero bytes", 6, func(p payload) []byte { return bytes.ReplaceAll(p.input, []byte(" "), []byte{0}) }},
	{"3 MB of padding", 40, func(p payload) []byte {
		return front(p.input, `"padding":"`+strings.Repeat(`lorem \u00e9 `, 3<<20/13)+`"`)
	}},
}

func front(object []byte, keys string) []byte {
	return append([]byte("{"+keys+","), object[1:]...)
}

// retype gives every text below the object another type.
func retype(input []byte, value json.RawMessage) []byte {
	var v any
	_ = json.Unmarshal(input, &v) // recorded, so valid
	var turn func(v any) any
	turn = func(v any) any {
		switch v := v.(type) {
		case map[string]any:
			for k := range v {
				v[k] = turn(v[k])
			}
		case []any:
			for i := range v {
				v[i] = turn(v[i])
			}
		case string:
			return value
		}
		return v
	}
	out, _ := json.Marshal(turn(v))
	return out
}

// chosen says whether a payload is damaged that way: always the same ones, or
// with LESSONS_TEST_ALL each of them.
func (d damage) chosen(p payload) bool {
	if os.Getenv("LESSONS_TEST_ALL") != "" {
		return true
	}
	h := fnv.New32a()
	_, _ = io.WriteString(h, d.name+"\x00"+p.file)
	return h.Sum32()%uint32(d.every) == 0
}

// TestHostileInputIsAnsweredInTimeOrNotAtAll sends recorded payloads, whole and
// damaged, to the program itself. The recorded folder is made the work tree's,
// so that lessons match.
func TestHostileInputIsAnsweredInTimeOrNotAtAll(t *testing.T) {
	w := hostileTree(t)
	type job struct {
		payload
		how string
	}
	var jobs []job
	kinds := map[string]int{}
	for _, p := range recordedPayloads(t) {
		p.input = bytes.ReplaceAll(p.input, []byte("/home/dev/project"), []byte(w.Dir))
		whole := p
		for _, d := range damages {
			p := whole
			if !d.chosen(p) {
				continue
			}
			kinds[d.name]++
			// A session of its own, or the first answer would be the last.
			p.input = bytes.ReplaceAll(p.input, []byte("00000000-0000-4000-8000-000000000001"), fmt.Appendf(nil, "00000000-0000-4000-8000-%012d", len(jobs)+2))
			jobs = append(jobs, job{payload{p.file, p.client, p.event, d.do(p)}, d.name})
		}
	}
	for _, d := range damages {
		if kinds[d.name] == 0 {
			t.Errorf("no payload is damaged so: %s", d.name)
		}
	}
	var mu sync.Mutex
	var slowest time.Duration
	var slow string
	said := 0
	queue := make(chan job)
	var workers sync.WaitGroup
	for range 4 {
		workers.Go(func() {
			for j := range queue {
				label := j.file + ", " + j.how
				out, took := answer(t, w, j.payload, bytes.NewReader(j.input), label)
				mu.Lock()
				if took > slowest {
					slowest, slow = took, label
				}
				said += min(len(out), 1)
				mu.Unlock()
			}
		})
	}
	for _, j := range jobs {
		queue <- j
	}
	close(queue)
	workers.Wait()
	if said < 100 {
		t.Errorf("only %d of %d were answered: lessons did not match", said, len(jobs))
	}
	t.Logf("%d runs, %d answered, slowest %v: %s", len(jobs), said, slowest.Round(time.Millisecond), slow)
}

// hostileTree has lessons that match what was recorded.
func hostileTree(t *testing.T) *workTree {
	w := newWorkTree(t, "LESSONS_DRY_RUN=1", agent.DeadlineVariable+"=")
	w.lesson("01K0000000000000000000000A", "Any shell call", "priority: critical\naction: stop-once\ntriggers:\n  tools: [Bash]\n  commandPatterns: [\".\"]")
	w.lesson("01K0000000000000000000000B", "Any file", "priority: critical\naction: inform\ntriggers:\n  paths: [\"**\"]")
	w.lesson("01K0000000000000000000000D", "Any word", "priority: high\naction: inform\ntriggers:\n  keywords: [say, hello, run, look, the]")
	w.lessons("trust", "--yes")
	w.lessons("compile")
	return w
}

// answer runs one hook and checks what holds for whatever input.
func answer(t *testing.T, w *workTree, p payload, input io.Reader, label string) ([]byte, time.Duration) {
	t.Helper()
	cmd := w.hook(p.client, p.event)
	cmd.Stdin = input
	return judged(t, cmd, label)
}

func judged(t *testing.T, cmd *exec.Cmd, label string) ([]byte, time.Duration) {
	t.Helper()
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	// What goes on writing to a hook that is gone is not the hook's time.
	cmd.WaitDelay = 5 * time.Second
	if err := cmd.Start(); err != nil {
		t.Errorf("%s: %v", label, err)
		return nil, 0
	}
	state, err := cmd.Process.Wait()
	_ = cmd.Wait() // only to end the copying of input
	if err != nil || state.ExitCode() != 0 {
		t.Errorf("%s: %v %v\n%s", label, state, err, errs.Bytes())
	}
	took := state.UserTime() + state.SystemTime()
	if took > allowed {
		t.Errorf("%s: took %v of processor time, allowed are %v", label, took, allowed)
	}
	if errs.Len() > 0 {
		t.Errorf("%s: standard error: %s", label, errs.Bytes())
	}
	if text := bytes.TrimSpace(out.Bytes()); len(text) > 0 {
		var object map[string]json.RawMessage
		if err := json.Unmarshal(text, &object); err != nil {
			t.Errorf("%s: not one JSON object (%v): %.300s", label, err, text)
		}
	}
	return out.Bytes(), took
}

// TestAHundredMegabytesAreNotWaitedFor: of longer input nothing counts but the
// event's name.
func TestAHundredMegabytesAreNotWaitedFor(t *testing.T) {
	w := hostileTree(t)
	for _, p := range []payload{{client: "claude", event: "PreToolUse"}, {client: "gemini", event: "BeforeAgent"}} {
		fields := fmt.Sprintf(`"session_id":"s","cwd":%q,"tool_name":"Bash","tool_input":{"command":"ls"},"prompt":"say hello"}`, w.Dir)
		input := io.MultiReader(strings.NewReader(`{"padding":"`), io.LimitReader(letters{}, 100<<20), strings.NewReader(`",`+fields))
		out, took := answer(t, w, p, input, p.client+" "+p.event)
		if len(out) > 0 {
			t.Errorf("%s: %s", p.client, out)
		}
		t.Logf("%s %s: %v", p.client, p.event, took.Round(time.Millisecond))
	}
}

type letters struct{}

func (letters) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	return len(p), nil
}

// TestStandardInputThatStaysOpenIsNotWaitedFor: one event of each agent that the
// small program answers, and those that it hands on, with a whole payload, half
// of one and nothing written.
func TestStandardInputThatStaysOpenIsNotWaitedFor(t *testing.T) {
	w := hostileTree(t)
	seen := map[string]bool{}
	runs := 0
	var slowest atomic.Int64
	var all sync.WaitGroup
	room := make(chan struct{}, 6) // they wait more than they work
	for _, p := range recordedPayloads(t) {
		if seen[p.client+p.event] || p.client == "opencode" && !strings.HasPrefix(p.event, "tool.") && p.event != "event" {
			continue
		}
		seen[p.client+p.event] = true
		written := p.input[:len(p.input)*(runs%3)/2]
		runs++
		room <- struct{}{}
		all.Go(func() {
			defer func() { <-room }()
			took := withOpenInput(t, w, p, written)
			for old := slowest.Load(); int64(took) > old && !slowest.CompareAndSwap(old, int64(took)); old = slowest.Load() {
			}
		})
	}
	all.Wait()
	if runs < 30 {
		t.Errorf("only %d events", runs)
	}
	t.Logf("%d runs, slowest %v", runs, time.Duration(slowest.Load()).Round(time.Millisecond))
}

func withOpenInput(t *testing.T, w *workTree, p payload, written []byte) time.Duration {
	t.Helper()
	read, write, err := os.Pipe()
	if err != nil {
		t.Error(err)
		return 0
	}
	defer read.Close()
	defer write.Close()                             // not before the hook is gone
	if _, err := write.Write(written); err != nil { // far less than a pipe holds
		t.Error(err)
	}
	_, took := answer(t, w, p, read, fmt.Sprintf("%s, %d bytes and no end", p.file, len(written)))
	return took
}
