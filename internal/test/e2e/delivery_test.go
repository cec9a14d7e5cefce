//go:build e2e

package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lessons-cli/lessons/internal/test/mockmodel"
)

// delivered is what every agent's model must read, and when.
type delivered struct {
	*stage
	name string
}

const stopLesson = `---
id: 01M7YN1AECSTOPSTOPSTOPSTOP
kind: warning
priority: high
status: active
confidence: 1
action: auto
triggers:
  commands: ["echo forbidden"]
created: 2026-11-20
---
# Do not echo forbidden

It is forbidden.

**Fix**: STOP-FIX
`

const failureLesson = `---
id: 01M7YN1AECFA1LFA1LFA1LFA1L
kind: warning
priority: critical
status: active
confidence: 1
action: inform
triggers:
  commands: ["no-such-program-here"]
created: 2026-11-20
---
# There is no such program

**Fix**: KNOWN-FIX
`

const guardLesson = `---
id: 01M7YN1AECGARDGARDGARDGARD
kind: requirement
priority: high
status: active
confidence: 1
action: deny
triggers:
  commands: ["echo guarded"]
require:
  passed: echo evidence
  suggest: GUARD-REASON
created: 2026-11-20
---
# Evidence first

Run echo evidence before.
`

const rewriteLesson = `---
id: 01M7YN1AECREWR1TEREWR1TER0
kind: warning
priority: high
status: active
confidence: 1
action: rewrite
triggers:
  commands: ["echo original"]
require:
  replace: ["echo original", "printf %s-%s rewritten 42"]
created: 2026-11-20
---
# Not the original

**Fix**: REWRITE-FIX
`

// newDelivery is a repository set up for an agent as a person would, with the
// real program.
func newDelivery(t *testing.T, name string) *delivered {
	t.Helper()
	dir, err := filepath.EvalSymlinks(quietDir(t))
	if err != nil {
		t.Fatal(err)
	}
	s := &stage{t, filepath.Join(dir, "shop"), filepath.Join(dir, "home"), filepath.Join(dir, "bin"), ""}
	if err := os.MkdirAll(s.bin, 0o755); err != nil {
		t.Fatal(err)
	}
	programs(t, s.bin)
	for path, text := range map[string]string{"stop-0000": stopLesson, "fail-0000": failureLesson, "guard-0000": guardLesson, "rewrite-0000": rewriteLesson} {
		s.write(filepath.Join(s.root, ".lessons", path+".md"), text)
	}
	s.write(filepath.Join(s.root, "a.txt"), "hi\n")
	if err := os.MkdirAll(s.home, 0o755); err != nil {
		t.Fatal(err)
	}
	d := &delivered{s, name}
	env := []string{"HOME=" + s.home}
	s.run(env, "git", "init", "-q")
	lessons := filepath.Join(s.bin, "lessons")
	s.run(env, lessons, "init", "--yes", "--agent", name)
	s.run(env, lessons, "add", "Money is integer cents", "--type", "decision", "--decision", "int cents", "--because", "floats lost a cent")
	s.run(env, lessons, "trust", "--yes")
	return d
}

// calls are what each agent's model asks for.
func calls(c client) []mockmodel.Turn {
	turns := c.runs("echo forbidden", "echo forbidden", "echo guarded", "echo evidence", "echo quiet", "no-such-program-here", "echo original")
	return append(turns, says("done"), says("done"), says("done"))
}

// told checks the requests: what the model read first, and how often.
func (d *delivered) told(requests []string, texts ...string) {
	d.t.Helper()
	all := strings.Join(requests, "\n")
	for _, text := range texts {
		if !strings.Contains(all, text) {
			d.t.Errorf("%s: the model never read %q", d.name, text)
		}
	}
	if len(requests) < 3 {
		d.t.Fatalf("%s: %d requests", d.name, len(requests))
	}
	if !strings.Contains(requests[1], "STOP-FIX") {
		d.t.Errorf("%s: the first wrong call was not stopped with the fix", d.name)
	}
	if n := strings.Count(requests[2], "STOP-FIX"); n != strings.Count(requests[1], "STOP-FIX") {
		d.t.Errorf("%s: the second call did not pass: the fix was said %d times", d.name, n)
	}
	if d.t.Failed() {
		for i, r := range requests {
			d.t.Logf("request %d: … %s", i, r[max(0, len(r)-1200):])
		}
	}
}

