package project

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/internal/automata"
	"github.com/lessons-cli/lessons/internal/inject/compile"
	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/internal/tally"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/lesson"
	"github.com/lessons-cli/lessons/knowledge/problem"
	"github.com/lessons-cli/lessons/knowledge/prose"
	"github.com/lessons-cli/lessons/knowledge/store"
	"github.com/lessons-cli/lessons/knowledge/verdict"
)

const (
	// unmendedSessions is how many sessions must have met a problem before it is told
	// without a mend.
	unmendedSessions = 3
	// noticeProblems is how many problems a notice names, noticeItems how many it
	// explains, noticeItem how long an explanation may be in bytes.
	noticeProblems = 24
	noticeItems    = 4
	noticeItem     = 110
	// shortNotice is how long a notice may be when it is told again, and shortItem one
	// of its items.
	shortNotice = 220
	shortItem   = 60
	// maxAdvice is how long a mend may be that is told: a longer one is of its occasion.
	maxAdvice = 160
)

// Notices are the known problems as hooks tell them, to who runs the same program or
// edits such a file: one notice a place, which names the problems met in most sessions. A
// problem for which a lesson stops calls is left to that; those that are unwanted are not
// told.
func (e *Evidence) Notices(trusted []*lesson.Lesson, unwanted map[string]bool) []compile.Notice {
	settled := e.settled(trusted)
	maps.Copy(settled, unwanted)
	drafts := e.drafts(trusted)
	places := map[string]*place{}
	var order []*place
	var out []compile.Notice
	for _, p := range e.Problems { // those of most sessions come first
		if settled[p.ID] || !notable(p) {
			continue
		}
		if first, ok := neededFirst(p); ok {
			out = append(out, first)
			continue
		}
		for _, at := range placesOf(p) {
			if draft := drafts[p.ID]; draft != nil && strings.HasPrefix(at.key, "run ") && p.Word() == "" { // it tells such calls from others
				at.key, at.trigger = "run as "+draft.ID, *draft.Triggers.Clone()
			}
			if at.after = !recurs(p); at.after {
				at.key = "after " + at.key
			}
			if places[at.key] == nil {
				places[at.key] = &place{key: at.key, about: at.about, trigger: at.trigger, again: at.again, after: at.after}
				order = append(order, places[at.key])
			}
			places[at.key].take(p)
		}
	}
	out = append(out, lists.Map(order, func(at *place) compile.Notice { return at.notice(e.Sessions) })...)
	return append(out, e.atStart(unwanted)...)
}

// neededFirst tells of a call that never worked where something had not run before: it
// stops the call once, until that has run. Where several commands of a program failed for
// one cause, others of it may well work, so none is stopped.
func neededFirst(p *problem.Problem) (compile.Notice, bool) {
	best, ok := p.Best()
	first := best.First()
	at := placesOf(p)
	if !ok || first == "" || p.Nature != problem.Precondition || len(p.Sessions) < neededSessions || p.Unprepared > 0 || p.Target == "" || len(p.Commands) > 1 || len(at) == 0 {
		return compile.Notice{}, false
	}
	trigger := at[0].trigger
	trigger.Unless = []string{first}
	text := "Known problem " + at[0].about + ": " + noticeItemOf(p)
	return compile.Notice{ID: p.ID, Problems: []string{p.ID}, Text: text, Priority: 6, Trigger: trigger, First: []string{first}, Stops: true}, true
}

// neededSessions is how many sessions must have met a call that fails until something
// else ran, before it is stopped.
const neededSessions = 3

// settled are the problems of which a lesson tells, or for which it stops calls, or says nothing
// any more because such calls work: that something has to run first is told all the same. What
// nobody here trusts settles nothing.
func (e *Evidence) settled(trusted []*lesson.Lesson) map[string]bool {
	ids := map[string]bool{}
	for _, l := range trusted {
		v := e.verdicts[l.ID]
		tells := l.Status == lesson.Active && (v.Standing == tally.Waits || v.Standing == tally.Informs)
		if tells || v.Standing == tally.Stops || v.Standing == tally.Shadow && !e.precondition(v.Problem) {
			ids[v.Problem] = true
		}
	}
	delete(ids, "")
	return ids
}

