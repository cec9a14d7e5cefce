package inject

import (
	"cmp"
	"fmt"
	"math/bits"
	"slices"
	"strings"
)

// Counts is what past calls of this work tree say of a lesson's trigger.
type Counts struct {
	Calls   int // that ended since the lesson is counted
	Matched int // of these, its trigger matched
	Failed  int // of the matched ones
	OK      int // of the matched ones; the others are unclear
}

// EvidenceScore is the arithmetic of [ScoringEvidence] for a lesson whose trigger
// matched (algorithms 2.3). Values are per mille; all of it is computed in whole
// numbers, so that every machine ranks alike.
type EvidenceScore struct {
	Counts
	Prior            Prior
	Rate             int // how often the trigger fires, per million calls
	Rare             int // 1 − √Rate
	Right            int // lower bound of how often what matched failed
	Worth            int // the greater of Rare and Right
	Keyword, Context int
	Base, Multiplier int
	Final            int
	Eligible         bool // Final reaches the threshold, before rounding

	exact int // Final in units of 10⁻⁷
}

// Prior is how often triggers of a kind fire before anything was counted: one in
// so many hundredths of calls.
type Prior struct{ In, Of int }

// The priors of the classes of triggers. Those of folders, patterns and agents are
// not in the table of algorithms 2.3: they stand with what is about as broad.
var (
	priorLiteral    = Prior{1, 256} // a file by its name, a command with flags or operands
	priorSubcommand = Prior{1, 100}
	priorProgram    = Prior{1, 25} // also a folder, and a pattern with a literal text
	priorExtension  = Prior{1, 4}  // also any other pattern, and an agent
	priorTool       = Prior{2, 5}
	priorNone       = Prior{1, 1}
)

const (
	evidenceMass      = 50        // calls that the prior weighs
	evidenceThreshold = 7_000_000 // 0.70, in units of 10⁻⁷
	// evidenceAtCall is how many lessons are told beside one call, those apart
	// that are never left out.
	evidenceAtCall = 2

	zSquare = 1_642_374 // millionths: the square of the normal 10 % quantile
)

func (p Prior) compare(q Prior) int { return cmp.Compare(p.In*q.Of, q.In*p.Of) }

func (p Prior) String() string { return fmt.Sprintf("%d/%d", p.In, p.Of) }

// PriorOf returns the prior of a trigger: of several elements in a slot that of
// the broadest, of several slots that of the narrowest.
func PriorOf(t *Trigger) Prior {
	narrowest := priorNone
	slot := func(n int, of func(i int) Prior) {
		if n == 0 {
			return
		}
		broadest := of(0)
		for i := 1; i < n; i++ {
			if p := of(i); p.compare(broadest) > 0 {
				broadest = p
			}
		}
		if broadest.compare(narrowest) < 0 {
			narrowest = broadest
		}
	}
	slot(len(t.Tools), func(int) Prior { return priorTool })
	slot(len(t.Agents), func(int) Prior { return priorExtension })
	slot(len(t.Commands), func(i int) Prior { return t.Commands[i].prior() })
	slot(len(t.Paths), func(i int) Prior { return globPrior(t.Paths[i]) })
	slot(len(t.CommandPatterns), func(i int) Prior { return t.CommandPatterns[i].prior() })
	slot(len(t.Content), func(i int) Prior { return t.Content[i].prior() })
	return narrowest
}

func (s *Spec) prior() Prior {
	switch {
	case len(s.Flags)+len(s.Passed)+len(s.Operands)+len(s.Env) > 0:
		return priorLiteral
	case len(s.Sub) > 0:
		return priorSubcommand
	}
	return priorProgram
}

func (p *Pattern) prior() Prior {
	if p.Literal != "" {
		return priorProgram
	}
	return priorExtension
}

func globPrior(glob string) Prior {
	base := glob[strings.LastIndexByte(glob, '/')+1:]
	switch {
	case base != "" && !hasMeta(base):
		return priorLiteral
	case literalDir(glob[:len(glob)-len(base)]) != "":
		return priorProgram
	case literalExt(base) != "":
		return priorExtension
	}
	return priorNone
}

// evidenceMultiplier of a priority: critical, high, medium, low.
func evidenceMultiplier(priority int) int {
	if priority < 4 {
		return 750
	}
	return multiplier(priority)
}

