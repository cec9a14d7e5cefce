package lesson

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/frontmatter"
	"github.com/lessons-cli/lessons/knowledge/markdown"
	"github.com/lessons-cli/lessons/knowledge/prose"
)

// MaxBytes is the greatest size of a lesson file in bytes.
const MaxBytes = 256 << 10

// Parse reads a lesson file. Keys are read in both spellings, unknown keys
// are kept, and what is missing has its default: kind warning, priority 5,
// status active, confidence 1 (a person wrote it) and action auto. The error is
// a *ParseError with path and line.
func Parse(path string, data []byte) (*Lesson, error) {
	if len(data) > MaxBytes {
		return nil, &knowledge.ParseError{Path: path, Text: fmt.Sprintf("a lesson of more than %d bytes", MaxBytes)}
	}
	m, err := frontmatter.Parse(data)
	if err == frontmatter.ErrNone {
		return nil, &knowledge.ParseError{Path: path, Line: 1, Text: err.Error()}
	}
	if err == nil {
		l := &Lesson{Kind: Warning, Priority: 5, Status: Active, Confidence: 1, Action: ActionAuto, Path: path}
		r := matterReader{m: m, data: data}
		r.lesson(l)
		if err = r.err; err == nil {
			l.readBody(data, m.Body)
			return l, nil
		}
	}
	if parse, ok := err.(*knowledge.ParseError); ok {
		parse.Path = path
	}
	return nil, err
}

// readBody splits what is behind the front matter into title and body.
func (l *Lesson) readBody(data []byte, at int) {
	text := string(knowledge.NormaliseLines(data[at:]))
	line := 1 + strings.Count(string(data[:at]), "\n")
	for text != "" {
		first, rest, _ := strings.Cut(text, "\n")
		if strings.TrimSpace(first) != "" {
			break
		}
		text, line = rest, line+1
	}
	l.BodyLine = line
	first, rest, _ := strings.Cut(text, "\n")
	if title, ok := strings.CutPrefix(strings.TrimSpace(first), "# "); ok {
		l.Title, text = markdown.DecodeHeading(title), rest
	}
	text, quotes := splitQuotes(text)
	l.Body, l.Quotes = tidyBody(text), append(l.Quotes, quotes...)
}

// tidyBody is a body without the line ends around it.
func tidyBody(text string) string {
	if strings.TrimSpace(text) == "" {
		return ""
	}
	return strings.TrimRight(strings.TrimLeft(text, "\n"), "\r\n") + "\n"
}

// matterReader turns the nodes of front matter into values. Its first error
// stands.
type matterReader struct {
	m    frontmatter.Matter
	data []byte
	err  error
}

func (r *matterReader) fail(n *yaml.Node, format string, args ...any) {
	if r.err == nil {
		r.err = &knowledge.ParseError{Line: r.m.LineOf(n), Text: fmt.Sprintf(format, args...)}
	}
}

func (r *matterReader) lesson(l *Lesson) {
	if r.m.Root == nil {
		return
	}
	for i := 0; i+1 < len(r.m.Root.Content); i += 2 {
		key, value := r.m.Root.Content[i], r.m.Root.Content[i+1]
		if !r.known(l, prose.CamelCase(key.Value), value) {
			text, err := r.m.Source(r.data, i)
			if err != nil {
				r.fail(key, "key %q cannot be kept: %v", key.Value, err)
			}
			l.Unknown = append(l.Unknown, UnknownKey{key.Value, text})
		}
	}
}

// Keys are the keys of a lesson's front matter, in camel case.
var Keys = []string{
	"id", "kind", "priority", "status", "confidence", "action", "triggers", "examples", "tags", "source", "seen", "quotes", "created", "reviewedBy", "reviewedAt", "returned",
	"nature", "validFrom", "validUntil", "supersededBy", "expires", "require", "onError",
}

// texts are the fields that are any text and that one side of a merge can change, by their keys.
func (l *Lesson) texts() map[string]*string {
	return map[string]*string{
		"reviewedBy": &l.ReviewedBy, "reviewedAt": &l.ReviewedAt, "returned": &l.Returned, "nature": &l.Nature,
		"validFrom": &l.ValidFrom, "validUntil": &l.ValidUntil, "supersededBy": &l.SupersededBy, "expires": &l.Expires,
	}
}