// drafts are the lessons that wait for more evidence, by their problems. A problem of several is
// more than one of them says.
func (e *Evidence) drafts(trusted []*lesson.Lesson) map[string]*lesson.Lesson {
	by, several := map[string]*lesson.Lesson{}, map[string]bool{}
	for _, l := range trusted {
		id := e.verdicts[l.ID].Problem
		several[id] = several[id] || by[id] != nil
		by[id] = l
	}
	maps.DeleteFunc(by, func(id string, l *lesson.Lesson) bool {
		return id == "" || several[id] || l.Status != lesson.Draft || len(l.Triggers.Commands) == 0
	})
	return by
}

func (e *Evidence) precondition(id string) bool {
	i := slices.IndexFunc(e.Problems, func(p *problem.Problem) bool { return p.ID == id })
	return i >= 0 && e.Problems[i].Nature == problem.Precondition
}

// unwanted are the problems of lessons that people removed: nothing is told of them.
func (e *Evidence) unwanted(s *store.Snapshot) map[string]bool {
	removed := verdict.Removed(s.Log, s.Manifest, s.Ledger, knowledge.KindLesson)
	if len(removed) == 0 {
		return nil // the calls need not be gone through for them
	}
	ids := map[string]bool{}
	for _, v := range e.tried(removed) {
		if v.Problem != "" {
			ids[v.Problem] = true
		}
	}
	return ids
}

// notable says whether there is something to say of a problem.
func notable(p *problem.Problem) bool {
	switch p.Nature {
	case problem.Work, problem.Passing:
		return false
	case problem.Rule:
		return true
	case problem.Unmended:
		return len(p.Sessions) >= unmendedSessions
	case problem.NotThere:
		if slices.Contains(fileTools, p.Tool) || p.Program == "cd" {
			return len(p.Sessions) > 1 // one is an accident
		}
	}
	return advice(p) != ""
}

// recurs says whether a problem is told of before it is met again: several sessions met
// it, or the mend is a change of the same command. One session's is told after a failure.
func recurs(p *problem.Problem) bool {
	switch p.Nature {
	case problem.Named, problem.Shape:
		return p.Tool == "Bash" || len(p.Sessions) >= 2
	case problem.Rule, problem.NotThere:
		return true
	}
	return len(p.Sessions) >= 2
}

// place is where problems are told: a program, or files of one kind.
type place struct {
	key, about string
	trigger    lesson.Trigger
	again      int  // calls
	after      bool // told after a failure alone
	problems   []*problem.Problem
}

func (at *place) take(p *problem.Problem) {
	if len(at.problems) < noticeProblems {
		at.problems = append(at.problems, p)
	}
}

// notice tells the problems of a place, an item each.
func (at *place) notice(sessions int) compile.Notice {
	items := []string{"Known problems " + at.about + ", of " + prose.Counted(sessions, "session") + ":"}
	var ids, names []string
	most := 0
	cannotStart := func(p *problem.Problem) bool { return p.Class == "not-runnable" || p.Class == "missing-dependency" }
	if strings.HasPrefix(at.key, "run ") && !slices.ContainsFunc(at.problems, cannotStart) {
		at.trigger.Unless = append(at.trigger.Unless, `\s(?:--help|(?:--)?version)$`) // such a call does not get as far
	}
	if len(at.problems) == 1 {
		at.trigger.Unless = append(at.trigger.Unless, brought(at.problems[0])...)
		at.trigger.Unless = append(at.trigger.Unless, lists.Map(at.problems[0].Needless, asCommand)...)
	}
	for i, p := range at.problems {
		if i < noticeItems {
			items = append(items, "- "+noticeItemOf(p))
		}
		ids, names = append(ids, p.ID), append(names, prose.Neutral(prose.OneLine(clipped(p.Short(), shortItem))))
		most = max(most, len(p.Sessions))
	}
	if len(names) > noticeItems {
		items = append(items, clipped("- also: "+strings.Join(names[noticeItems:], "; "), shortNotice))
	}
	missing := ""
	if strings.HasPrefix(at.key, look) {
		missing = at.trigger.Paths[0]
	}
	return compile.Notice{
		ID: knowledge.Digest("n1:", 12, at.key), Missing: missing, Problems: ids, Text: strings.Join(items, "\n"),
		Short: clipped("Known problems "+at.about+": "+strings.Join(names, "; "), shortNotice), Again: at.again, After: at.after, Priority: min(3+most/3, 6), Trigger: at.trigger, First: neededBy(at.problems),
	}
}

