package main

import (
	"github.com/lessons-cli/lessons/internal/tally"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/catalog"
)

// itemTold is an item with what history says of it, where it is a lesson.
type itemTold struct {
	catalog.Item
	History *tally.Account `json:"history,omitempty"`
	Missing string         `json:"missing,omitempty"`    // of what waits
	Lapsed  string         `json:"lapsed,omitempty"`     // why no agent is told of it now
	Stale   string         `json:"mayBeStale,omitempty"` // what it names that is gone
}

// told adds to an item what history says, and whether its time is over. What a lesson names
// that is gone ends its time.
func told(i catalog.Item, all map[string]tally.Account, lapsed, gone map[string]string) itemTold {
	if i.Kind != string(knowledge.KindLesson) {
		return itemTold{Item: i, Stale: gone[i.Place()]}
	}
	return itemTold{Item: i, History: historyOf(i.Path, all), Lapsed: lapsed[i.Path], Stale: gone[i.Path]}
}

// historyOf is what history says of the lesson in a file, or nil.
func historyOf(path string, all map[string]tally.Account) *tally.Account {
	a, ok := all[path]
	if !ok || a.Silent() {
		return nil
	}
	return &a
}

// printHistory prints an account, and the calls that contradict the lesson.
func printHistory(inv *invocation, a tally.Account, indent string) {
	inv.printf("%shistory  %s\n", indent, a)
	for _, c := range a.Against {
		inv.printf("%s  worked %s  %s\n", indent, c.Day, c.Call)
	}
	if more := a.Succeeded - len(a.Against); more > 0 && len(a.Against) > 0 {
		inv.printf("%s  and %d more\n", indent, more)
	}
}
