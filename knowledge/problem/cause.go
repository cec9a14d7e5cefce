package problem

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/internal/automata"
	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/internal/shell"
	"github.com/lessons-cli/lessons/knowledge/calls"
	"github.com/lessons-cli/lessons/knowledge/fingerprint"
)

// causeOf is what a failed command prints, as far as it tells one cause from another: the
// same of every command that fails for it.
func causeOf(f *calls.Failure) string {
	line := statement(f.Line)
	return fingerprint.Template(line[len(severity().FindString(line)):])
}

// severity is what programs put before what they say.
var severity = automata.Lazily(`^(?i:(?:npm )?(?:error|err!|fatal|warning)\b:? *)+`)

// causes are those that are problems of their own.
type causes struct {
	// printed has of what is printed the programs that fail so, whatever they are to run,
	// or their commands.
	printed map[string]map[string]bool
	// mended has the problems of the calls for which the same had to be done, whatever
	// they printed.
	mended map[*calls.Call]string
}

func (c *causes) add(cause, command string) { lists.AddTo(c.printed, cause, command) }

// of is the problem that a failed call is together with others; ok is false where it is
// none of these.
func (c *causes) of(call *calls.Call) (id string, ok bool) {
	if id, ok = c.mended[call]; ok {
		return id, true
	}
	f := call.Failure
	cause := causeOf(f)
	return idOf(cause), c.printed[cause][f.Program] || c.printed[cause][commandOf(f)]
}

func commandOf(f *calls.Failure) string { return f.Program + " " + f.Target }

// standingSessions is how many sessions must have met a finding that nobody mended.
const standingSessions = 3

// standing are the findings of checks at a place of the sources with which sessions leave
// them: no session that met one mended the check, so it is none of the work at hand.
func standing(log []calls.Session, mends []map[string]mending) *causes {
	type finding struct{ cause, command string }
	met, mended := map[finding]map[int]bool{}, map[finding]bool{}
	for i := range log {
		for j := range log[i].Calls {
			c := &log[i].Calls[j]
			if f := c.Failure; f != nil && f.Class == inProgress && len(f.Rules) == 0 && statement(f.Line) != f.Line {
				is := finding{causeOf(f), commandOf(f)}
				lists.AddTo(met, is, i)
				_, ok := mends[i][c.ID]
				mended[is] = mended[is] || ok
			}
		}
	}
	all := &causes{map[string]map[string]bool{}, map[*calls.Call]string{}}
	for is, sessions := range met {
		if len(sessions) >= standingSessions && !mended[is] {
			all.add(is.cause, is.command)
		}
	}
	return all
}

// idOf names the problem that all failures of a cause are together.
func idOf(cause string) string { return fingerprint.Apart("", cause) }

// remedy is what mended failures of one cause: what they print, or nothing where it is the
// remedy that they have in common.
type remedy struct {
	cause, fix string
	how        calls.How
}

// id names the problem that the failures are together.
func (r remedy) id() string { return idOf(cmp.Or(r.cause, r.fix)) }

// evidence is what the log says for a remedy.
type evidence struct {
	last, sessions int // the session that saw it last, and how many did
	problems       map[string]bool
	programs       map[string]bool
	printed        map[string]bool
	around         bool // some are tests, builds or checks, or no mend of theirs is known besides
	mended         []mended
}

// mended is a failed call with the call that mended it.
type mended struct {
	session, call, by int
	fix               string // in the words of this one occasion
	around            bool   // another program did what had failed
}

// commonCauses finds failures that are about what commands need here, and not about the
// sources or the one call: in two sessions the same had to run or be set first, or the same
// other program was the way where the same was printed, and no file was changed. Commands
// that were mended alike have one problem. It puts the remedies among the mends.
func (g *gatherer) commonCauses(log []calls.Session, mends []map[string]mending) *causes {
	found, edited := map[remedy]*evidence{}, map[string]int{} // by what is printed, how often an edit mended it
	for i := range log {
		for j := range log[i].Calls {
			c := &log[i].Calls[j]
			if way, ok := mends[i][c.ID]; ok && c.Failure != nil && way.how[0].How == calls.ByEdit {
				edited[causeOf(c.Failure)]++
			}
			if r, m, ok := remedyOf(&log[i], j, mends[i]); ok {
				m.session = i
				found[r] = found[r].with(c.Failure, m)
			}
		}
	}
	common := standing(log, mends) // of a cause the programs that it keeps from running
	for r, e := range found {
		if !e.suffices(edited) || r.how == calls.ByOther && e.around && g.everWorked(log, e) {
			continue
		}
		for p := range e.programs {
			if r.cause != "" {
				common.add(r.cause, p)
			}
		}
		fix := r.fix
		if alike := !slices.ContainsFunc(e.mended, func(m mended) bool { return m.fix != e.mended[0].fix }); alike || prepares(r.how) {
			fix = e.shortest()
		}
		for _, m := range e.mended {
			c := &log[m.session].Calls[m.call]
			common.mended[c] = r.id()
			mends[m.session][c.ID] = mending{m.by, []calls.Mend{{Call: c.ID, How: r.how, Fix: fix}}}
		}
	}
	return common
}

