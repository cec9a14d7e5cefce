package scan

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/lessons-cli/lessons/internal/agent/tools"
	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/knowledge/lesson"
)

// ProcessBlock is one [PROCESS_KNOWLEDGE] block (seed experience-based
// learning, ADR-002 and ADR-004). Texts are as written: redact them before they
// are stored.
type ProcessBlock struct {
	Kind        lesson.Kind
	Level       lesson.Level // empty when not given
	Title       string
	Description string
	Trigger     lesson.Trigger
	Tags        []string
	Mistake     string   // the risk of a warning
	Fix         string   // its mitigation; what a pattern does and a requirement demands
	Items       []string // of a checklist
	// Parts are the names of details and their texts, given in turn: everything
	// else that the block says.
	Parts []string
}

// process reads a [PROCESS_KNOWLEDGE] block, and says what it lacks.
func (r *Reports) process(b tagged) (lacks string) {
	p, err := parseProcess(strings.Join(b.lines, "\n"))
	switch {
	case errors.Is(err, errPlaceholder):
		return ""
	case err != nil:
		return err.Error()
	}
	r.Processes = append(r.Processes, p)
	return ""
}

var errPlaceholder = errors.New("the block is a form to fill in")

func parseProcess(text string) (ProcessBlock, error) {
	var doc yaml.Node
	if err := yaml.Unmarshal([]byte(text), &doc); err != nil {
		return ProcessBlock{}, fmt.Errorf("[PROCESS_KNOWLEDGE] is not YAML: %s", strings.TrimPrefix(err.Error(), "yaml: "))
	}
	if len(doc.Content) != 1 || doc.Content[0].Kind != yaml.MappingNode {
		return ProcessBlock{}, errors.New("[PROCESS_KNOWLEDGE] holds no fields")
	}
	m := mapping(doc.Content[0])
	triggers := m.sub("triggers", "trigger_conditions", "trigger")
	b := ProcessBlock{
		Title:       m.text("title", "label"),
		Description: m.text("description", "summary"),
		Level:       levelOf(m.text("priority")),
		Trigger:     triggerOf(triggers),
		Tags:        splitTags(strings.Join(m.list("tags"), ",")),
	}
	kind := strings.ToLower(m.text("type", "process_type", "kind"))
	delete(m, "process_type") // some write both
	if placeholder(b.Title) || placeholder(kind) || strings.Contains(kind, "|") {
		return b, errPlaceholder
	}
	body := m.sub(kind)
	if !b.setBody(kind, m, body) {
		return b, fmt.Errorf("[PROCESS_KNOWLEDGE] has the type %q; checklist, pattern, warning or requirement is meant", kind)
	}
	for _, from := range []fieldMap{body, m} {
		b.part("rationale", from.text("rationale", "why"))
		b.part("impact", from.text("impact"))
		b.part("severity", from.text("severity"))
		b.part("detection", from.text("detection", "detect"))
		b.part("example", from.text("example", "examples"))
		b.part("validation", from.text("validation", "verify"))
		b.part("evidence", from.text("evidence"))
	}
	b.part("notes", strings.Join(slices.Concat(body.rest(), triggers.rest(), m.rest()), ", "))
	switch {
	case len(b.Items) == 0 && b.Mistake == "" && b.Fix == "":
		return b, fmt.Errorf("[PROCESS_KNOWLEDGE] has no %s body", kind)
	case b.Title == "":
		return b, errors.New("[PROCESS_KNOWLEDGE] has no title")
	}
	return b, nil
}

// setBody reads the part that belongs to the block's kind. It reports whether
// the kind is one of the four.
func (b *ProcessBlock) setBody(kind string, m, body fieldMap) bool {
	switch b.Kind = lesson.Kind(kind); b.Kind {
	case lesson.Checklist:
		b.Items = append(body.list("items", "steps"), m.list("checklist", "items", "steps")...)
		heading := body.text("title")
		if b.Title == "" {
			b.Title = heading
		}
		if heading != b.Title {
			b.part("heading", heading)
		}
		b.part("format", body.text("format"))
	case lesson.Pattern:
		b.part("context", body.text("situation", "when"))
		b.Fix = cmp.Or(body.text("action", "do"), m.text(kind))
	case lesson.Warning:
		b.Mistake = cmp.Or(body.text("risk"), m.text(kind))
		b.Fix = body.text("mitigation", "mitigate", "fix")
	case lesson.Requirement:
		b.Fix = cmp.Or(body.text("constraint"), m.text(kind))
	default:
		return false
	}
	return true
}

