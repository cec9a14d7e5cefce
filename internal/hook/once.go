package hook

import (
	"fmt"
	"time"

	"github.com/lessons-cli/lessons/internal/agent"
	"github.com/lessons-cli/lessons/internal/inject"
)

// sameMoment is how long two hooks of one event may lie apart: a plugin and the
// settings file may both be registered, and the agent starts both.
const sameMoment = 10 * time.Second

// First says whether this process is the one that answers the start of a session
// or sub-agent, when several are told of it. Where nothing can be remembered
// every one is: twice is better than never.
func (sys *System) First(e agent.Event) bool {
	if e.Session == "" || e.Name != agent.SessionStart && e.Name != agent.SubagentStart {
		return true
	}
	p, ok := find(e.Cwd)
	if !ok {
		return true
	}
	session := inject.OpenSession(inject.PlacesOf(p.gitDir, sys.Env), e.Session, e.AgentID)
	now := sys.Now().UnixMilli() / sameMoment.Milliseconds()
	key := func(moment int64) string { return fmt.Sprintf("event %s %s %d", e.Name, e.Source, moment) }
	if session.Shown(key(now-1), false) {
		return false // the two hooks may straddle the end of a moment
	}
	won, err := session.Claim(key(now), false)
	return won || err != nil
}
