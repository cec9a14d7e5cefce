package scan

import (
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/lessons-cli/lessons/internal/automata"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/observe"
	"github.com/lessons-cli/lessons/knowledge/statement"
	"github.com/lessons-cli/lessons/scan/transcript"
)

// decisions finds choices that the person makes: outright ("let's use X because
// Y", "never push to main"), as the answer to a question of the agent, or as a
// suggestion that the agent takes. Without a reason of the person's own a
// decision is not of quality (rulings 17).
type decisions struct{}

func (decisions) Kind() Kind { return Decision }

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

// settled finds a choice in a person's words.
func settled(w *Window, said *Step) []finding {
	sp := said.speech()
	if sp.n == 0 || sp.plan || sp.n > decisionWords {
		return nil
	}
	claim := w.lastClaim(said)
	choice, context := chosen(sp.words), ""
	switch {
	case said.Kind == transcript.Rejection && refuses(sp, w.Call(said)), said.Kind == transcript.User && w.wasStopped(said) && refuses(sp, nil):
		return nil // a correction
	case choice == "" && said.Kind == transcript.Rejection && sp.explores:
		choice = constraint(sp)
	case choice == "" && asksBack(claim):
		choice, context = answerTo(claim, sp)
	case sp.objects > 2 && !asksBack(claim):
		if o := w.occasionOf(said); o != nil && o.acted {
			return nil // against what the agent did: the corrections'
		}
	}
	if choice == "" {
		return nil
	}
	if context == "" && claim != nil {
		context = lastSentence(claim.Text)
	}
	title := decisionTitle(choice)
	if claim != nil && statement.CountWords(title) < 4 && context != "" {
		title = strings.TrimRight(context, "?!. ") + ": " + title // "option 2" alone says nothing
	}
	out := finding{
		kind: Decision, typ: knowledge.Decision, origin: observe.OriginDecision,
		line: said.Line, at: said.Time, title: title, fix: decisionTitle(choice), context: context,
		rationale: reasonIn(choice, sp.words), quotes: []string{sp.words},
	}
	out.unfit = lacksReason(out.rationale, statement.CountWords(choice) >= 4)
	return []finding{out}
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

// answerTo returns the sentence with which a person answers the agent's
// question, and that question, where the answer settles more than whether to go
// on: it gives a reason or a condition, or the question had alternatives.
func answerTo(claim *Step, sp *speech) (answer, question string) {
	p := decisionPatterns()
	question = questionOf(claim.Text)
	if question == "" || sp.inquires || sp.rebukes || sp.goesOn() || p.clarifying.MatchString(question) {
		return "", ""
	}
	open := p.alternatives.MatchString(p.elseTail.ReplaceAllString(question, "?")) || len(optionsOf(claim.Text)) > 1
	if !open && sp.breaks && !p.reason.MatchString(sp.words) {
		return "", "" // a report, and no answer
	}
	for _, s := range sp.spoken {
		if s = strings.TrimRight(s, ".! "); strings.HasSuffix(s, "?") {
			continue
		}
		switch m := p.optionNumber.FindStringSubmatch(s); {
		case m != nil && open:
			if text := optionsOf(claim.Text)[ordinal(m[1]+m[2])]; text != "" {
				return text, question
			}
			return s, question
		case p.number.MatchString(s), p.procedural.MatchString(s):
			continue
		case p.condition.MatchString(s), open && statement.CountWords(s) >= 2:
			return s, question
		}
	}
	return "", ""
}

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
		context: lastSentence(now.Text), quotes: []string{sp.words}, unfit: lacksReason("", true),
	}}
}

type choicePatterns struct {
	choice, lead, reason, because, tagged         *automata.Pattern
	constraint, condition, alternatives, elseTail *automata.Pattern
	clarifying, procedural, number, optionNumber  *automata.Pattern
	suggests, agrees, option, procedure           *automata.Pattern
}

