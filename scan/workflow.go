package scan

import (
	"strings"
	"sync"

	"github.com/lessons-cli/lessons/knowledge"
)

// workflows finds messages in which the person describes steps in their order.
// One description is a request; the thresholds of the log make a workflow of it
// when it comes back in other sessions, so its title is made of its steps.
type workflows struct{}

func (workflows) Kind() Kind { return Workflow }

func (workflows) Detect(w *Window) []finding {
	words, ok := userSignal(w)
	if !ok || isPlan(words) || wordCount(words) > 600 {
		return nil
	}
	steps := stepsIn(words)
	if len(steps) < 2 {
		return nil
	}
	s := w.Last()
	return []finding{{
		kind: Workflow, typ: knowledge.Workflow, origin: knowledge.OriginUserCorrection,
		line: s.Line, at: s.Time, title: stepTitle(steps), fix: strings.Join(steps, "; "),
		mistake: "", items: steps, quotes: []string{words}, keep: true, qualityOK: len(steps) >= 3,
	}}
}

type stepPatterns struct{ item, order, split, lead, verb *pattern }

var workflowPatterns = sync.OnceValue(func() stepPatterns {
	c := newPattern
	return stepPatterns{
		item:  c(`^\s*(?:\d{1,2}[.)]|step \d{1,2}:?)\s+(.+)`),
		order: c(`(?i)\b(?:first(?:ly)?|then|after (?:that|this|each|implementing|you|the|it|all)|afterwards|finally|next|once (?:that|this|you|it)|before (?:you|that|committing|pushing|merging|implementing))\b`),
		split: c(`(?i)(?:[.;]\s+|,?\s+(?:and )?then\s+|,?\s+(?:and )?finally,?\s+|,?\s+after that,?\s+|,\s+(?:and )?(?:afterwards|next),?\s+)`),
		lead:  c(`(?i)^(?:(?:please|can you|could you|i want you to|you should|we|always|now|so|ok(?:ay)?|first(?:ly)?|then|next|finally|after that|afterwards|and)[\s,:]+)*`),
		verb: c(`(?i)^(?:add|apply|build|bump|bundle|call|change|check|clean|close|commit|compile|copy|create|delete|deploy|document|fetch|fix|format|generate|implement|install|lint|make|merge|move|open|post|publish|pull|push|` +
			`read|rebase|refactor|release|remove|rename|reply|report|review|run|send|start|stop|submit|sync|tag|test|update|upload|use|validate|verify|wait|work|write|regenerate|restart|squash|stage|ask|look|summari[sz]e|list|plan|explain|ensure)\b`),
	}
})

// stepsIn returns the ordered steps of a message: the items of a numbered list
// that begin with a verb, or the parts of sentences that say their order.
func stepsIn(words string) []string {
	p := workflowPatterns()
	var items []string
	for line := range strings.Lines(words) {
		if m := p.item.FindStringSubmatch(line); m != nil && p.verb.MatchString(plainStep(m[1])) {
			items = append(items, plainStep(m[1]))
		}
	}
	if len(items) >= 3 {
		return items
	}
	if !p.order.MatchString(words) || wordCount(words) > 250 {
		return nil
	}
	var steps []string
	ordered := 0
	for line := range strings.Lines(words) {
		if asks(line) {
			continue
		}
		n := len(p.order.FindAllString(line, -1))
		for _, part := range p.split.Split(strings.TrimSpace(line), -1) {
			part = plainStep(part)
			if i := strings.Index(part, ", "); i > 0 && p.order.MatchString(part[:i]) && p.verb.MatchString(plainStep(part[i+2:])) {
				part = plainStep(part[i+2:])
			}
			if p.verb.MatchString(part) && wordCount(part) >= 2 {
				steps = append(steps, part)
			}
		}
		ordered += n
	}
	if len(steps) < 2 || ordered == 0 || len(steps) < 3 && ordered < 2 {
		return nil
	}
	return steps
}

func plainStep(s string) string {
	s = strings.Trim(strings.TrimSpace(s), "*_`-. ")
	return workflowPatterns().lead.ReplaceAllString(s, "")
}

// stepTitle names a workflow by the first words of its steps, so that the same
// steps in other words around them have one name.
func stepTitle(steps []string) string {
	var parts []string
	for _, s := range steps[:min(len(steps), 5)] {
		f := strings.Fields(strings.ToLower(s))
		parts = append(parts, strings.Trim(strings.Join(f[:min(len(f), 3)], " "), ".,:;"))
	}
	return strings.Join(parts, ", ")
}