// asCommand matches the commands that begin with some words, whatever leads to their program.
func asCommand(words string) string {
	program, task, _ := strings.Cut(words, " ")
	return `(?:^|[\s/])` + regexp.QuoteMeta(program) + `\s+` + regexp.QuoteMeta(task) + `(?:\s|$)`
}

// neededBy are the commands that prevent all of some problems when they run first; nil: not
// all of them have one.
func neededBy(problems []*problem.Problem) []string {
	var all []string
	for _, p := range problems {
		first := p.First()
		if first == "" {
			return nil
		}
		all = lists.With(all, first)
	}
	return all
}

// noticeItemOf is a problem in a line, with others of the same cause.
func noticeItemOf(p *problem.Problem, others ...*problem.Problem) string {
	text := fmt.Sprintf("%s (%d)", clipped(strings.ReplaceAll(p.Told(), "`", "'"), noticeItem-40), len(p.Sessions))
	if len(others) > 0 {
		text += fmt.Sprintf(" and %d more", len(others))
	}
	var known []string
	for _, one := range append([]*problem.Problem{p}, others...) {
		if a := advice(one); a != "" && !slices.Contains(known, a) {
			known = append(known, a)
		}
	}
	// Half an example of code is none.
	if way := strings.Join(known, "; "); way != "" && (len(way) <= noticeItem || p.Rule == "") {
		text += ": " + clipped(way, noticeItem)
	}
	return prose.Neutral(prose.OneLine(text)) // what programs print is anybody's text
}

func clipped(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n-3], "") + "…"
}

// advice is what to do about a problem, where that is short enough to be more than one
// occasion's.
func advice(p *problem.Problem) string {
	if text := p.Advice(); len(text) <= maxAdvice {
		return text
	}
	return ""
}

// placesOf says where a problem is told before it is met again: at the program that
// reports it, and a rule at the edit of such a file too.
func placesOf(p *problem.Problem) []place {
	var at []place
	if glob := globOf(p); p.Rule != "" && glob != "" {
		at = append(at, place{key: "edit " + glob, about: "in " + glob, trigger: lesson.Trigger{Tools: []string{"Edit", "Write", "MultiEdit"}, Paths: []string{glob}}, again: 2 * toldAgain})
	}
	word := p.Word()
	switch {
	case p.Nature == problem.NotThere && inRepository(word):
		at = append(at, place{key: look + word, about: "with `" + word + "`", trigger: lesson.Trigger{Tools: []string{"Bash"}, Paths: []string{word, "~/*/" + word, "/**/" + word}}})
	case p.Revision() != "":
		rev := regexp.QuoteMeta(p.Revision())
		of := `(?:^|[\s/])git\s(?:.*(?:[^\w./-]|\.\.|origin/))?` + rev + `(?:$|\.\.|[^\w./-])`
		at = append(at, place{key: "revision " + rev, about: "of git with `" + rev + "`", trigger: lesson.Trigger{Tools: []string{"Bash"}, CommandPatterns: []string{of}, Unless: []string{`\s(?:commit|-m)\s`}}, again: toldAgain})
	case p.Program != "":
		commands := commandsOf(p)
		key := strings.Join(commands, ", ")
		at = append(at, place{key: "run " + key + " " + word, about: "of `" + strings.ReplaceAll(key, ", ", "`, `") + "`", trigger: having(p, commands, word), again: toldAgain})
	case p.Class == "shell-syntax":
		signs := shellSigns(p.What)
		at = append(at, place{key: "shell " + signs, about: "of the shell", trigger: lesson.Trigger{Tools: []string{"Bash"}, CommandPatterns: []string{signs}}, again: toldAgain})
	case p.Nature == problem.NotThere && slices.Contains(fileTools, p.Tool):
		glob := path.Join(path.Dir(p.Target), "**")
		at = append(at, place{key: look + glob, about: "in " + glob, trigger: lesson.Trigger{Tools: fileTools, Paths: []string{glob}}})
	case p.Tool == "Skill" || strings.HasPrefix(p.Tool, "mcp__"):
		if name := cmp.Or(p.Target, quotedName(p.What)); name != "" {
			at = append(at, place{key: "ask " + p.Tool + " " + name, about: "of " + p.Tool + " with " + name, trigger: lesson.Trigger{Tools: []string{p.Tool}, Content: []string{`"` + regexp.QuoteMeta(name) + `"`}}})
		}
	case slices.Contains(fileTools, p.Tool):
		at = append(at, place{key: "files", about: "of file tools", trigger: lesson.Trigger{Tools: fileTools, Paths: []string{"**"}}})
	}
	return at
}

