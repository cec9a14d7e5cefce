package scan

import (
	"cmp"
	"slices"
	"strings"
	"sync"

	"github.com/lessons-cli/lessons/internal/automata"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/observe"
	"github.com/lessons-cli/lessons/knowledge/statement"
	"github.com/lessons-cli/lessons/scan/transcript"
)

// decisions finds choices that only a conversation makes: an option that the person
// chose, the answer to a question of the agent, a suggestion that the agent takes.
// Without a reason of the person's own a decision is not of quality.
// What people settle outright is the statements'.
type decisions struct{}

func (decisions) Detect(w *Window) []finding {
	now := w.Last()
	if now.Agent != "" {
		return nil
	}
	switch now.Kind {
	case transcript.ToolResult:
		return chosenOptions(now)
	case transcript.User, transcript.Rejection:
		return settled(w, now)
	case transcript.Assistant:
		return suggestionTaken(w, now)
	}
	return nil
}

// settled finds the choice in a person's answer to a question of the agent.
func settled(w *Window, said *Step) []finding {
	sp := said.speech()
	if sp.n == 0 || sp.plan || sp.n > decisionWords || slices.ContainsFunc(said.statements(), settlesOutright) {
		return nil
	}
	claim := w.lastClaim(said)
	if claim == nil || !asksBack(claim) && proposal(claim) == "" && !(offers(claim) && decisionPatterns().optionNumber.MatchString(sp.spoken[0])) || w.against(said) {
		return nil
	}
	choice, question := answerTo(claim, sp)
	if choice.Rule == "" || statement.SettlesNothing(said.Text) {
		return nil
	}
	f := findingOf(choice, said)
	f.context = openQuestion(question)
	if statement.CountWords(f.title) < titleWords && question != "" {
		f.title = answered(f.title, question) // "option 2" alone says nothing
	}
	return []finding{f}
}

// openQuestion is a question as a decision answers it; "" where it asks for nothing of the kind.
func openQuestion(question string) string {
	if decisionPatterns().idle.MatchString(question) {
		return ""
	}
	return question
}

// settlesOutright says whether a statement holds for later by itself, whatever was asked.
func settlesOutright(s statement.Statement) bool { return lasts(s) && s.Missing == "" && !s.Likely }

// titleWords is how many words a choice must have to be a title without the question.
const titleWords = 6

// answered is the title of an answer, which says what was asked behind it.
func answered(answer, question string) string {
	return answer + " (" + strings.TrimRight(question, "!.: ") + ")"
}

// decisionWords bounds a message that settles something; longer ones are briefs.
const decisionWords = 120

// lastClaim returns the agent's last text before a message, in the same turn.
func (w *Window) lastClaim(said *Step) *Step {
	for s := range w.before(said, "") {
		switch s.Kind {
		case transcript.User, transcript.Compaction:
			return nil
		case transcript.Assistant:
			return s
		}
	}
	return nil
}

