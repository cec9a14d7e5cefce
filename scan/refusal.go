package scan

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/scan/transcript"
)

// rejections finds tool calls that the person refused with words (S1 of
// algorithms section 5).
type rejections struct{}

func (rejections) Kind() Kind { return UserCorrection }

func (rejections) Detect(w *Window) []finding {
	now := w.Last()
	if now.Kind != transcript.Rejection {
		return nil
	}
	words := ownWords(now.Text)
	if wordCount(words) < 2 || goesOn(words) || clarifies(words) {
		return nil
	}
	return []finding{refusal(w, now, w.Call(now), words, now.Line)}
}

// interrupts finds the instruction after the person stopped the agent (S2).
type interrupts struct{}

func (interrupts) Kind() Kind { return UserCorrection }

func (interrupts) Detect(w *Window) []finding {
	p, ok := pairAt(w)
	if !ok || wordCount(p.words) < 2 || goesOn(p.words) || isPlan(p.words) {
		return nil
	}
	var stopped, before *Step
	for s := range w.Back("") {
		switch s.Kind {
		case transcript.Interrupt:
			stopped = s
			continue
		case transcript.User:
			before = s
		case transcript.Rejection:
			if stopped == nil && ownWords(s.Text) == "" {
				stopped = s // a bare refusal, then words
				continue
			}
		case transcript.ToolResult:
			if stopped == nil && (s.Outcome == transcript.Rejected || s.Outcome == transcript.Interrupted) {
				stopped = s
				continue
			}
		}
		if stopped == nil || before != nil {
			break
		}
	}
	if stopped == nil || before != nil && repeats(before.Text, p.user.Text) {
		return nil
	}
	var call *Step
	for s := range w.before(p.user, "") {
		if s.Kind == transcript.ToolCall {
			call = s
			break
		}
		if s.Kind == transcript.User {
			break
		}
	}
	return []finding{refusal(w, p.user, call, p.words, stopped.Line)}
}

// refusal describes words that a person said against a call or a course.
func refusal(w *Window, said, call *Step, words string, errorLine int) finding {
	out := finding{
		kind: UserCorrection, typ: knowledge.Pitfall, origin: knowledge.OriginUserCorrection,
		line: said.Line, errorLine: errorLine, at: said.Time,
		fix: sentence(words), quotes: []string{words}, title: sentence(words),
		marks: []knowledge.Mark{knowledge.MarkUserCorrection}, keep: true,
		qualityOK: prefers(words) && !asks(words),
	}
	if causal().MatchString(words) {
		out.marks = append(out.marks, knowledge.MarkCausal)
	}
	out.mistake = "The person stopped the agent"
	if call == nil {
		return out
	}
	out.tool, out.area = call.Tool, call.Path
	switch {
	case call.Command != "":
		c := call.script().main()
		out.mistake = "The person refused `" + oneCommand(call.Command) + "`"
		if c != nil && prefers(words) && speaksOf(words, c) {
			out.trigger = &knowledge.Trigger{Tools: []string{"Bash"}, Commands: []string{commandShape(c, shapes(c.flags))}}
			out.tags = toolTags(c)
		}
	case call.Path != "":
		out.mistake = "The person refused " + call.Tool + " of " + call.Path
	default:
		out.mistake = "The person refused " + call.Tool
	}
	return out
}

// speaksOf says whether words name something of a command. Only then is the
// command what the person objects to, and not the course that it belongs to.
func speaksOf(words string, c *shellCommand) bool {
	if plumbing[c.program] && len(c.operands) == 0 {
		return false
	}
	spoken := strings.FieldsFunc(strings.ToLower(words), func(r rune) bool { return strings.ContainsRune(" \t\n`'\",.;:!?()", r) })
	return slices.ContainsFunc(slices.Concat([]string{c.program}, c.sub, c.flags, c.operands), func(t string) bool {
		return len(t) > 1 && slices.Contains(spoken, strings.ToLower(t))
	})
}

// words of persons; compiled on first use.
type wordPatterns struct {
	goesOn, asks, prefers, cue, complaint, broken, plan, clarify, yields, admits *regexp.Regexp
}

