package contract

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/lessons-cli/lessons/internal/agent"
	"github.com/lessons-cli/lessons/internal/cputime"
)

// check holds for whatever input: an event that is known or none, a call where
// one belongs, and answers that keep their form.
func check(t *testing.T, c *agent.Client, event string, input []byte) agent.Event {
	t.Helper()
	e, err := c.Decode(event, input)
	switch e.Name {
	case agent.PreToolUse, agent.PostToolUse:
		if e.Call == nil && err == nil {
			t.Errorf("%s %s: no call in %q", c.Name, event, brief(input))
		}
	case "", agent.SessionStart, agent.UserPromptSubmit, agent.SubagentStart, agent.SubagentStop, agent.PreCompact, agent.Stop, agent.SessionEnd:
		if e.Call != nil {
			t.Errorf("%s %s: a call in %q", c.Name, e.Name, brief(input))
		}
	default:
		t.Errorf("%s: unknown event %q", c.Name, e.Name)
	}
	if e.Call != nil {
		if len(e.Call.Response) > agent.MaxResponse || !utf8.ValidString(e.Call.Response) {
			t.Errorf("%s %s: %d bytes of response", c.Name, e.Name, len(e.Call.Response))
		}
		if e.Call.Failed && e.Call.Unclear {
			t.Errorf("%s: both failed and unclear: %q", c.Name, brief(input))
		}
	}
	checkAnswers(t, c, e)
	return e
}

func brief(input []byte) []byte { return input[:min(len(input), 200)] }

func TestTruncatedInputIsNoEventOfItsOwn(t *testing.T) {
	for _, p := range payloads(t) {
		whole := bytes.TrimSpace(p.input)
		for n := 0; n < len(whole); n += 1 + len(whole)/60 {
			if _, err := p.client.Decode(p.event, whole[:n]); err == nil {
				t.Errorf("%s cut at %d: no error", p.file, n)
			}
			check(t, p.client, p.event, whole[:n])
		}
	}
}

// TestWrongTypesAreAbsent puts a value of each type into each field, one at a
// time. The other fields still count.
func TestWrongTypesAreAbsent(t *testing.T) {
	for _, p := range payloads(t) {
		var fields map[string]json.RawMessage
		if err := json.Unmarshal(p.input, &fields); err != nil {
			t.Fatal(err)
		}
		for key := range fields {
			for _, value := range []string{`0`, `-1e99`, `true`, `null`, `[]`, `[[{}],1]`, `{}`, `{"command":7}`, `""`, `"x"`} {
				damaged := map[string]json.RawMessage{}
				for k, v := range fields {
					damaged[k] = v
				}
				damaged[key] = json.RawMessage(value)
				input, err := json.Marshal(damaged)
				if err != nil {
					t.Fatal(err)
				}
				check(t, p.client, p.event, input)
			}
		}
		check(t, p.client, p.event, deepen(p.input))
	}
}

// deepen replaces every value below the first level by one of another type.
func deepen(input []byte) []byte {
	var v any
	_ = json.Unmarshal(input, &v) // recorded, so valid
	var turn func(v any, depth int) any
	turn = func(v any, depth int) any {
		switch v := v.(type) {
		case map[string]any:
			for k, inner := range v {
				v[k] = turn(inner, depth+1)
			}
			return v
		case string:
			if depth > 1 {
				return []any{v, 1.5}
			}
		case bool:
			return "true"
		}
		return v
	}
	out, _ := json.Marshal(turn(v, 0))
	return out
}

// TestKeysOfAnotherCaseAreOtherKeys: before and behind the real ones, on the
// first level and inside the call's input, they change nothing.
func TestKeysOfAnotherCaseAreOtherKeys(t *testing.T) {
	ignoreInput := cmp.FilterPath(func(p cmp.Path) bool { return p.Last().String() == ".Input" }, cmp.Ignore())
	const evil = `"SESSION_ID":"evil","Hook_Event_Name":"SessionEnd","Tool_Name":"Read","TOOL_INPUT":{"command":"evil"},"Cwd":"/evil","CURSOR_VERSION":"1","Prompt":"evil","INPUT":{},"Output":{}`
	for _, p := range payloads(t) {
		whole := bytes.TrimSpace(p.input)
		want, err := p.client.Decode(p.event, whole)
		if err != nil {
			t.Fatal(err)
		}
		before := append([]byte("{"+evil+","), whole[1:]...)
		behind := append(append(bytes.Clone(whole[:len(whole)-1]), ","+evil...), '}')
		inside := bytes.Replace(whole, []byte(`"tool_input": {`), []byte(`"tool_input": {"COMMAND":"evil","File_Path":"/evil",`), 1)
		inside = bytes.Replace(inside, []byte(`"args": {`), []byte(`"args": {"COMMAND":"evil","FilePath":"/evil",`), 1)
		for _, input := range [][]byte{before, behind, inside} {
			if !json.Valid(input) {
				continue // an empty object took the comma
			}
			got, err := p.client.Decode(p.event, input)
			if diff := cmp.Diff(want, got, ignoreInput); err != nil || diff != "" {
				t.Errorf("%s: %v\n%s", p.file, err, diff)
			}
		}
	}
}