// answerTo returns what a person chooses by the answer to the agent's question, and that
// question, where the answer settles more than whether to go on: it gives a reason or a
// condition, or the question had alternatives.
func answerTo(claim *Step, sp *speech) (choice statement.Statement, question string) {
	p := decisionPatterns()
	question, options := questionOf(claim.Text), optionsOf(claim.Text)
	if question == "" {
		question = proposal(claim)
	}
	offered := p.elseTail.ReplaceAllString(question, "?")
	if statement.CountWords(question) < titleWords {
		offered += proposal(claim) // "what would you like?"
	}
	open := offers(claim) || p.alternatives.MatchString(offered)
	if question == "" && !offers(claim) || sp.inquires || sp.rebukes || sp.goesOn() || p.clarifying.MatchString(question) || statement.ForTheMoment(question) || remarks.MatchString(sp.words) {
		return choice, ""
	}
	if !open && sp.breaks && !p.turnsDown.MatchString(sp.spoken[0]) && statement.Choice(sp.words, "").Because == "" {
		return choice, "" // a report, and no answer
	}
	second := ""
	if len(sp.spoken) > 1 {
		second = sp.spoken[1]
	}
	if named, ok := statement.Answer(sp.spoken[0], second, func(answer string, linked bool) bool { return settles(answer, claim, question, open, linked) }); ok {
		text, numbered := numberedOption(named.Rule, options)
		if numbered {
			named.Rule, named.Missing = text, ""
		}
		named = named.Asked()
		if named.Rule != "" {
			return named, question
		}
	}
	if !asksBack(claim) && !(offers(claim) && p.optionNumber.MatchString(sp.spoken[0])) {
		return choice, ""
	}
	for i, s := range sp.spoken {
		if s = strings.TrimRight(s, ".! "); strings.HasSuffix(s, "?") {
			continue
		}
		m, next := p.optionNumber.FindStringSubmatch(s), ""
		if i+1 < len(sp.spoken) && len(sp.spoken) <= answerSentences && (m != nil && open || p.turnsDown.MatchString(s)) {
			next = sp.spoken[i+1]
		}
		choice = statement.Choice(s, next)
		if head, tail, cut := strings.Cut(s, ", "); cut && choice.Because == "" && p.turnsDown.MatchString(s) {
			if split := statement.Choice(head, tail); split.Because != "" {
				choice = split
			}
		}
		switch {
		case m != nil && open:
			if text := options[ordinal(cmp.Or(m[1:]...))]; text != "" && !strings.Contains(text, "?") {
				if rest := strings.TrimLeft(s[len(m[0]):], " ,;:.-–—"); statement.CountWords(rest) > 3 {
					next = rest
				}
				choice = statement.Choice("take option "+s, next) // for the reason
				choice.Rule, choice.Missing = text, ""
			}
			return choice, question
		case p.number.MatchString(s), p.procedural.MatchString(s):
			continue
		case choice.Because != "", p.condition.MatchString(s), open && statement.CountWords(s) >= 2:
			return choice, question
		}
	}
	return statement.Statement{}, ""
}

// settles says whether the beginning of an answer is what was chosen: one of the options,
// what a question of which or how asks for, or a word on the one thing that was proposed,
// which a linked reason shows too.
func settles(answer string, claim *Step, question string, open, linked bool) bool {
	p := decisionPatterns()
	switch {
	case p.procedural.MatchString(answer), statement.CountWords(answer) > optionWords, p.aside.MatchString(answer):
		return false
	case open && p.optionNumber.MatchString(answer+","):
		return true
	case !statement.IsPhrase(answer[len(taking.FindString(answer)):]) && !p.praises.MatchString(answer):
		return false
	case open && namesOption(answer, claim.Text):
		return true
	}
	return !statement.IsOrder(answer) && (p.asksWhich.MatchString(question) || !open && (linked || namesOption(answer, question)))
}

// remarks begin a list of what there is to say, whose numbers are no option's.
var remarks = automata.New(`^\d+[.)] \S`)

// taking begins an answer that takes an option.
var taking = automata.New(`(?i)^(?:let'?s |i'?d |we(?:'ll)? )?(?:do|take|use|pick|have) `)

// numberedOption is the option that the beginning of an answer names by its number or letter,
// "" where that is not known; numbered is false where it names none so.
func numberedOption(answer string, options map[int]string) (text string, numbered bool) {
	m := decisionPatterns().optionNumber.FindStringSubmatch(answer + ",")
	if m == nil {
		return "", false
	}
	if text = options[ordinal(cmp.Or(m[1:]...))]; strings.Contains(text, "?") {
		text = ""
	}
	return text, true
}

// closingSentences is how many sentences of the agent's may stand behind a proposal.
const closingSentences = 3

// proposal is the last sentence of the agent's in which it offers ways to go on, or the one
// that it would take; "" where a text does not end so.
func proposal(claim *Step) string {
	if claim.Kind != transcript.Assistant {
		return ""
	}
	last, n := "", 0
	for s := range statement.Sentences(onOneLine(statement.OwnWords(lastWordsOf(claim.Text, 400)))) {
		if strings.HasSuffix(s, "?") || decisionPatterns().proposes.MatchString(s) {
			last, n = s, closingSentences
		}
		n--
	}
	if n < 0 {
		return ""
	}
	return last
}

