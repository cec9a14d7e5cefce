package hook

import (
	"cmp"
	"io"
	"path/filepath"
	"strings"
	"time"

	"github.com/lessons-cli/lessons/internal/agent"
	"github.com/lessons-cli/lessons/internal/inject"
)

const maxInput = 4 << 20 // bytes of payload that are read

// LongSummary is the length in bytes up to which no sub-agent's last message exceeds a budget.
const LongSummary = 4000

// limits are how long a hook waits.
type limits struct {
	all     time.Duration
	input   time.Duration // for standard input that stays open
	compile time.Duration // for an index that is being made
	nearest time.Duration // for the search of the path that is meant
}

// limits are shares of the deadline: 300, 150 and 20 milliseconds of a second.
func (sys *System) limits() limits {
	all := agent.HookDeadline(sys.Env)
	return limits{all: all, input: all * 30 / 100, compile: all * 15 / 100, nearest: all / 50}
}

// System is what a hook takes from the machine and from the program around it.
type System struct {
	Stdin  io.Reader
	Stdout io.Writer
	Env    func(string) string
	Dir    string // working directory
	Now    func() time.Time
	// Whole answers what needs the whole program; input is the payload as read.
	Whole func(c *agent.Client, e agent.Event, input []byte) Reply
	// Start starts lessons itself in a directory, without waiting. The channel is
	// closed when it ended; nil when it could not be started.
	Start func(dir string, args ...string) <-chan struct{}
	// Decided, where it is set, hears what the lessons of the index said.
	Decided func(inject.Decision)
}

// Reply is what Whole says: an answer, or the encoded answer of another program
// that did all of it.
type Reply struct {
	Answer  agent.Answer
	Encoded []byte
	Done    bool // Encoded is the answer, also when it is empty
}

// Run answers one hook; args are the agent's name and the event's. Whatever
// happens it returns within the deadline and prints one JSON object or nothing.
// The session of the model step is not one to learn from or to be told: there
// every hook is silent, and records nothing.
func Run(args []string, sys *System) {
	if len(args) != 2 || sys.Env("LESSONS_DISABLE") != "" || sys.Env("DISABLE_EXPERIENCE_INJECTION") != "" || sys.Env(agent.Learning) != "" {
		return
	}
	answer, limits := make(chan []byte, 1), sys.limits()
	go func() {
		defer func() {
			if recover() != nil {
				answer <- nil
			}
		}()
		answer <- sys.Answer(args[0], args[1], readWithin(sys.Stdin, maxInput, limits.input))
	}()
	select {
	case out := <-answer:
		if len(out) > 0 {
			_, _ = sys.Stdout.Write(out)
		}
	case <-time.After(limits.all):
	}
}

// Answer is what [Run] prints, without its deadline: for whoever plays recorded
// events, who must get the same answers on a slow machine.
func (sys *System) Answer(name, event string, input []byte) []byte {
	client, ok := agent.Named(name)
	if !ok {
		return nil
	}
	e, _ := client.Decode(event, input) // of what cannot be read the event's name is left
	if e.Name == "" {
		return nil
	}
	began := sys.Now()
	if e.Cwd == "" || !filepath.IsAbs(e.Cwd) {
		e.Cwd = sys.Dir
	}
	var whole agent.Answer
	told, known := sys.remembered(e)
	switch {
	case known && !sys.First(e):
		return nil
	case known:
		whole = sys.recall(told, e)
		defer sys.catchUp(client, e)
	case needsWhole(e):
		reply := sys.Whole(client, e, input)
		if reply.Done {
			return reply.Encoded
		}
		whole = reply.Answer
	}
	return client.Encode(e.Native, join(whole, sys.fromIndex(e, began)))
}

// needsWhole says of which events the store, git and the transcripts are asked.
// A sub-agent's end only counts what its last message cites, and whether a flow takes it for
// too long.
func needsWhole(e agent.Event) bool {
	switch e.Name {
	case agent.SessionStart, agent.SubagentStart, agent.Stop, agent.SessionEnd:
		return true
	case agent.SubagentStop:
		return strings.Contains(e.Message, "ADR-") || strings.Contains(e.Message, "PF-") || len(e.Message) > LongSummary
	}
	return false
}

// join puts two answers to one event together.
func join(a, b agent.Answer) agent.Answer {
	if a.Context != "" && b.Context != "" && len(a.Context)+len(b.Context)+2 <= agent.MaxContext {
		a.Context += "\n\n" + b.Context
	} else if a.Context == "" {
		a.Context = b.Context
	}
	if b.Decision != agent.None {
		a.Decision, a.Reason = b.Decision, b.Reason
	}
	if b.Input != nil {
		a.Input = b.Input
	}
	a.Message = cmp.Or(a.Message, b.Message)
	return a
}

// readWithin reads to the end of r, at most limit bytes, and no longer than it
// may take. Longer or later input counts as none.
func readWithin(r io.Reader, limit int64, wait time.Duration) []byte {
	got := make(chan []byte, 1)
	go func() {
		data, err := io.ReadAll(io.LimitReader(r, limit+1))
		if err != nil || int64(len(data)) > limit {
			data = nil
		}
		got <- data
	}()
	select {
	case data := <-got:
		return data
	case <-time.After(wait):
		return nil
	}
}
