package inject

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/lessons-cli/lessons/internal/shell"
)

// Guard is what a lesson that blocks requires before it lets something pass.
// In a lesson's front matter:
//
//	action: deny                     # or ask; a lesson with require and "auto" denies
//	require:
//	  at: [call]                     # call (default), stop, subagent-stop
//	  passed: go test ./...          # one of them passed since the last edit
//	  ran: [pytest, npm test]        # one of them ran, whatever came out
//	  read: [docs/schema.md, "@target"]  # all of them were read before; @target: the file itself
//	  artifact: evidence/**          # of each a file that is newer than the session
//	  lines: "<=1000"                # of the file that is read; a part of a file passes
//	  main_agent: deny               # sub-agents only
//	  never: true                    # nothing makes it right; a person lets it pass
//	  redirect: build/summaries      # the file goes there instead
//	  replace: ["-timeout=30", "-timeout=30s"]  # with action rewrite: words of the command, and what stands for them
//	  suggest: Use the log tool instead.
//	on_error: allow                  # allow (default), ask, deny: when it cannot be told
//
// All that is given must hold. A gate names the same program and sub-command as
// what ran, with at least its flags and operands.
type Guard struct {
	At        []Moment `json:"at,omitempty"` // empty: tool calls
	Passed    []string `json:"passed,omitempty"`
	Ran       []string `json:"ran,omitempty"`
	Read      []string `json:"read,omitempty"`
	Artifact  []string `json:"artifact,omitempty"`
	Lines     int      `json:"lines,omitempty"` // 0: any number
	MainAgent bool     `json:"mainAgent,omitempty"`
	Never     bool     `json:"never,omitempty"` // there is no gate
	Redirect  string   `json:"redirect,omitempty"`
	Replace   []string `json:"replace,omitempty"` // words of a command line, and those to put there instead
	Suggest   string   `json:"suggest,omitempty"`
	OnError   OnError  `json:"onError,omitempty"` // empty: allow
}

// Moment is when something can be said to an agent.
type Moment string

const (
	AtCall         Moment = "call"          // before a tool call
	AfterCall      Moment = "result"        // behind one that succeeded
	AfterFailure   Moment = "failure"       // behind one that failed
	AtPrompt       Moment = "prompt"        // the person said something
	AtStart        Moment = "start"         // of a session
	AtSubagent     Moment = "subagent"      // start of a sub-agent
	AfterCompact   Moment = "compact"       // the session goes on with a summary of itself
	AtStop         Moment = "stop"          // the agent wants to stop
	AtSubagentStop Moment = "subagent-stop" // a sub-agent does
)

// OnError is what a guard does when it cannot tell whether its gates hold.
type OnError string

const (
	OnErrorAllow OnError = "allow"
	OnErrorAsk   OnError = "ask"
	OnErrorDeny  OnError = "deny"
)

// ThisFile stands in read gates for the files of the call.
const ThisFile = "@target"

const (
	maxGates = 16
	maxGate  = 300 // bytes
)

// Holds says whether the guard speaks at a moment.
func (g Guard) Holds(at Moment) bool {
	return slices.Contains(g.At, at) || len(g.At) == 0 && at == AtCall
}

// Empty says whether there is no gate: such a guard blocks always.
func (g Guard) Empty() bool {
	return len(g.Passed)+len(g.Ran)+len(g.Read)+len(g.Artifact)+g.Lines == 0 && !g.MainAgent && g.Redirect == ""
}

// Encode is the guard as [Lesson].Extra holds it.
func (g Guard) Encode() string { return string(encoded(g)) }

// DecodeGuard is the inverse of [Guard.Encode]. The empty text is a guard
// without gates.
func DecodeGuard(extra string) (g Guard, err error) {
	if extra == "" {
		return g, nil
	}
	if err := json.Unmarshal([]byte(extra), &g); err != nil {
		return Guard{}, fmt.Errorf("a guard of another version: %w", err)
	}
	return g, nil
}

// ParseRequire reads the value of require, as a YAML reader gives it, and that of
// on_error. Keys are known in snake case and camel case.
func ParseRequire(require map[string]any, onError string) (Guard, error) {
	var g Guard
	var failed []error
	for _, key := range slices.Sorted(maps.Keys(require)) { // the same error every time
		if err := g.set(key, require[key]); err != nil {
			failed = append(failed, fmt.Errorf("require: %s: %w", key, err))
		}
	}
	switch g.OnError = OnError(onError); g.OnError {
	case "", OnErrorAllow, OnErrorAsk, OnErrorDeny:
	default:
		failed = append(failed, fmt.Errorf("on_error: %q is none of allow, ask, deny", clip(onError)))
	}
	if len(failed) == 0 && g.Empty() && g.Replace == nil && !g.Never {
		failed = append(failed, errors.New("require: names no gate: passed, ran, read, artifact, lines, main_agent, redirect, never"))
	}
	if g.Never && !g.Empty() {
		failed = append(failed, errors.New("require: never stands alone: no other gate could let the call pass"))
	}
	for _, at := range g.At {
		if at != AtCall && (g.Lines > 0 || g.Redirect != "" || slices.Contains(g.Read, ThisFile)) {
			failed = append(failed, fmt.Errorf("require: at: lines, redirect and %s are about a tool call", ThisFile))
			break
		}
	}
	if len(failed) > 0 {
		return Guard{}, errors.Join(failed...)
	}
	return g, nil
}