// ScoreEvidence weighs a lesson whose trigger matched a call; keywords and
// context are how many of its words occur in the recent messages.
func ScoreEvidence(l *Lesson, keywords, context int) EvidenceScore {
	c := l.Counts.sound()
	s := EvidenceScore{Counts: c, Prior: PriorOf(&l.Trigger), Multiplier: evidenceMultiplier(l.Priority)}
	s.Rate = (c.Matched*1_000_000 + evidenceMass*1_000_000*s.Prior.In/s.Prior.Of) / (c.Calls + evidenceMass)
	s.Rare = 1000 - root(uint64(s.Rate))
	s.Right = lowerBound(1+c.Failed, 4+c.Failed+c.OK)
	s.Worth = max(s.Rare, s.Right)
	s.Keyword, s.Context = min(1000, 500*keywords), min(1000, 500*context)
	base := 8*s.Worth + s.Keyword + s.Context // units of 10⁻⁴
	s.exact = base * s.Multiplier
	s.Base, s.Final = base/10, s.exact/10_000
	s.Eligible = s.exact >= evidenceThreshold
	return s
}

// sound returns the counts with what contradicts itself put right: files may be
// lost one by one.
func (c Counts) sound() Counts {
	for _, n := range []*int{&c.Calls, &c.Matched, &c.Failed, &c.OK} {
		*n = min(max(*n, 0), maxCount)
	}
	c.Matched = min(max(c.Matched, c.Failed+c.OK), 2*maxCount)
	c.Calls = max(c.Calls, c.Matched)
	return c
}

// root is the whole square root, rounded down.
func root(n uint64) int {
	r := uint64(0)
	for bit := uint64(1) << (bits.Len64(n) / 2); bit > 0; bit >>= 1 {
		if next := r | bit; next*next <= n && next < 1<<32 {
			r = next
		}
	}
	return int(r)
}

// lowerBound is Wilson's one-sided 10 % lower bound, per mille, of a share that
// was k in t, 0 < k < t (rulings 33):
//
//	(k + z²/2 − √(z²·k·(t−k)/t + z⁴/4)) / (t + z²)
func lowerBound(k, t int) int {
	const million = 1_000_000
	high, low := bits.Mul64(zSquare*million, uint64(k)*uint64(t-k))
	under, _ := bits.Div64(high, low, uint64(t))
	above := k*million + zSquare/2 - root(under+zSquare*zSquare/4)
	return max(0, above*1000/(t*million+zSquare))
}

func (s *EvidenceScore) String() string {
	verdict := "below"
	if s.Eligible {
		verdict = "reaches"
	}
	return fmt.Sprintf("matched %d of %d calls, failed %d, ok %d; rate (%d + %d × %s) / (%d + %d) = %d.%06d; worth max(1 − √rate = %s, Wilson 10%% bound of %d in %d = %s) = %s; "+
		"%s × 0.8 + keywords %s × 0.1 + context %s × 0.1 = %s; × %s = %s, %s 0.700",
		s.Matched, s.Calls, s.Failed, s.OK, s.Matched, evidenceMass, s.Prior, s.Calls, evidenceMass, s.Rate/1_000_000, s.Rate%1_000_000,
		mille(s.Rare), 1+s.Failed, 4+s.Failed+s.OK, mille(s.Right), mille(s.Worth),
		mille(s.Worth), mille(s.Keyword), mille(s.Context), mille(s.Base), mille(s.Multiplier), mille(s.Final), verdict)
}

// weigh adds the evidence to a match that holds. A lesson below the threshold does not
// belong to the call, unless it is one that is never left out: a guard must not
// end because it works often, and a critical lesson is told once (rulings 35).
func (p *prepared) weigh(m *Match) {
	t := &m.Lesson.Trigger
	s := ScoreEvidence(&m.Lesson, len(matched(t.Keywords, p.keywordText())), len(matched(t.Context, p.keywordText())))
	m.Evidence = &s
	if s.Eligible {
		return
	}
	r := Reason{Slot: SlotEvidence, OK: true, Element: s.verdict()}
	switch {
	case m.Lesson.Extra != "" || m.Lesson.Action == actionAsk || m.Lesson.Action == actionDeny || m.Lesson.Action == actionRewrite:
		r.Note = "a guard holds all the same"
	case m.Lesson.Priority >= Critical:
		r.Note = "a critical lesson is told once all the same"
	default:
		r.OK, m.OK = false, false
	}
	m.Reasons = append(m.Reasons, r)
}

func (s *EvidenceScore) verdict() string { return mille(s.Final) + " is below 0.700" }

// byEvidence ranks by score, by how often the mistake happened, by length, by id.
func byEvidence(a, b Match) int {
	return cmp.Or(
		cmp.Compare(b.Evidence.exact, a.Evidence.exact), cmp.Compare(b.Evidence.Right, a.Evidence.Right),
		cmp.Compare(len(a.Lesson.Text), len(b.Lesson.Text)), cmp.Compare(a.Lesson.ID, b.Lesson.ID),
	)
}

// evidenceMatches returns the lessons that belong to a call, best first.
func (x *Index) evidenceMatches(c Call, o Options) []Match {
	p := prepare(c, o)
	var out []Match
	for _, m := range x.triggered(p) {
		if p.weigh(&m); m.OK {
			out = append(out, m)
		}
	}
	slices.SortFunc(out, byEvidence)
	return out
}