var decisionPatterns = sync.OnceValue(func() *choicePatterns {
	const (
		because = `because|since|so that|due to|otherwise|in order to|the reason|as it|as they|as we|weil|damit|porque|parce que`
		lead    = `(?i)^(?:(?:ok(?:ay)?|yes|yeah|no|sure|right|great|good|and|so|then|but|hmm+|i think|i guess|maybe|please|also)[\s,.!:—-]+)*`
		verbs   = `use|do|run|commit|add|put|keep|call|write|make|push|merge|squash|rebase|test|support|store|log|return|prefer|name|check|ask|touch|edit|change|delete|import|deploy|release|depend|mock|format|create|build|install|document|include|set|start|skip`
	)
	c := func(s string) *automata.Pattern { return automata.New(`(?i)` + s) }
	return &choicePatterns{
		choice: automata.New(lead + `(?:let'?s (?:go (?:with|for)|use|keep|stick|not|make|switch|drop|avoid|have|settle|choose|pick|leave|standardi[sz]e)\b|lets (?:go with|use|keep|stick|switch|drop|avoid)\b` +
			`|(?:i'?d|i would|we'?d|we would) (?:prefer|rather|go (?:with|for))|(?:i|we) prefer|(?:we|i)(?:'ll| will| should| always| never|'ve| have)? (?:decided|settled|agreed|chosen|chose|opted) (?:to|on|for|against|that)\b|(?:we|i)(?:'ll| will| should| always| never) (?:use|go with|go for|keep|stick|not)\b` +
			`|go (?:with|for) (?:[^m\s]\S*|m[^e\s]\S*|me\S+)|stick (?:with|to)\b|prefer \S|use \S.* (?:instead of|over|rather than|not)\b|(?:use|keep|make|put|leave|store|name|choose|pick|take) \S.* (?:` + because + `)\b|keep \S.* (?:instead of|over|rather than)\b` +
			`|(?:always|never) (?:` + verbs + `)\b|(?:don'?t|do not) (?:` + verbs + `)\b.* (?:any ?more|any longer|unless|until|` + because + `)\b|(?:from now on|going forward|henceforth|as a rule|by convention|as a policy)\b|(?:our|the|my|team) (?:rule|convention|policy|standard|agreement|style)(?: here| in this \w+)? is\b` +
			`|(?:i|we) (?:allow|permit) you to|you(?:'re| are) (?:allowed|permitted|free) to|you may\b|the (?:simplest|best|right|better|cleanest) (?:fix|way|approach|solution|option) is)`),
		lead:       automata.New(lead + `(?:let'?s |(?:we|i)(?:'ll| will| should|'ve decided to| decided to| have decided to) )?`),
		reason:     c(`\b(?:` + because + `)\b`),
		because:    c(`\b(?:` + because + `)\b\s*(.+)`),
		tagged:     automata.New(`(?s)#lesson\b.*?#/lesson\S*|\[PROCESS_KNOWLEDGE\].*?\[/PROCESS_KNOWLEDGE\]`),
		constraint: c(`\b(?:i|we) (?:don'?t|do not|'?d rather not|would rather not|never|can'?t|cannot|must not|only) (?:want|have|like|use|allow|need)?\b|\bmust(?:n'?t| not)?\b`),

		// an answer that says more than yes or no
		condition:    c(`\b(?:` + because + `|make sure|ensure|always|never|only|unless|until|instead|rather|prefer|keep|as long as|must|except|not the|without)\b`),
		alternatives: c(`\bor\b|\bwhich (?:one|of|option|approach|way|should|would|do|method|variant|design)\b|\bprefer\b|\bhow (?:long|many|much|often|should)\b|\boder\b|\bwelche`),
		elseTail:     c(`,? or (?:is there )?(?:anything|something|someone|would you like to|do you want to|should i (?:move|go) on|not|another).*$`),
		clarifying:   c(`\b(?:do|did) you mean\b|^what (?:is|was|does) the (?:error|output|message)|\bcan you (?:share|paste|send|provide|tell)\b`),
		procedural:   c(`^(?:(?:yes|yeah|ok(?:ay)?|sure|no|please|now|and)[\s,.!]*)*(?:commit|push|run|go|continue|proceed|do it|open a (?:pr|pull)|start|next|thanks|merge|ship|$)`),
		number:       c(`^\W*\d*\W*$`),
		optionNumber: c(`^(?:(?:yes|ok(?:ay)?|let'?s|go with|take|use|do|i(?:'d)? (?:choose|prefer|take|pick|like)|number|the|please)[\s,]+)*(?:(?:option|variant|approach|number|choice|plan)\s+#?(\d|[a-e]|one|two|three|four|five)|(first|second|third|fourth|fifth|last) (?:one|option|approach|variant))\b`),

		suggests: c(`\bwhy (?:do|don'?t|are|aren'?t|can'?t|not|should) ?(?:we|it|this|not)?\b.*\b(?:instead|two|both|twice|not|just|again|separate)\b|\bwhy (?:don'?t|can'?t) we\b|\bwhy not\b|\bwhy we\b.*\b(?:instead|two|both|only|not)\b` +
			`|\b(?:could|would|should|can)n'?t (?:we|it|that|this|you)\b|\b(?:could|would|should) (?:we|it|that) not\b|\bwhat (?:if|about) (?:we|using|just|having)\b|\bwouldn'?t it be\b|\b(?:instead of|rather than)\b.*\?|\b(?:thinking of|leaning towards?|my preference|i think we should|we should probably|probably (?:best|makes sense|better)|makes (?:more )?sense to|it would be (?:better|cleaner|simpler|easier))\b`),
		agrees: c(`^\W*(?:(?:yes|yep|ah|oh|hmm+|right|absolutely|definitely|sure)[\s,.!:—–-]+)*(?:good (?:point|idea|call|suggestion|thinking|thought)|great (?:point|idea|suggestion)|fair point|excellent (?:point|idea)|agreed\b|i agree|(?:that|this|it)(?:'?s| is| would be| makes| does make)(?: indeed| a| an| much| more)* (?:better|clean|sensible|reasonable|cleaner|simpler|good idea|nicer|sense|right|valid point)|makes sense|no reason (?:not|to|why)|we (?:can|could|should) (?:consolidate|merge|unify|simplify|drop))`),

		option:    c(`^\s*(?:[-*•]\s*)?(?:\*\*)?(?:option |variant )?(\d|[A-Ea-e])[.):]\s*(?:\*\*)?\s*(.+)`),
		procedure: c(`^(?:you decide|your call|yes|no|ok(?:ay)?|done|next|continue|skip|proceed|work on|start|other|hmm+|it depends|this (?:would )?depends?|not sure|i don'?t know|maybe|let me think)\b|^more questions|^which (?:areas|topics|items|tasks|of these|parts)\b|\bdiscuss\b|^(?:would|do) you (?:like|want)|^(?:what|how) would you like to (?:do|proceed)|^ready to`),
	}
})