// suffices says whether a remedy is known well enough, by how often edits mended what
// printed the same: two sessions saw it, and it is no longer the one problem's alone.
func (e *evidence) suffices(edited map[string]int) bool {
	edits := 0
	for printed := range e.printed {
		edits += edited[printed]
	}
	return e.sessions > 1 && edits < len(e.mended) && (e.around || len(e.problems) > 1)
}

// with notes that a remedy helped once more.
func (e *evidence) with(f *calls.Failure, m mended) *evidence {
	if e == nil {
		e = &evidence{last: -1, problems: map[string]bool{}, programs: map[string]bool{}, printed: map[string]bool{}}
	}
	if e.last != m.session {
		e.last, e.sessions = m.session, e.sessions+1
	}
	e.problems[f.Problem], e.programs[f.Program], e.printed[causeOf(f)] = true, true, true
	e.around = e.around || f.Class == inProgress || m.around
	e.mended = append(e.mended, m)
	return e
}

// remedyOf is what mended a failed command of a session, in words that hold for every
// command of the same cause.
func remedyOf(s *calls.Session, failed int, mends map[string]mending) (remedy, mended, bool) {
	c := &s.Calls[failed]
	if c.Failure == nil || c.Failure.Program == "" || c.Outcome == calls.Unknown {
		return remedy{}, mended{}, false
	}
	r, m := remedy{cause: causeOf(c.Failure)}, mended{call: failed}
	way, ok := mends[c.ID]
	if len(c.Failure.Rules) > 0 && !(ok && way.how[0].How == calls.ByRun) {
		return remedy{}, mended{}, false // edits mend what linters find, but for what has to be generated first
	}
	if ok {
		r.how, m.by = way.how[0].How, way.call
		switch r.how {
		case calls.ByRun, calls.BySetting:
			r.fix, m.fix = before(c, &s.Calls[way.call], way.how[0])
		case calls.ByOther:
			r.fix, m.fix = otherProgram(c.Failure, s.Calls[way.call].Input)
			m.around = true
		case calls.ByArguments:
			r.fix, m.fix = launched(c, s.Calls[way.call].Input)
		}
	} else if m.by = wayAround(s, failed); m.by >= 0 {
		r.how, m.around = calls.ByOther, true
		r.fix, m.fix = otherProgram(c.Failure, s.Calls[m.by].Input)
	}
	if m.around || prepares(r.how) && !ofTheMoment().MatchString(r.fix) {
		r.cause = ""
	}
	return r, m, r.fix != ""
}

// ofTheMoment are remedies that say little by themselves: where to be, and what git does to
// the work tree, but for its submodules.
var ofTheMoment = automata.Lazily("^Run `(?:git (?:[^sl]|s[^u]|l[^f])|(?:cd|pushd|ls|rm|mkdir|touch|sleep|kill|pkill|echo|cat|lsof) )")

// before says what ran or was set for a command that works as it is otherwise: in general,
// and as it was done.
func before(failed, good *calls.Call, how calls.Mend) (general, once string) {
	if line := (Mend{How: how.How, Fix: how.Fix}).First(); line != "" {
		return runFirst(inGeneral(byCode(line), failed.Input)), runFirst(bare(line))
	}
	if how.How == calls.ByRun || strings.HasPrefix(how.Fix, "Run `") && !strings.HasPrefix(how.Fix, "Run `export ") {
		return how.Fix, how.Fix
	}
	had := assignments(failed.Input)
	came := slices.DeleteFunc(assignments(good.Input), func(a string) bool { return slices.Contains(had, a) })
	if len(came) == 0 {
		return "", ""
	}
	return "Set `" + strings.Join(names(came), " ") + "`", "Set `" + strings.Join(came, " ") + "`"
}

// assignments are the variables that a line sets for its commands, each once.
func assignments(line string) []string {
	var all []string
	for _, c := range shell.Parse(line).Commands {
		set := c.Env
		if c.Declares() {
			set = lists.Filter(c.Operands, func(o string) bool { return strings.Contains(o, "=") })
		}
		all = lists.With(all, set...)
	}
	return all
}

// otherProgram says which program did the work of one that failed: in general, and as it
// was called. "" where it is the same program.
func otherProgram(f *calls.Failure, line string) (general, once string) {
	c := stands(f, line)
	if c == nil {
		return "", ""
	}
	instead := strings.TrimSpace(f.Program + " " + f.Target)
	name := c.Path
	if runners()[c.Program] || len(c.Sub) > 0 && c.Target() == f.Target {
		name = strings.TrimSpace(name + " " + firstTarget(c))
	}
	program := c.Path
	if in, ok := strings.CutPrefix(program, "./"); ok && strings.Contains(in, "/") {
		program = in // written so or so
	}
	return fmt.Sprintf("Use `%s` instead of `%s`", program, f.Program), fmt.Sprintf("Use `%s` instead of `%s`", name, instead)
}

