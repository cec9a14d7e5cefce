package statement

import (
	"strings"

	"github.com/lessons-cli/lessons/internal/automata"
)

// read tells what a sentence states, one of n of its message; it is not ok where it
// states nothing that could hold for later. Next is the sentence behind it.
func (l *language) read(sentence, next string, n int) (Statement, bool) {
	bare := l.plainly(withoutQuotes(sentence))
	notes := l.writes.MatchString(bare) || l.notes.MatchString(bare) || strings.ContainsAny(bare, "\"“‘'…") && sayings.MatchString(bare)
	if notes {
		bare = l.plainly(sentence) // what is quoted there is the rule
	}
	request := l.polite.FindString(bare)
	polite := request != ""
	if polite {
		bare = strings.Trim(bare[len(request):], "? ")
	}
	matter := l.withoutLead(bare)
	asks := endsAsking(bare) || !notes && l.asks.MatchString(matter)
	s := Statement{Rule: matter, Recalls: l.recalls.MatchString(bare)}
	s.Rule, s.Because = l.reasoned(matter)
	told := strings.Replace(bare, s.Because, "", 1) // a reason may well be a wish or a report
	switch {
	case strings.HasPrefix(bare, "("), strings.HasSuffix(bare, ":"), l.passing.MatchString(bare), CountWords(next) < 6 && l.passing.MatchString(next),
		asks && !polite,
		!notes && (l.wishes.MatchString(told) || l.quotesOthers(told) && !l.generalises(matter)):
		return Statement{}, false
	}
	if s.Because == "" {
		s.Because = l.reasonIn(next)
	}
	if s.Because == "" && l.setsApart(s.Rule) && !l.order.MatchString(s.Rule) && l.grounded(next) {
		s.Because = next // "assets load through Addressables, not from Resources. …"
	}
	known := l.classify(&s, bare, matter, n)
	if s.Because == "" && known && s.Kind != Correction && !l.touch.MatchString(s.Rule) && !s.Recalls {
		if m := l.aside.FindStringSubmatch(s.Rule); m != nil && !l.refers.MatchString(m[1]) && l.standingAt(firstOf(m[2:])) == nil {
			s.Rule, s.Because = m[1], firstOf(m[2:])
		}
	}
	if !known || asks && !s.Explicit || s.Kind == Decision && polite && !l.setsApart(s.Rule) {
		return Statement{}, false
	}
	l.finish(&s)
	if notes && (len(l.content(s.Rule)) == 0 || l.writes.MatchString(s.Rule) || thatWhen.MatchString(bare)) {
		s.Rule, s.Missing = "", saysNothing // "remember that"
	}
	return s, true
}

// keepsSo begins a clause that makes a rule of the one before it.
var keepsSo = automata.New(`(?i)^(?:and |please )*make (?:it|that|this) a (?:habit|rule)\b|^(?:and |please )*keep (?:it|this) (?:that way|like (?:that|this))\b|^(?:and )?(?:that|this) (?:applies|goes|holds) (?:to|for) |^das gilt (?:für|fürs|überall|immer)\b`)

// holdsSo begins a clause that says for what the one before it holds.
var holdsSo = automata.New(`(?i)^(?:and )?(?:that'?s|this is) how (?:we|every|all|each) `)

// plainly leaves out what only colours a sentence: a cry before it, and a question behind it
// that asks for no more than assent.
func (l *language) plainly(sentence string) string {
	if at := strings.IndexAny(sentence, ",!…."); at > 0 && at <= longestCry {
		if cry := cries.FindString(sentence); cry != "" && !l.objects.MatchString(sentence) {
			sentence = sentence[len(cry):]
		}
	}
	if strings.Contains(sentence, "?") {
		sentence = tagQuestion.ReplaceAllString(sentence, "")
	}
	return sentence
}

// longestCry is how long a word is that is only a cry, in bytes.
const longestCry = 12

var (
	cries       = automata.New(`^\pL{1,6}(?:[,!…]|\.\.\.?)+ `)
	tagQuestion = automata.New(`(?i),? (?:ok(?:ay)?|alright|please|deal|got it|gut|vale|(?:can|could|will|would) you (?:please )?(?:remember|note|keep) (?:that|this|it)(?: down| in mind)?)\?+[ !:;)]*$`)
)

