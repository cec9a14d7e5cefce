package statement

import (
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/internal/automata"
	"github.com/lessons-cli/lessons/knowledge/statement/weigh"
)

// How likely it must be that a sentence is a rule, and another one its reason.
const (
	surelyRule    = 0.32
	mostSurely    = 0.5 // of an order, as most are for the work at hand, and of a language with few examples
	surelyReason  = 0.3
	fragmentSays  = 0.8  // how much of what a whole sentence would say a fragment does
	surelyParts   = 0.3  // of two clauses, that one is a rule and the other one its reason
	reasonCounts  = 0.7  // how much a reason beside it makes a rule likelier
	formDecides   = 1.5  // how much likelier a rule with a reason is a decision than its words tell, where a form finds it
	reasonDecides = 4    // the same where only weights do
	hardlyLasts   = 0.08 // below it a message settles nothing for later
)

// maxWeighed is how many words a message may have; a longer one is a brief.
const maxWeighed = 100

// weighed is what the weights of its words and forms tell of a message.
type weighed struct {
	l   *language
	all []string         // its sentences
	w   *weigh.Sentences // nil: they are not weighed
}

func (l *language) weigh(all []string) *weighed {
	m := &weighed{l: l, all: all}
	words := 0
	for _, s := range all {
		words += CountWords(s)
	}
	if words <= maxWeighed && l.gaps == nil { // of Chinese and Japanese there are too few examples
		m.w = weigh.Message(l.marked(all))
	}
	return m
}

// rule is the sentence that is most likely a rule, by itself and by the reason beside it; ok
// is false where none is.
func (m *weighed) rule() (at int, ok bool) {
	if m.w == nil {
		return 0, false
	}
	most, best, need := 0.0, 0.0, surelyRule
	for i, s := range m.all {
		p := m.asRule(i)
		if p == 0 || !m.l.mayRule(s) || len(m.l.content(m.l.withoutLead(s))) == 0 {
			continue
		}
		_, why := m.beside(i)
		likely := m.w.Lasting(i) * (p + reasonCounts*why)
		says := likely
		if CountWords(s) <= fragmentWords {
			says *= fragmentSays
		}
		if m.l.onlyPoints(s) {
			says *= fragmentSays
		}
		if says > most {
			most, at, best, need = says, i, likely, surelyRule
			if why == 0 && (m.l != inEnglish() || m.l.order.MatchString(m.l.withoutLead(s))) && !m.justifies(s) {
				need = mostSurely
			}
		}
	}
	return at, best >= need
}

// onlyPoints says whether a sentence says nothing without its conversation.
func (l *language) onlyPoints(sentence string) bool {
	return len(l.content(sentence)) < tellingWords && l.points.MatchString(sentence) && len(namesIn(sentence)) == 0
}

// justifies says whether a sentence gives the reason for what it says.
func (m *weighed) justifies(sentence string) bool {
	_, because := m.l.reasoned(sentence)
	_, _, likely := parted(sentence)
	return because != "" || likely > 0
}

// asRule is how likely a sentence is a rule, or holds one beside its reason.
func (m *weighed) asRule(at int) float64 {
	rule, reason := shares(m.w, at)
	if reason > rule {
		_, _, rule = parted(m.all[at])
	}
	return rule
}

// shares are how likely a sentence is a rule, and how likely it is a reason.
func shares(w *weigh.Sentences, at int) (rule, reason float64) {
	is := w.Is(at)
	return is[weigh.Decision] + is[weigh.Instruction], is[weigh.Reason]
}

// SettlesNothing says whether the words of a message tell of the moment only, as far as
// their weights know.
func SettlesNothing(message string) bool {
	l, all := split(message)
	w := l.weigh(all).w
	for i := range all {
		if w == nil || w.Lasting(i) >= hardlyLasts {
			return false
		}
	}
	return true
}

// near is how many sentences off a rule its reason may stand.
const near = 2

// beside is the sentence near a rule that is most likely its reason, and how likely;
// "" where none is.
func (m *weighed) beside(at int) (because string, likely float64) {
	for i := max(0, at-near); i < min(len(m.all), at+near+1); i++ {
		need := 1.0
		if m.l.tellsMore(m.all[i]) {
			need -= m.w.Is(at)[weigh.Decision] // which mostly has a reason
		}
		if rule, reason := shares(m.w, i); i != at && reason > max(likely, need*surelyReason, need*rule) && m.l.mayJustify(m.all[i]) {
			because, likely = strings.TrimSpace(m.all[i]), reason
		}
	}
	return because, likely
}

// tellsMore says whether a sentence is no order, and no remark.
func (l *language) tellsMore(sentence string) bool {
	return CountWords(sentence) > fragmentWords && !l.order.MatchString(sentence) && !l.goesOn.MatchString(sentence)
}

// giveReason adds its reason to a statement that some form tells, where one is found. What
// holds for a reason may be a decision rather than an instruction.
func (m *weighed) giveReason(s *Statement, at int, next string) {
	switch s.Kind {
	case Decision:
		if s.Rule, s.Because = m.l.unlinked(s.Rule, next); s.Because == "" {
			s.Rule, s.Because = m.reasonFor(s.Rule, at)
		}
	case Instruction:
		if m.w == nil || m.l.writes.MatchString(m.all[at]) || m.l.notes.MatchString(m.all[at]) {
			return // what is to be written down is in the person's words
		}
		if s.Because, _ = m.beside(at); s.Because != "" && m.decides(at, formDecides) {
			s.Kind, s.Explicit = Decision, false
		}
	}
	m.l.finish(s)
}

