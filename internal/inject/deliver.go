package inject

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/internal/lists"
)

// Abilities is what an agent lets an answer do at a moment.
type Abilities struct {
	TellModel   bool
	DenyCall    bool
	AskPerson   bool
	ChangeInput bool // and approves nothing by it
	HoldStop    bool
}

// Input is what happened, and the lessons that belong to it.
type Input struct {
	At       Moment
	Tool     string // as the model calls it; empty: not a tool call
	Can      Abilities
	Found    []Lesson        // that match, in any order
	Paths    []string        // files of the call: repository-relative, or absolute outside
	Part     int             // lines that the call reads at most; 0: all
	Args     json.RawMessage // the call's input
	PathKey  string          // the key of Args that names the one file; empty: there is none
	Root     string          // of the work tree, absolute: redirected files are named by it
	Sub      bool            // in a sub-agent
	Again    bool            // a stop that was already held
	Session  *Session        // nil: one of which nothing can be remembered
	Facts    Facts           // nil: what session and work tree say
	Name     string          // of the session in the call log
	Call     string          // its id there; empty: the agent does not name its calls
	Scores   map[string]int  // of lessons, where they are scored
	Settings Settings
	MaxBytes int   // of one answer, the agent's own cap; 0: DefaultMaxBytes
	Now      int64 // Unix milliseconds
}

// Verdict is what a decision does to a call or a stop.
type Verdict string

const (
	Pass  Verdict = ""
	Deny  Verdict = "deny"
	Ask   Verdict = "ask"
	Block Verdict = "block" // of a stop: go on
)

// Decision is what is said. The zero value is silence.
type Decision struct {
	Verdict  Verdict
	Context  string          // for the model, beside the call
	Reason   string          // of a verdict, for the model
	Args     json.RawMessage // instead of the call's own; nil: as they are
	Injected []string        // ids of the lessons in Context or Reason
	Dropped  []string        // ids of those that had no room
}

// Defaults of settings that are zero.
const (
	DefaultMaxBytes            = 9000
	defaultBudget              = 4096
	defaultMaxLessons          = 3
	defaultCompactionThreshold = 7
)

// Decide says what becomes of the lessons that match: guards first, then the
// lessons that stop a call once, then those that inform. What was said is
// remembered in the session, after the text is made; so of many hooks at once one
// says it. Where nothing can be remembered no call is stopped, and beside calls
// only what is critical is told, as often as it matches.
//
// Lessons that nobody here trusts inform, whatever they want, and say so. After a
// compaction (call [Session.Compacted] before) the lessons of at least the
// threshold's priority that were shown before are shown again.
func Decide(in Input) Decision {
	in.Settings.BudgetBytes = cmp.Or(in.Settings.BudgetBytes, defaultBudget)
	in.Settings.MaxLessons = cmp.Or(in.Settings.MaxLessons, defaultMaxLessons)
	in.Settings.CompactionThreshold = cmp.Or(in.Settings.CompactionThreshold, defaultCompactionThreshold)
	in.MaxBytes = cmp.Or(in.MaxBytes, DefaultMaxBytes)
	in.Settings.BudgetBytes = min(in.Settings.BudgetBytes, in.MaxBytes)
	if in.Session == nil {
		in.Session = OpenSession(Places{}, "", "")
	}
	if in.Facts == nil {
		in.Facts = TreeFacts{in.Session, in.Root}
	}
	in.Found = slices.Clone(in.Found)
	slices.SortStableFunc(in.Found, byRank)

	held := in.guards()
	if held.Verdict != Pass || in.stopping() {
		return held
	}
	if in.At == AtCall && in.Can.DenyCall {
		if d := in.stops(); d.Verdict != Pass {
			return d
		}
	}
	if held.Args != nil {
		return held
	}
	return in.inform()
}

// byRank sorts by priority, confidence, id; what nobody here reviewed comes last.
func byRank(a, b Lesson) int {
	return cmp.Or(unreviewedOf(a)-unreviewedOf(b), cmp.Compare(b.Priority, a.Priority), cmp.Compare(b.Confidence, a.Confidence), cmp.Compare(a.ID, b.ID))
}

func unreviewedOf(l Lesson) int {
	if l.Unreviewed {
		return 1
	}
	return 0
}

// stops denies the call for every lesson that stops it for the first time.
func (in Input) stops() Decision {
	first := lists.Filter(in.Found, func(l Lesson) bool { return in.acts(l) == actionStopOnce && !in.Session.Stopped(l.ID) && in.missing(l) })
	p := in.picker(func(l Lesson) (bool, error) {
		won, err := in.Session.ClaimStop(l.ID)
		if won {
			_, _ = in.Session.Claim(l.ID, in.renewed(l)) // to stop is to show
		}
		return won, err
	})
	p.stops, p.forget = true, true
	text := p.pick(first)
	if text == "" {
		return Decision{}
	}
	return Decision{Verdict: Deny, Reason: text, Injected: p.injected(), Dropped: p.dropped}
}

