package scan

import (
	"math/bits"
	"strings"
	"sync"

	"github.com/lessons-cli/lessons/internal/automata"
	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/knowledge/statement"
)

// A step is one thing to do in a description of a way of working.
type step struct {
	text string // the person's words
	key  string // what it comes down to, the same in other words: "run tests"
}

// stepKeys name the steps that ways of working are made of. The first that
// matches a clause without its leading words counts, so special ones come first.
type stepKeys struct {
	keys   []string
	begins []*automata.Pattern // of each key
	any    *automata.Set       // of all, and behind them a verb
	known  map[string]bool
}

var knownSteps = sync.OnceValue(func() *stepKeys {
	s := &stepKeys{known: map[string]bool{}}
	set := map[automata.Members]string{}
	add := func(expr string) {
		expr = `(?i)^(?:` + expr + `)`
		set[1<<len(set)] = expr
		s.begins = append(s.begins, automata.New(expr))
	}
	for _, k := range []struct{ key, pattern string }{
		{"write tests", `(?:write|writing|add|adding|create|start with|begin with|have) (?:the |a |some |new |failing |unit |regression )*tests?\b|reproduc\w+\b.*\btest|tests? first|test[- ]driven|use tdd|red\b`},
		{"run tests", `(?:run|running|rerun|re-run|execute|pass)\b.*\b(?:tests?|suite|specs?)\b|test(?:ing)?\b|(?:make|making) (?:sure|certain) (?:that )?(?:all |the |every |they |it |new )*(?:tests? |suite )?(?:still )?(?:pass|passes|green|succeed)\w*|ensure\b.*\b(?:pass|green)|(?:make|making) (?:it|them) pass|(?:run )?make (?:check|test)|verify (?:that )?(?:all )?(?:the )?tests?|go green|green\b`},
		{"lint", `(?:run |running |apply )?(?:the )?lint\w*|fix (?:the )?lint|(?:run|running) (?:the )?(?:type ?check\w*|static analysis|vet)|type ?check`},
		{"format", `(?:run |running )?(?:the )?format\w*|(?:run |running )?prettier|(?:run |running )?gofmt`},
		{"commit", `commit\w*|(?:make|create|making) (?:a |one |separate )*commits?|check (?:it|them|this|that) in`},
		{"open a pull request", `(?:open|create|make|raise|submit|send|file|opening|creating|put up) (?:a |an |the )?(?:new |draft )?(?:pull request|pr|mr|merge request)\b|pr\b`},
		{"force-push", `force[- ]?push\w*`},
		{"push", `push\w*`},
		{"pull", `pull\w*|fetch\w*|sync with|(?:get|grab) the latest`},
		{"rebase", `rebas\w+`},
		{"merge", `merg\w+`},
		{"create a branch", `(?:create|make|start|open|cut|creating|check ?out|use) (?:a |an |the )?(?:new |feature |separate |fresh )*branch|branch off`},
		{"go to the main branch", `(?:get |go |switch |come )?(?:back )?(?:to |check ?out )(?:the )?(?:main|master|trunk|develop)\b|check ?out (?:the )?(?:main|master)|(?:get|go|switch) back to main`},
		{"delete the branch", `delet\w+ (?:the |that |your )?(?:\w+ )?branch`},
		{"bump the version", `bump\w*|(?:raise|increase|update|set) (?:the )?version`},
		{"tag", `tag\w*|(?:create|push|add) (?:the |a )?tag`},
		{"update the changelog", `(?:update|add|write|extend|edit|fill|updating)\b.*\b(?:changelog|release notes|history)\b`},
		{"publish", `publish\w*`},
		{"release", `releas\w+|(?:cut|make|do) (?:a |the )?release`},
		{"deploy", `deploy\w*|roll (?:it |this )?out|ship\w*`},
		{"update the docs", `(?:update|write|extend|edit|adjust|updating)\b.*\b(?:docs?|documentation|readme|diagram|comments)\b|document\w*`},
		{"review", `review\w*|(?:ask|request)\w* (?:for )?(?:a )?review|self-review`},
		{"migrate", `(?:create|write|add|run|apply|generate)\b.*\bmigrations?\b|migrat\w+`},
		{"generate", `(?:re)?generat\w+`},
		{"install", `(?:re)?install\w*`},
		{"build", `(?:re)?build\w*|compil\w+|(?:run )?make(?: \w+)?$`},
		{"reproduce", `reproduc\w+`},
		{"find the cause", `find\w* (?:out )?(?:the |why|what)\b.*|(?:investigat|diagnos|analy[sz])\w+`},
		{"plan", `plan\w*|(?:write|make|come up with|propose|show me) (?:a |the |your )?(?:short )?plan`},
		{"ask", `ask\w* (?:me|for|us)|wait\w* for (?:my|me|the|our|ci|approval|it)\b.*|confirm with me|check with me`},
		{"report", `report\w*|stop and report|summari[sz]\w+|tell me|show me|send me|let me know|give me`},
		{"refactor", `refactor\w*|clean\w* (?:it |this |things )?up|simplify`},
		{"fix", `fix\w*|repair\w*|correct\w*|resolve\w*`},
		{"implement", `implement\w*|writ\w+ (?:the )?(?:code|implementation|handler|feature)|cod(?:e|ing) (?:it|this)|make the changes?|develop\w*|do the (?:work|change)`},
		{"take one after the other", `(?:work|go|walk|run|step)\w* (?:your way )?(?:through|over|down) .*|go (?:on )?to the next.*|do (?:them|these|the following) .*|(?:take|pick) (?:the )?next.*|repeat.*`},
		{"close the ticket", `(?:close|update|move|mark|resolve)\w* (?:the |each |every )?(?:ticket|issue|board|card|task|todo)s?\b.*`},
		{"check", `(?:check|verif|validat|inspect|double-check)\w*`},
		{"run it", `(?:run|start|launch|restart|execute)\w* (?:it|this|them|the (?:app|server|program|script|command|link checker|\w+ checker))\b.*`},
		{"read", `(?:read|look at|look up|study|open)\b.*`},
		{"register", `(?:register|wire|hook up|connect|add it to)\b.*`},
	} {
		add(k.pattern)
		s.keys, s.known[k.key] = append(s.keys, k.key), true
	}
	add(`(?:` + orderVerbs + `|` + stepVerbs + `)\b`)
	s.any = automata.NewSet(set)
	return s
})