// launched says by what a command was run that failed alone: "docker compose exec web". ""
// where that is not all that changed.
func launched(failed *calls.Call, line string) (general, once string) {
	for _, bad := range shell.Parse(failed.Input).Commands {
		for _, good := range shell.Parse(line).Commands {
			before, ok := strings.CutSuffix(good.Source, bad.Source)
			if bad.Program == failed.Failure.Program && ok && strings.HasSuffix(before, " ") && len(good.Wrappers) > len(bad.Wrappers) {
				return fmt.Sprintf("Use `%s` instead of `%s`", before+bad.Path, bad.Path), fmt.Sprintf("Use `%s` instead of `%s`", good.Source, bad.Source)
			}
		}
	}
	return "", ""
}

// firstTarget is what a runner was asked to run.
func firstTarget(c *shell.Command) string {
	if words := slices.Concat(c.Sub, c.Operands); len(words) > 0 {
		return words[0]
	}
	return ""
}

// stands is the command of a line that may do the work of a program that failed: a script
// of the repository's or a runner of tasks. nil: none, or the program itself runs there.
func stands(f *calls.Failure, line string) *shell.Command {
	var found *shell.Command
	for _, c := range shell.Parse(line).All {
		switch {
		case c.Program == f.Program:
			return nil
		case found == nil && (runners()[c.Program] || strings.Contains(c.Path, "/") && !strings.HasPrefix(c.Path, "/")):
			found = c
		}
	}
	return found
}

// runners are programs by which repositories run their tasks.
var runners = lists.LazyWords("make just task mise rake invoke inv doit nox tox npm pnpm yarn bun deno nx turbo moon lerna bazel bazelisk pants buck2 earthly dagger nix devbox docker podman poetry pdm hatch uv pipenv bundle mvn mvnw gradle gradlew sbt mix composer cargo")

// aroundWithin is how many calls after a check that failed another way may be found.
const aroundWithin = 4

// wayAround is the call by which a session went on with another program after a check
// failed, before any file was changed; below 0: there is none.
func wayAround(s *calls.Session, failed int) int {
	f := s.Calls[failed].Failure
	for j := failed + 1; j < min(len(s.Calls), failed+1+aroundWithin); j++ {
		c := &s.Calls[j]
		switch {
		case c.Tool == "Edit" && surroundings[f.Class] && !strings.Contains(f.Line, path.Base(c.Input)):
			continue
		case c.Tool == "Edit", c.Tool == "Write", c.Tool == "MultiEdit":
			return -1
		case c.Tool != "Bash" || !worked(c) && !gotFurther(f, c.Failure):
			continue
		}
		if way := stands(f, c.Input); way != nil && sameWork(&s.Calls[failed], way) {
			return j
		}
	}
	return -1
}

func worked(c *calls.Call) bool { return c.Outcome == calls.OK && c.Failure == nil }

// gotFurther says whether a call came to what a check finds, which the other could not run.
func gotFurther(failed, later *calls.Failure) bool {
	return later != nil && later.Class == inProgress && failed.Class != inProgress
}

// sameWork says whether a command has a word of a failed one, or of its program's name: what
// it works on, or what it is to do.
func sameWork(failed *calls.Call, way *shell.Command) bool {
	words := slices.Concat(way.Sub, way.Operands, lists.Map(way.Flags, func(f shell.Flag) string { return f.Value }))
	for _, assigned := range way.Operands {
		if _, value, ok := strings.Cut(assigned, "="); ok {
			words = append(words, strings.Fields(value)...)
		}
	}
	for _, c := range shell.Parse(failed.Input).Commands {
		if c.Program != failed.Failure.Program {
			continue
		}
		for _, w := range slices.Concat(c.Sub, c.Operands, strings.Split(c.Program, "-"), strings.Split(strings.Join(c.Operands, "/"), "/")) {
			if len(w) > 2 && !everyFolder[w] && slices.Contains(words, w) {
				return true
			}
		}
	}
	return false
}

// everyFolder are names that say nothing of what is worked on.
var everyFolder = map[string]bool{"src": true, "lib": true, "libs": true, "app": true, "apps": true, "packages": true, "internal": true, "cmd": true, "...": true}

// everWorked says whether one of the commands that failed worked in some session: then
// another way is another task.
func (g *gatherer) everWorked(log []calls.Session, e *evidence) bool {
	for _, m := range e.mended {
		f := log[m.session].Calls[m.call].Failure
		for a := range g.worked {
			if a.tool == "Bash" && strings.Contains(a.input, f.Program) && slices.ContainsFunc(shell.Parse(a.input).Commands, func(c *shell.Command) bool {
				return c.Program == f.Program && c.Target() == f.Target && len(c.Wrappers) == 0
			}) {
				return true
			}
		}
	}
	return false
}
