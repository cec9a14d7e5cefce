package scan

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/scan/transcript"
)

// decisions finds choices that the person makes: in words of an explicit form
// ("let's use X because Y", "X instead of Y"), or by answering a question that
// the agent asked with options. Without a reason a decision is not of quality
// (rulings 17).
type decisions struct{}

func (decisions) Kind() Kind { return Decision }

func (decisions) Detect(w *Window) []finding {
	if out, ok := answered(w); ok {
		return out
	}
	p, ok := pairAt(w)
	if !ok || isPlan(p.words) || wordCount(p.words) > 120 {
		return nil
	}
	choice := chosen(p.words)
	if choice == "" {
		return nil
	}
	out := finding{
		kind: Decision, typ: knowledge.Decision, origin: knowledge.OriginDecision,
		line: p.user.Line, at: p.user.Time, title: decisionTitle(choice), fix: decisionTitle(choice),
		rationale: reasonIn(choice, p.words), quotes: []string{p.words}, keep: true,
	}
	if p.assistant != nil {
		out.context = lastSentence(p.assistant.Text)
	}
	out.qualityOK = out.rationale != "" && wordCount(choice) >= 4
	return []finding{out}
}

type choicePatterns struct{ choice, lead, reason, because, answer, procedure, tagged *pattern }

var decisionPatterns = sync.OnceValue(func() choicePatterns {
	return choicePatterns{
		choice: newPattern(`(?i)^(?:(?:ok(?:ay)?|yes|yeah|no|sure|right|great|good|and|so|then|but|hmm+|i think|i guess|maybe|please)[\s,.!:—-]+)*` +
			`(?:let'?s (?:go with|use|keep|stick|do|not|make|switch|drop|avoid|have|add)\b|(?:i'?d|i would|we) (?:prefer|rather|go with|want to keep)|i prefer|(?:we|i)(?:'ll| will| should| always| never|'ve decided| decided) (?:to )?(?:use|go with|keep|stick|not)|` +
			`go with|use \S.* (?:instead of|over|rather than|not)\b|(?:always|never) (?:use|do|run|commit|add|put|keep|call)\b|keep \S.* (?:instead of|over|rather than|because|since|so that)\b|prefer \S.* (?:over|to|instead)\b|i (?:allow|permit) you to|` +
			`the (?:simplest|best|right|better|cleanest) (?:fix|way|approach|solution|option) is)`),
		lead: newPattern(`(?i)^(?:(?:ok(?:ay)?|yes|yeah|no|sure|right|great|good|and|so|then|but|hmm+|i think|i guess|maybe|please)[\s,.!:—-]+)*` +
			`(?:let'?s |(?:we|i)(?:'ll| will| should|'ve decided to| decided to) )?`),
		reason:    newPattern(`(?i)\b(?:because|since|so that|due to|otherwise|in order to|the reason)\b`),
		tagged:    newPattern(`(?s)#lesson\b.*?#/lesson\S*|\[PROCESS_KNOWLEDGE\].*?\[/PROCESS_KNOWLEDGE\]`),
		because:   newPattern(`(?i)\b(?:because|since|so that|as it|due to|otherwise|in order to|the reason)\b\s*(.+)`),
		procedure: newPattern(`(?i)^(?:you decide|your call|yes|no|ok(?:ay)?|done|next|continue|skip|proceed|work on|start|other)\b|^more questions|^(?:would|do) you (?:like|want)|^(?:what|how) would you like to (?:do|proceed)|^ready to`),
		answer:    newPattern(`"([^"\n]{3,300})"\s*=\s*"([^"\n]{1,300})"`),
	}
})

// chosen returns the sentence in which a person settles something, or "".
func chosen(words string) string {
	for line := range strings.Lines(words) {
		for _, s := range sentences(line) {
			if wordCount(s) >= 3 && wordCount(s) <= 60 && !strings.HasSuffix(s, "?") && decisionPatterns().choice.MatchString(s) {
				return strings.TrimRight(s, ".!")
			}
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
	if wordCount(title) < 2 {
		return choice
	}
	first, size := utf8.DecodeRuneInString(title)
	return string(unicode.ToUpper(first)) + title[size:]
}

// sentences splits a line behind full stops, exclamation and question marks.
func sentences(line string) []string {
	var all []string
	from := 0
	for i := 0; i < len(line); i++ {
		if strings.IndexByte(".!?", line[i]) >= 0 && (i+1 == len(line) || line[i+1] == ' ') {
			all = append(all, strings.TrimSpace(line[from:i+1]))
			from = i + 1
		}
	}
	if rest := strings.TrimSpace(line[from:]); rest != "" {
		all = append(all, rest)
	}
	return all
}

// reasonIn returns the because-clause of the choice, or of the sentence behind it.
func reasonIn(choice, words string) string {
	if m := decisionPatterns().because.FindStringSubmatch(choice); m != nil {
		return m[1]
	}
	_, rest, _ := strings.Cut(words, choice)
	for i, s := range sentences(strings.Join(strings.Fields(rest), " ")) {
		if m := decisionPatterns().because.FindStringSubmatch(s); m != nil && i < 2 {
			return strings.TrimRight(m[1], ".!")
		}
	}
	return ""
}

func lastSentence(text string) string {
	text = decisionPatterns().tagged.ReplaceAllString(text, "\n")
	all := sentences(strings.Join(strings.Fields(ownWords(text)), " "))
	if len(all) == 0 {
		return ""
	}
	return all[len(all)-1]
}

// answered reads the result of a question with options. It reports whether the
// newest event is one.
func answered(w *Window) ([]finding, bool) {
	s := w.Last()
	if s.Kind != transcript.ToolResult || s.Tool != "AskUserQuestion" {
		return nil, false
	}
	var found []finding
	if s.Outcome != transcript.OK || clarifies(s.Text) {
		return nil, true
	}
	for _, m := range decisionPatterns().answer.FindAllStringSubmatch(s.Text, 8) {
		question, answer := m[1], m[2]
		if asks(answer) || decisionPatterns().procedure.MatchString(answer) || decisionPatterns().procedure.MatchString(question) {
			continue // about how to go on, not about the work
		}
		found = append(found, finding{
			kind: Decision, typ: knowledge.Decision, origin: knowledge.OriginDecision,
			line: s.Line, at: s.Time, tool: s.Tool, title: strings.TrimRight(question, "?") + ": " + answer, fix: answer,
			context: question, rationale: reasonIn(answer, answer), quotes: []string{question + " " + answer},
			keep: true, qualityOK: reasonIn(answer, answer) != "",
		})
	}
	return found, true
}