// offers says whether a text of the agent lists options.
func offers(claim *Step) bool { return len(optionsOf(claim.Text)) > 2 }

// answerSentences is how many sentences an answer may have of which the second says why.
const answerSentences = 3

// optionWords is how many words an answer may have that only names an option.
const optionWords = 12

// namesOption says whether an answer is a few words, one of which the agent's text offers.
func namesOption(answer, offered string) bool {
	if statement.CountWords(answer) > optionWords {
		return false
	}
	if number := numbers().FindString(answer); number != "" && slices.Contains(numbers().FindAllString(offered, -1), number) {
		return true
	}
	topic := statement.Topic(strings.ReplaceAll(offered, "-", " "))
	return slices.ContainsFunc(statement.Topic(strings.ReplaceAll(answer, "-", " ")), func(stem string) bool { return slices.Contains(topic, stem) })
}

var numbers = sync.OnceValue(func() *automata.Pattern { return automata.New(`\b\d+(?:\.\d+)*\b`) })

// suggestionTaken finds a design question of the person that the agent's answer
// agrees with.
func suggestionTaken(w *Window, now *Step) []finding {
	said, acts := w.lastWords()
	if said == nil || !speaks(now) || slices.ContainsFunc(acts[:len(acts)-1], speaks) {
		return nil
	}
	sp, p := said.speech(), decisionPatterns()
	if sp.n > decisionWords || !p.agrees.MatchString(firstBytes(strings.TrimSpace(now.Text), 200)) || !p.suggests.MatchString(sp.words) {
		return nil
	}
	if o := w.occasionOf(said); o == nil || proven(sp, o, acts) {
		return nil // nothing before it, or a correction
	}
	suggestion := ""
	for _, s := range sp.spoken {
		if p.suggests.MatchString(s) {
			suggestion = strings.TrimRight(s, ".!")
			break
		}
	}
	return []finding{{
		kind: Decision, typ: knowledge.Decision, origin: observe.OriginDecision,
		line: said.Line, at: now.Time, title: capitalised(withoutOpener(suggestion)), fix: capitalised(withoutOpener(suggestion)),
		context: lastSentence(now.Text), quotes: []string{sp.words}, unfit: lacksReason(""),
	}}
}

type choicePatterns struct {
	condition, alternatives, elseTail            *automata.Pattern
	clarifying, procedural, number, optionNumber *automata.Pattern
	suggests, agrees, option, procedure          *automata.Pattern
	turnsDown, proposes, asksWhich, idle         *automata.Pattern
	aside, praises                               *automata.Pattern
}

var decisionPatterns = sync.OnceValue(func() *choicePatterns {
	p := phrasebook.Pattern
	return &choicePatterns{
		condition: p("condition"), alternatives: p("alternatives"), elseTail: p("elseTail"),
		clarifying: p("clarifying"), procedural: p("procedural"), number: p("number"), optionNumber: p("optionNumber"),
		suggests: p("suggests"), agrees: p("agrees"), option: p("option"), procedure: p("procedure"),
		turnsDown: p("turnsDown"), proposes: p("proposes"), asksWhich: p("asksWhich"), idle: p("idle"),
		aside: p("aside"), praises: p("praises"),
	}
})

// taggedText finds what an agent reports between tags.
var taggedText = automata.New(`(?s)#lesson\b.*?#/lesson\S*|\[PROCESS_KNOWLEDGE\].*?\[/PROCESS_KNOWLEDGE\]`)

func lastSentence(text string) string {
	last := ""
	for s := range statement.Sentences(onOneLine(statement.OwnWords(withoutBlocks(text)))) {
		last = s
	}
	return last
}

// withoutBlocks leaves out what an agent reports between tags.
func withoutBlocks(text string) string {
	if !strings.Contains(text, lessonClose) && !strings.Contains(text, blockClose) {
		return text
	}
	return taggedText.ReplaceAllString(text, "\n")
}
