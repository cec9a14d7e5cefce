package project

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/internal/agent"
	"github.com/lessons-cli/lessons/internal/inject"
	"github.com/lessons-cli/lessons/internal/inject/compile"
	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/internal/tally"
	"github.com/lessons-cli/lessons/knowledge/calls"
	"github.com/lessons-cli/lessons/knowledge/lesson"
)

// readings says of the lessons in files how they are read: which calls they match, what
// hooks do at one, and how such calls of past sessions ended.
func (p *Project) readings(ctx context.Context, paths []string) ([]string, error) {
	s, err := p.Store.Load()
	if err != nil {
		return nil, err
	}
	written := slices.DeleteFunc(slices.Clone(s.Lessons), func(l *lesson.Lesson) bool { return !slices.Contains(paths, l.Path) })
	if len(written) == 0 {
		return nil, nil
	}
	x, err := p.Explain(ctx, s, agent.Event{}, "")
	if err != nil {
		return nil, err
	}
	log, _, err := p.Calls()
	if err != nil {
		return nil, err
	}
	var said []string
	for _, l := range written {
		said = append(said, "  when  "+l.Triggers.Reading(), "  then  "+x.does(l, s.Config.MaxAction))
		if past := inThePast(l, log); past != "" {
			said = append(said, "  past  "+past)
		}
	}
	return said, nil
}

// does says what a hook does at a call that a lesson matches.
func (x *Explanation) does(l *lesson.Lesson, maxAction string) string {
	for _, i := range x.Idle {
		if i.Path == l.Path {
			return "nothing: " + i.Why
		}
	}
	for _, m := range x.Matches {
		if m.Lesson.Path != l.Path {
			continue
		}
		does := whatActionsDo[m.Lesson.Action]
		if g, ok, err := compile.Guard(l); ok && err == nil && len(g.Passed) > 0 {
			does += " until `" + strings.Join(g.Passed, "` or `") + "` has passed since the last edit"
		}
		if compile.Capped(l, maxAction) {
			does += fmt.Sprintf("; the setting maxAction does not allow %s: lessons config maxAction %s", l.Action, l.Action)
		}
		return does
	}
	return "it is told when a session starts"
}

var whatActionsDo = map[string]string{
	lesson.ActionInform:       "the agent is told, and the call goes on",
	lesson.ActionStopOnce:     "the first such call of a session is stopped, with the fix; made again it passes",
	lesson.ActionAsk:          "a person is asked before such a call",
	lesson.ActionDeny:         "such a call is stopped",
	lesson.ActionRewrite:      "such a call is changed",
	inject.ActionAfterFailure: "the agent is told when such a call failed",
}

// inThePast says how such calls ended, and whether any number in place of the one of the
// trigger would have matched failures alone.
func inThePast(l *lesson.Lesson, log []calls.Session) string {
	total := countCalls(log)
	if total == 0 || len(l.Triggers.Content) > 0 || !l.Triggers.Any(func(string) bool { return true }) {
		return ""
	}
	general := withNumbers(l)
	tallies := tally.Of([]*lesson.Lesson{l, general}, log)
	now, wider := tallies[0], tallies[1]
	failed, worked := len(now.Failed)+len(now.Otherwise), len(now.OK)
	text := fmt.Sprintf("%d of %d calls were such: %d failed, %d worked", failed+worked, total, failed, worked)
	if worked > 0 {
		text += ", as `" + inOneLine(now.OK[0].Call.Input) + "`"
	}
	if more := len(wider.Failed) - len(now.Failed); more > 0 && len(wider.OK) == len(now.OK) {
		text += fmt.Sprintf("; with <number> in place of the number it would match %d more that failed, and none that worked", more)
	}
	return text
}

func inOneLine(text string) string {
	line, _, more := strings.Cut(text, "\n")
	if more || len(line) > 100 {
		line = strings.ToValidUTF8(line[:min(len(line), 100)], "") + "…"
	}
	return line
}

// withNumbers is a lesson whose commands take any number where they have one.
func withNumbers(l *lesson.Lesson) *lesson.Lesson {
	general := *l
	general.Triggers = *l.Triggers.Clone()
	for i, c := range general.Triggers.Commands {
		general.Triggers.Commands[i] = strings.Join(lists.Map(strings.Split(c, " "), anyNumber), " ")
	}
	return &general
}

// anyNumber is a word of a trigger with the placeholder in place of a number that is the
// whole of it, or of a flag's value.
func anyNumber(word string) string {
	at := strings.IndexByte(word, '=') + 1
	if inject.IsNumber(word[at:]) {
		return word[:at] + "<number>"
	}
	return word
}