var everywhere = []string{"Lesson protocol v2", "ADR-001  Money is integer cents", "STOP-FIX", "GUARD-REASON", "KNOWN-FIX"}

func TestDelivery(t *testing.T) {
	for _, c := range clients {
		t.Run(c.name, func(t *testing.T) {
			c.find(t)
			d := newDelivery(t, c.name)
			requests := d.session(c, "run the tests", calls(c)...).Requests()
			if c.keepsInput {
				d.told(requests, append(everywhere, "REWRITE-FIX")...)
				return
			}
			d.told(requests, append(everywhere, "rewritten-42")...)
		})
	}
}

// again checks what follows a compaction and what a sub-agent gets.
func (d *delivered) again(requests []string) {
	d.t.Helper()
	last := requests[len(requests)-1]
	for _, text := range []string{"STOP-FIX", "Lesson protocol v2", "ADR-001  Money is integer cents"} {
		if !strings.Contains(last, text) {
			d.t.Errorf("%s: after the compaction the model does not read %q", d.name, text)
		}
	}
	if d.t.Failed() {
		for i, r := range requests {
			d.t.Logf("request %d: … %s", i, r[max(0, len(r)-1500):])
		}
	}
}

// full is a turn that runs a command, after which the model's context is full.
func full(c client) mockmodel.Turn {
	turn := c.runs("echo quiet")[0]
	turn.Tokens = 2_000_000
	return turn
}

func TestDeliveryAfterCompaction(t *testing.T) {
	for _, c := range []client{codexCLI, openCode} {
		t.Run(c.name, func(t *testing.T) {
			c.find(t)
			d := newDelivery(t, c.name)
			d.again(d.session(c, "run the tests", c.runs("echo forbidden")[0], full(c), says("done"), says("done")).Requests())
		})
	}
	t.Run(claudeCode.name, func(t *testing.T) {
		claudeCode.find(t)
		d := newDelivery(t, claudeCode.name)
		on := claudeCode
		on.args = func(prompt string) []string { return append(claudeCode.args(prompt), "--continue") }
		requests := d.session(claudeCode, "run the tests", bash("echo forbidden"), says("done")).Requests()
		requests = append(requests, d.session(on, "/compact", says("a summary")).Requests()...)
		d.again(append(requests, d.session(on, "go on", says("done")).Requests()...))
	})
}

func TestDeliveryToSubAgents(t *testing.T) {
	quiet := codexCLI.runs("echo quiet; sleep 2")[0] // the sub-agent works meanwhile
	for _, c := range []struct {
		client
		turns []mockmodel.Turn
	}{
		{claudeCode, []mockmodel.Turn{
			tool("Agent", map[string]any{"description": "look", "prompt": "SUBTASK look", "subagent_type": "general-purpose"}), says("sub done"), says("done"),
		}},
		{codexCLI, []mockmodel.Turn{tool("spawn_agent", map[string]any{"message": "SUBTASK look"}), quiet, quiet, says("done")}},
		{openCode, []mockmodel.Turn{
			tool("task", map[string]any{"description": "look", "prompt": "SUBTASK look", "subagent_type": "general"}), says("sub done"), says("done"),
		}},
		{copilotCLI, []mockmodel.Turn{
			tool("task", map[string]any{"description": "look", "prompt": "SUBTASK look", "agent_type": "general-purpose", "name": "look", "mode": "sync"}), says("sub done"), says("done"),
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			c.find(t)
			d := newDelivery(t, c.name)
			d.toldSubAgent(d.session(c.client, "look", c.turns...).Requests())
		})
	}
}

// toldSubAgent: some request is the sub-agent's own, and begins with what is known.
func (d *delivered) toldSubAgent(requests []string) {
	d.t.Helper()
	for _, r := range requests[1:] {
		if strings.Contains(r, "SUBTASK look") && !strings.Contains(r, "sub done") &&
			strings.Contains(r, "Lesson protocol v2") && strings.Contains(r, "CRITICAL warning: There is no such program") && strings.Contains(r, "ADR-001  Money is integer cents") {
			return
		}
	}
	d.t.Errorf("%s: the sub-agent was not told", d.name)
	for i, r := range requests {
		d.t.Logf("request %d: … %s", i, r[max(0, len(r)-1500):])
	}
}
