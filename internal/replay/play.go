package replay

import (
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/internal/agent"
	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/internal/redact"
	"github.com/lessons-cli/lessons/internal/shell"
	"github.com/lessons-cli/lessons/knowledge/calls"
	"github.com/lessons-cli/lessons/scan/transcript"
)

// Decision is one thing that a hook said in a replay.
type Decision struct {
	Archive string   `json:"archive,omitempty"`
	Session string   `json:"session"`
	Call    int      `json:"call"` // of its thread; of other events the number of calls before
	Event   string   `json:"event"`
	Tool    string   `json:"tool,omitempty"`
	Mode    string   `json:"mode"` // context, deny, ask or rewrite
	Lessons []string `json:"lessons"`
	Bytes   int      `json:"bytes"`
	// Of the call, as it was recorded:
	Outcome  string   `json:"outcome,omitempty"`
	Problems []string `json:"problems,omitempty"` // that it met
	Verdict  string   `json:"verdict,omitempty"`  // of a stop: right, wrong or neither

	of *played // nil: of no call
}

// ledCalls is how many calls before a failure what is said about its program or path
// counts as leading.
const ledCalls = 20

// told is a lesson at the moment when it was said.
type told struct {
	lesson string
	call   int // of the thread
	about  []string
	start  bool // at the start of the session, of a sub-agent or after a compaction
	own    bool // beside the call itself, or after it
}

// thread is one agent at work in a session.
type thread struct {
	calls int
	told  []told
	kind  string // of sub-agent
}

// played is one call as it was recorded, and what the hooks did at it.
type played struct {
	name    callName
	made    *step
	file    string
	heard   bool // the agent asks a hook before it
	at      int  // in its thread
	thread  *thread
	about   []string
	stopped answer // mode is empty: it was not
}

// player plays one session.
type player struct {
	*world
	session     *session
	name        string // of the session, as it is told
	steps       []step
	results     map[string]*step
	threads     map[string]*thread
	calls       []*played
	open        map[string]*played
	decisions   []Decision
	bytes       int
	atStart     int
	listed      []string // lessons that were active
	listedBytes int
	agentKind   string // that the last call for a sub-agent named
}

// play puts a session's events to the hooks, in their order.
func (p *player) play() {
	p.results, p.threads, p.open = map[string]*step{}, map[string]*thread{}, map[string]*played{}
	for i := range p.steps {
		if s := &p.steps[i]; s.Kind == transcript.ToolResult || s.Kind == transcript.Rejection {
			p.results[s.Agent+"\x00"+s.ToolUse] = s
		}
	}
	p.now = p.session.start
	p.begin("startup")
	for i := range p.steps {
		s := &p.steps[i]
		p.now = s.Time
		switch s.Kind {
		case transcript.User:
			p.prompt(s)
		case transcript.Compaction:
			p.begin("compact")
		case transcript.ToolCall:
			p.before(s)
		case transcript.ToolResult:
			p.after(s)
		}
	}
}

func (p *player) thread(s *step) *thread {
	t := p.threads[s.Agent]
	if t == nil {
		t = &thread{kind: p.agentKind}
		p.threads[s.Agent] = t
		if s.Agent != "" {
			p.starts(t, agent.SubagentStart, p.payload(s))
		}
	}
	return t
}

// payload is what every event of a session says.
func (p *player) payload(s *step) map[string]any {
	in := map[string]any{"session_id": p.session.id, "cwd": p.to}
	if s != nil {
		in["cwd"] = p.dir(s.Cwd)
		if s.Agent != "" {
			in["agent_id"], in["agent_type"] = s.Agent, p.thread(s).kind
		}
	}
	return in
}

// begin is a start of the session: the first, or the one after a compaction.
func (p *player) begin(source string) {
	in := p.payload(nil)
	in["source"] = source
	if a := p.starts(p.thread(&step{}), agent.SessionStart, in); source == "startup" {
		p.atStart = a.bytes
	}
}

// starts is what a thread is told when it starts.
func (p *player) starts(t *thread, event agent.EventName, in map[string]any) answer {
	a := p.ask(event, in)
	a.lessons = lists.With(a.lessons, p.namedIn(a.text)...)
	p.hear(t, event, a, told{start: true})
	return a
}

func (p *player) prompt(s *step) {
	in := p.payload(s)
	in["prompt"] = p.text(s.Text)
	words := strings.FieldsFunc(s.Text, func(r rune) bool { return strings.ContainsRune(" \t\n`'\"(),:;", r) })
	p.hear(p.thread(s), agent.UserPromptSubmit, p.ask(agent.UserPromptSubmit, in), told{about: words})
}

