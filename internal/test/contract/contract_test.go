// Package contract holds one suite for all coding agents: what every client
// must do with recorded, damaged and hostile input, and with settings files.
package contract

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lessons-cli/lessons/internal/agent"
)

var update = flag.Bool("update", false, "write the golden files anew")

var clients = agent.All

// handwritten are the agents whose payloads nobody has recorded: they are in the
// form that the agent's documentation gives.
var handwritten = map[string]bool{"cursor": true, "copilot": true}

// recorded is the input of one hook as a released client wrote it, or as its
// documentation describes it.
type recorded struct {
	client *agent.Client
	file   string
	event  string // the agent's word, as the registered command would pass it
	input  []byte
}

func payloads(t testing.TB) []recorded {
	t.Helper()
	var found []recorded
	for _, c := range clients {
		files, err := filepath.Glob("testdata/payloads/" + c.Name + "/*.json")
		least := 30
		if handwritten[c.Name] {
			least = 12
		}
		if err != nil || len(files) < least {
			t.Fatalf("%d payloads of %s (%v)", len(files), c.Name, err)
		}
		for _, f := range files {
			data, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			found = append(found, recorded{c, c.Name + "/" + filepath.Base(f), eventOf(c, filepath.Base(f)), data})
		}
	}
	return found
}

// eventOf takes the agent's word for the event from a file's name.
func eventOf(c *agent.Client, base string) string {
	if c.Name == "opencode" {
		for _, e := range c.Events() {
			if strings.HasPrefix(base, string(e)+".") {
				return string(e)
			}
		}
	}
	word, _, _ := strings.Cut(base, ".")
	word, _, _ = strings.Cut(word, "-")
	return word
}

// wanted says which event a recorded payload is, from its name alone.
var wanted = map[string]map[string]agent.EventName{
	"claude": {
		"SessionStart": agent.SessionStart, "UserPromptSubmit": agent.UserPromptSubmit, "PreToolUse": agent.PreToolUse,
		"PostToolUse": agent.PostToolUse, "PostToolUseFailure": agent.PostToolUse, "SubagentStart": agent.SubagentStart,
		"SubagentStop": agent.SubagentStop, "PreCompact": agent.PreCompact, "Stop": agent.Stop, "SessionEnd": agent.SessionEnd,
	},
	"codex": {
		"SessionStart": agent.SessionStart, "UserPromptSubmit": agent.UserPromptSubmit, "PreToolUse": agent.PreToolUse,
		"PostToolUse": agent.PostToolUse, "SubagentStart": agent.SubagentStart, "SubagentStop": agent.SubagentStop,
		"PreCompact": agent.PreCompact, "Stop": agent.Stop, "SessionEnd": agent.SessionEnd,
	},
	"gemini": {
		"SessionStart": agent.SessionStart, "BeforeAgent": agent.UserPromptSubmit, "BeforeTool": agent.PreToolUse,
		"AfterTool": agent.PostToolUse, "AfterAgent": agent.Stop, "SessionEnd": agent.SessionEnd,
	},
	"cursor": {
		"sessionStart": agent.SessionStart, "preToolUse": agent.PreToolUse, "postToolUse": agent.PostToolUse,
		"postToolUseFailure": agent.PostToolUse, "stop": agent.Stop, "sessionEnd": agent.SessionEnd,
	},
	"copilot": {
		"sessionStart": agent.SessionStart, "preToolUse": agent.PreToolUse, "postToolUse": agent.PostToolUse,
		"postToolUseFailure": agent.PostToolUse, "PreToolUse": agent.PreToolUse, "PostToolUse": agent.PostToolUse,
		"PostToolUseFailure": agent.PostToolUse, "agentStop": agent.Stop, "sessionEnd": agent.SessionEnd, "subagentStart": agent.SubagentStart,
	},
	"opencode": {"chat.message": agent.UserPromptSubmit, "tool.execute.before": agent.PreToolUse, "tool.execute.after": agent.PostToolUse},
}

// special are the payloads whose event shows in more than the first word.
var special = map[string]agent.EventName{
	"gemini/PreCompress.manual.json":                           agent.PreCompact,
	"opencode/event.session.idle.json":                         agent.Stop,
	"opencode/event.message.part.updated.tool.error.bash.json": agent.PostToolUse,
	"opencode/event.message.part.updated.tool.error.edit.json": agent.PostToolUse,
	"opencode/event.message.part.updated.tool.error.glob.json": agent.PostToolUse,
	"opencode/event.message.part.updated.tool.error.grep.json": agent.PostToolUse,
	"opencode/event.message.part.updated.tool.error.read.json": agent.PostToolUse,
}

