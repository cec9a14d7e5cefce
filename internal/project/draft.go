package project

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/lessons-cli/lessons/internal/agent/tools"
	"github.com/lessons-cli/lessons/internal/inject"
	"github.com/lessons-cli/lessons/internal/inject/compile"
	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/internal/redact"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/lesson"
	"github.com/lessons-cli/lessons/knowledge/observe"
)

// Draft is what a person writes down with lessons add, with the flags for it.
type Draft struct {
	Title      string   `arg:"" optional:"" help:"What the lesson is called."`
	Type       string   `enum:"lesson,decision,pitfall" default:"lesson" help:"lesson, decision or pitfall."`
	Mistake    string   `help:"What goes wrong."`
	Fix        string   `help:"What to do instead."`
	Tools      []string `name:"tool" help:"The agent's tools, such as Bash or Edit." placeholder:"TOOL"`
	Commands   []string `name:"command" sep:"none" help:"A command that it is about: the program and the words that matter, in any order. <number>, <path> and <name> stand for any such word, * for any letters, {a,b} for one of both." placeholder:"CMD"`
	Patterns   []string `name:"pattern" sep:"none" help:"A regular expression (RE2) that the command line matches." placeholder:"RE"`
	Unless     []string `sep:"none" help:"What makes the call right: a flag such as --no-header, NAME=value, a word, or a regular expression." placeholder:"WORD"`
	After      []string `sep:"none" help:"A command that has to pass before, since the last edit." placeholder:"CMD"`
	Paths      []string `name:"path" sep:"none" help:"Files it is about, as a glob." placeholder:"GLOB"`
	Content    []string `sep:"none" help:"A regular expression (RE2) that what is written to the file matches." placeholder:"RE"`
	Action     string   `enum:",auto,inform,stop-once,ask,deny" default:"" help:"What happens at such a call: inform, stop-once, ask or deny (default: stop-once for a command or a file with a fix, else inform); no more than the setting maxAction allows."`
	Keywords   []string `name:"keyword" help:"Words that call for it." placeholder:"WORD"`
	Tags       []string `name:"tag" help:"Tags, such as tool:pytest." placeholder:"TAG"`
	Kind       string   `enum:",checklist,pattern,warning,requirement" default:"" help:"checklist, pattern, warning or requirement (default: from the text)."`
	Priority   string   `default:"high" help:"low, medium, high, critical, or 1 to 10."`
	Context    string   `help:"Of a decision: the situation."`
	Decision   string   `help:"Of a decision: what was decided."`
	Because    string   `help:"Of a decision: the reason."`
	Area       string   `help:"Of a pitfall: the path or module."`
	Issue      string   `help:"Of a pitfall: what is wrong."`
	Impact     string   `help:"Of a pitfall: what it costs."`
	Resolution string   `help:"Of a pitfall: what to do."`
}

// maxTitle is how long a title may be that is written whole, in characters.
const maxTitle = 120

// Check says what is missing.
func (d Draft) Check() error {
	switch {
	case strings.TrimSpace(d.Title) == "":
		return errors.New("a title is missing")
	case len([]rune(d.Title)) > maxTitle:
		return fmt.Errorf("a title has at most %d characters, and this one %d: the rest belongs into --mistake or --fix", maxTitle, len([]rune(d.Title)))
	case d.Type == "decision" && (d.Decision == "" || d.Because == ""):
		return errors.New("a decision needs --decision and --because")
	case d.Type == "pitfall" && (d.Area == "" || d.Issue == ""):
		return errors.New("a pitfall needs --area and --issue")
	case d.Type == "lesson" && d.Mistake == "" && d.Fix == "":
		return errors.New("a lesson needs --mistake or --fix")
	case d.Type == "lesson" && !d.aboutCalls() && d.Kind != "" && d.Kind != string(lesson.Requirement):
		return fmt.Errorf("a %s needs the calls that it is about: --command, --path, --tool or --keyword; a requirement without them is told when a session starts", d.Kind)
	}
	if strays := d.strays(); len(strays) > 0 {
		return fmt.Errorf("a %s has no place for %s: what you typed there would be lost", d.Type, strings.Join(strays, ", "))
	}
	if err := d.checkTrigger(); err != nil {
		return err
	}
	_, err := d.priority()
	return err
}

