package statement

import (
	"strings"
	"sync"

	"github.com/lessons-cli/lessons/internal/automata"
)

// tellsTrouble says whether an English clause tells what goes or went wrong, is dear, or
// must not be. Next to what is chosen or done it is the reason, with no word to join them:
// "we're on pnpm. npm was hoisting things that nobody declared".
func tellsTrouble(clause string) bool {
	return CountWords(clause) >= minReasonWords && !endsAsking(clause) && !mine.MatchString(clause) && trouble().MatchString(clause)
}

// mine begins what a person says of their own doing.
var mine = automata.New(`(?i)^(?:i|i'?(?:m|ll|d|ve)|you|please|pls|can|could|let'?s|lets|if|when|no|nope|sorry|(?:re)?consider|or|and|thus|so if|why|what|how|where|does|do|did|is|are|which|this (?:will|would|may|might|has|had|is|was|happen))\b|\blet me know\b|\bi(?:'d| would) like\b`)

var trouble = sync.OnceValue(func() *automata.Pattern {
	return automata.New(`(?i)\b(?:` + strings.Join(strings.Fields(troubleWords), "|") + `)\b|\b(?:` + strings.Join(strings.Fields(troubleStems), "|") + `)\w*|\btoo (?:much|many|slow|big|late|old|hard|often|long|expensive|easy)\b|\bby hand\b|\bno longer\b`)
})

const (
	troubleWords = `wrong worse worst slow slower never nobody none cannot can't couldn't won't doesn't didn't isn't wasn't weren't aren't wouldn't cant doesnt didnt dead expensive stale flaky hard pain painful mess nightmare hell overkill useless unsafe insecure illegal twice crazy audit auditors compliance gdpr license licence forbids forbidden forbade lost lose loses losing quota broke breaks broken bit blows blew ate eats costs cost paid paying hid hides woke woken bricked wrecked hung hangs race races oom limit limits cap outage incident incidents pagerduty drift drifts leak leaks bugs`
	troubleStems = `abandon annoy bloat burn clash collid complain conflict confus corrupt crash crawl deadlock degrad deprecat desync discontinu double-?charg duplicat evict exceed fail flagg forg[eo]t fragment garbl ignor impossib infect leaked mangl mismatch miss(?:ed|es|ing) nightmar outdat overflow overlap overwrit poison reject refus regress sneak spike stall starv struggl suffer swallow thrash throttl timed?-?out truncat unbearabl unmaintain unreadab unreliab unsupport untest vulnerab wast`
)