func TestRecordedPayloadsAreTheRightEvents(t *testing.T) {
	var golden strings.Builder
	for _, p := range payloads(t) {
		e, err := p.client.Decode(p.event, p.input)
		if err != nil {
			t.Errorf("%s: %v", p.file, err)
			continue
		}
		want, ok := special[p.file]
		if !ok {
			want = wanted[p.client.Name][p.event]
		}
		if e.Name != want {
			t.Errorf("%s is %q, want %q", p.file, e.Name, want)
		}
		if want == "" {
			continue
		}
		if e.Session == "" || e.Cwd == "" && p.client.Name != "opencode" {
			t.Errorf("%s: no session or folder in %+v", p.file, e)
		}
		if e.Call != nil {
			e.Call.Input = nil // in the payload
		}
		line, err := json.Marshal(e)
		if err != nil {
			t.Fatal(err)
		}
		golden.WriteString(p.file + "\n\t" + strings.ReplaceAll(string(line), "00000000-0000-4000-8000-", "…") + "\n")
	}
	compareGolden(t, "testdata/events.golden", golden.String())
}

func compareGolden(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got), go test -update writes it anew:\n%s", file, diff)
	}
}

// answers are everything that lessons may want to say.
var answers = []struct {
	name   string
	answer agent.Answer
}{
	{"silence", agent.Answer{}},
	{"context", agent.Answer{Context: "[lessons] <1> for \"Bash\" & more"}},
	{"message", agent.Answer{Message: "lessons wrote 1 item"}},
	{"deny", agent.Answer{Decision: agent.Deny, Reason: "use go test -timeout=30s", Context: "beside it"}},
	{"deny without a reason", agent.Answer{Decision: agent.Deny}},
	{"ask", agent.Answer{Decision: agent.Ask, Reason: "really?"}},
	{"block", agent.Answer{Decision: agent.Block, Reason: "run the tests first"}},
	{"input", agent.Answer{Input: json.RawMessage(`{"command":"go test -timeout=30s"}`), Context: "rewritten"}},
	{"deny beats input", agent.Answer{Decision: agent.Deny, Reason: "no", Input: json.RawMessage(`{"command":"x"}`)}},
	{"input that is no object", agent.Answer{Input: json.RawMessage(`{"command":`), Decision: agent.Deny, Reason: "no"}},
}

func TestAnswersOfEachAgent(t *testing.T) {
	for _, c := range clients {
		t.Run(c.Name, func(t *testing.T) {
			events := c.Events()
			if c.Name == "claude" {
				events = append(events, agent.PreCompact) // known, not registered
			}
			var golden strings.Builder
			for _, event := range events {
				for _, a := range answers {
					out := string(c.Encode(event, a.answer))
					if out == "" {
						out = "nothing\n"
					}
					golden.WriteString(string(event) + " / " + a.name + ": " + out)
				}
			}
			compareGolden(t, "testdata/answers-"+c.Name+".golden", golden.String())
		})
	}
}

// TestAnswersKeepToTheAbilities: what an event cannot do is left out, so nothing
// counts as delivered that nobody reads.
func TestAnswersKeepToTheAbilities(t *testing.T) {
	for _, p := range payloads(t) {
		e, err := p.client.Decode(p.event, p.input)
		if err != nil || e.Name == "" {
			continue
		}
		for ability, a := range map[agent.Ability]agent.Answer{
			agent.TellPerson: {Message: "m"}, agent.HoldStop: {Decision: agent.Block, Reason: "r"},
			agent.DenyCall: {Decision: agent.Deny, Reason: "r"}, agent.ChangeInput: {Input: json.RawMessage(`{"a":1}`)},
		} {
			if got := p.client.Encode(e.Native, a) != nil; got != e.Can.Has(ability) {
				t.Errorf("%s: an answer is %v, the ability %v (%b)", p.file, got, e.Can.Has(ability), ability)
			}
		}
		if e.Can.Has(agent.TellModel) && p.client.Encode(e.Native, agent.Answer{Context: "c"}) == nil {
			t.Errorf("%s: a context is dropped", p.file)
		}
		checkAnswers(t, p.client, e)
	}
}