// inRepository says whether a word can only be a path below the root.
func inRepository(word string) bool {
	return strings.Contains(word, "/") && path.Ext(word) != "" && filepath.IsLocal(word) && !strings.ContainsAny(word, "*:@~")
}

// having is the trigger of commands with a word that their calls need to meet a problem. What
// has to stand before the sub-command is wrong only behind it.
func having(p *problem.Problem, commands []string, word string) lesson.Trigger {
	t := lesson.Trigger{Tools: []string{"Bash"}, Commands: commands}
	best, _ := p.Best()
	switch {
	case strings.HasPrefix(word, "-"):
		t.Commands = lists.Map(commands, func(c string) string { return c + " " + word })
		if strings.HasPrefix(best.Fix, "Put `"+word+"` before") {
			t.CommandPatterns = []string{`\s[^-\s]\S*\s(?:.*\s)?` + regexp.QuoteMeta(word) + `(?:[\s=]|$)`}
		}
	case word != "" && !slices.ContainsFunc(commands, func(c string) bool { return slices.Contains(strings.Fields(c), word) }):
		t.Commands, t.CommandPatterns = nil, lists.Map(commands, func(c string) string {
			words := lists.Map(strings.Fields(c), regexp.QuoteMeta)
			return `(?:^|[\s/])` + strings.Join(words, `\s(?:.*\s)?`) + `\s(?:.*[^\w./-])?` + regexp.QuoteMeta(word) + `(?:$|[^\w./-])`
		})
	}
	return t
}

// commandsOf are the commands at which a problem is told: each program that met it, with
// what it was to run where the program is called for many things and one of them failed. A
// rule is told at the command that found it last.
func commandsOf(p *problem.Problem) []string {
	met := p.Commands
	if p.Rule != "" {
		met = met[len(met)-1:]
	}
	var all []string
	for _, c := range met {
		alone := !slices.ContainsFunc(met, func(o problem.Command) bool { return o.Program == c.Program && o.Target != c.Target })
		command := c.Program
		if common[command] && c.Target != "" && alone {
			command += " " + strings.Fields(c.Target)[0]
		}
		all = lists.With(all, command)
	}
	return all[:min(len(all), noticePlaces)]
}

// noticePlaces is at how many commands one problem is told.
const noticePlaces = 6

// shellSigns match the lines that a shell can refuse as it does here: those with the signs
// that it takes for its own.
func shellSigns(what string) string {
	switch {
	case strings.Contains(what, "no matches found"), strings.Contains(what, "bad pattern"):
		return `[*?\[]`
	case strings.Contains(what, "command not found"):
		return "`"
	}
	return `.`
}