// TestOfEqualKeysTheLastCounts, as it does for the agents themselves, which are
// written in languages where it does.
func TestOfEqualKeysTheLastCounts(t *testing.T) {
	for _, p := range payloads(t) {
		whole := bytes.TrimSpace(p.input)
		want, err := p.client.Decode(p.event, whole)
		if err != nil || want.Name == "" {
			continue
		}
		doubled := append([]byte(`{"session_id":"first","tool_name":"first","tool_input":{"command":"first"},"hook_event_name":"first","input":{"tool":"first"},"output":{},`), whole[1:]...)
		got, err := p.client.Decode(p.event, doubled)
		if got.Call != nil && want.Call == nil || err != nil || got.Name != want.Name || got.Session != want.Session {
			t.Errorf("%s: got %+v (%v)", p.file, got, err)
		}
		if want.Call != nil && (got.Call == nil || got.Call.Command != want.Call.Command || got.Call.Tool != want.Call.Tool) {
			t.Errorf("%s: the call is %+v", p.file, got.Call)
		}
	}
}

func TestBytesThatAreNoTextAreRead(t *testing.T) {
	for _, p := range payloads(t) {
		for _, from := range []string{"o", "/", "t"} {
			input := bytes.ReplaceAll(p.input, []byte(from), []byte("\xff\xfe"))
			check(t, p.client, p.event, input)
		}
		input := bytes.Replace(p.input, []byte("/home/dev"), []byte("/home/d\xc3\x28v\xed\xa0\x80"), 1)
		if e := check(t, p.client, p.event, input); !utf8.ValidString(e.Cwd + e.Transcript + e.Prompt) {
			t.Errorf("%s: invalid text comes out: %q", p.file, e.Cwd)
		}
	}
}

// TestHugeInputIsAnsweredInTime: the command reads 4 MB at most; a decoder has no
// such limit of its own.
func TestHugeInputIsAnsweredInTime(t *testing.T) {
	if testing.Short() {
		t.Skip("16 MB for each event")
	}
	padding := strings.Repeat("lorem ipsum \\u00e9 ", 1<<20)
	seen := map[string]bool{}
	for _, p := range payloads(t) {
		key := p.client.Name + p.event
		if seen[key] {
			continue
		}
		seen[key] = true
		whole := bytes.TrimSpace(p.input)
		input := append([]byte(`{"padding":"`+padding+`",`), whole[1:]...)
		var e agent.Event
		if took := cputime.Of(func() { e = check(t, p.client, p.event, input) }); took > 2*time.Second {
			t.Errorf("%s: %v", p.file, took)
		}
		if plain, _ := p.client.Decode(p.event, whole); e.Name != plain.Name {
			t.Errorf("%s is %q with padding", p.file, e.Name)
		}
	}
	for _, c := range clients {
		for _, input := range []string{
			strings.Repeat("[", 1<<20), strings.Repeat(`{"tool_input":`, 1<<18),
			`{"hook_event_name":"PostToolUse","tool_name":"Bash","tool_response":` + strings.Repeat("[", 9000) + strings.Repeat("]", 9000) + `}`,
			`{"hook_event_name":"PostToolUse","tool_name":"Bash","tool_response":{"stdout":"` + padding + `"}}`,
			`{"hook_event_name":"BeforeAgent","prompt":"` + strings.Repeat("<hook_context>", 1<<18) + `"}`,
			`{"hook_event_name":"AfterTool","tool_name":"run_shell_command","tool_response":{"llmContent":"` + strings.Repeat(`Error: \n`, 1<<18) + `"}}`,
			`{"hook_event_name":"PreToolUse","tool_name":"apply_patch","tool_input":{"command":"` + strings.Repeat(`*** Add File: a\n`, 1<<18) + `"}}`,
		} {
			if took := cputime.Of(func() { check(t, c, "PostToolUse", []byte(input)) }); took > 2*time.Second {
				t.Errorf("%s: %v for %q", c.Name, took, brief([]byte(input)))
			}
		}
	}
}

func fuzzDecode(f *testing.F, name string) {
	var client *agent.Client
	for _, p := range payloads(f) {
		if p.client.Name == name {
			client = p.client
			f.Add(p.event, p.input)
		}
	}
	f.Fuzz(func(t *testing.T, event string, input []byte) { check(t, client, event, input) })
}

func FuzzDecodeClaude(f *testing.F)   { fuzzDecode(f, "claude") }
func FuzzDecodeCodex(f *testing.F)    { fuzzDecode(f, "codex") }
func FuzzDecodeGemini(f *testing.F)   { fuzzDecode(f, "gemini") }
func FuzzDecodeOpenCode(f *testing.F) { fuzzDecode(f, "opencode") }
func FuzzDecodeCursor(f *testing.F)   { fuzzDecode(f, "cursor") }
func FuzzDecodeCopilot(f *testing.F)  { fuzzDecode(f, "copilot") }