func (g *Guard) set(key string, value any) (err error) {
	switch key {
	case "at":
		var words []string
		if words, err = texts(value); err == nil {
			err = g.setAt(words)
		}
	case "passed":
		g.Passed, err = commands(value)
	case "ran":
		g.Ran, err = commands(value)
	case "read":
		g.Read, err = globs(value)
	case "artifact":
		g.Artifact, err = globs(value)
		if slices.Contains(g.Artifact, ThisFile) {
			err = fmt.Errorf("%s is no artifact", ThisFile)
		}
	case "lines":
		g.Lines, err = lineLimit(value)
	case "main_agent", "mainAgent":
		if g.MainAgent = value == "deny"; !g.MainAgent {
			err = errors.New(`only "deny" is known`)
		}
	case "never":
		if g.Never = value == true; !g.Never {
			err = errors.New(`only "true" is known`)
		}
	case "redirect":
		g.Redirect, err = folder(value)
	case "replace":
		g.Replace, err = replacement(value)
	case "suggest":
		text, ok := value.(string)
		if !ok || len(text) > maxGate || strings.ContainsAny(text, "\n\r") {
			return fmt.Errorf("expected one line of at most %d bytes", maxGate)
		}
		g.Suggest = strings.TrimSpace(text)
	default:
		err = errors.New("unknown; known are at, passed, ran, read, artifact, lines, main_agent, never, redirect, replace, suggest")
	}
	return err
}

func (g *Guard) setAt(words []string) error {
	for _, w := range words {
		switch at := Moment(w); at {
		case AtCall, AtStop, AtSubagentStop:
			g.At = append(g.At, at)
		default:
			return fmt.Errorf("%q is none of call, stop, subagent-stop", clip(w))
		}
	}
	return nil
}

// texts reads a text or a list of texts.
func texts(value any) ([]string, error) {
	if text, ok := value.(string); ok {
		value = []any{text}
	}
	list, ok := value.([]any)
	if !ok || len(list) == 0 || len(list) > maxGates {
		return nil, fmt.Errorf("expected a text, or a list of at most %d", maxGates)
	}
	var out []string
	for _, item := range list {
		text, ok := item.(string)
		if text = strings.TrimSpace(text); !ok || text == "" || len(text) > maxGate || strings.ContainsAny(text, "\n\r\x00") {
			return nil, fmt.Errorf("expected texts of one line, at most %d bytes", maxGate)
		}
		out = append(out, text)
	}
	return out, nil
}

// commands reads commands, each one simple command of known words.
func commands(value any) ([]string, error) {
	list, err := texts(value)
	for _, text := range list {
		if _, ok := wanted(text); !ok {
			return nil, fmt.Errorf("%q is not one simple command", clip(text))
		}
	}
	return list, err
}

// wanted is a gate's command, taken apart as what ran is.
func wanted(text string) (*shell.Command, bool) {
	commands := counted(shell.Parse(text))
	if len(commands) != 1 {
		return nil, false
	}
	c := commands[0]
	if c.Masked || c.Dynamic || plainName(c) == "?" {
		return nil, false
	}
	return c, true
}

// globs reads repository-relative globs.
func globs(value any) ([]string, error) {
	list, err := texts(value)
	for _, glob := range list {
		if glob != ThisFile && !inRepository(glob) {
			return nil, fmt.Errorf("%q is not a path inside the repository", clip(glob))
		}
	}
	return list, err
}

// lineLimit reads "<=1000" or 1000.
func lineLimit(value any) (int, error) {
	n, ok := value.(int)
	if text, is := value.(string); is {
		var err error
		n, err = strconv.Atoi(strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(text), "<=")))
		ok = err == nil
	}
	if !ok || n < 1 || n > maxLines {
		return 0, fmt.Errorf(`expected "<=N" with N from 1 to %d`, maxLines)
	}
	return n, nil
}

// folder reads where files go instead: a folder of the repository, or one below
// /tmp.
func folder(value any) (string, error) {
	text, ok := value.(string)
	text = strings.TrimSuffix(text, "/")
	below, temporary := strings.CutPrefix(text, "/tmp/")
	if !ok || len(text) > maxGate || !inRepository(below) || !temporary && !inRepository(text) || path.Clean(text) != text ||
		strings.ContainsAny(text, "*?[{\x00\n\r") || slices.Contains(strings.Split(strings.ToLower(text), "/"), ".git") {
		return "", errors.New("expected a folder inside the repository, or below /tmp")
	}
	return text, nil
}
