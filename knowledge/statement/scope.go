package statement

import (
	"github.com/lessons-cli/lessons/internal/automata"
)

// scoped says whether an English sentence tells for what it holds beyond the work at hand,
// and forbids something or tells what is done there: "no raw pointers in this codebase",
// "every PR of ours starts with the ticket's key".
func (l *language) scoped(sentence string) bool {
	if l != inEnglish() || !within.MatchString(sentence) {
		return false
	}
	if repeats.MatchString(sentence) || bans.MatchString(sentence) || itIs.MatchString(sentence) {
		return true
	}
	for _, clause := range clausesFrom(sentence) {
		if forAll.MatchString(sentence) && l.order.MatchString(clause) {
			return true
		}
		if practiceOf(clause) != noPractice || neverDone.MatchString(clause) {
			return true
		}
	}
	return false
}

var within = automata.New(`(?i)\b(?:in|across|for|throughout) (?:all (?:of )?)?(?:this|our|the whole|the entire|every) (?:\w+ )?(?:repo(?:sitory)?|projects?|code ?base|tools?|apps?|teams?|packages?|crates?|modules?|services?|library|libraries|monorepo|front-?end|back-?end|workspace|company|org|cli|api|apis|env|environment)\b|\b(?:of|for) ours\b|` + everyKind + `|\bin every \w+ you (?:write|add|make|create|touch)\b|` + repeated)

// repeats says that something comes again.
var repeats = automata.New(`(?i)` + repeated)

const repeated = `\bnot (?:only|just) (?:here|this one)\b.*\b(?:any|every|all)\b|, every (?:single )?time\b|\b(?:always|every time) like (?:that|this)\b`

// bans begin what a clause turns down.
var bans = automata.New(`(?i)(?:^|, )no \S`)

// forAll says for what an order holds: "one request for all notebooks: clear the outputs".
var forAll = automata.New(`(?i)` + everyKind)

const everyKind = `\bfor (?:all|every|any) (?:of )?(?:the |our |your |my )?[\w-]+: `

// itIs tells what is used: "in this repo it's bun instead of npm".
var itIs = automata.New(`(?i)\bit'?s (?:always )?\S+ (?:instead of|rather than|and not|, not|not) \S`)

var neverDone = automata.New(`(?i)^[\w-]+[^is\W]s (?:\S+ ){0,4}?are (?:never|always|only) \w|^(?:every|each|all) (?:\S+ ){1,5}?(?:starts?|begins?|ends?|needs?|has|have|gets?) \S`)
