package statement

import (
	_ "embed"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/lessons-cli/lessons/internal/automata"
)

// About is what a person's message is about.
type About struct {
	Words []string `json:"words"` // see [Topic]
	Form  int      `json:"form"`  // how much more they count by the form of the message, in hundredths
}

// Bounds of the words of a message of which it can be told whether it says a decision again.
const (
	leastRestated = 2 // fewer share too little
	maxSaid       = 30
)

// Said returns what a message is about, for [Restates], but for what it asks or takes away.
// It has no words where those are too few or too many to tell, and where the message doubts
// something settled or turns from it.
func Said(message string) About {
	l, sentences := split(message)
	if slices.ContainsFunc(sentences, l.turns.MatchString) {
		return About{}
	}
	words := l.toldWords(sentences)
	if len(words) < leastRestated || len(words) > maxSaid {
		return About{}
	}
	return About{Words: words, Form: int(100 * l.form(sentences))}
}

// toldWords are the words of a message that neither ask nor take away.
func (l *language) toldWords(sentences []string) []string {
	var words []string
	for _, s := range sentences {
		if (endsAsking(s) || l.asks.MatchString(l.withoutLead(s))) && !l.polite.MatchString(s) {
			continue
		}
		for clause := range strings.FieldsFuncSeq(s, func(r rune) bool { return strings.ContainsRune(",;，；", r) }) {
			if !takesAway.MatchString(clause) {
				words = append(words, l.topic(clause)...)
			}
		}
	}
	words = slices.DeleteFunc(words, func(w string) bool { return w == Recall })
	slices.Sort(words)
	return slices.Compact(words)
}

// How much more the words of a message count that states a rule for certain, that goes by
// what is settled ("like the others"), or that sets right what was done.
const (
	formStates   = 1.15
	formHolds    = 2.2
	formCorrects = 1.5
)

// form is how much more the words of a message count by its form.
func (l *language) form(sentences []string) float64 {
	form := formStates * l.weigh(sentences).states()
	switch {
	case slices.ContainsFunc(sentences, func(s string) bool { return l.holds.MatchString(s) || l.recalls.MatchString(s) }):
		form += formHolds
	case slices.ContainsFunc(sentences, l.corrects.MatchString):
		form += formCorrects
	}
	return form
}

// states is how likely some sentence of a message is a rule for later.
func (m *weighed) states() float64 {
	most := 0.0
	for i := range m.all {
		if m.w != nil {
			rule, _ := shares(m.w, i)
			most = max(most, rule*m.w.Lasting(i))
		}
	}
	return most
}

// Settled is what a decision or a standing instruction settles.
type Settled struct{ Rule, Because, Question string }

// Text is all that it says.
func (s Settled) Text() string { return s.Rule + ". " + s.Because + ". " + s.Question }

// How much a word counts that a message shares with a decision, by where the decision has
// it, and how much a name counts beside that.
const (
	ofDecision = 1
	ofReason   = 0.7
	ofQuestion = 0.5
	byName     = 1.05
)

// What says a decision again, fitted to messages of later sessions that do and that do not:
// others on the same matter and other decisions about it.
const (
	fewWords    = 5 // words that every message may have beside those of the decision
	leastShared = 3 // what shared words count at least
	saysAgain   = 2.2
)

// Restates returns what says of a message whether it says a decision again, or goes by it:
// it shares words with what was decided, with the reason, or with the question that was
// decided, has few others or a form that goes by something settled, and does not turn down
// what the decision wants.
func Restates(s Settled) func(About) bool {
	decided := Topic(s.Rule)
	places := []place{{bare(decided), ofDecision}, {bare(Topic(s.Because)), ofReason}, {bare(Topic(s.Question)), ofQuestion}}
	return func(said About) bool {
		shared, sum, name := 0, 0.0, 0.0
		for _, w := range said.Words {
			stem, down := strings.CutPrefix(w, "-")
			if down && slices.Contains(decided, stem) {
				return false
			}
			at := slices.IndexFunc(places, func(p place) bool { return p.has(stem) })
			if at < 0 {
				continue
			}
			shared, sum = shared+1, sum+places[at].counts*rarity(stem)
			if at == 0 && IsName(stem) {
				name = byName
			}
		}
		share := sum / math.Sqrt(float64(len(said.Words)+fewWords))
		return shared >= leastRestated && sum >= leastShared && share*(1+float64(said.Form)/100)+name >= saysAgain
	}
}

// place are words of one part of a decision, and how much each of them counts.
type place struct {
	words  []string
	counts float64
}

func (p place) has(stem string) bool {
	return slices.ContainsFunc(p.words, func(d string) bool { return SameStem(d, stem) })
}

// bare are words without what says that they are turned down.
func bare(words []string) []string {
	bare := make([]string, len(words))
	for i, w := range words {
		bare[i] = strings.TrimPrefix(w, "-")
	}
	return bare
}

// SameStem says whether one stem is the other with an ending.
func SameStem(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	ending, ok := strings.CutPrefix(b, a)
	return a == b || ok && len(a) >= 4 && len(ending) <= longestEnding && !IsName(b)
}

// longestEnding is how much longer one form of a word is than another one, in bytes.
const longestEnding = 5

// takesAway are words of a clause that does away with something.
var takesAway = automata.New(`(?i)\b(?:drop|remov|replac|revert|rip|delet|get rid|kick|throw|retir|ditch|away from|(?:move|mov|switch|migrat)\w* (?:off|from))\w*`)

// How rare a word is among messages to agents: the tools/train examples are the measure.
const (
	everyday = 1 // some thirtieth message has it
	common   = 2 // some three-hundredth
	rare     = 3
)

//go:embed frequent
var frequent string

// rarity says how rare a stem is, from [everyday] to [rare].
func rarity(stem string) float64 {
	if n, ok := frequencies()[stem]; ok && !IsName(stem) {
		return n
	}
	return rare
}

// frequencies are the rarities of the stems that are not rare: a line of those that are
// said every day, and one of the common ones.
var frequencies = sync.OnceValue(func() map[string]float64 {
	of := map[string]float64{}
	for i, line := range strings.Split(frequent, "\n") {
		for stem := range strings.FieldsSeq(line) {
			of[stem] = float64(everyday + i)
		}
	}
	return of
})
