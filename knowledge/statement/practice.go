package statement

import (
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/internal/lists"
)

// practice says how an English clause tells what is done here.
type practice int

const (
	noPractice practice = iota
	isSo                // "the second slot stays", "primary keys are bigint": as much a report as a choice
	isDone              // "we train in bf16", "our tables are split by day"
	settled             // "we'll do sessions in Redis", "we're raising the minimum to iOS 16"
)

// practiceOf reads a clause by its grammar and not by its words: who does something (we, or
// things of a kind), and a verb in the present tense, of duty, or of what is to be. A clause
// that feels, needs, finds or fails is none, and neither is one that tells what was.
func practiceOf(clause string) practice {
	words := plainWords(clause)
	if len(words) < minPracticeWords {
		return noPractice
	}
	if at := whoWe(words); at >= 0 {
		return weDo(words[at], words[at+1:])
	}
	if words[0] == "i" && words[1] == "want" && (inSet(ofAKind, words[2]) || words[2] == "one") {
		return isDone
	}
	if (words[0] == "let's" || words[0] == "lets") && !inSet(notDone, words[1]) && !inSet(atWork, words[1]) && !inSet(pointing, words[2]) {
		return isDone
	}
	if strings.HasPrefix(clause, "It's going to be ") || strings.HasPrefix(clause, "it's going to be ") {
		return settled
	}
	return thingsDo(words)
}

// minPracticeWords is how long a clause must be that tells what is done.
const minPracticeWords = 4

// plainWords are the words of a clause in lower case, without marks around them.
func plainWords(clause string) []string {
	words := strings.Fields(strings.ReplaceAll(strings.ToLower(clause), "’", "'"))
	for i, w := range words {
		words[i] = strings.Trim(w, "\"'`*_()[],.;:!")
	}
	return words
}

// maxBefore is how many words may stand before "we".
const maxBefore = 14

// whoWe is where a clause says "we" as its subject: at its beginning, behind a phrase that
// begins with a preposition, or behind "and"; -1 if it does not.
func whoWe(words []string) int {
	for i, w := range words[:min(len(words), maxBefore)] {
		switch {
		case w == "if", w == "when", w == "think", w == "maybe", w == "should", w == "could", w == "can":
			return -1
		case w == "we", w == "we're", w == "we'll":
			if i == 0 || inSet(prepositions, words[0]) || words[i-1] == "that" && slices.ContainsFunc(words[:i], announces) || words[i-1] == "and" || words[i-1] == "but" {
				return i
			}
			return -1
		}
	}
	return -1
}

// announces says whether a verb tells that something was settled.
func announces(verb string) bool { return inSet(deciding, verb) }

// weDo reads what "we" do.
func weDo(we string, rest []string) practice {
	rest, denied := withoutAdverbs(rest)
	if len(rest) < 2 {
		return noPractice
	}
	verb := rest[0]
	switch {
	case we == "we're" || verb == "are" || verb == "aren't":
		if verb == "are" {
			rest, _ = withoutAdverbs(rest[1:])
		}
		return weAre(rest)
	case we == "we'll" || verb == "will" || verb == "won't" || verb == "shall":
		if verb == "will" || verb == "won't" || verb == "shall" {
			rest, _ = withoutAdverbs(rest[1:])
		}
		if len(rest) > 1 && !inSet(notDone, rest[0]) && rest[0] != "be" {
			return settled
		}
	case verb == "must", verb == "have" && rest[1] == "to":
		return isSo
	case isPast(verb), inSet(notDone, verb) && !(denied && (verb == "have" || verb == "want")):
	case strings.HasSuffix(verb, "ing"), strings.HasSuffix(verb, "'t"):
	default:
		return isDone
	}
	return noPractice
}

// weAre reads what "we" are doing, are going to do, or are on.
func weAre(rest []string) practice {
	switch {
	case len(rest) < 2:
	case rest[0] == "going" && rest[1] == "to":
		if rest, _ = withoutAdverbs(rest[2:]); len(rest) > 1 && !inSet(notDone, rest[0]) {
			return settled
		}
	case strings.HasSuffix(rest[0], "ing") && !inSet(notDone, rest[0][:len(rest[0])-3]) && !inSet(busy, rest[0]):
		return settled
	case rest[0] == "on" && !inSet(pointing, rest[1]):
		return isDone
	}
	return noPractice
}

// maxSubject is how many words a subject may have before its verb.
const maxSubject = 7

// thingsDo reads what things do or are: those of a kind, or one thing.
func thingsDo(words []string) practice {
	if inSet(noThings, words[0]) || inSet(prepositions, words[0]) {
		return noPractice
	}
	kind := practice(isSo)
	if inSet(ofAKind, words[0]) {
		kind, words = isDone, withoutRelative(words)
	}
	for i, w := range words[:min(len(words)-1, maxSubject)] {
		switch next := words[i+1]; {
		case i == 0:
		case inSet(noSubject, w), strings.HasSuffix(w, "n't"):
			return noPractice
		case (w == "has" || w == "have") && next == "to", w == "must":
			if complement := words[i+1:]; slices.Contains(complement, "show") || slices.Contains(complement, "be") && len(complement) < 4 {
				return noPractice // of the work at hand: "the button must be blue"
			}
			if w == "have" && i < 3 {
				return isDone // "preferences have to go to the server"
			}
			return kind
		case inSet(arranged, w), (w == "run" || w == "runs") && inSet(runsAt, next):
			return kind
		case w == "is" || w == "are":
			if kind == isDone && strings.HasSuffix(next, "ly") && i+2 < len(words) && isParticiple(words[i+2]) {
				return kind // "everything is statically allocated"
			}
			if next == "going" && i+2 < len(words) {
				if beyond := words[i+2]; inSet(prepositions, beyond) && (beyond != "to" || i+3 < len(words) && (words[i+3] == "be" || !inSet(notDone, words[i+3]))) {
					return settled
				}
			}
			if kind == isDone && isParticiple(next) && i+2 < len(words) && !inSet(prepositions, words[i+2]) {
				continue // "everything after the order is saved goes through the queue"
			}
			if inSet(prepositions, next) || next == "the" || next == "not" || strings.HasSuffix(next, "ing") {
				return noPractice
			}
			done := isParticiple(next) && i+2 < len(words) && inSet(prepositions, words[i+2])
			if done && kind == isDone || inSet(firmWords, next) || slices.Contains(words, "here") {
				return kind
			}
			return noPractice
		}
	}
	return noPractice
}