// strays are the flags that say what a draft of its type does not hold.
func (d Draft) strays() (flags []string) {
	for _, f := range []struct{ flag, of, value string }{
		{"--mistake", "lesson", d.Mistake},
		{"--fix", "lesson", d.Fix},
		{"--kind", "lesson", d.Kind},
		{"--action", "lesson", d.Action},
		{"--tool", "lesson", strings.Join(d.Tools, "")},
		{"--command", "lesson", strings.Join(d.Commands, "")},
		{"--pattern", "lesson", strings.Join(d.Patterns, "")},
		{"--unless", "lesson", strings.Join(d.Unless, "")},
		{"--after", "lesson", strings.Join(d.After, "")},
		{"--path", "lesson", strings.Join(d.Paths, "")},
		{"--content", "lesson", strings.Join(d.Content, "")},
		{"--keyword", "lesson", strings.Join(d.Keywords, "")},
		{"--context", "decision", d.Context},
		{"--decision", "decision", d.Decision},
		{"--because", "decision", d.Because},
		{"--area", "pitfall", d.Area},
		{"--issue", "pitfall", d.Issue},
		{"--impact", "pitfall", d.Impact},
		{"--resolution", "pitfall", d.Resolution},
	} {
		if f.value != "" && f.of != d.Type {
			flags = append(flags, f.flag)
		}
	}
	return flags
}

// checkTrigger says what of the draft can never match, and what would match everything.
func (d Draft) checkTrigger() error {
	if len(d.After) > 0 && len(d.Commands)+len(d.Patterns)+len(d.Paths) == 0 {
		return errors.New("--after needs the calls that have to wait: --command, --pattern or --path")
	}
	if len(d.After) > 0 {
		if _, err := inject.ParseRequire(map[string]any{"passed": lists.Map(d.After, func(c string) any { return c })}, ""); err != nil {
			return fmt.Errorf("--after: %w", err)
		}
	}
	t := d.trigger()
	if t == nil {
		return nil
	}
	if _, problems := compile.Trigger(t); len(problems) > 0 {
		return errors.New("no call can match: " + problems[0].Text)
	}
	return nil
}

// priority is high where nobody says one.
func (d Draft) priority() (int, error) {
	return lesson.ParsePriority(cmp.Or(d.Priority, string(lesson.High)))
}

// aboutCalls says whether the draft names calls: one that does not is told when a session
// starts.
func (d Draft) aboutCalls() bool {
	return len(d.Tools)+len(d.Commands)+len(d.Patterns)+len(d.Paths)+len(d.Content)+len(d.Keywords) > 0
}

// trigger is what calls for the lesson, nil where nothing does.
func (d Draft) trigger() *lesson.Trigger {
	if !d.aboutCalls() {
		return nil
	}
	known := lists.Map(d.Tools, tools.Common)
	switch {
	case len(known) > 0:
	case len(d.Commands)+len(d.Patterns) > 0:
		known = []string{"Bash"}
	case len(d.Content)+len(d.After) > 0:
		known = []string{"Edit", "Write"}
	}
	return &lesson.Trigger{
		Tools: known, Commands: slices.Clone(d.Commands), CommandPatterns: slices.Clone(d.Patterns), Unless: slices.Clone(d.Unless),
		Paths: slices.Clone(d.Paths), Content: slices.Clone(d.Content), Keywords: slices.Clone(d.Keywords),
	}
}

// signal turns the draft into what one person contributes to an observation.
func (d Draft) signal(r *redact.Redactor, now time.Time) observe.Signal {
	clean := func(list []string) []string {
		return lists.Map(list, func(s string) string { return r.Text(s).String() })
	}
	s := observe.Signal{
		Type: knowledge.Pitfall, Origin: observe.OriginManual, At: now, Title: r.Text(d.Title),
		Mistake: r.Text(d.Mistake), Fix: r.Text(d.Fix), Tags: clean(d.Tags), Marks: []observe.Mark{observe.MarkManual},
		QualityOK: true, Kind: lesson.Kind(d.Kind),
	}
	switch {
	case d.Type == "decision":
		s.Type = knowledge.Decision
		s.Details = r.Text(observe.FormatDetails("context", cmp.Or(d.Context, d.Title), "decision", d.Decision, "rationale", "because "+strings.TrimPrefix(d.Because, "because ")))
	case d.Type == "pitfall":
		s.Details = r.Text(observe.FormatDetails("area", d.Area, "issue", d.Issue, "impact", d.Impact, "resolution", d.Resolution))
	case d.aboutCalls():
		s.Trigger = d.trigger()
		for _, slot := range s.Trigger.Slots() {
			*slot = clean(*slot)
		}
		if s.Action, s.Passed = d.Action, clean(d.After); len(s.Passed) > 0 && s.Action == "" {
			s.Action = lesson.ActionDeny
		}
	default:
		s.Kind, s.Marks = lesson.Requirement, append(s.Marks, observe.MarkStated)
	}
	return s
}
