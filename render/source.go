package render

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/oklog/ulid/v2"

	"github.com/lessons-cli/lessons/internal/inject/compile"
	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/lesson"
	"github.com/lessons-cli/lessons/knowledge/observe"
	"github.com/lessons-cli/lessons/knowledge/prose"
	"github.com/lessons-cli/lessons/knowledge/statement"
)

// Limits of texts in artifacts, in characters.
const (
	maxTitle  = 120
	maxQuote  = 160 // rulings 4
	maxQuotes = 2
)

// material is what artifacts are made from: an observation in the form in which
// its texts may be written, with the details taken apart.
type material struct {
	o       *observe.Observation
	title   string
	details map[string]string // by name; under the empty one what has no name
	trigger *lesson.Trigger
	mistake string
	fix     string
	steps   []string
	quotes  []string
	seen    lesson.Seen

	returned string // after which removal a proposal is back
}

// prepare takes an observation apart. Everything in the result comes from the
// observation alone.
func prepare(o *observe.Observation) material {
	c := cleanerOf(o)
	m := material{o: o, details: observe.ParseDetails(c.text(o.Details)), trigger: compile.Usable(c.trigger(o.Delivery())), mistake: c.text(o.Mistake), fix: c.text(o.Fix)}
	m.title = titleOf(o, m)
	for _, item := range o.Items {
		if item = prose.OneLine(c.text(item)); item != "" {
			m.steps = append(m.steps, item)
		}
	}
	if len(m.steps) == 0 {
		m.steps = stepsOf(m.details[""])
	}
	m.quotes = slices.DeleteFunc(quotesOf(o.Evidence), m.repeats)
	m.seen = o.Seen()
	return m
}

// titleOf is an observation's title: of a linter's rule what its messages say, and not the
// name alone; of a decision what it is, and not that somebody took it.
func titleOf(o *observe.Observation, m material) string {
	if says := m.ruleSays(); o.IsRule() && says != "" {
		return cut(says, maxRuleTitle)
	}
	for _, text := range []string{cleanerOf(o).text(o.Pattern), m.mistake, m.fix, m.details["decision"], m.details["issue"], m.details[""]} {
		if text = prose.OneLine(text); o.Type == knowledge.Decision && o.Origin != observe.OriginManual {
			text = statement.Heading(text)
		}
		if text != "" {
			return cut(text, maxTitle)
		}
	}
	return o.ID
}

// repeats says whether a quote, behind the label of an agent's report, is the title or the
// mistake.
func (m material) repeats(quote string) bool {
	if _, said, ok := strings.Cut(quote, ": "); ok && strings.IndexAny(quote, "#[") == 0 {
		quote = said
	}
	quote = prose.NormaliseTitle(quote)
	return quote == prose.NormaliseTitle(m.title) || quote == prose.NormaliseTitle(m.mistake)
}

// news is a text that says more than the title; "" is one that repeats it, or that says of a
// call in the title only that it failed.
func (m material) news(text string) string {
	call, failed := strings.CutSuffix(text, observe.FailedBefore)
	title := prose.Words(m.title)
	if prose.NormaliseTitle(text) == prose.NormaliseTitle(m.title) ||
		failed && !slices.ContainsFunc(prose.Words(call), func(word string) bool { return !slices.Contains(title, word) }) {
		return ""
	}
	return text
}

// quotesOf chooses the quotes that an artifact carries, by smallest hash so that
// the order in the log does not matter.
func quotesOf(evidence []string) []string {
	quotes := lists.MapSome(evidence, func(e string) string { return prose.OneLine(stored.cut(e, maxQuote)) })
	slices.SortFunc(quotes, func(a, b string) int {
		return cmp.Or(cmp.Compare(knowledge.EvidenceHash(a), knowledge.EvidenceHash(b)), cmp.Compare(a, b))
	})
	quotes = slices.Compact(quotes)
	return quotes[:min(len(quotes), maxQuotes)]
}

// part returns the first of the named parts of the details that has a text.
func (m material) part(names ...string) string {
	for _, name := range names {
		if text := m.details[name]; text != "" {
			return text
		}
	}
	return ""
}

