package scan

import (
	"strings"

	"github.com/lessons-cli/lessons/scan/transcript"
)

// A speech is what a person's message says, as far as its form tells: whether it
// objects to what was done or claimed, and how strongly. Sentences are told apart
// by kind first, because the same word is a complaint in a statement ("the test
// fails") and a subject in a request ("add a test that fails").
type speech struct {
	words string
	n     int // words

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

// speech returns what a person's message says. It follows from the text alone.
func (s *Step) speech() *speech {
	if s.heard == nil {
		s.heard = speechOf(middleOut(s.Text, keepBytes))
	}
	return s.heard
}

func speechOf(text string) *speech {
	sp := &speech{words: ownWords(text)}
	sp.n = wordCount(sp.words)
	if sp.n == 0 {
		return sp
	}
	p := personPatterns()
	sp.plan = p.plan.MatchString(sp.words)
	all := spoken(sp.words)
	begin := firstBytes(sp.words, beginBytes)
	sp.approves = p.approves.MatchString(all[0]) || p.accepts.MatchString(begin) || goesOn(sp.words)
	sp.inquires = true
	best, told := -1, -1
	for _, s := range all {
		points := sp.weigh(s)
		best = max(best, points)
		if points > told+1 || told < 0 {
			told, sp.said = points, strings.TrimSpace(s)
		}
	}
	sp.objects = min(best, maxObjection)
	bare := len(all) == 1 && sp.n <= briefWords && sp.breaks // one short report and nothing else
	if bare || sp.breaks && pastedError(firstBytes(text, beginBytes)) {
		sp.objects = min(sp.objects+1, maxObjection)
	}
	if sp.approves && !sp.rebukes {
		if _, rest, ok := contrast(begin); !ok || speechOf(rest).objects < 2 {
			sp.objects = 0
		}
	}
	sp.retracts = p.retracts.MatchString(begin)
	sp.affirms = p.affirms.MatchString(all[0]) && !p.turn.MatchString(all[0])
	if sp.explores = p.explores.MatchString(begin); sp.explores && !sp.breaks && !sp.rebukes {
		sp.objects = 0
	}
	if sp.n <= speechWords {
		sp.redo = p.redo.MatchString(sp.words)
	}
	return sp
}

// weigh says how strongly one sentence objects, and notes what it is.
func (sp *speech) weigh(sentence string) int {
	p := personPatterns()
	opener := p.opener.FindString(sentence)
	s := sentence[len(opener):]
	points := 0
	if p.contrast.MatchString(opener) || strings.HasPrefix(strings.TrimSpace(sentence), "? ") {
		points++
	}
	if p.rebuke.MatchString(s) {
		sp.rebukes = true
	}
	if sp.rebukes || p.denial.MatchString(opener) {
		points += 3
	}
	if p.anger.MatchString(s) {
		points += 2
	}
	if p.doubts.MatchString(s) {
		sp.doubts = true
		points++
	}
	switch sentenceKind(s) {
	case question:
		if sp.doubts {
			points++
		}
		sp.prefers = sp.prefers || p.prefer.MatchString(s) && !p.explain.MatchString(s)
		if p.confirm.MatchString(s) {
			sp.confirms = true
		}
		return points
	case request:
		sp.inquires, sp.requests = false, true
		if p.prefer.MatchString(s) {
			sp.prefers = true
			points += 2
		}
		return points
	case mending:
		sp.inquires = false
		if p.broken.MatchString(s) || pastedError(s) {
			sp.breaks = true
			points += 3
		}
		return points
	}
	sp.confirms = false // asked before it, and not of it
	sp.inquires = false // also "tabs maybe?", which asks for nothing but tabs
	points++
	sp.states = true
	if p.prefer.MatchString(s) {
		sp.prefers = true
		points += 2
	}
	if p.broken.MatchString(p.subject.ReplaceAllString(s, "")) || p.negated.MatchString(p.wants.ReplaceAllString(s, "")) || pastedError(s) {
		sp.breaks = true
		points += 2
	}
	if p.compares.MatchString(s) || p.looked.MatchString(s) {
		points++
	}
	if p.confirmTag.MatchString(s) {
		sp.confirms = true
		points--
	}
	return points
}

type kindOfSentence int

const (
	statement kindOfSentence = iota
	question
	request // for something new
	mending // "fix this: …"
)

// sentenceKind tells sentences apart by how they begin and end.
func sentenceKind(s string) kindOfSentence {
	p := personPatterns()
	s = strings.TrimSpace(s)
	switch {
	case p.repair.MatchString(s):
		return mending
	case p.doing.MatchString(s):
		return question
	case p.explain.MatchString(s) && !p.swap.MatchString(s):
		return question
	case p.polite.MatchString(s), p.imperative.MatchString(s), p.wish.MatchString(s):
		return request
	case p.inquiry.MatchString(s):
		return question
	}
	return statement
}

// spoken splits the beginning of a message into sentences. The items of a list
// behind a request say what is requested, so they are left out.
func spoken(words string) []string {
	var all []string
	n, listed := 0, false
	for line := range strings.Lines(words) {
		line = strings.TrimSpace(line)
		if listed && personPatterns().item.MatchString(line) {
			continue
		}
		for _, s := range sentences(line) {
			if s = strings.Trim(s, "*_`-• \t"); s == "" {
				continue
			}
			all = append(all, s)
			listed = listed || strings.HasSuffix(s, ":") && sentenceKind(withoutOpener(s)) == request
			if n += wordCount(s); n >= speechWords {
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

// contrast cuts a text at the word that turns praise into an objection.
func contrast(words string) (praise, rest string, ok bool) {
	at := personPatterns().turn.FindStringIndex(words)
	if at == nil {
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
	return personPatterns().offers.MatchString(lastWordsOf(text, 400))
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
func goesOn(words string) bool {
	return wordCount(words) <= 12 && personPatterns().goesOn.MatchString(strings.TrimSpace(words))
}

// complains says whether words object to something.
func complains(words string) bool { return speechOf(words).objects > 0 }

func asks(words string) bool      { return personPatterns().asks.MatchString(strings.TrimSpace(words)) }
func prefers(words string) bool   { return personPatterns().settles.MatchString(words) }
func clarifies(words string) bool { return personPatterns().clarify.MatchString(words) }
