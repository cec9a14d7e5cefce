package project

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/lessons-cli/lessons/internal/agent/tools"
	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/internal/redact"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/lesson"
	"github.com/lessons-cli/lessons/knowledge/observe"
	"github.com/lessons-cli/lessons/knowledge/store"
	"github.com/lessons-cli/lessons/scan"
)

// Draft is what a person writes down with lessons add, with the flags for it.
type Draft struct {
	Title      string   `arg:"" optional:"" help:"What the lesson is called."`
	Type       string   `enum:"lesson,decision,pitfall" default:"lesson" help:"lesson, decision or pitfall."`
	Mistake    string   `help:"What goes wrong."`
	Fix        string   `help:"What to do instead."`
	Tool       string   `help:"The agent's tool, such as Bash." placeholder:"TOOL"`
	Commands   []string `name:"command" help:"The command it is about, such as 'go test -timeout=30'." placeholder:"CMD"`
	Unless     []string `help:"What makes the command right, such as --no-header." placeholder:"FLAG"`
	Paths      []string `name:"path" help:"Files it is about, as a glob." placeholder:"GLOB"`
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

// Check says what is missing.
func (d Draft) Check() error {
	switch {
	case strings.TrimSpace(d.Title) == "":
		return errors.New("a title is missing")
	case d.Type == "decision" && (d.Decision == "" || d.Because == ""):
		return errors.New("a decision needs --decision and --because")
	case d.Type == "pitfall" && (d.Area == "" || d.Issue == ""):
		return errors.New("a pitfall needs --area and --issue")
	case d.Type == "lesson" && d.Mistake == "" && d.Fix == "":
		return errors.New("a lesson needs --mistake or --fix")
	}
	_, err := d.priority()
	return err
}

func (d Draft) priority() (int, error) {
	switch d.Priority {
	case "", "high":
		return 7, nil
	case "low":
		return 3, nil
	case "medium":
		return 5, nil
	case "critical":
		return 9, nil
	}
	n, err := strconv.Atoi(d.Priority)
	if err != nil || n < 1 || n > 10 {
		return 0, fmt.Errorf("priority %q is none of low, medium, high, critical, 1 to 10", d.Priority)
	}
	return n, nil
}

// signal turns the draft into what one person contributes to an observation.
func (d Draft) signal(r *redact.Redactor, m Machine) observe.Signal {
	clean := func(s string) string { return r.Text(s).String() }
	all := func(list []string) []string {
		return lists.Map(list, clean)
	}
	s := observe.Signal{
		Type: knowledge.Pitfall, Origin: observe.OriginManual, At: m.Now().UTC(), Title: r.Text(d.Title),
		Mistake: r.Text(d.Mistake), Fix: r.Text(d.Fix), Tags: all(d.Tags), Marks: []observe.Mark{observe.MarkManual},
		QualityOK: true, Kind: lesson.Kind(d.Kind),
	}
	switch d.Type {
	case "decision":
		s.Type = knowledge.Decision
		s.Details = r.Text(observe.FormatDetails("context", cmp.Or(d.Context, d.Title), "decision", d.Decision, "rationale", "because "+strings.TrimPrefix(d.Because, "because ")))
	case "pitfall":
		s.Details = r.Text(observe.FormatDetails("area", d.Area, "issue", d.Issue, "impact", d.Impact, "resolution", d.Resolution))
	default:
		tool := tools.Common(d.Tool)
		if tool == "" && len(d.Commands) > 0 {
			tool = "Bash"
		}
		s.Trigger = &lesson.Trigger{Commands: all(d.Commands), Unless: all(d.Unless), Paths: all(d.Paths), Keywords: all(d.Keywords)}
		if tool != "" {
			s.Trigger.Tools = []string{clean(tool)}
		}
	}
	return s
}

// Add stores a draft as an observation of this person and renders it at once
// (rulings 23, 57).
func (p *Project) Add(ctx context.Context, d Draft, dryRun bool) (Done, error) {
	priority, err := d.priority()
	if err != nil {
		return Done{}, err
	}
	return p.addSignals(ctx, []observe.Signal{d.signal(p.Redactor(), p.Machine)}, priority, dryRun)
}

// AddBlock stores the blocks of a text.
func (p *Project) AddBlock(ctx context.Context, text string, dryRun bool) (Done, error) {
	signals, problems := scan.ParseBlocks("standard input", text, p.Redactor(), p.Now().UTC())
	if len(problems) > 0 {
		return Done{}, fmt.Errorf("line %d: %s", problems[0].Line, problems[0].Text)
	}
	if len(signals) == 0 {
		return Done{}, errors.New("no #lesson, #decision or [PROCESS_KNOWLEDGE] block in the text, outside of code fences and quotations")
	}
	for i := range signals {
		signals[i].Origin = observe.OriginManual
		signals[i].Marks = append(signals[i].Marks, observe.MarkManual)
		signals[i].QualityOK = true
	}
	return p.addSignals(ctx, signals, 0, dryRun)
}

func (p *Project) addSignals(ctx context.Context, signals []observe.Signal, priority int, dryRun bool) (Done, error) {
	return retry(func() (Done, error) { return p.addOnce(ctx, signals, priority, dryRun) })
}

func (p *Project) addOnce(ctx context.Context, signals []observe.Signal, priority int, dryRun bool) (Done, error) {
	s, err := p.Store.Load()
	if err != nil {
		return Done{}, err
	}
	var ids []string
	for _, signal := range signals {
		o := s.Log.Add(signal, s.Config.Thresholds)
		if priority > 0 {
			o.Priority = priority
		}
		observe.PromoteByHand(o)
		s.Log.Put(o)
		ids = append(ids, o.ID)
	}
	done, err := p.renderOnly(ctx, s, ids, dryRun)
	if err == nil && len(done.Said) == 0 {
		done.Said = known(s, ids)
	}
	return done, err
}

// known says where what was added stands already: a lesson for the same calls
// with the same fix, or an entry of the same title.
func known(s *store.Snapshot, ids []string) []string {
	var said []string
	for _, a := range s.Artifacts {
		if slices.Contains(ids, a.Source) {
			said = append(said, "known already: "+strings.TrimSuffix(a.Path+"#"+a.Anchor, "#"))
		}
	}
	return said
}