// missing: the gates of a lesson that has some do not hold.
func (in Input) missing(l Lesson) bool {
	if l.Extra == "" {
		return true
	}
	g, err := DecodeGuard(l.Extra)
	if err != nil || !g.Holds(in.At) {
		return false
	}
	f := g.Check(in.Session, in.subject(), in.Facts)
	return g.Empty() || len(f.Missing) > 0 || f.Redirect != ""
}

func (in Input) subject() Subject {
	return Subject{At: in.At, Sub: in.Sub, Paths: in.Paths, Part: in.Part}
}

// inform tells what is not known yet.
func (in Input) inform() Decision {
	if !in.Can.TellModel {
		return Decision{}
	}
	var fresh []Lesson
	for _, l := range in.Found {
		if l.Kind == KindAfter && in.At != AfterFailure {
			continue
		}
		if l.Notice() {
			t := l.telling()
			lately, ever := in.Session.Noticed(l.ID, t.Again)
			if !lately && (in.At != AtCall || !in.prepared(t.Ran)) {
				fresh = append(fresh, l.repeated(ever))
			}
			continue
		}
		renewed := in.renewed(l)
		switch act := in.acts(l); {
		case act == ActionAfterFailure && in.At != AfterFailure:
			continue
		case in.At == AfterCompact && (!renewed || !in.Session.EverShown(l.ID)):
			continue
		case in.blocks(act) && !in.early() && (in.At != AtCall || in.Can.DenyCall):
			continue // it passed its gates
		case act == actionStopOnce && in.At == AtCall && in.Can.DenyCall && in.Session.Stopped(l.ID) && !in.Session.EverShown(l.ID):
			continue // a call at this very moment is stopped for it, which shows it
		case act == actionStopOnce && in.At == AtCall && in.Can.DenyCall && l.Extra != "" && !in.missing(l):
			continue
		case in.At == AfterFailure:
			_ = in.Session.Met(l.ID, renewed)
		}
		if !in.Session.Shown(l.ID, renewed) {
			fresh = append(fresh, l)
		}
	}
	p := in.picker(func(l Lesson) (bool, error) {
		if l.Notice() {
			return in.Session.ClaimNotice(l.ID)
		}
		return in.Session.Claim(l.ID, in.renewed(l))
	})
	p.withFix, p.skills = in.At == AfterFailure, true
	text := p.pick(fresh)
	return Decision{Context: text, Injected: p.injected(), Dropped: p.dropped}
}

// repeated is a notice in short, where the agent was told it before.
func (l Lesson) repeated(ever bool) Lesson {
	if ever {
		l.Text = l.Summary
	}
	return l
}

// early: the moment is not one of a tool call, and comes but now and then.
func (in Input) early() bool {
	return in.At == AtPrompt || in.At == AtStart || in.At == AtSubagent || in.At == AfterCompact
}

// renewed: shown again after a compaction.
func (in Input) renewed(l Lesson) bool { return l.Priority >= in.Settings.CompactionThreshold }

// ActionAfterFailure is the action of a lesson that stopped calls that worked: it informs
// of failures alone.
const ActionAfterFailure = "after-failure"

const (
	actionInform   = "inform"
	actionStopOnce = "stop-once"
	actionAsk      = "ask"
	actionDeny     = "deny"
	actionRewrite  = "rewrite"
)

// acts is what a lesson may do here. A rewrite that knows no other call to make,
// or cannot make it here, stops once, with its fix as the reason.
func (in Input) acts(l Lesson) string {
	switch {
	case l.Action == ActionAfterFailure:
		return ActionAfterFailure
	case l.Unreviewed:
		return actionInform
	case l.Action == actionRewrite:
		g, err := DecodeGuard(l.Extra)
		corrects := g.Redirect != "" || g.Replace != nil && in.Can.ChangeInput
		if err != nil || !corrects {
			return actionStopOnce
		}
	}
	return l.Action
}

func (in Input) blocks(act string) bool {
	return act == actionAsk || act == actionDeny || act == actionRewrite
}

// what is the name of the moment in an injected block.
func (in Input) what() string {
	switch in.At {
	case AtPrompt:
		return "the prompt"
	case AtStart, AtStop:
		return "the session"
	case AtSubagent, AtSubagentStop:
		return "the sub-agent"
	case AfterCompact:
		return "the session after compaction"
	}
	return strings.Join(strings.Fields(cmp.Or(clip(in.Tool), "the call")), " ")
}

// Heads of what lessons says, by which readers of a session know it. What holds a call back
// has the short one, because people see it: what to do instead comes first.
const mark = "[lessons] "

func (in Input) head(told int) string { return fmt.Sprintf("%s%d for %s\n", mark, told, in.what()) }