// LessonID is a ULID made of the id of what a lesson comes from alone, so that every clone gives
// a lesson the same one.
func LessonID(source string) string {
	sum := sha256.Sum256([]byte(source))
	return ulid.ULID(sum[:len(ulid.ULID{})]).String()
}

// stepsOf finds the steps in a text: lines with numbers or bullets, a numbered
// enumeration in one line, or parts divided by arrows. Nothing else is taken
// apart: a sentence with semicolons is a sentence.
func stepsOf(text string) []string {
	if steps := listItems(text); len(steps) >= 2 {
		return steps
	}
	if steps := inlineEnumeration(prose.OneLine(text)); len(steps) >= 2 {
		return steps
	}
	for _, arrow := range []string{" → ", " -> ", " => "} {
		if steps := nonEmpty(strings.Split(prose.OneLine(text), arrow)); len(steps) >= 2 {
			return steps
		}
	}
	return nil
}

func listItems(text string) []string {
	var items []string
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		item, ok := listItem(line)
		switch {
		case ok:
			items = append(items, item)
		case line != "" && len(items) > 0:
			items[len(items)-1] += " " + line
		}
	}
	return nonEmpty(items)
}

func listItem(line string) (string, bool) {
	for _, bullet := range []string{"- [ ] ", "- ", "* ", "+ "} {
		if rest, ok := strings.CutPrefix(line, bullet); ok {
			return rest, true
		}
	}
	rest := strings.TrimLeft(line, "0123456789")
	if rest != line && (strings.HasPrefix(rest, ". ") || strings.HasPrefix(rest, ") ")) {
		return rest[2:], true
	}
	return "", false
}

// inlineEnumeration splits "1. build 2. test 3. push" at numbers that count up
// from one.
func inlineEnumeration(text string) []string {
	var steps []string
	for n := 1; ; n++ {
		at, width := enumerator(text, n)
		if at < 0 || (n == 1 && at != 0) {
			if n > 1 {
				steps = append(steps, text)
			}
			return nonEmpty(steps)
		}
		if n > 1 {
			steps = append(steps, text[:at])
		}
		text = text[at+width:]
	}
}

// enumerator finds "n. " or "n) " at the start of a word.
func enumerator(text string, n int) (at, width int) {
	at = -1
	for _, end := range []string{". ", ") "} {
		mark := fmt.Sprint(n) + end
		for from := 0; ; {
			i := strings.Index(text[from:], mark)
			if i < 0 {
				break
			}
			i += from
			if (i == 0 || text[i-1] == ' ') && (at < 0 || i < at) {
				at, width = i, len(mark)
			}
			from = i + len(mark)
		}
	}
	return at, width
}

func nonEmpty(texts []string) []string {
	return lists.MapSome(texts, func(text string) string { return strings.TrimRight(prose.OneLine(text), " ,;") })
}

// phrased puts a model's words into the places of those that they stand for. It fills
// no other place, but for a reason that nobody gave and the mend of a problem that had
// none.
func (m material) phrased() material {
	p, ok := m.o.Phrasing()
	if !ok || !p.QualityOK {
		return m
	}
	m.details = maps.Clone(m.details)
	say := func(found *string, words string, places ...string) {
		words = stored.text(words)
		if *found == "" && m.o.Origin != observe.OriginLLM || words == "" {
			return
		}
		for _, place := range places {
			if m.details[place] == *found {
				m.details[place] = words
			}
		}
		*found = words
	}
	if title := prose.OneLine(stored.text(p.Title)); title != "" {
		m.title = cut(title, maxTitle)
	}
	say(&m.mistake, p.Mistake, "issue")
	say(&m.fix, p.Fix, "resolution", "decision")
	place := map[knowledge.Type]string{knowledge.Pitfall: "impact", knowledge.Decision: "rationale"}[m.o.Type]
	if why := stored.text(p.Why); why != "" && place != "" && m.details[place] == "" {
		m.details[place] = why
	}
	return m
}