// before is a call that is about to be made.
func (p *player) before(s *step) {
	t := p.thread(s)
	c := &played{name: callName{id: calls.IDOf(s.ToolUse, s.Line)}, made: s, file: s.file, at: t.calls, thread: t, about: aboutOf(s)}
	c.heard = agent.Claude.Hears(agent.PreToolUse, spoken(s.Tool)) && !unasked(p.results[s.Agent+"\x00"+s.ToolUse])
	t.calls++
	p.calls = append(p.calls, c)
	p.open[s.Agent+"\x00"+s.ToolUse] = c
	in := p.input(s.Input)
	if kind, ok := in["subagent_type"].(string); ok {
		p.agentKind = kind
	}
	if !c.heard {
		return
	}
	payload := p.payload(s)
	payload["tool_name"], payload["tool_input"], payload["tool_use_id"] = spoken(s.Tool), in, s.ToolUse
	a := p.ask(agent.PreToolUse, payload)
	if a.mode != "" && a.mode != "context" {
		c.stopped = a
	}
	p.hearCall(c, agent.PreToolUse, a)
}

// after is a call that ended. One that was refused, or that a stop of the replay
// kept from being made, is told to no hook.
func (p *player) after(s *step) {
	c := p.open[s.Agent+"\x00"+s.ToolUse]
	if c == nil || !c.heard || c.stopped.mode == "deny" || s.Outcome == transcript.Rejected || s.Outcome == transcript.Blocked || s.Outcome == transcript.Cancelled {
		return
	}
	payload := p.payload(s)
	payload["tool_name"], payload["tool_input"], payload["tool_use_id"] = spoken(c.made.Tool), p.input(c.made.Input), s.ToolUse
	event := agent.PostToolUse
	switch text := p.text(s.Text); s.Outcome {
	case transcript.Fail, transcript.TimedOut, transcript.Interrupted:
		event = "PostToolUseFailure"
		payload["error"], payload["is_interrupt"] = text, s.Outcome == transcript.Interrupted
	default:
		response := map[string]any{"stdout": text, "stderr": "", "interrupted": false}
		if s.Outcome == transcript.NotRun {
			response["backgroundTaskId"] = "b1"
		}
		payload["tool_response"] = response
	}
	p.hearCall(c, event, p.ask(event, payload))
}

func (p *player) hearCall(c *played, event agent.EventName, a answer) {
	if d := p.hear(c.thread, event, a, told{call: c.at, about: c.about, own: true}); d != nil {
		d.Call, d.Tool, d.of = c.at, c.made.Tool, c
	}
}

// hear notes what was said.
func (p *player) hear(t *thread, event agent.EventName, a answer, as told) *Decision {
	if a.mode == "" {
		return nil
	}
	p.bytes += a.bytes
	if !as.own {
		as.call = t.calls
	}
	for _, id := range a.lessons {
		as.lesson = id
		t.told = append(t.told, as)
	}
	p.decisions = append(p.decisions, Decision{
		Session: p.name, Call: t.calls, Event: string(event), Mode: a.mode, Lessons: append([]string{}, a.lessons...), Bytes: a.bytes,
	})
	return &p.decisions[len(p.decisions)-1]
}

// aboutOf names what a call is about: its programs, or its file, or its tool.
func aboutOf(s *step) []string {
	var names []string
	if s.Command != "" {
		for _, c := range shell.Parse(s.Command).Commands {
			if c.Program != "" && !onTheWay[c.Program] {
				names = append(names, c.Program)
			}
		}
		return names
	}
	if s.Path != "" {
		return []string{slashed(s.Path)}
	}
	return []string{s.Tool}
}

// met says how a failing call that is about some things was met: which of its problem's lessons had been
// told before it, at it, and at the start.
func (c *played) met(about []string, isFor func(lesson string) bool) (led, late, atStart bool) {
	for _, t := range c.thread.told {
		if !isFor(t.lesson) {
			continue
		}
		switch {
		case t.start:
			atStart = atStart || t.call <= c.at
		case t.own && t.call == c.at:
			late = true
		case t.call <= c.at && c.at-t.call <= ledCalls && shareOne(t.about, about):
			led = true
		}
	}
	return led, late, atStart
}

// shareOne says whether two calls are about one thing: a program, or a file, which may
// be written with fewer of its folders.
func shareOne(a, b []string) bool {
	return slices.ContainsFunc(a, func(x string) bool {
		return slices.ContainsFunc(b, func(y string) bool {
			return x == y || strings.HasSuffix(x, "/"+y) || strings.HasSuffix(y, "/"+x)
		})
	})
}

// onTheWay are programs that say nothing of what a line is about.
var onTheWay = map[string]bool{"cd": true, "echo": true, "true": true, "export": true, "head": true, "tail": true, "sleep": true, "set": true}

// spoken is Claude Code's own word for a tool.
func spoken(tool string) string {
	if tool == "Agent" {
		return "Task"
	}
	return tool
}

// unasked says of a call's result that its input was refused before any hook was asked.
func unasked(result *step) bool {
	return result != nil && (strings.HasPrefix(result.Text, "<tool_use_error>") || strings.HasPrefix(result.Text, "InputValidationError"))
}

// shownWords is a problem's line for people.
func shownWords(r *redact.Redactor, text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return r.Text(line).Cut(160).String()
}