// thatWhen points at the sentence before, and says when it is to be remembered.
var thatWhen = automata.New(`(?i)^\W*(?:please |and )?(?:remember|keep in mind|don'?t forget) (?:that|this|it) (?:when(?:ever)?|before|if|after|next time) `)

// forLater says when a note is to be remembered.
var forLater = automata.New(`(?i)^\W*(?:\w+[\s,.!]+){1,5}?for (?:the |any )?(?:next time|later|future)\b`)

// fewSentences is how long a message may be in which "remember" means more than the
// work that it asks for.
const fewSentences = 2

// classify says what kind of statement a sentence is; false: none.
func (l *language) classify(s *Statement, bare, matter string, n int) bool {
	standing := l.standingAt(bare)
	if at := strings.Index(bare, s.Because); standing != nil && s.Because != "" && at >= 0 && standing[0] >= at && standing[1] <= at+len(s.Because) {
		standing = nil // "because it always hangs" tells how things are
	}
	habit := l.habit.MatchString(matter)
	switch {
	case l.writes.MatchString(bare):
		s.Kind, s.Explicit = Instruction, true
	case l.notes.MatchString(bare):
		s.Kind, s.Explicit = Instruction, n <= fewSentences || standing != nil || l.generalises(matter) || l != inEnglish() || forLater.MatchString(bare)
	case standing != nil:
		s.Kind, s.Explicit = Instruction, true
		if clause := l.clauseAt(bare, standing[0]); clause == bare || !l.generalises(matter) && !holdsSo.MatchString(clause) && !l.onlyExcludes(bare, clause) {
			s.Rule, s.Because = l.reasoned(l.withoutLead(clause))
		}
		if before := l.withoutLead(bare[:standing[0]]); (len(l.content(s.Rule)) == 0 || keepsSo.MatchString(s.Rule)) && len(l.content(before)) > 0 {
			s.Rule, s.Because = l.reasoned(before) // "…, remember that"
		}
	case habit && s.Because == "":
		s.Kind, s.Explicit = Instruction, true
	case s.Because == "" && !s.Recalls && l.generalises(matter):
		s.Kind, s.Explicit = Instruction, true
	case habit, l.choice.MatchString(matter), s.Recalls, s.Because != "" && (l.choice.MatchString(s.Rule) || l.setsApart(s.Rule[len(l.article.FindString(s.Rule)):])), labelled.MatchString(bare):
		s.Kind = Decision
	case l.prohibits(s, matter), l.generalises(matter): // with a reason
		s.Kind, s.Explicit = Instruction, true
	case l.duty.MatchString(matter):
		s.Kind, s.Explicit = Instruction, n == 1 || s.Because != ""
	case l.objects.MatchString(bare):
		s.Kind = Correction
	default:
		return false
	}
	return true
}

// onlyExcludes says whether the clause that holds for later turns down what the one before it
// puts in its place: "sensors report by MQTT, no more polling".
func (l *language) onlyExcludes(sentence, clause string) bool {
	before := strings.TrimRight(strings.TrimSuffix(sentence, clause), " ,;:—–-")
	return (l.not.MatchString(clause) || negates.MatchString(clause)) && strings.Contains(sentence, ", ") && !turnsTo.MatchString(clause) && CountWords(before) > fragmentWords && l.tellsMore(before) && !l.passing.MatchString(before) && !l.reports.MatchString(before)
}

// negates is a word of a clause that says what is not so.
var negates = automata.New(`(?i)\b(?:never|nothing|nie|kein\w*|nicht|nunca|nada)\b`)

// turnsTo begins a clause that goes on with something else, or is a rule by itself.
var turnsTo = automata.New(`(?i)^(?:never|don'?t|do not|stop|but|and|so|then|also|please|aber|und|dann|also|pero|y|entonces) `)

// standingAt is where a sentence says that it holds for later; nil: it does not.
func (l *language) standingAt(sentence string) []int {
	if at := l.standing.FindStringIndex(sentence); at != nil {
		return at
	}
	return l.later.match(sentence)
}

// prohibits says whether a sentence forbids what is no one thing that both know, and says
// why: "don't amend commits - it breaks the checkpoints".
func (l *language) prohibits(s *Statement, matter string) bool {
	m := l.grounds.FindStringSubmatch(matter)
	if m == nil || l.definite.MatchString(m[1]) {
		return false
	}
	s.Rule, s.Because = m[1], m[2]
	return true
}