// part adds a text under the name of a detail.
func (b *ProcessBlock) part(name, text string) {
	if text != "" {
		b.Parts = append(b.Parts, name, text)
	}
}

func triggerOf(m fieldMap) lesson.Trigger {
	return lesson.Trigger{
		Tools:           lists.Map(m.list("tool_names", "tools", "tool"), tools.Common),
		Commands:        m.list("commands", "command"),
		Unless:          m.list("unless"),
		CommandPatterns: m.list("command_patterns", "commandPatterns"),
		Paths:           m.list("file_patterns", "paths", "files"),
		Content:         m.list("content"),
		Keywords:        m.list("action_keywords", "keywords"),
		Context:         m.list("context_keywords", "context"),
		Agents:          m.list("triad_names", "agents"),
	}
}

// levelOf reads a priority in words or as a number from 1 to 10.
func levelOf(s string) lesson.Level {
	switch l := lesson.Level(strings.ToLower(s)); l {
	case lesson.Low, lesson.Medium, lesson.High, lesson.Critical:
		return l
	}
	switch n, err := strconv.Atoi(s); {
	case err != nil || n < 1:
		return ""
	case n >= 9:
		return lesson.Critical
	case n >= 7:
		return lesson.High
	case n >= 4:
		return lesson.Medium
	default:
		return lesson.Low
	}
}

// fieldMap is a YAML mapping whose values may have any shape. A field that was read
// is no more in it, so that what is left at the end is what nobody asked for.
type fieldMap map[string]*yaml.Node

func mapping(n *yaml.Node) fieldMap {
	m := fieldMap{}
	if n == nil || n.Kind != yaml.MappingNode {
		return m
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if _, twice := m[n.Content[i].Value]; !twice {
			m[n.Content[i].Value] = n.Content[i+1]
		}
	}
	return m
}

// take removes the first of the names that is there and whose value is of the kind
// that is wanted.
func (m fieldMap) take(wanted func(*yaml.Node) bool, names ...string) *yaml.Node {
	for _, name := range names {
		if n := m[name]; n != nil && wanted(n) {
			delete(m, name)
			return n
		}
	}
	return nil
}

func isMapping(n *yaml.Node) bool   { return n.Kind == yaml.MappingNode }
func isNoMapping(n *yaml.Node) bool { return n.Kind != yaml.MappingNode }

func (m fieldMap) sub(names ...string) fieldMap { return mapping(m.take(isMapping, names...)) }

func (m fieldMap) text(names ...string) string {
	if n := m.take(isNoMapping, names...); n != nil {
		return flat(n)
	}
	return ""
}

// list reads a sequence, or one value, as texts.
func (m fieldMap) list(names ...string) []string {
	n := m.take(isNoMapping, names...)
	if n == nil {
		return nil
	}
	if n.Kind != yaml.SequenceNode {
		n = &yaml.Node{Content: []*yaml.Node{n}}
	}
	return lists.MapSome(n.Content, flat)
}

// rest is what nobody read, "name: value" each.
func (m fieldMap) rest() []string {
	var texts []string
	for _, name := range slices.Sorted(maps.Keys(m)) {
		if text := flat(m[name]); text != "" {
			texts = append(texts, name+": "+text)
		}
	}
	return texts
}

// maxFlat is how deep a node is read.
const maxFlat = 8

// flat writes a node as one line: "Run: go test" is a mapping to YAML and a
// sentence to its author. Aliases are not followed.
func flat(n *yaml.Node) string { return flatWithin(n, maxFlat) }

func flatWithin(n *yaml.Node, depth int) string {
	switch {
	case depth == 0:
		return ""
	case n.Kind == yaml.ScalarNode:
		if n.Tag == "!!null" {
			return ""
		}
		return onOneLine(n.Value)
	case n.Kind == yaml.MappingNode:
		var parts []string
		for i := 0; i+1 < len(n.Content); i += 2 {
			parts = append(parts, strings.TrimSpace(n.Content[i].Value+": "+flatWithin(n.Content[i+1], depth-1)))
		}
		return strings.Join(parts, ", ")
	case n.Kind == yaml.SequenceNode:
		return strings.Join(lists.Map(n.Content, func(c *yaml.Node) string { return flatWithin(c, depth-1) }), ", ")
	default:
		return ""
	}
}