// checkAnswers: silence is silence, an answer is one JSON object on one line, and
// no call is ever allowed.
func checkAnswers(t *testing.T, c *agent.Client, e agent.Event) {
	t.Helper()
	for _, a := range answers {
		out := c.Encode(e.Native, a.answer)
		if a.name == "silence" && out != nil {
			t.Errorf("%s %s: silence says %s", c.Name, e.Native, out)
		}
		if out == nil {
			continue
		}
		var o map[string]any
		if json.Unmarshal(out, &o) != nil || strings.Count(string(out), "\n") != 1 {
			t.Errorf("%s %s: not one line of JSON: %s", c.Name, e.Native, out)
		}
		for _, word := range []string{`"allow"`, `"approve"`, `"continue"`, `"suppressOutput"`} {
			if strings.Contains(string(out), word) {
				t.Errorf("%s %s: %s in %s", c.Name, e.Native, word, out)
			}
		}
	}
}

// TestAnEventIsAnsweredOnce: agents that read Claude Code's settings run its
// hooks too; their own hook answers.
func TestAnEventIsAnsweredOnce(t *testing.T) {
	foreign := map[string]string{
		"Cursor":                     `{"conversation_id":"c","generation_id":"g","model":"m","hook_event_name":"PreToolUse","cursor_version":"3.1","workspace_roots":["/r"],"tool_name":"Shell","tool_input":{"command":"ls"}}`,
		"Copilot":                    `{"sessionId":"s","timestamp":1795171912533,"cwd":"/r","toolName":"bash","toolArgs":"{}"}`,
		"Copilot, Claude Code's way": `{"session_id":"s","hook_event_name":"PreToolUse","timestamp":"2026-11-20T10:47:03.797Z","cwd":"/r","tool_name":"Bash","tool_input":{"command":"ls"}}`,
		"Windsurf":                   `{"agent_action_name":"pre_run_command","trajectory_id":"t","tool_info":{"command_line":"ls"}}`,
		"Cline":                      `{"clineVersion":"3","hookName":"PreToolUse","taskId":"1"}`,
	}
	for _, p := range payloads(t) {
		if n := p.client.Name; n == "codex" || n == "gemini" || handwritten[n] {
			foreign[p.file] = string(p.input)
		}
	}
	for who, input := range foreign {
		for _, own := range []*agent.Client{agent.Cursor, agent.Copilot} {
			mine := strings.HasPrefix(strings.ToLower(who), own.Name)
			if e, err := own.Decode("preToolUse", []byte(input)); err != nil || !mine && e.Name != "" {
				t.Errorf("%s: answered by %s as %q (%v)", who, own.Name, e.Name, err)
			}
		}
		e, err := agent.Claude.Decode("PreToolUse", []byte(input))
		if err != nil || e.Name != "" {
			t.Errorf("%s: answered as %q (%v)", who, e.Name, err)
		}
	}
	for _, p := range payloads(t) {
		if p.client.Name != "claude" || !strings.Contains(string(p.input), "prompt_id") {
			continue
		}
		for _, c := range []*agent.Client{agent.Codex, agent.Gemini, agent.Cursor, agent.Copilot} {
			if e, _ := c.Decode(p.event, p.input); e.Name != "" {
				t.Errorf("%s: answered by %s as %q", p.file, c.Name, e.Name)
			}
		}
	}
}

// TestTheInputsWordForTheEventCounts: a hook that is registered for another event
// than it is called for still answers the one that happened.
func TestTheInputsWordForTheEventCounts(t *testing.T) {
	for _, p := range payloads(t) {
		if p.client.Name == "opencode" {
			continue // its plugin names the event in one place only
		}
		if p.client.Name == "copilot" && strings.Contains(string(p.input), "sessionId") {
			continue // its own form does not name the event
		}
		if strings.HasPrefix(filepath.Base(p.file), "statusLine") {
			continue
		}
		right, err := p.client.Decode(p.event, p.input)
		if err != nil {
			t.Fatal(err)
		}
		other, err := p.client.Decode("SessionEnd", p.input)
		if diff := cmp.Diff(right, other); err != nil || diff != "" {
			t.Errorf("%s: %v\n%s", p.file, err, diff)
		}
	}
}

func TestEveryEventHasACommandOfItsOwn(t *testing.T) {
	for _, c := range clients {
		var seen []string
		for _, e := range c.Events() {
			command := c.Command(e)
			if slices.Contains(seen, command) || !strings.Contains(command, " "+c.Name+" "+string(e)+" ") {
				t.Errorf("%s %s: %s", c.Name, e, command)
			}
			seen = append(seen, command)
		}
	}
}
