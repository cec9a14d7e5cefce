package statement

import (
	_ "embed"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/lessons-cli/lessons/internal/automata"
)

// About is what a person's message is about, and how likely it is that the message states
// a rule, between 0 and 1.
type About struct {
	Words  []string // see [Topic]
	States float64
}

// Bounds of the words of a message of which it can be told whether it says a decision again.
const (
	leastRestated = 2 // fewer share too little
	maxSaid       = 30
)

// Said returns what a message is about, for [Restates], but for what it asks or takes away.
// It has no words where those are too few or too many to tell.
func Said(message string) About {
	l, sentences := split(message)
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
	if words = slices.Compact(words); len(words) < leastRestated || len(words) > maxSaid {
		return About{}
	}
	return About{Words: words, States: l.weigh(sentences).states()}
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

// How much a word counts that a message shares with a decision, by where the decision has
// it; how much more what states a rule counts; and from what sum on a message says the
// decision again, which one of 10,000 messages of other projects reaches.
const (
	ofReason   = 0.7
	ofQuestion = 0.5
	asRule     = 1.5
	fewWords   = 5 // words that every message may have beside those of the decision
	saysAgain  = 1.5
)

// Restates returns what says of a message whether it says a decision again, or goes by it:
// it shares words with what was decided, with the reason, or with the question that was
// decided, one that is rare or of what was decided among them, has few others, and does not
// turn down what the decision wants.
func Restates(rule, because, question string) func(About) bool {
	decided := Topic(rule)
	places := []place{{bare(decided), 1}, {bare(Topic(because)), ofReason}, {bare(Topic(question)), ofQuestion}}
	return func(said About) bool {
		shared, sum, telling := 0, 0.0, false
		for _, w := range said.Words {
			name, down := strings.CutPrefix(w, "-")
			if down && slices.Contains(decided, name) {
				return false
			}
			at := slices.IndexFunc(places, func(p place) bool { return p.has(name) })
			if at < 0 {
				continue
			}
			n := rarity(name)
			shared, sum, telling = shared+1, sum+places[at].counts*n, telling || at == 0 || n == rare
		}
		return telling && shared >= leastRestated && sum*(1+asRule*said.States) >= saysAgain*math.Sqrt(float64(len(said.Words)+fewWords))
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