// decides says whether a sentence that has a reason, and so is the likelier a decision, is
// one rather than an instruction.
func (m *weighed) decides(at int, likelier float64) bool {
	is := m.w.Is(at)
	return likelier*is[weigh.Decision] > is[weigh.Instruction]
}

// reasonFor finds the reason for a rule in a sentence: in the rule itself, which then is
// only the other part of it, or beside.
func (m *weighed) reasonFor(rule string, at int) (short, because string) {
	if because = m.concluded(at); because != "" || m.w == nil {
		return rule, because
	}
	short, because, within := parted(rule)
	if other, likely := m.beside(at); likely > within {
		return rule, other
	}
	return short, because
}

// parted splits a sentence into a rule and its reason, where one of two clauses is likely
// the one and the other one the other; likely says how likely, 0 where it does not.
func parted(sentence string) (rule, because string, likely float64) {
	rule = sentence
	for _, at := range breaks(sentence) {
		head, rest := sentence[:at], strings.TrimLeft(sentence[at:], " ,;:–—-，；：")
		if strings.HasPrefix(rest, "…") {
			continue // what was left of a quotation
		}
		w := weigh.Message([]weigh.Sentence{MarkedClause(head), MarkedClause(rest)})
		rule1, reason1 := shares(w, 0)
		rule2, reason2 := shares(w, 1)
		if p := rule1 * reason2; p > max(likely, surelyParts) {
			likely, rule, because = p, head, rest
		}
		if p := rule2 * reason1; p > max(likely, surelyParts) {
			likely, rule, because = p, rest, head
		}
	}
	if because == "" {
		return sentence, "", 0
	}
	return rule[len(linked.FindString(rule)):], because[len(linked.FindString(because)):], likely
}

// concluded is the reason before a sentence that draws a rule from it: "So minSdk stays at
// 26."; "" where there is none.
func (m *weighed) concluded(at int) string {
	if at > 0 && concludes.MatchString(m.all[at]) && m.l.mayJustify(m.all[at-1]) && CountWords(m.all[at-1]) >= minReasonWords {
		return strings.TrimSpace(m.all[at-1])
	}
	return ""
}

var concludes = automata.New(`(?i)^(?:hence|therefore|thus|which is why|(?:and )?that'?s why|so|deshalb|daher|also|así que|por eso|donc),? `)

// linked are words that join a rule to the reason before it, or a reason to its rule.
var linked = automata.New(`(?i)^(?:hence|therefore|thus|which is why|(?:and )?that'?s why|so|as|since|because|'?cause|deshalb|daher|also|weil|denn|así que|por eso|porque|ya que|donc|car|parce que) `)

// mayRule says whether no form of a sentence tells that it holds for nothing later.
func (l *language) mayRule(sentence string) bool {
	return !endsAsking(sentence) && !goesWrong.MatchString(sentence) && !l.asks.MatchString(l.withoutLead(sentence)) &&
		!l.passing.MatchString(sentence) && !l.polite.MatchString(sentence) && !l.wishes.MatchString(sentence) &&
		!strings.HasPrefix(sentence, "(") && !strings.HasSuffix(sentence, ":")
}

// statement is what the likely rule of a message states; ok is false where it has none.
func (m *weighed) statement() (s Statement, ok bool) {
	at, ok := m.rule()
	if !ok {
		return s, false
	}
	s = Statement{Kind: Instruction, Explicit: true, Likely: true}
	s.Rule, s.Because = m.l.reasoned(m.l.withoutLead(m.all[at]))
	if s.Because == "" {
		s.Rule, s.Because = m.reasonFor(s.Rule, at)
	}
	if s.Because == "" && m.decides(at, formDecides) {
		s.Rule, s.Because = m.l.unlinked(s.Rule, behind(m.all, at))
	}
	if s.Because != "" && m.decides(at, reasonDecides) {
		s.Kind, s.Explicit = Decision, false
	}
	m.l.finish(&s)
	return s, true
}

// breaks are where a clause may begin behind another one.
func breaks(s string) []int {
	var at []int
	marks := []string{", ", "; ", ": ", " - ", " – ", " — ", "，", "；", "："}
	if strings.ContainsFunc(s, weigh.IsDense) {
		marks = append(marks, ",") // no blank follows it there
	}
	for _, mark := range marks {
		for from := 0; ; {
			i := strings.Index(s[from:], mark)
			if i < 0 {
				break
			}
			if head := s[:from+i]; mark != ": " || !isLabel(head) {
				at = append(at, from+i)
			}
			from += i + len(mark)
		}
	}
	slices.Sort(at)
	return at
}

// isLabel says whether what stands before a colon only names what is spoken of: "Error handling".
func isLabel(head string) bool {
	return CountWords(head) <= fragmentWords && IsPhrase(head) && !IsOrder(head)
}

// likelyReason says whether the weights of a clause's words tell a reason.
func likelyReason(clause string) bool {
	_, reason := shares(weigh.Message([]weigh.Sentence{MarkedClause(clause)}), 0)
	return reason > surelyReason
}