var personPatterns = sync.OnceValue(func() wordPatterns {
	c := regexp.MustCompile
	return wordPatterns{
		goesOn: c(`(?i)^(?:(?:oh|ah|ok|okay|yes|yeah|sure|sorry|thanks|thank you|please|pls|and|now|just|by accident|my bad|oops)[\s,.!:-]*)*` +
			`(?:go on|go ahead|continue|carry on|proceed|keep going|resume|try again|retry|yes|ok|okay|sorry|done|next)?[\s.!]*(?:please|pls|with (?:it|that|the plan))?[\s.!]*$`),
		asks: c(`(?i)\?\s*$|^(?:(?:and|but|so|hmm|ok|wait)[\s,]+)*(?:why|what|when|where|which|who|how|is|are|was|were|does|do|did|can|could|would|should|will|has|have)\b[^.!]*\?`),
		prefers: c(`(?i)\b(?:don'?t|do not|never|always|stop|instead|rather|must(?:n'?t)?|should(?:n'?t)?|need to|needs to|have to|use|want|prefer|keep|remove|leave|avoid|no need|not? (?:like|that)|` +
			`make (?:it|sure)|rename|move|revert|undo|only|without)\b`),
		cue: c(`(?i)^(?:(?:hmm+|ok(?:ay)?|well|but|so|and|please|hey|oh|ah|sorry|actually|wait|also)[\s,.!:-]+)*(?:no\b(?:[,.! ]|$)|nope|don'?t|do not|stop\b|wrong|instead|` +
			`that'?s (?:not|wrong)|this is (?:not|wrong)|not (?:what|like|that)|use \S+ not|we (?:use|don'?t)|i (?:said|told|meant|want(?:ed)?)|you (?:should|shouldn'?t|forgot|missed|broke|removed|deleted|made|were supposed)|` +
			`revert|undo|why (?:did|are|is|do|would)|my point|what do you mean|it'?s (?:not|still)|it (?:still|does(?:n'?t| not))|actually|wait\b|hold on|there (?:is|are) still|never )|` +
			`(?i)\b(?:instead of|(?:is|are|was|were)(?: still)? (?:failing|broken|wrong|missing|there|not)|still (?:fail|there|see|get|not|broken|the same)\w*|doesn'?t (?:work|seem|make|match|look)|does not (?:work|make)|not working|` +
			`made (?:it|that|this) up|make it up|you (?:literally|just|already)|none of|should (?:not|have|be)|shouldn'?t|isn'?t|aren'?t|wasn'?t|not rendered|fails?\b)`),
		complaint: c(`(?i)\b(?:error|fail(?:s|ed|ing)?|broken|wrong|still|missing|not working|doesn'?t|isn'?t|warnings?|issue|problem|messed|bug|cannot|can'?t)\b`),
		broken:    c(`(?i)\b(?:error|fail(?:s|ed|ing)|broken|not working|doesn'?t work|still|warnings?|cannot|bug)\b`),
		admits:    c(`(?i)^\W*(?:(?:ah|oh|hmm+|yes)[\s,.!:—-]+)*(?:you'?re (?:absolutely |completely |totally |quite )?(?:right|correct)|good catch|my (?:mistake|bad|apologies)|i (?:apologi|was wrong|misunderstood|misread|made (?:that|it) up))`),
		plan:      c(`(?i)^\s*(?:implement the following plan|# plan|plan:)`),
		clarify:   c(`(?i)wants to clarify|has questions? about`),
		yields: c(`(?i)^\W*(?:(?:ah|oh|hmm+|yes|ok(?:ay)?)[\s,.!:—-]+)*(?:you'?re (?:absolutely |completely |totally |quite )?(?:right|correct)|good (?:catch|point|question|call)|(?:i|my) apolog|my (?:mistake|bad|apologies)|sorry|` +
			`i (?:was wrong|misunderstood|misread|see (?:the|what|now|you)|should(?:n'?t| have| not)|made (?:a|that|an))|fair point|great (?:catch|point)|that'?s (?:a (?:good|fair|valid)|correct|right)|that makes sense|right[,!—-]|understood|apologies|now i (?:see|understand))`),
	}
})

// goesOn says whether words only let the agent continue.
func goesOn(words string) bool {
	return wordCount(words) <= 12 && personPatterns().goesOn.MatchString(strings.TrimSpace(words))
}

func asks(words string) bool      { return personPatterns().asks.MatchString(strings.TrimSpace(words)) }
func prefers(words string) bool   { return personPatterns().prefers.MatchString(words) }
func isPlan(words string) bool    { return personPatterns().plan.MatchString(words) }
func clarifies(words string) bool { return personPatterns().clarify.MatchString(words) }

// repeats says whether somebody sent the same message again.
func repeats(a, b string) bool {
	a, b = foldWords(a), foldWords(b)
	return a != "" && (a == b || len(a) > 40 && strings.HasPrefix(b, a) || len(b) > 40 && strings.HasPrefix(a, b))
}

// sentence is the first sentence of a person's words that says something.
func sentence(words string) string {
	for line := range strings.Lines(words) {
		for _, s := range sentences(strings.TrimSpace(line)) {
			if wordCount(s) >= 3 { // "No." alone says nothing
				return headline(s)
			}
		}
		if wordCount(line) >= 2 {
			return headline(line)
		}
	}
	return strings.Join(strings.Fields(words), " ")
}
