package hook

import (
	"github.com/lessons-cli/lessons/internal/agent"
	"github.com/lessons-cli/lessons/internal/inject"
)

// Known returns the lessons and notices that belong to a call, best first, for a client
// that asks by itself. Nothing is claimed: who asks again is answered again.
func (sys *System) Known(e agent.Event) []inject.Lesson {
	p, ok := find(e.Cwd)
	if !ok {
		return nil
	}
	index, done := sys.open(p)
	defer done()
	if index == nil {
		return nil
	}
	return sys.input(p, index, inject.OpenSession(inject.Places{}, "", ""), e).Found
}
