package scan

import (
	"strings"

	"github.com/lessons-cli/lessons/internal/automata"
	"github.com/lessons-cli/lessons/knowledge/statement"
	"github.com/lessons-cli/lessons/scan/transcript"
)

// A speech is what a person's message says, as far as its form tells: whether it
// objects to what was done or claimed, and how strongly. Sentences are told apart
// by kind first, because the same word is a complaint in a statement ("the test
// fails") and a subject in a request ("add a test that fails").
type speech struct {
	words  string
	n      int      // words
	spoken []string // the first sentences

	objects  int  // 0..4: how strongly it objects
	breaks   bool // reports that something is broken, missing or wrong
	prefers  bool // rejects a way of doing it, or wants another one
	rebukes  bool // speaks of what the agent did or was told
	confirms bool // seeks agreement ("am I right that …?")
	redo     bool // wants it done again
	approves bool // is content, or only lets the agent go on
	explores bool // asks for other ways without settling one
	inquires bool // holds nothing but questions
	requests bool // asks for something new
	doubts   bool // questions whether it is so
	retracts bool // takes its own words back
	affirms  bool // begins with yes
	states   bool // holds a statement, and not only requests and questions
	plan     bool // is a plan to be worked off

	said string // the sentence that objects most, or the first one
}

const (
	maxObjection = 4
	speechWords  = 60 // the beginning of a message, where an objection stands
	briefWords   = 14
	beginBytes   = 4 << 10 // enough for the words that count
)

// maxTurns is how often words may turn against what they said before ("great, but
// …"), as far as they are read.
const maxTurns = 4

func speechOf(text string) *speech { return speechWithin(text, maxTurns) }

func speechWithin(text string, turns int) *speech {
	sp := &speech{words: statement.OwnWords(text)}
	sp.n = statement.CountWords(sp.words)
	if sp.n == 0 {
		return sp
	}
	p := personPatterns()
	all := spoken(sp.words, sp.n)
	sp.spoken = all
	begin := firstBytes(sp.words, beginBytes)
	holds := p.message.In(begin)
	sp.plan = holds.Has(planHeading)
	sp.approves = holds.Has(acceptance) || p.approves.MatchString(all[0]) || sp.goesOn()
	sp.inquires = true
	best, most := -1, -1
	for _, s := range all {
		points := sp.weigh(s)
		best = max(best, points)
		if points > most+1 || most < 0 {
			most, sp.said = points, strings.TrimSpace(s)
		}
	}
	sp.objects = min(best, maxObjection)
	bare := len(all) == 1 && sp.n <= briefWords && sp.breaks // one short report and nothing else
	if bare || sp.breaks && pastedError(firstBytes(text, beginBytes)) {
		sp.objects = min(sp.objects+1, maxObjection)
	}
	if sp.approves && !sp.rebukes {
		if _, rest, ok := contrast(begin); !ok || turns == 0 || speechWithin(rest, turns-1).objects < 2 {
			sp.objects = 0
		}
	}
	sp.retracts = holds.Has(retraction)
	sp.affirms = p.affirms.MatchString(all[0]) && !p.turn.MatchString(all[0])
	if sp.explores = holds.Has(exploration); sp.explores && !sp.breaks && !sp.rebukes {
		sp.objects = 0
	}
	if sp.n <= speechWords {
		if len(begin) < len(sp.words) {
			holds = p.message.In(sp.words)
		}
		sp.redo = holds.Has(redoOrder)
	}
	return sp
}

// weigh says how strongly one sentence objects, and notes what it is.
func (sp *speech) weigh(sentence string) int {
	p := personPatterns()
	opener := p.opener.FindString(sentence)
	s := sentence[len(opener):]
	stance := p.stanceOf(s)
	points := 0
	if opener != "" && p.contrast.MatchString(opener) || strings.HasPrefix(strings.TrimSpace(sentence), "? ") {
		points++
	}
	if stance.Has(rebuke) {
		sp.rebukes = true
	}
	if sp.rebukes || opener != "" && p.denial.MatchString(opener) {
		points += 3
	}
	if stance.Has(anger) {
		points += 2
	}
	if stance.Has(doubt) {
		sp.doubts = true
		points++
	}
	switch kindOf(s, stance) {
	case question:
		if sp.doubts {
			points++
		}
		sp.prefers = sp.prefers || stance.Has(preference) && !p.opening.In(s).Has(explanation)
		if stance.Has(confirmation) {
			sp.confirms = true
		}
		return points
	case request:
		sp.inquires, sp.requests = false, true
		if stance.Has(preference) {
			sp.prefers = true
			points += 2
		}
		return points
	case mending:
		sp.inquires = false
		if p.trouble.In(s).Has(breakage | pastedLine) {
			sp.breaks = true
			points += 3
		}
		return points
	}
	sp.confirms = false // asked before it, and not of it
	sp.inquires = false // also "tabs maybe?", which asks for nothing but tabs
	points++
	sp.states = true
	if stance.Has(preference) {
		sp.prefers = true
		points += 2
	}
	if p.breaks(s) {
		sp.breaks = true
		points += 2
	}
	if stance.Has(comparison | observation) {
		points++
	}
	if stance.Has(confirmationTag) {
		sp.confirms = true
		points--
	}
	return points
}