// quotesOthers says whether a sentence tells words of others, or how things are, and not
// only in what is to change nothing about a rule.
func (l *language) quotesOthers(told string) bool {
	told = bound.ReplaceAllString(told, "$1 ")
	return l.reports.MatchString(told) && l.reports.MatchString(concession.ReplaceAllString(told, ""))
}

// sayings are what is not to be said; what is quoted there is the matter.
var sayings = automata.New(`(?i)^(?:please )?(?:stop|don't|dont|do not|never|quit) (?:say|saying|writ\w+|call\w*|start\w*|begin\w*|answer\w*|open\w*)(?: \w+){0,3} ["“'‘…]`)

// concession is what is to change nothing about a rule: "even if the linter complains".
var concession = automata.New(`(?i)[,\s]+(?:even (?:if|when|though)|no matter (?:what|how|if)|auch wenn|aunque)\b.*$`)

// finish works out what a statement names, and what it lacks.
func (l *language) finish(s *Statement) {
	if s.Kind == Decision {
		s.Rule = s.Rule[len(l.settles.FindString(s.Rule)):]
	}
	s.Rule = strings.TrimRight(strings.TrimLeft(s.Rule, " ,;:!?？。！，、—–"), " .,;:!?？。！，、—–-")
	s.Rule = s.Rule[:len(s.Rule)-len(thanks.FindString(s.Rule))]
	s.Rule = strings.TrimRight(strings.TrimSuffix(s.Rule, ":)"), " ,;")
	if strings.Count(s.Rule, `"`)%2 == 1 {
		s.Rule = strings.ReplaceAll(s.Rule, `"`, "")
	}
	s.Because = strings.Trim(s.Because, " .,;:!。！，、)")
	s.Names = namesIn(s.Rule)
	s.Against = l.against(s.Rule)
	s.Paths = l.pathsFor(s.Rule)
	s.Missing = l.missing(s)
}

// note makes the sentence before "remember that" a rule.
func (l *language) note(found []Statement, before string) []Statement {
	rule, because := l.reasoned(l.withoutLead(before))
	if n := len(found); n > 0 && strings.Contains(before, found[n-1].Rule) {
		found[n-1].Kind, found[n-1].Explicit = Instruction, true
		return found
	}
	if endsAsking(before) || l.reports.MatchString(before) {
		return found
	}
	s := Statement{Kind: Instruction, Explicit: true, Rule: rule, Because: because}
	l.finish(&s)
	return append(found, s)
}

// withoutLead leaves out what stands before the matter.
func (l *language) withoutLead(s string) string {
	return strings.TrimSpace(s[len(l.lead.FindString(s)):])
}

// clauseAt returns a sentence from the clause on in which a mark stands. A condition
// before it belongs to it.
func (l *language) clauseAt(s string, mark int) string {
	mark += len(s[mark:]) - len(strings.TrimLeft(s[mark:], " ,;:—–-"))
	cut := strings.LastIndexAny(s[:mark], ",;:—–，；：")
	if cut < 0 {
		return s
	}
	_, size := firstRune(s[cut:])
	if l.touch.MatchString(s[:cut+size]) || strings.TrimSpace(s[cut+size:]) == "" {
		return s
	}
	return strings.TrimSpace(s[cut+size:])
}

// reasoned splits a sentence into the rule and its reason.
func (l *language) reasoned(s string) (rule, because string) {
	if m := l.since.FindStringSubmatch(s); m != nil {
		if l.recalls.MatchString(strings.TrimSuffix(s, m[2])) {
			return l.withoutLead(m[2]), "" // "as I said" is no reason
		}
		return l.withoutLead(m[2]), m[1]
	}
	if m := l.because.FindStringSubmatch(s); m != nil {
		if reason := firstOf(m[2:]); !awaitsNoun.MatchString(m[1]) && !noReasonWords.MatchString(reason) && (!times.MatchString(reason) && !strings.HasPrefix(reason, "then ") || !sinceWord.MatchString(s)) {
			return m[1], reason
		}
	}
	return s, ""
}

// awaitsNoun ends a clause whose next word is a noun: "the cause".
var awaitsNoun = automata.New(`(?i)\b(?:the|an?|root|any|no|this|that|what|your|its|real)$`)