// quotedName is the first name that a message puts in quotes.
func quotedName(message string) string {
	if m := quoted().FindStringSubmatch(message); m != nil {
		return m[1]
	}
	return ""
}

var quoted = automata.Lazily("[\"'`]([\\w.-]+)[\"'`]")

// toldAgain is after how many calls a notice at a program is told again: what was told
// long ago is forgotten.
const toldAgain = 10

// look begins the key of a place where paths were looked for in vain.
const look = "look "

var fileTools = []string{"Read", "Edit", "Write", "MultiEdit", "Grep", "Glob"}

// common are programs that agents run so often that only the sub-command says what a
// call is about, or the script of an interpreter.
var common = map[string]bool{"python": true, "python3": true, "node": true, "bash": true, "sh": true, "ruby": true, "php": true, "perl": true, "deno": true, "git": true, "npm": true, "pnpm": true, "yarn": true, "bun": true, "go": true, "cargo": true, "docker": true, "make": true}

// globOf is the kind of files in which a rule was last broken.
func globOf(p *problem.Problem) string {
	for _, f := range slices.Backward(p.Failures) {
		for _, line := range []string{f.Call.Failure.Rules[p.Rule], f.Call.Failure.Line} {
			if ext := path.Ext(fileName().FindString(line)); ext != "" {
				return "**/*" + ext
			}
		}
	}
	return ""
}

var fileName = automata.Lazily(`[\w./\\-]+\.[a-z]{1,5}\b`)

// atStart are the problems that a session is told of at its start: what has to be done
// first, where one session of ten needs it, and the three dearest that nobody has
// mended.
func (e *Evidence) atStart(unwanted map[string]bool) []compile.Notice {
	var first, unsolved []*problem.Problem
	for _, p := range e.Problems {
		switch {
		case unwanted[p.ID]:
		case p.Nature == problem.Precondition && len(p.Sessions) >= 3:
			first = append(first, p)
		case p.Nature == problem.Unmended && len(p.Sessions) >= 3:
			unsolved = append(unsolved, p)
		}
	}
	slices.SortStableFunc(unsolved, func(a, b *problem.Problem) int { return cmp.Compare(b.Lost, a.Lost) })
	var out []compile.Notice
	tell := func(alike []*problem.Problem, text string, needed bool) {
		ids := lists.Map(alike, func(p *problem.Problem) string { return p.ID })
		out = append(out, compile.Notice{ID: ids[0], Problems: ids, Text: text, Priority: 6, Start: true, Needed: needed})
	}
	for _, alike := range byCause(first) {
		if len(out) < startProblems && 10*sessionsOf(alike) >= e.Sessions {
			tell(alike, "Needed first: "+noticeItemOf(alike[0], alike[1:]...), true)
		}
	}
	if unsolved = unsolved[:min(len(unsolved), startProblems)]; len(unsolved) > 0 {
		items := lists.Map(unsolved, func(p *problem.Problem) string { return noticeItemOf(p) })
		tell(unsolved, "Known and unsolved: "+strings.Join(items, "; ")+". If one fails again, tell the person instead of retrying.", false)
	}
	return out
}

// byCause puts problems together that have one cause: one advice helps against them, or an
// edit does not fit its file.
func byCause(problems []*problem.Problem) (groups [][]*problem.Problem) {
	for _, p := range problems {
		at := slices.IndexFunc(groups, func(g []*problem.Problem) bool {
			return advice(g[0]) != "" && advice(g[0]) == advice(p) || p.Class == "edit-state" && g[0].Class == p.Class
		})
		if at < 0 {
			groups = append(groups, []*problem.Problem{p})
		} else {
			groups[at] = append(groups[at], p)
		}
	}
	return groups
}

// sessionsOf counts the sessions that met one of some problems.
func sessionsOf(problems []*problem.Problem) int {
	met := lists.Set(lists.Flat(problems, func(p *problem.Problem) []string { return p.Sessions }))
	return len(met)
}

// startProblems is how many problems of a kind a session starts with.
const startProblems = 3