// stanceOf is what the set of stances tells of a sentence, and what reaches far.
func (p *speechPatterns) stanceOf(s string) automata.Members {
	stance := p.stance.In(s)
	if p.emphatic.MatchString(s) {
		stance |= doubt
	}
	if p.preferring.MatchString(s) {
		stance |= preference
	}
	if p.sinceBefore.MatchString(s) {
		stance |= comparison
	}
	return stance
}

// breaks says whether a statement reports that something is broken, besides the
// words that only name what it is about ("the error page"), or that something is
// not, besides what the person does not want.
func (p *speechPatterns) breaks(s string) bool {
	trouble := p.trouble.In(s)
	broken, negated := trouble.Has(breakage), trouble.Has(negation)
	if trouble.Has(subjectWords) {
		broken = p.broken.MatchString(p.subject.ReplaceAllString(s, ""))
	}
	if trouble.Has(unwanted) {
		negated = p.negated.MatchString(p.wants.ReplaceAllString(s, ""))
	}
	return broken || negated || trouble.Has(pastedLine)
}

type kindOfSentence int

const (
	telling kindOfSentence = iota
	question
	request // for something new
	mending // "fix this: …"
)

// sentenceKind tells sentences apart by how they begin and end.
func sentenceKind(s string) kindOfSentence { return kindOf(s, personPatterns().stance.In(s)) }

// kindOf is the kind of a sentence with this stance.
func kindOf(s string, stance automata.Members) kindOfSentence {
	p := personPatterns()
	s = strings.TrimSpace(s)
	begins := p.opening.In(s)
	switch {
	case begins.Has(repairOrder):
		return mending
	case begins.Has(doingQuestion):
		return question
	case begins.Has(explanation) && !stance.Has(swapWords):
		return question
	case begins.Has(politeOrder | imperative | wish):
		return request
	case p.inquires(s, begins):
		return question
	}
	return telling
}

// inquires says whether a sentence that begins so is a question.
func (p *speechPatterns) inquires(s string, begins automata.Members) bool {
	return begins.Has(inquiry) || strings.HasSuffix(s, "?") && p.inquiring.MatchString(s)
}

// fewSentences is room for those of most messages.
const fewSentences = 4

// spoken splits the beginning of a message of n words into sentences. The items of
// a list behind a request say what is requested, so they are left out.
func spoken(words string, n int) []string {
	all := make([]string, 0, fewSentences)
	taken, listed := 0, false
	for line := range strings.Lines(words) {
		line = strings.TrimSpace(line)
		if listed && personPatterns().item.MatchString(line) {
			continue
		}
		for s := range statement.Sentences(line) {
			if s = strings.Trim(s, "*_`-• \t"); s == "" {
				continue
			}
			all = append(all, s)
			listed = listed || strings.HasSuffix(s, ":") && sentenceKind(withoutOpener(s)) == request
			if n < speechWords {
				continue // few words are taken whole
			}
			if taken += statement.CountWords(s); taken >= speechWords {
				return all
			}
		}
	}
	if len(all) == 0 {
		all = append(all, words)
	}
	return all
}

func withoutOpener(s string) string { return s[len(personPatterns().opener.FindString(s)):] }

// contrast cuts a text at the word that turns praise into an objection. A text
// that begins with such a word holds no praise, and what follows it is not cut
// again.
func contrast(words string) (praise, rest string, ok bool) {
	at := personPatterns().turn.FindStringIndex(words)
	if at == nil || at[0] == 0 {
		return words, "", false
	}
	return words[:at[0]], words[at[0]:], true
}

// pastedError says whether a text holds a line that a compiler, a runtime or a
// server wrote about a failure.
func pastedError(text string) bool { return personPatterns().pasted.MatchString(text) }

// asksBack says whether the agent's text ends with a question, so that what the
// person says next is an answer.
func asksBack(s *Step) bool {
	if s == nil || s.Kind != transcript.Assistant {
		return false
	}
	text := strings.TrimRight(s.Text, "*_` \t\r\n)")
	if strings.HasSuffix(text, "?") || strings.HasSuffix(text, "？") {
		return true
	}
	// Options may stand behind the question.
	end := lastWordsOf(text, 400)
	return strings.Contains(end, "?") && personPatterns().offers.MatchString(end)
}

// lastWordsOf returns at most n bytes of a text's end, from a whole line on.
func lastWordsOf(text string, n int) string {
	if len(text) <= n {
		return text
	}
	text = text[len(text)-n:]
	if i := strings.IndexByte(text, '\n'); i >= 0 {
		return text[i+1:]
	}
	return text
}

// goesOn says whether words only let the agent continue.
func (sp *speech) goesOn() bool {
	return sp.n <= 12 && personPatterns().goesOn.MatchString(sp.words)
}

// complains says whether words object to something.
func complains(words string) bool { return speechOf(words).objects > 0 }

func asks(words string) bool      { return personPatterns().asks.MatchString(strings.TrimSpace(words)) }
func prefers(words string) bool   { return personPatterns().settles.MatchString(words) }
func clarifies(words string) bool { return personPatterns().clarify.MatchString(words) }
