package hook

import (
	"slices"

	"github.com/lessons-cli/lessons/internal/agent"
	"github.com/lessons-cli/lessons/internal/inject"
	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/knowledge"
)

// Would returns what a hook with this index would decide about an event that begins a
// session. What a session leaves behind goes into a folder of the caller's.
func (sys *System) Would(index *inject.Index, e agent.Event, scratch string) (inject.Decision, bool) {
	p, ok := find(e.Cwd)
	if !ok {
		return inject.Decision{}, false
	}
	session := inject.OpenSession(inject.Places{GitDir: scratch}, "would", e.AgentID)
	session.Begin()
	in := sys.input(p, index, session, e)
	d := inject.Decide(in)
	lessons := func(ids []string) []string {
		return lists.Filter(ids, func(id string) bool {
			return slices.ContainsFunc(in.Found, func(l inject.Lesson) bool { return l.ID == id })
		})
	}
	d.Injected, d.Dropped = lessons(d.Injected), lessons(d.Dropped)
	return d, true
}

// input is what happened, with the lessons that belong to it.
func (sys *System) input(p place, index *inject.Index, session *inject.Session, e agent.Event) inject.Input {
	in := inject.Input{
		Can: abilities(e.Can), Root: p.root, Sub: e.AgentID != "", Again: e.Again, Session: session,
		Facts: inject.TreeFacts{Session: session, Root: p.root}, Settings: index.Settings,
		MaxBytes: agent.MaxContext, Now: sys.Now().UnixMilli(),
	}
	in.Name, in.Call = knowledge.SessionHash(e.Session), callID(e)
	sys.fill(&in, index, p, e)
	return in
}
