package lesson

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/frontmatter"
	"github.com/lessons-cli/lessons/knowledge/markdown"
	"github.com/lessons-cli/lessons/knowledge/prose"
)

// Format writes the lesson as a file: front matter in the order of DESIGN
// section 2.3 and in snake_case, unknown keys behind the known ones, an H1 and
// the body. The same lesson has the same bytes everywhere, and [Parse]
// reads them back.
func (l *Lesson) Format() []byte {
	var b strings.Builder
	b.WriteString("---\n")
	w := matterWriter{&b}
	w.field("id", l.ID)
	w.field("kind", string(l.Kind))
	if l.Priority != 0 {
		w.field("priority", priorityWord(l.Priority))
	}
	w.field("status", l.Status)
	b.WriteString("confidence: " + strconv.FormatFloat(l.Confidence, 'f', -1, 64) + "\n")
	w.field("action", l.Action)
	w.triggers(l.Triggers)
	w.examples(l.Examples)
	w.list("", "tags", l.Tags)
	if l.Source != "" {
		w.field("source", knowledge.MarkerPrefix+l.Source)
	}
	w.field("created", l.Created)
	w.field("reviewed_by", l.ReviewedBy)
	w.field("reviewed_at", l.ReviewedAt)
	w.field("returned", l.Returned)
	w.seen(l.Seen)
	w.field("nature", l.Nature)
	w.field("valid_from", l.ValidFrom)
	w.field("valid_until", l.ValidUntil)
	w.field("superseded_by", l.SupersededBy)
	w.field("expires", l.Expires)
	for _, u := range l.Unknown {
		b.WriteString(strings.TrimRight(u.YAML, "\n") + "\n")
	}
	b.WriteString("---\n")
	if title := markdown.EncodeHeading(l.Title); title != "" {
		b.WriteString("# " + title + "\n")
	}
	if body := tidyBody(string(knowledge.NormaliseLines([]byte(l.Body)))); body != "" {
		b.WriteString("\n" + body)
	}
	w.quotes(l.Quotes)
	return []byte(b.String())
}

// priorityWord writes a priority as the word that reads back as the same
// number, or else as a number.
func priorityWord(p int) string {
	for _, l := range levels {
		if l.usual == p {
			return string(l.level)
		}
	}
	return strconv.Itoa(p)
}

type matterWriter struct{ b *strings.Builder }

func (w matterWriter) field(key, value string) {
	if value != "" {
		w.b.WriteString(key + ": " + frontmatter.Scalar(value) + "\n")
	}
}

func (w matterWriter) list(indent, key string, list []string) {
	if len(list) > 0 {
		w.b.WriteString(indent + key + ": " + flowList(list) + "\n")
	}
}

func flowList(list []string) string {
	scalars := lists.Map(list, yamlFlowScalar)
	return "[" + strings.Join(scalars, ", ") + "]"
}

// yamlFlowScalar writes an element of a list in brackets. Only words stand
// plain there; the rest is quoted, as one writes commands and globs by hand.
func yamlFlowScalar(text string) string {
	if frontmatter.IsPlain(text) && !strings.ContainsAny(text, " =()*@+.") && text[0] > '9' {
		return text
	}
	quoted := frontmatter.Scalar(text)
	if quoted == text {
		return `"` + text + `"`
	}
	return quoted
}

func (w matterWriter) triggers(t Trigger) {
	var slots strings.Builder
	s := matterWriter{&slots}
	for i, slot := range t.Slots() {
		s.list("  ", slotKeys[i], *slot)
	}
	if slots.Len() > 0 {
		w.b.WriteString("triggers:\n" + slots.String())
	}
}

func (w matterWriter) examples(e Examples) {
	if e.IsZero() {
		return
	}
	w.b.WriteString("examples:\n")
	for _, kind := range []struct {
		key   string
		lines []string
	}{{"match", e.Match}, {"miss", e.Miss}} {
		if len(kind.lines) > 0 {
			w.b.WriteString("  " + kind.key + ":\n")
		}
		for _, line := range kind.lines {
			w.b.WriteString("    - " + yamlFlowScalar(line) + "\n")
		}
	}
}

func (w matterWriter) seen(s Seen) {
	if s.Sessions == 0 && s.First.IsZero() && s.Last.IsZero() && len(s.Against) == 0 {
		return
	}
	w.b.WriteString("seen: {sessions: " + strconv.Itoa(s.Sessions))
	for _, day := range []struct {
		name string
		at   time.Time
	}{{"first", s.First}, {"last", s.Last}} {
		if !day.at.IsZero() {
			w.b.WriteString(", " + day.name + ": " + day.at.UTC().Format(time.DateOnly))
		}
	}
	for _, set := range []struct {
		name   string
		hashes []string
	}{{"hashes", s.Hashes}, {"against", s.Against}} {
		if len(set.hashes) > 0 {
			w.b.WriteString(", " + set.name + ": " + flowList(set.hashes))
		}
	}
	w.b.WriteString("}\n")
}

// QuoteLabel begins the lines behind a body that hold the words of people and errors.
const QuoteLabel = "**Quote**: "

// quotes writes at most two quotes of at most 160 characters.
func (w matterWriter) quotes(quotes []string) {
	quotes = lists.MapSome(quotes, prose.OneLine)
	for _, q := range quotes[:min(len(quotes), maxQuotes)] {
		w.b.WriteString("\n" + QuoteLabel + prose.Shorten(q, maxQuoteRunes) + "\n")
	}
}

// splitQuotes parts a body from the quotes behind it.
func splitQuotes(text string) (body string, quotes []string) {
	for len(quotes) < maxQuotes {
		text = strings.TrimRight(text, "\r\n")
		at := strings.LastIndexByte(text, '\n') + 1
		q, ok := strings.CutPrefix(text[at:], QuoteLabel)
		if !ok || q == "" || q != prose.Shorten(prose.OneLine(q), maxQuoteRunes) {
			break
		}
		text, quotes = text[:at], append(quotes, q)
	}
	slices.Reverse(quotes)
	return text, quotes
}