// stepVerbs begin steps besides [orderVerbs].
const stepVerbs = `analyse|analyze|assign|audit|back up|bundle|call|choose|compile|count|cut|do|download|edit|ensure|execute|extract|force|kill|label|lock|measure|note|notify|reproduce|restart|rerun|regenerate|re-generate|register|squash|stage|stop|sync|train|unlock|upload|write`

type stepPatterns struct{ item, inline, order, habit, goal, lead, clause, after, howTo, subject, state, whenDone, heading *automata.Pattern }

var workflowPatterns = sync.OnceValue(func() *stepPatterns {
	c := func(s string) *automata.Pattern { return automata.New(`(?i)` + s) }
	return &stepPatterns{
		item:     c(`^\s*(?:(\d{1,2}[.)]|step \d{1,2}[:.)]?)|[-*•])\s+(.+)`),
		inline:   c(`(?:^|\s)\d[.)]\s+`),
		order:    c(`\b(?:first(?:ly)?|then|after(?:wards)?|finally|next|once|before|until|step by step|in (?:this |that |the following )?order|one (?:by|after|at a time)|each|every|whenever|always|start with|begin with|and only then|tdd|only after)\b|->|→|⇒`),
		habit:    c(`\b(?:always|whenever|every ?time|each time|for (?:each|every)|after (?:each|every)|before (?:each|every|you|any)|one (?:by one|after the other|at a time)|from now on|as usual|as always|the usual|our (?:\w+ )?(?:process|workflow|procedure|routine|flow)|process:|workflow:|tdd)\b|\b(?:each|every) (?:step|item|change|commit|ticket|task|of)\b`),
		goal:     c(`^\s*(?:to|in order to|when|whenever|for|how to|if you) \w+(?: [^\s:,]+){1,8}\s*[:,]\s*`),
		lead:     c(`^(?:(?:please|pls|can you|could you|i want you to|i'd like you to|you (?:should|must|can|need to|have to)|we|i|always|now|so|ok(?:ay)?|first(?:ly)?|second(?:ly)?|third(?:ly)?|then|next|finally|lastly|after(?:wards)?|after that|after this|and|also|only|only then|again|just|let'?s|lets|don'?t forget to|remember to|make sure (?:to|you)|be sure to|go ahead and|step \d+:?|it'?s done,?|when (?:that|this|it)(?:'s| is) done,?)[\s,:]+)+`),
		clause:   c(`\s*(?:;|->|→|⇒|,?\s+(?:and\s+)?(?:only\s+)?then\s+|,?\s+(?:and\s+)?finally,?\s+|,?\s+after that,?\s+|,?\s+and\s+|,\s+(?:and\s+)?|\s+before\s+(?:the next|you go on|going on|moving on|continuing|starting)\b.*)\s*`),
		after:    c(`^(?:(?:only )?after|once|when|as soon as|every ?time|each time|whenever|for (?:each|every)(?: \w+)* |before)\b`),
		howTo:    c(`^\s*(?:to|how to|when (?:you )?\w+ing|whenever you|if you) \w+`),
		whenDone: c(`^(?:only )?(?:after|once|when|as soon as) .*?\b(?:is|are|has|have)(?: all)? (?:been )?(?:green|done|finished|passed|passing|merged|approved|through|complete|ready|ok)\b,?\s*`),
		heading:  c(`(?m)^#{1,6} `),
		state:    c(`^(?:the|a|an|it|this|that|everything|all)\b`),
		subject:  c(`^(?:the|a|an|it|this|that|i|they|he|she|my|our|there)\s`),
	}
})

