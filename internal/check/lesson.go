package check

import (
	"github.com/lessons-cli/lessons/internal/inject/compile"
	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/knowledge/lesson"
)

// overBudget finds lessons that are too long for what agents may be shown at once.
func (c *checker) overBudget() {
	limit := c.Snapshot.Config.InjectionBudgetBytes
	for _, l := range c.Snapshot.Lessons {
		if n := len(l.Shown()); l.Status != lesson.Archived && limit > 0 && n > limit {
			c.broken(l.Path, l.BodyLine, "over-budget", "an agent would be shown %d bytes, and injectionBudgetBytes is %d: it is never shown", n, limit)
		}
	}
}

// strangers are calls that have nothing to do with each other. What fires on all
// of them says nothing about any.
var strangers = []string{"ls", "git status", "make", "echo done", "cat notes", "npm test", "python3 run.py", "docker ps"}

// matchesEverything finds lessons whose triggers fire on whatever is called.
func (c *checker) matchesEverything() {
	if c.Fires == nil {
		return
	}
	for _, l := range c.Snapshot.Lessons {
		hits := lists.Count(strangers, func(command string) bool { return l.Status == lesson.Active && c.Fires(l, command) })
		if hits == len(strangers) {
			c.broken(l.Path, 1, "matches-everything", "the triggers fire on every command; name a program, a path or a pattern")
		}
	}
}

// contradictions finds active lessons that contradict each other.
func (c *checker) contradictions() {
	lessons := active(c.Snapshot.Lessons)
	for i, a := range lessons {
		for _, b := range lessons[:i] {
			if text := compile.Contradicts(a, b); text != "" {
				c.broken(a.Path, 1, "contradiction", "%s", text)
			}
		}
	}
}

func active(lessons []*lesson.Lesson) []*lesson.Lesson {
	return lists.Filter(lessons, func(l *lesson.Lesson) bool { return l.Status == lesson.Active && l.SupersededBy == "" })
}