// chosen returns the sentence in which a person settles something, or "".
func chosen(words string) string {
	for line := range strings.Lines(words) {
		for s := range statement.Sentences(line) {
			if strings.HasSuffix(s, "?") || !decisionPatterns().choice.MatchString(s) {
				continue
			}
			if n := statement.CountWords(s); n >= 3 && n <= 60 {
				return strings.TrimRight(s, ".!")
			}
		}
	}
	return ""
}

// constraint returns the sentence in which a person says what must not or must
// be, or "".
func constraint(sp *speech) string {
	for _, s := range sp.spoken {
		if !strings.HasSuffix(s, "?") && decisionPatterns().constraint.MatchString(s) {
			return strings.TrimRight(s, ".!")
		}
	}
	return ""
}

// decisionTitle is the choice alone, as a heading: without the words that lead
// to it and without its reason.
func decisionTitle(choice string) string {
	p := decisionPatterns()
	title := p.lead.ReplaceAllString(choice, "")
	if at := p.reason.FindStringIndex(title); at != nil && at[0] > 0 {
		title = strings.TrimRight(title[:at[0]], " ,;:")
	}
	if statement.CountWords(title) < 2 {
		return choice
	}
	return capitalised(title)
}

func capitalised(s string) string {
	first, size := utf8.DecodeRuneInString(s)
	if size == 0 {
		return s
	}
	return string(unicode.ToUpper(first)) + s[size:]
}

// reasonIn returns the because-clause of the choice, or of the sentence behind it.
func reasonIn(choice, words string) string {
	if m := decisionPatterns().because.FindStringSubmatch(choice); m != nil {
		return m[1]
	}
	_, rest, _ := strings.Cut(words, choice)
	n := 0
	for s := range statement.Sentences(onOneLine(rest)) {
		if m := decisionPatterns().because.FindStringSubmatch(s); m != nil {
			return strings.TrimRight(m[1], ".!")
		}
		if n++; n == 2 {
			break
		}
	}
	return ""
}

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
	return decisionPatterns().tagged.ReplaceAllString(text, "\n")
}
