package project

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/internal/automata"
	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/internal/tally"
	"github.com/lessons-cli/lessons/knowledge/calls"
	"github.com/lessons-cli/lessons/knowledge/lesson"
	"github.com/lessons-cli/lessons/knowledge/problem"
	"github.com/lessons-cli/lessons/knowledge/prose"
	"github.com/lessons-cli/lessons/knowledge/store"
	"github.com/lessons-cli/lessons/knowledge/trace"
)

// What counts as an anti-pattern of learning.
const (
	oscillating  = 4  // mended failures of one problem, and no mend helped twice
	lateEdit     = 40 // calls before the first edit, where this clone chose no other number
	overthinking = 3  // sessions that edited so late
	askedWithin  = 30 // days in which somebody asked for what is stored
)

// DiagnoseLearning looks for the five anti-patterns of systems that learn: what is stored and
// never asked for, mends that change from failure to failure, advice without anything in it,
// reports that no call bears out, and sessions that look around and do not act.
func (p *Project) DiagnoseLearning(ctx context.Context, s *store.Snapshot) ([]Result, error) {
	e, lessons, _, err := p.heldEvidence(ctx, s)
	if err != nil {
		return nil, err
	}
	stored, err := p.storedTraces()
	if err != nil {
		return nil, err
	}
	active := lists.Filter(lessons.All(), func(l *lesson.Lesson) bool { return l.Status == lesson.Active })
	f, _ := p.Flow()
	limit := lateEdit
	if f.CallsBeforeEdit > 0 {
		limit = f.CallsBeforeEdit
	}
	return []Result{
		unasked(len(stored), p.traceQueries(p.Now().AddDate(0, 0, -askedWithin))), oscillation(e.Problems), generic(active, stored),
		e.unvalidated(s, active), overthought(e.log, limit),
	}, nil
}

// unasked: reflection without action.
func unasked(stored, asked int) Result {
	r := Result{Name: "retrieval", OK: stored == 0 || asked > 0, Text: fmt.Sprintf("%s stored, looked up %s in the last %d days", prose.Counted(stored, "trace"), prose.Counted(asked, "time"), askedWithin)}
	if !r.OK {
		r.Next = "have agents ask before they decide: query_traces over MCP, or lessons trace WORDS"
	}
	return r
}

// oscillation: the last failure counts too much, so each one is mended in another way.
func oscillation(all []*problem.Problem) Result {
	r := Result{Name: "oscillation", OK: true, Text: "no problem is fixed in a different way each time"}
	for _, one := range all {
		worked := 0
		again := false
		for _, m := range one.Mends {
			worked += m.Worked
			again = again || m.Worked > 1
		}
		if worked >= oscillating && !again {
			return Result{r.Name, false, fmt.Sprintf("%s was fixed %s, in a different way each time", one.Name(), prose.Counted(worked, "time")), "decide on one way: lessons add"}
		}
	}
	return r
}

// empty are the words of advice that says nothing.
var empty = automata.Lazily(`(?i)\b(reflect on|be (more )?careful|pay (more )?attention|improve (the )?(quality|performance)|try harder|do better|follow best practices)\b`)

// generic: advice without anything in it, in lessons or in what agents store.
func generic(lessons []*lesson.Lesson, stored []trace.Trace) Result {
	var found []string
	for _, l := range lessons {
		if empty().MatchString(l.Title + "\n" + l.Fix()) {
			found = append(found, l.Path)
		}
	}
	for _, t := range stored {
		if empty().MatchString(t.Event.Correct + "\n" + t.Event.Why) {
			found = append(found, "trace "+t.ID)
		}
	}
	if len(found) == 0 {
		return Result{Name: "generic", OK: true, Text: "no active lesson and no stored trace gives empty advice"}
	}
	return Result{"generic", false, "empty advice in " + strings.Join(found[:min(3, len(found))], ", "), "say what to do instead: lessons edit, lessons archive, or store the trace again with what was correct"}
}

// unvalidated: agents rate themselves. More than half of what they alone report was met by no
// call.
func (e *Evidence) unvalidated(s *store.Snapshot, lessons []*lesson.Lesson) Result {
	reported := declared(s.Log)
	n, untried := 0, 0
	for _, l := range lessons {
		v := e.verdicts[l.ID]
		if l.ReviewedBy != "" || v.Standing == tally.Typed || v.Standing == tally.Contradicted || !reported(l.Source) {
			continue
		}
		n++
		if v.Tally.Empty() {
			untried++
		}
	}
	r := Result{Name: "validation", OK: 2*untried <= n, Text: fmt.Sprintf("%d of %s that agents reported were seen in calls", n-untried, prose.Counted(n, "lesson"))}
	if !r.OK {
		r.Next = "review the others: lessons list --waiting, lessons review"
	}
	return r
}

// overthought: sessions that make many calls before their first edit.
func overthought(log []calls.Session, limit int) Result {
	edits := func(c calls.Call) bool { return c.Tool == "Edit" || c.Tool == "Write" }
	late := lists.Filter(log, func(s calls.Session) bool {
		first := slices.IndexFunc(s.Calls, edits)
		return first > limit || first < 0 && len(s.Calls) > limit
	})
	r := Result{Name: "overthinking", OK: len(late) < overthinking || 4*len(late) <= len(log), Text: fmt.Sprintf("%d of %s made more than %d calls before the first edit", len(late), prose.Counted(len(log), "session"), limit)}
	if !r.OK {
		r.Next = fmt.Sprintf("lessons flow init --calls %d tells agents to act", limit)
	}
	return r
}
