// score Package score says how sure and how important a lesson is.
package score

import (
	"slices"
	"strconv"
	"strings"

	"github.com/lessons-cli/lessons/knowledge/lesson"
	"github.com/lessons-cli/lessons/knowledge/observe"
)

// Weights are the terms of the two scores of the lessons-learned PRD (section 8
// and the self-report amendments of section 11). Confidence terms are hundredths.
type Weights struct {
	BasePriority            int `json:"basePriority"`
	MultiSessionBonus       int `json:"multiSessionBonus"`
	MultiProjectBonus       int `json:"multiProjectBonus"`
	HangTimeoutBonus        int `json:"hangTimeoutBonus"`
	DataLossBonus           int `json:"dataLossBonus"`
	UserCorrectionBonus     int `json:"userCorrectionBonus"`
	FixConfirmedBonus       int `json:"fixConfirmedBonus"`
	SelfReportBonus         int `json:"selfReportBonus"`
	SingleOccurrencePenalty int `json:"singleOccurrencePenalty"` // negative

	BaseConfidence           int `json:"baseConfidence"`
	SelfReportConfidence     int `json:"selfReportConfidence"` // in place of ErrorFixConfidence
	ErrorFixConfidence       int `json:"errorFixConfidence"`
	UserCorrectionConfidence int `json:"userCorrectionConfidence"`
	MultiSessionConfidence   int `json:"multiSessionConfidence"`
	MultiProjectConfidence   int `json:"multiProjectConfidence"`
	RetryLoopConfidence      int `json:"retryLoopConfidence"`
	HangConfidence           int `json:"hangConfidence"`
	CausalConfidence         int `json:"causalConfidence"`
}

// DefaultWeights returns the PRD's numbers.
func DefaultWeights() Weights {
	return Weights{
		BasePriority: 3, MultiSessionBonus: 2, MultiProjectBonus: 1, HangTimeoutBonus: 1,
		DataLossBonus: 1, UserCorrectionBonus: 1, FixConfirmedBonus: 1, SelfReportBonus: 1,
		SingleOccurrencePenalty: -1,
		BaseConfidence:          40, SelfReportConfidence: 25, ErrorFixConfidence: 20,
		UserCorrectionConfidence: 15, MultiSessionConfidence: 10, MultiProjectConfidence: 10,
		RetryLoopConfidence: 10, HangConfidence: 10, CausalConfidence: 5,
	}
}

// Least values.
const (
	selfReportFloor = 85 // of a well-formed #lesson
	certain         = 100
	manualPriority  = 7
)

// Score is what the PRD's formulas say about a lesson. Confidence is the
// lessonConfidence of rulings 13, 0..1, and not the count confidence of the
// observation. Priority is 1..10. Why explains every term of both, in order.
type Score struct {
	Confidence float64
	Priority   int
	Why        []string
}

// Of computes both scores from the observation's marks and counts.
func Of(o *observe.Observation, w Weights) Score {
	f := facts{o}
	confidence := lessonConfidence(f, w)
	priority := lessonPriority(f, w, confidence.why)
	return Score{Confidence: float64(confidence.total) / 100, Priority: priority.total, Why: priority.why}
}

// facts are what the formulas look at of an observation.
type facts struct{ *observe.Observation }

func (f facts) is(m observe.Mark) bool { return slices.Contains(f.Marks, m) }

func (f facts) manual() bool { return f.is(observe.MarkManual) || f.Origin == observe.OriginManual }

// stated: by a person, and not as a correction.
func (f facts) stated() bool {
	return f.is(observe.MarkStated) && !f.is(observe.MarkUserCorrection)
}

// inProduction: the user corrected what speaks of production.
func (f facts) inProduction() bool {
	return f.is(observe.MarkUserCorrection) && productionImpact(strings.Join([]string{f.Pattern, f.Details, f.Mistake, f.Fix}, "\n"))
}

// sum adds terms up and keeps the explanation of each.
type sum struct {
	name  string
	unit  func(int) string
	total int
	why   []string
}

func (s *sum) add(applies bool, n int, why string) {
	if applies && n != 0 {
		s.total += n
		s.why = append(s.why, s.name+" "+s.unit(n)+": "+why)
	}
}

