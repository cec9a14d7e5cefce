package agent

import (
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/lessons-cli/lessons/internal/agent/tools"
	"github.com/lessons-cli/lessons/internal/settings/hookfile"
)

// droid is an agent that lessons does not know: Factory's, as far as its
// documentation goes. It shows what another agent costs.
var droid = &Client{
	Name: "droid",
	home: folder{below: ".factory"},
	team: ".factory/settings.json", file: hookfile.Nested,
	hooks: []hook{
		{native: SessionStart, event: SessionStart, can: TellModel, timeout: 10},
		{native: PreToolUse, event: PreToolUse, can: DenyCall, matcher: "Execute|Create|Edit"},
		{native: PostToolUse, event: PostToolUse, can: TellModel, matcher: "Execute|Create|Edit"},
		{native: Stop, event: Stop},
	},
	tools: tools.Names{"Execute": "Bash", "Create": "Write"},
	input: claudeFields,
	answer: []field{{name: "hookSpecificOutput", object: []field{
		{name: "hookEventName", says: theEvent},
		{name: "permissionDecision", says: theVerdict},
		{name: "permissionDecisionReason", says: theReason},
		{name: "additionalContext", says: theContext},
	}}},
	merged: true,
	sessions: func(home fs.FS, root string) ([]string, error) {
		return filesBelow(home, "sessions", func(name string) bool { return Inside(textIn(home, name, "cwd"), root) })
	},
}

func TestASeventhAgentIsOneRow(t *testing.T) {
	doc, err := droid.AddHooks(nil)
	if err != nil {
		t.Fatal(err)
	}
	if events, err := droid.Registered(doc); err != nil || len(events) != 4 {
		t.Errorf("registered %v (%v) in\n%s", events, err, doc)
	}
	e, err := droid.Decode("PreToolUse", []byte(`{"session_id":"s","cwd":"/r","tool_name":"Execute","tool_input":{"command":"make"}}`))
	if err != nil || e.Session != "s" || e.Call == nil || e.Call.Tool != "Bash" || e.Call.Command != "make" {
		t.Errorf("read as %+v (%v)", e, err)
	}
	out := string(droid.Encode(e.Native, Answer{Decision: Ask, Reason: "no", Context: "because"}))
	if out != `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"no\n\nbecause"}}`+"\n" {
		t.Errorf("answered with %s", out)
	}
	home := fstest.MapFS{"sessions/a.jsonl": {Data: []byte(`{"cwd":"/r/sub"}`)}, "sessions/b.jsonl": {Data: []byte(`{"cwd":"/other"}`)}}
	if files, err := droid.Sessions(home, "/r"); err != nil || strings.Join(files, " ") != "sessions/a.jsonl" {
		t.Errorf("sessions are %v (%v)", files, err)
	}
	if droid.SessionEnd() != Stop {
		t.Errorf("a session is over at %s", droid.SessionEnd())
	}
}
