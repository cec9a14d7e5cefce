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
	set := map[automata.Members]*automata.Pattern{}
	add := func(expr string) {
		begins := automata.New(`(?i)^(?:` + expr + `)`)
		set[1<<len(set)] = begins
		s.begins = append(s.begins, begins)
	}
	for _, k := range phrasebook.Sections("step") {
		add(k.Expr())
		s.keys, s.known[k.Condition] = append(s.keys, k.Condition), true
	}
	add(`(?:` + stepVerbs() + `)\b`)
	s.any = automata.SetOf(set)
	return s
})

// stepVerbs are the verbs with which steps begin.
func stepVerbs() string { return phrasebook.Expr("orderVerbs") + "|" + phrasebook.Expr("stepVerbs") }

type stepPatterns struct{ item, inline, order, habit, goal, lead, clause, after, howTo, subject, state, whenDone, forbidden, heading *automata.Pattern }

var workflowPatterns = sync.OnceValue(func() *stepPatterns {
	p := phrasebook.Pattern
	return &stepPatterns{
		item: p("stepItem"), inline: p("inline"), order: p("order"), habit: p("habit"), goal: p("goal"), lead: p("stepLead"),
		clause: p("clause"), after: p("after"), howTo: p("howTo"), subject: p("subject"), state: p("state"), whenDone: p("whenDone"),
		forbidden: p("forbidden"),
		heading:   automata.New(`(?m)^#{1,6} `),
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
	if statement.CountWords(clause) > 25 || clause == "" || workflowPatterns().forbidden.MatchString(clause) {
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
	return lists.Set(strings.Split(stepVerbs(), "|"))
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