// within brings the total into a range and says so when that changes it.
func (s *sum) within(lo, hi int, why string) {
	if n := min(max(s.total, lo), hi); n != s.total {
		s.total = n
		s.why = append(s.why, s.name+" = "+strings.TrimPrefix(s.unit(n), "+")+": "+why)
	}
}

func hundredths(n int) string { return signed(n, strconv.FormatFloat(float64(n)/100, 'f', 2, 64)) }
func points(n int) string     { return signed(n, strconv.Itoa(n)) }

func signed(n int, text string) string {
	if n < 0 {
		return text
	}
	return "+" + text
}

// seenIn tells of several; of one nothing is told.
func seenIn(n int, what string) string {
	if n < 2 {
		return ""
	}
	return "seen in " + strconv.Itoa(n) + " " + what
}

func lessonConfidence(f facts, w Weights) sum {
	s := sum{name: "confidence", unit: hundredths, why: make([]string, 0, 12)}
	s.add(true, w.BaseConfidence, "base")
	s.add(f.is(observe.MarkSelfReport), w.SelfReportConfidence, "the agent reported it (#lesson)")
	s.add(f.is(observe.MarkErrorFix) && !f.is(observe.MarkSelfReport), w.ErrorFixConfidence, "an error, a changed action, then success")
	s.add(f.is(observe.MarkUserCorrection), w.UserCorrectionConfidence, "the user corrected the agent")
	s.add(f.stated(), w.UserCorrectionConfidence, "a person said that it holds")
	s.add(f.Met() >= 2, w.MultiSessionConfidence, seenIn(f.Met(), "sessions"))
	s.add(f.Projects >= 2, w.MultiProjectConfidence, seenIn(f.Projects, "projects"))
	s.add(f.is(observe.MarkRetryLoop), w.RetryLoopConfidence, "a retry loop")
	s.add(f.is(observe.MarkHang), w.HangConfidence, "a hang or time-out")
	s.add(f.is(observe.MarkCausal), w.CausalConfidence, "the cause is named")
	if f.is(observe.MarkSelfReport) {
		s.within(selfReportFloor, certain, "a well-formed #lesson has at least this")
	}
	if f.is(observe.MarkBlock) || f.manual() {
		s.within(certain, certain, "declared by a complete block or by a person")
	}
	s.within(0, certain, "between 0 and 1")
	return s
}

func lessonPriority(f facts, w Weights, why []string) sum {
	s := sum{name: "priority", unit: points, why: why}
	s.add(true, w.BasePriority, "base")
	s.add(f.Met() >= 2, w.MultiSessionBonus, seenIn(f.Met(), "sessions"))
	s.add(f.Projects >= 2, w.MultiProjectBonus, seenIn(f.Projects, "projects"))
	s.add(f.is(observe.MarkHang), w.HangTimeoutBonus, "it caused a hang or time-out")
	s.add(f.is(observe.MarkDataLoss), w.DataLossBonus, "it lost data or failed silently")
	s.add(f.is(observe.MarkUserCorrection), w.UserCorrectionBonus, "the user corrected the agent")
	s.add(f.stated(), w.UserCorrectionBonus, "a person said that it holds")
	s.add(f.is(observe.MarkFixConfirmed), w.FixConfirmedBonus, "the fix was followed by success")
	s.add(f.is(observe.MarkSelfReport), w.SelfReportBonus, "the agent reported it (#lesson)")
	s.add(f.Met() <= 1, w.SingleOccurrencePenalty, "seen once only")
	s.within(1, 10, "between 1 and 10")
	if lo, hi, ok := f.Level.Range(); ok {
		s.within(lo, hi, "declared "+string(f.Level))
		return s
	}
	if f.manual() {
		s.within(manualPriority, 10, "written by a person")
	}
	critical, _, _ := lesson.Critical.Range()
	if f.is(observe.MarkRepeated) {
		s.within(critical, 10, "made again although its lesson existed")
	}
	if f.inProduction() {
		s.within(critical, 10, "production impact, and the user had to correct it")
	}
	return s
}
