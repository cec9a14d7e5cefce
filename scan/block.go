package scan

import (
	"errors"
	"fmt"
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
	Line        int // 1-based within the text
	Kind        lesson.Kind
	Level       lesson.Level // empty when not given
	Title       string
	Description string
	Trigger     lesson.Trigger
	Tags        []string
	// Items is the body in the order of its form: a checklist's items; else one
	// "Name: value" each (When, Do, Why, Example; Risk, Severity, Detect,
	// Mitigate; Constraint, Why, Verify).
	Items []string
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
	p.Line = b.line
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
	b := ProcessBlock{
		Title:       m.text("title", "label"),
		Description: m.text("description", "summary"),
		Level:       levelOf(m.text("priority")),
		Trigger:     triggerOf(m.sub("triggers", "trigger_conditions", "trigger")),
		Tags:        splitTags(strings.Join(m.list("tags"), ",")),
	}
	kind := strings.ToLower(m.text("type", "process_type", "kind"))
	if placeholder(b.Title) || placeholder(kind) || strings.Contains(kind, "|") {
		return b, errPlaceholder
	}
	if !b.setBody(kind, m) {
		return b, fmt.Errorf("[PROCESS_KNOWLEDGE] has the type %q; checklist, pattern, warning or requirement is meant", kind)
	}
	switch {
	case len(b.Items) == 0:
		return b, fmt.Errorf("[PROCESS_KNOWLEDGE] has no %s body", kind)
	case b.Title == "":
		return b, errors.New("[PROCESS_KNOWLEDGE] has no title")
	}
	return b, nil
}

// setBody reads the part that belongs to the block's kind. It reports whether
// the kind is one of the four.
func (b *ProcessBlock) setBody(kind string, m fieldMap) bool {
	body := m.sub(kind)
	switch b.Kind = lesson.Kind(kind); b.Kind {
	case lesson.Checklist:
		b.Items = body.list("items", "steps")
		if len(b.Items) == 0 {
			b.Items = m.list("checklist", "items", "steps")
		}
		if b.Title == "" {
			b.Title = body.text("title")
		}
	case lesson.Pattern:
		b.Items = body.form("When", "situation|when", "Do", "action|do", "Why", "rationale|why", "Example", "example")
	case lesson.Warning:
		b.Items = body.form("Risk", "risk", "Severity", "severity", "Detect", "detection|detect", "Mitigate", "mitigation|mitigate|fix")
	case lesson.Requirement:
		b.Items = body.form("Constraint", "constraint", "Why", "rationale|why", "Verify", "validation|verify")
	default:
		return false
	}
	if len(b.Items) == 0 && b.Kind != lesson.Checklist {
		if whole := m.text(kind); whole != "" {
			b.Items = []string{whole}
		}
	}
	return true
}

// item returns the value of the named item of the form, or "".
func (b ProcessBlock) item(name string) string {
	for _, it := range b.Items {
		if v, ok := strings.CutPrefix(it, name+": "); ok {
			return v
		}
	}
	return ""
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

// fieldMap is a YAML mapping whose values may have any shape.
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

func (m fieldMap) first(names ...string) *yaml.Node {
	for _, name := range names {
		if n := m[name]; n != nil {
			return n
		}
	}
	return nil
}

func (m fieldMap) sub(names ...string) fieldMap { return mapping(m.first(names...)) }

func (m fieldMap) text(names ...string) string {
	if n := m.first(names...); n != nil && n.Kind == yaml.ScalarNode {
		return onOneLine(n.Value)
	}
	return ""
}

// list reads a sequence, or one value, as texts.
func (m fieldMap) list(names ...string) []string {
	n := m.first(names...)
	if n == nil {
		return nil
	}
	if n.Kind != yaml.SequenceNode {
		n = &yaml.Node{Content: []*yaml.Node{n}}
	}
	var texts []string
	for _, c := range n.Content {
		if t := flat(c); t != "" {
			texts = append(texts, t)
		}
	}
	return texts
}

// form reads pairs of a label and its accepted names, in order.
func (m fieldMap) form(pairs ...string) []string {
	var items []string
	for i := 0; i+1 < len(pairs); i += 2 {
		if n := m.first(strings.Split(pairs[i+1], "|")...); n != nil {
			if v := flat(n); v != "" {
				items = append(items, pairs[i]+": "+v)
			}
		}
	}
	return items
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
		var parts []string
		for _, c := range n.Content {
			parts = append(parts, flatWithin(c, depth-1))
		}
		return strings.Join(parts, ", ")
	default:
		return ""
	}
}
