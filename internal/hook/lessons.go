package hook

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/lessons-cli/lessons/internal/agent"
	"github.com/lessons-cli/lessons/internal/inject"
	"github.com/lessons-cli/lessons/internal/shell"
	"github.com/lessons-cli/lessons/knowledge"
)

// fromIndex answers from index and session, and from the work tree's own paths.
func (sys *System) fromIndex(e agent.Event, began time.Time) agent.Answer {
	p, ok := find(e.Cwd)
	if !ok {
		return agent.Answer{}
	}
	return join(sys.fromLessons(p, e, began), agent.Answer{Context: sys.nearest(p.root, e)})
}

// fromLessons answers from index and session.
func (sys *System) fromLessons(p place, e agent.Event, began time.Time) agent.Answer {
	session := inject.OpenSession(inject.PlacesOf(p.gitDir, sys.Env), e.Session, e.AgentID)
	if e.Name == agent.SessionStart {
		startSession(session, e.Source)
	}
	index, done := sys.open(p)
	defer done()
	if index == nil {
		sys.note(session, p, e, false)
		return agent.Answer{}
	}
	in := sys.input(p, index, session, e)
	question := ask(index.Settings.Asks, session, e)
	sys.note(session, p, e, slices.ContainsFunc(in.Found, func(l inject.Lesson) bool { return !l.Notice() }))
	if in.At == "" {
		return agent.Answer{}
	}
	d := inject.Decide(in)
	if sys.Decided != nil {
		sys.Decided(d)
	}
	if index.Settings.Debug {
		decided{e, len(in.Found), d, began, sys.Now()}.write(p.gitDir)
	}
	if d.Context != "" && in.At == inject.AtCall && slices.ContainsFunc(in.Found, lacks) {
		d.Context += "\n" + sys.nearestPath(p.root, e)
	}
	told := agent.Answer{Context: d.Context, Decision: agent.Decision(d.Verdict), Reason: d.Reason, Input: d.Args}
	return join(join(told, agent.Answer{Context: question}), agent.Answer{Context: idling(index.Settings.CallsBeforeEdit, session, e)})
}

// startSession follows what happened to the agent's context.
func startSession(s *inject.Session, source string) {
	switch source {
	case "clear":
		_ = s.Cleared()
	case "compact":
		_ = s.Compacted()
	}
	s.Begin()
}

// fill says which moment it is, and which lessons belong to it.
func (sys *System) fill(in *inject.Input, index *inject.Index, p place, e agent.Event) {
	switch e.Name {
	case agent.SessionStart:
		if e.Source == "compact" {
			in.At = inject.AfterCompact
			in.Found = index.Standing(index.Settings.CompactionThreshold)
		}
	case agent.SubagentStart:
		in.At, in.Found = inject.AtSubagent, index.Starting(e.AgentType)
	case agent.UserPromptSubmit:
		in.At, in.Found = inject.AtPrompt, index.Prompt(e.Prompt)
	case agent.Stop:
		in.At, in.Found = inject.AtStop, guards(index)
	case agent.SubagentStop:
		in.At, in.Found = inject.AtSubagentStop, guards(index)
	case agent.PreToolUse, agent.PostToolUse:
		if e.Name == agent.PreToolUse {
			in.Session.Tick()
		}
		if e.Call != nil {
			sys.fillCall(in, index, p, e)
		}
	}
}

func (sys *System) fillCall(in *inject.Input, index *inject.Index, p place, e agent.Event) {
	call := inject.Call{
		Tool: e.Call.Tool, Command: e.Call.Command, Paths: e.Call.Paths, Content: e.Call.Content,
		Agent: e.AgentType, Root: p.root, Dir: e.Cwd,
	}
	if index.NeedsRecent() {
		call.Recent = recentTexts(e.Transcript)
	}
	in.At = inject.AtCall
	if e.Name == agent.PostToolUse {
		in.At = inject.AfterCall
		if e.Call.Failed {
			in.At = inject.AfterFailure
		}
	}
	in.Tool, in.Args = e.Call.RawTool, e.Call.Input
	in.Paths = relativeAll(p.root, e.Cwd, e.Call.Paths)
	in.PathKey = e.Call.PathKey
	in.Scores = map[string]int{}
	for _, m := range index.Match(call, inject.Options{}) {
		if !m.Lesson.Notice() || !idle(m.Lesson, p.root, e) {
			in.Found = append(in.Found, m.Lesson)
			if m.Score != nil {
				in.Scores[m.Lesson.ID] = m.Score.Final
			}
		}
	}
}