// clausesOf splits a sentence of instructions into its clauses, in the order in
// which they are to be done: "before you push, run the tests" is testing first.
func clausesOf(sentence string) []string {
	p := workflowPatterns()
	sentence = strings.TrimSpace(sentence)
	if m := p.goal.FindStringIndex(sentence); m != nil && !p.after.MatchString(sentence) {
		sentence = sentence[m[1]:] // "to add a page: …"
	}
	head, rest := "", sentence
	if loc := p.after.FindStringIndex(sentence); loc != nil {
		if m := p.whenDone.FindStringIndex(sentence); m != nil {
			rest = sentence[m[1]:] // "once it is green merge it"
		} else if at := strings.IndexAny(sentence, ",:"); at > 0 {
			head, rest = strings.TrimSpace(sentence[loc[1]:at]), sentence[at+1:]
		}
	} else if at := strings.IndexByte(sentence, ':'); at > 0 && at < 80 {
		head, rest = strings.TrimSpace(sentence[:at]), sentence[at+1:]
	}
	clauses := lists.MapSome(p.clause.Split(rest, -1), plainStep)
	if head = plainStep(head); head == "" || p.state.MatchString(head) {
		return clauses // "once the review is green" is no step
	}
	if strings.HasPrefix(strings.ToLower(sentence), "before") {
		return append(clauses, head)
	}
	return append([]string{head}, clauses...)
}

// stepOf reads a clause as a step. It is none when no verb begins it.
func stepOf(clause string) (step, bool) {
	clause = strings.Trim(plainStep(clause), ".!,: ")
	if statement.CountWords(clause) > 25 || clause == "" {
		return step{}, false
	}
	clause = asOrder(clause)
	s := knownSteps()
	for found := s.any.In(clause); found != 0; found &= found - 1 {
		i := bits.TrailingZeros64(uint64(found))
		if i == len(s.keys) { // none of them, but a verb
			if statement.CountWords(clause) < 2 {
				break
			}
			return step{clause, ownKey(clause)}, true
		}
		if m := s.begins[i].FindString(clause); m != "" && wholeWord(clause, m) {
			return step{clause, s.keys[i]}, true
		}
	}
	return step{}, false
}

// orderVerbSet holds the verbs with which orders begin.
var orderVerbSet = sync.OnceValue(func() map[string]bool {
	return lists.Set(strings.Split(orderVerbs+"|"+stepVerbs, "|"))
})

// asOrder puts "committing after each item" as "commit after each item".
func asOrder(clause string) string {
	word, rest, _ := strings.Cut(clause, " ")
	stem, ok := strings.CutSuffix(strings.ToLower(word), "ing")
	if !ok || len(stem) < 2 {
		return clause
	}
	verbs := orderVerbSet()
	for _, v := range []string{stem, stem + "e", stem[:len(stem)-1]} {
		if verbs[v] {
			return strings.TrimSpace(v + " " + rest)
		}
	}
	return clause
}

// wholeWord says whether a match ends where a word of the clause ends.
func wholeWord(clause, match string) bool {
	rest := clause[len(match):]
	return rest == "" || strings.ContainsRune(" ,.;:!?)", rune(rest[0]))
}

// ownKey names a step that is none of the known ones: its verb and its first
// object.
func ownKey(clause string) string {
	verb := ""
	for w := range strings.FieldsSeq(strings.ToLower(clause)) {
		switch w = strings.Trim(w, ".,:;!?\"'`()"); w {
		case "", "the", "a", "an", "all", "every", "each", "your", "my", "our", "this", "that", "to", "in", "of", "it", "new", "for", "on":
			continue // small words
		}
		if verb != "" {
			return verb + " " + w
		}
		verb = w
	}
	return verb
}

func plainStep(s string) string {
	s = strings.Trim(strings.TrimSpace(s), "*_`-. ,")
	return strings.TrimSpace(workflowPatterns().lead.ReplaceAllString(s, ""))
}

// known says whether a step is one that ways of working are made of, whatever
// the task.
func (s step) known() bool { return knownSteps().known[s.key] }