// Choice reads what a person answered to a question as a decision; it has no rule where
// they tell what they wish, will do themselves, or want for the moment only.
// The next sentence is the reason where it tells how something is; "" for none.
func Choice(answer, next string) Statement {
	l := languageOf(answer)
	answer, next = l.typed(answer), l.typed(next)
	s := Statement{Kind: Decision}
	if strings.HasPrefix(answer, "(") || l.wishes.MatchString(answer) || l.passing.MatchString(answer) || l.quotesOthers(answer) {
		return s
	}
	s.Rule, s.Because = l.reasoned(l.withoutLead(strings.TrimSpace(answer)))
	if s.Because == "" {
		s.Because = l.reasonIn(next)
	}
	if next = l.withoutLead(next); s.Because == "" && l.grounded(next) && !l.wishes.MatchString(next) {
		s.Because = next
	}
	l.finish(&s)
	return s
}

// ForTheMoment says whether a text is about what holds for the moment only.
func ForTheMoment(text string) bool {
	return languageOf(text).passing.MatchString(text) || ofThisOne.MatchString(text)
}

// ofThisOne asks about one thing at hand.
var ofThisOne = automata.New(`(?i)\bfor this (?:one|lookup|case|call|loop|test|run|query|conversion|migration|script|release|commit|fix|function|method|endpoint|page|view|file|step)\b`)

// reasonIn is the reason that a sentence of its own gives for the one before it.
func (l *language) reasonIn(next string) string {
	if m := l.reason.FindStringSubmatch(next); m != nil && !endsAsking(next) && !saysOtherwise.MatchString(next) {
		return firstOf(m[1:])
	}
	return ""
}

// saysOtherwise ends an exception, and gives no reason.
var saysOtherwise = automata.New(`(?i)\b(?:says?|said|tells?|told(?: you)?|asks?|asked|states?|stated|noted|specified|agreed|instructed) otherwise\W*$`)

// labelled is what begins by saying that it is a decision.
var labelled = automata.New(`(?i)^\W*(?:(?:ok(?:ay)?|so|alright)[, ]+)*(?:(?:the )?final (?:answer|decision|call|word)|(?:i|we)(?:'ve| have) made up (?:my|our) minds?)\s*[:,.]|^\W*(?:decision|decided|entscheidung|entschieden|beschlossen|decisi[oó]n|decidido|决定|決定)\s*[:：]`)

// sinceWord is the word that tells of a reason, or of a time.
var sinceWord = automata.New(`(?i)\b(?:since|seit|desde)\b`)

// times is what stands behind "since" where it means a time.
var times = automata.New(`(?i)^(?:yesterday|today|monday|tuesday|wednesday|thursday|friday|v?\d\S*|(?:last|this|the|that) (?:\w+ )?\w+|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\w*)\W*$`)

// bound is an adverb behind a word of duty: "must never" is no report.
var bound = automata.New(`(?i)\b(must|should|shall|may|has to|have to|muss|müssen|darf|dürfen|soll|sollen|sollte|debe|deben) (?:always|never|immer|nie|niemals|siempre|nunca)\b`)

// thanks are courtesies at the end of a rule.
var thanks = automata.New(`(?i)(?:,? (?:please|pls|plz|thanks|thx|then|bitte|dann|danke|por favor|gracias))+$`)

func endsAsking(s string) bool {
	s = strings.TrimRight(s, ` "'”)*_`)
	return strings.HasSuffix(s, "?") || strings.HasSuffix(s, "？")
}

// withoutQuotes leaves out what stands between quotation marks, from three words on:
// those are words of others.
func withoutQuotes(s string) string {
	return quoted.ReplaceAllStringFunc(s, func(q string) string {
		if CountWords(q) < 3 {
			return q
		}
		return "…"
	})
}

var quoted = automata.New(`"[^"]*"|“[^”]*”|«[^»]*»|„[^“”]*[“”]|「[^」]*」|『[^』]*』`)

// noReasonWords begin what is no reason, though a word stands before it that mostly leads
// to one: "since then", "so that can go too", "that way in the pilot", "to avoid that".
var noReasonWords = automata.New(`(?i)^['’]|^(?:my|your|him|her|it|our|them)sel(?:f|ves)\W*$|^(?:in|on|at|too|can|could|should|will|would|is|was|are|means|so (?:if|you|i (?:don'?t|do not|think|guess)))[ ,.]|^(?:to avoid )?(?:this|that|these|those|it)(?: \w+)?\W*$`)