// lacks says whether a notice is about paths that are not there.
func lacks(l inject.Lesson) bool { return l.Notice() && l.Path != "" }

// idle says whether a notice has nothing to say of a call: what has to run first runs in
// its own line, or what was not there is.
func idle(l inject.Lesson, root string, e agent.Event) bool {
	if lacks(l) && e.Call.Tool == "Bash" {
		return isThere(root, l.Path, e)
	}
	if lacks(l) && e.Name == agent.PreToolUse {
		_, rel := missing(root, e)
		return rel == ""
	}
	return skillThere(root, e) || l.Prepares(e.Call.Command)
}

// isThere says whether a path is there, or where a command line looks for it.
func isThere(root, name string, e agent.Event) bool {
	exists := func(elem ...string) bool {
		_, err := os.Lstat(filepath.Join(elem...))
		return err == nil
	}
	return exists(root, name) || slices.ContainsFunc(shell.Parse(e.Call.Command).Commands, func(c *shell.Command) bool {
		return c.Dir != "" && (exists(c.Dir, name) || exists(e.Cwd, c.Dir, name))
	})
}

// guards are the lessons that may hold a stop.
func guards(index *inject.Index) []inject.Lesson {
	var found []inject.Lesson
	for rank := range index.Len() {
		if l, ok := index.Lesson(rank); ok && l.Extra != "" && !l.Notice() {
			found = append(found, l)
		}
	}
	return found
}

// note records what a call did, as evidence for guards and mends; known says that a lesson
// is about it.
func (sys *System) note(s *inject.Session, p place, e agent.Event, known bool) {
	if e.Name != agent.PostToolUse || e.Call == nil {
		return
	}
	t := inject.Trace{At: sys.Now().UnixMilli(), Act: inject.ActOf(e.Call.Tool), Tool: e.Call.Tool, Outcome: outcome(e.Call), Agent: e.AgentType}
	if e.Call.ID != "" {
		t.Session, t.Call, t.Took = knowledge.SessionHash(e.Session), callID(e), int64(e.Call.Took)
	}
	if t.Act == inject.ActRun {
		t.Runs, t.Wrong = s.Runs(e.Call.Command), !known && wrong(e.Call)
	}
	for _, path := range relativeAll(p.root, e.Cwd, e.Call.Paths) {
		if !filepath.IsAbs(path) {
			t.Paths = append(t.Paths, path)
		}
	}
	if slices.ContainsFunc(t.Paths, func(p string) bool { return strings.HasPrefix(p, ".lessons/") }) && sys.Start != nil {
		sys.Start(p.root, "compile") // an edit in place shows in no folder's time
	}
	t.In, t.Out = sys.words(e.Call)
	_ = s.Note(t) // evidence that is missing is the guard's onError
}

// callID is how the call log names the call of an event; empty: the agent does not say
// which it is.
func callID(e agent.Event) string {
	if e.Call == nil || e.Call.ID == "" {
		return ""
	}
	return knowledge.CallHash(e.Call.ID)
}

// outcome is how a call that ended did.
func outcome(c *agent.Call) inject.Outcome {
	switch {
	case c.Failed:
		return inject.Failed
	case c.Unclear:
		return inject.Unclear
	}
	return inject.OK
}

// relativeAll makes paths repository-relative where they lie in the work tree.
func relativeAll(root, cwd string, paths []string) []string {
	var out []string
	for _, p := range paths {
		if !filepath.IsAbs(p) {
			p = filepath.Join(cwd, p)
		}
		if rel, err := filepath.Rel(root, p); err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
			p = filepath.ToSlash(rel)
		}
		out = append(out, p)
	}
	return out
}

func abilities(a agent.Ability) inject.Abilities {
	return inject.Abilities{
		TellModel: a.Has(agent.TellModel), DenyCall: a.Has(agent.DenyCall), AskPerson: a.Has(agent.AskPerson),
		ChangeInput: a.Has(agent.ChangeInput), HoldStop: a.Has(agent.HoldStop),
	}
}