// withoutRelative leaves out the relative clause of a subject: "that moves money" of "every
// POST that moves money takes a key".
func withoutRelative(words []string) []string {
	for i, w := range words[:min(len(words), maxSubject)] {
		if w != "that" && w != "which" && w != "who" {
			continue
		}
		for j := i + 2; j < min(len(words)-1, i+maxSubject); j++ {
			if inSet(arranged, words[j]) || words[j] == "must" || words[j] == "is" || words[j] == "are" {
				return slices.Concat(words[:i], words[j:])
			}
		}
	}
	return words
}

// withoutAdverbs leaves out what stands between a subject and its verb, and says whether
// that denies it.
func withoutAdverbs(words []string) (rest []string, denied bool) {
	for len(words) > 1 {
		switch w := words[0]; {
		case w == "don't", w == "not", w == "never":
			denied = true
		case w == "do" && words[1] == "not":
			denied = true
		case !inSet(adverbs, w):
			return words, denied
		}
		words = words[1:]
	}
	return words, denied
}

// isPast says whether a verb tells what was.
func isPast(verb string) bool {
	return strings.HasSuffix(verb, "ed") && !strings.HasSuffix(verb, "eed") && verb != "embed" && verb != "shed" || inSet(pastVerbs, verb)
}

// isParticiple says whether a word behind "is" tells what is done with a thing.
func isParticiple(w string) bool {
	return strings.HasSuffix(w, "ed") && !inSet(wentWrong, w) || inSet(participles, w)
}

func inSet(set func() map[string]bool, word string) bool { return set()[word] }

var (
	adverbs      = lists.LazyWords(`only now always also just all both still generally usually normally mostly deliberately currently already actually really simply rather instead then either`)
	prepositions = lists.LazyWords(`for in on with before after at from as by per via through to under inside within here outside into onto of`)
	pointing     = lists.LazyWords(`it this that these those the a an`)
	// ofAKind begin a subject that is no single thing.
	ofAKind = lists.LazyWords(`our all every each everything anything any new no nothing`)
	// noThings begin a clause whose subject is a person, or what only the conversation shows.
	noThings = lists.LazyWords(`i i'm i'll i'd i've it it's its this that that's these those there there's here he she you you're your they they're my his her what what's who why how if when where which while maybe perhaps let's please can could should would do does did is are was were has have don't not only and but or so also then now yes yeah nope ok okay because since both either some one two three something somebody someone nobody`)
	// noSubject are verbs and conjunctions: behind them a verb is not the clause's first one.
	noSubject = lists.LazyWords(`to that which who when where if because since while was were had did do does can could should would will may might am be been fails fail failed breaks broke shows show seems seem looks look says said and but or not doesn't don't isn't aren't`)
	// arranged are verbs that tell where a thing is, or how it is done.
	arranged = lists.LazyWords(`go goes live lives stay stays belong belongs get gets move moves use uses happen happens own owns sit sits land lands remain remains take takes carry carries require requires`)
	// atWork are verbs of the work at hand, behind "let's".
	atWork = lists.LazyWords(`try see look run test fix check start begin do wait continue go write debug add commit push merge review focus step take finish open create update work first not set remove`)
	// runsAt are words behind "runs" that tell where or how.
	runsAt = lists.LazyWords(`against on in inside under through via`)
	// notDone are verbs of feeling, need, finding and speech.
	notDone = lists.LazyWords(`be been need needs should could can can't cannot might may would wouldn't couldn't shouldn't have has had haven't see seem think know want find get guess believe feel care understand remember look try hope wish like love mean say said talk discuss let lets notice miss wait wonder expect agree decide learn like figure suspect assume check start lose hit struggle still`)
	// busy tell what somebody is doing right now.
	busy      = lists.LazyWords(`getting seeing having missing losing running hitting trying waiting debugging testing working finding investigating fighting stuck making being doing reviewing discovering learning noticing`)
	deciding  = lists.LazyWords(`decide decided agree agreed settled conclude concluded determined`)
	pastVerbs = lists.LazyWords(`had did got went made saw found broke ran lost hit spent kept wrote chose took came thought said knew gave left paid bought sent built met told began fell felt held led meant shot sold won was were been`)
	// firmWords behind "is" say that it holds.
	firmWords   = lists.LazyWords(`always never only`)
	participles = lists.LazyWords(`split cut set put sent built kept written run done sent read made drawn chosen held`)
	wentWrong   = lists.LazyWords(`failed deleted crashed duplicated truncated mangled dropped ignored skipped swallowed wasted confused broken needed expected supposed removed called merged closed fixed based related limited ordered`)
)