func (r *matterReader) known(l *Lesson, key string, value *yaml.Node) bool {
	if into := l.texts()[key]; into != nil {
		r.text(value, into)
		return true
	}
	switch key {
	case "id":
		r.text(value, &l.ID)
	case "created":
		r.text(value, &l.Created)
	case "kind":
		l.Kind = Kind(r.oneOf(value, string(Warning), string(Checklist), string(Pattern), string(Warning), string(Requirement)))
	case "priority":
		l.Priority = r.priority(value)
	case "status":
		l.Status = r.oneOf(value, Active, Draft, Active, Archived)
	case "confidence":
		l.Confidence = r.fraction(value)
	case "action":
		l.Action = r.oneOf(value, ActionAuto, ActionAuto, ActionInform, ActionStopOnce, ActionAsk, ActionDeny, ActionRewrite)
	case "triggers", "trigger":
		r.triggers(value, &l.Triggers)
	case "examples":
		if value.Kind != yaml.MappingNode || len(value.Content) == 0 {
			return false // what a person calls examples
		}
		return r.examples(value, &l.Examples)
	case "tags":
		r.list(value, &l.Tags)
	case "source":
		var marker string
		if r.text(value, &marker); strings.HasPrefix(marker, knowledge.MarkerPrefix) {
			l.Source = knowledge.MarkedID(marker)
		} else if marker != "" {
			return false // where a person says it came from
		}
	case "seen":
		r.seen(value, &l.Seen)
	case "quotes":
		r.list(value, &l.Quotes)
	default:
		return false
	}
	return true
}

func (r *matterReader) text(n *yaml.Node, into *string) {
	if n.Kind != yaml.ScalarNode {
		r.fail(n, "expected a text")
		return
	}
	if n.Tag == "!!null" {
		return
	}
	*into = n.Value
}

func (r *matterReader) oneOf(n *yaml.Node, otherwise string, allowed ...string) string {
	word := ""
	if r.text(n, &word); word == "" {
		return otherwise
	}
	word = strings.ToLower(word)
	if !slices.Contains(allowed, word) {
		r.fail(n, "%q is none of %s", word, strings.Join(allowed, ", "))
	}
	return word
}

func (r *matterReader) priority(n *yaml.Node) int {
	word := ""
	r.text(n, &word)
	p, err := ParsePriority(word)
	if err != nil {
		r.fail(n, "%s", err)
	}
	return p
}

func (r *matterReader) fraction(n *yaml.Node) float64 {
	f, err := strconv.ParseFloat(n.Value, 64)
	if n.Kind != yaml.ScalarNode || err != nil || math.IsNaN(f) || f < 0 || f > 1 {
		r.fail(n, "confidence is not a number from 0 to 1")
		return 0
	}
	return f
}

// list reads a sequence of texts; a single text is a list of one.
func (r *matterReader) list(n *yaml.Node, into *[]string) {
	switch {
	case n.Kind == yaml.SequenceNode:
		for _, item := range n.Content {
			text := ""
			if r.text(item, &text); text != "" {
				*into = append(*into, text)
			}
		}
	case n.Kind != yaml.ScalarNode:
		r.fail(n, "expected a list of texts")
	case n.Value != "" && n.Tag != "!!null":
		*into = append(*into, n.Value)
	}
}

func (r *matterReader) triggers(n *yaml.Node, t *Trigger) {
	if n.Kind == yaml.ScalarNode && n.Tag == "!!null" {
		return
	}
	if n.Kind != yaml.MappingNode {
		r.fail(n, "triggers is not a list of keys with values")
		return
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		name := n.Content[i].Value
		at := slices.IndexFunc(slotKeys[:], func(key string) bool { return prose.CamelCase(key) == prose.CamelCase(name) })
		if at < 0 {
			r.fail(n.Content[i], "%q is no trigger: %s", name, strings.Join(slotKeys[:], ", "))
			return
		}
		r.list(n.Content[i+1], t.Slots()[at])
	}
}

// examples reads the command lines that a trigger is held against. Other keys
// make it a person's own key, to be kept as it is.
func (r *matterReader) examples(n *yaml.Node, e *Examples) bool {
	lists := map[string]*[]string{"match": &e.Match, "miss": &e.Miss}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if lists[n.Content[i].Value] == nil {
			return false
		}
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		r.list(n.Content[i+1], lists[n.Content[i].Value])
	}
	return true
}

func (r *matterReader) seen(n *yaml.Node, seen *Seen) {
	if n.Kind != yaml.MappingNode {
		r.fail(n, "seen has sessions, first, last, hashes and against")
		return
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		value := n.Content[i+1]
		switch n.Content[i].Value {
		case "sessions":
			count, err := strconv.Atoi(value.Value)
			if err != nil || count < 0 {
				r.fail(value, "sessions is not a number")
			}
			seen.Sessions = count
		case "first":
			seen.First = r.day(value)
		case "last":
			seen.Last = r.day(value)
		case "hashes":
			r.list(value, &seen.Hashes)
		case "against":
			r.list(value, &seen.Against)
		}
	}
	*seen = seen.Join(Seen{})
}

// day reads a date, or a date with a time.
func (r *matterReader) day(n *yaml.Node) time.Time {
	for _, layout := range []string{time.DateOnly, time.RFC3339} {
		if t, err := time.Parse(layout, n.Value); err == nil {
			return t.UTC()
		}
	}
	r.fail(n, "%q is not a date", n.Value)
	return time.Time{}
}
