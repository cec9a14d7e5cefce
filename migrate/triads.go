package migrate

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/entry"
	"github.com/lessons-cli/lessons/knowledge/lesson"
	"github.com/lessons-cli/lessons/knowledge/observe"
	"github.com/lessons-cli/lessons/knowledge/prose"
)

// triads reads the knowledge graphs of the triads plugin: of their nodes those
// that hold process knowledge, and decisions.
var triads = Format{
	Name: "triads", About: "the triads plugin: process knowledge in .claude/graphs/*_graph.json",
	Places: []string{".claude/graphs"},
	Takes:  extension(".json", ".md"),
	Detect: func(name string, head []byte) bool {
		return extension(".json")(name) && bytes.Contains(head, []byte(`"nodes"`)) && (bytes.Contains(head, []byte(`"process_type"`)) || bytes.Contains(head, []byte(`"created_by"`)) || strings.HasSuffix(name, "_graph.json"))
	},
	read: readTriads,
}

// triadNode is a node of a graph.
type triadNode struct {
	ID              string          `json:"id"`
	Type            string          `json:"type"`
	Label           string          `json:"label"`
	Description     string          `json:"description"`
	Confidence      *float64        `json:"confidence"`
	NeedsValidation bool            `json:"needs_validation"`
	Deprecated      bool            `json:"deprecated"`
	Evidence        json.RawMessage `json:"evidence"`
	CreatedAt       string          `json:"created_at"`
	ProcessType     string          `json:"process_type"`
	Priority        string          `json:"priority"`
	Conditions      struct {
		Tools    []string `json:"tool_names"`
		Files    []string `json:"file_patterns"`
		Keywords []string `json:"action_keywords"`
		Context  []string `json:"context_keywords"`
	} `json:"trigger_conditions"`
	Checklist struct {
		Title string            `json:"title"`
		Items []json.RawMessage `json:"items"`
	} `json:"checklist"`
	Pattern     map[string]any `json:"pattern"`
	Warning     map[string]any `json:"warning"`
	Requirement map[string]any `json:"requirement"`
	Rationale   string         `json:"rationale"`
}

func readTriads(f *file) {
	if extension(".md")(f.path) {
		f.refuseAll(1, "it is a document: process knowledge is in the graphs, which are JSON")
		return
	}
	if !f.isJSON() {
		return
	}
	var graph struct{ Nodes json.RawMessage }
	if err := json.Unmarshal(f.data, &graph); err != nil || graph.Nodes == nil {
		f.refuseAll(1, "it is no graph: it has no list \"nodes\"")
		return
	}
	list, err := f.elements(graph.Nodes)
	switch {
	case err != nil:
		f.refuseAll(1, "it is no graph: it has no list \"nodes\"")
	case len(list) == 0:
		f.refuseAll(1, "the graph has no nodes")
	}
	for e, n := range decoded[triadNode](f, list, "node") {
		n.ID = cmp.Or(n.ID, e.Key)
		if reason := n.refusal(); reason != "" {
			f.refuse(e.Line, n.ID, reason)
			continue
		}
		f.add(n.thing(f.source(e.Line, n.ID)))
	}
}

func (n *triadNode) refusal() string {
	switch {
	case prose.OneLine(cmp.Or(n.Label, n.Description)) == "":
		return "it has neither a label nor a description"
	case n.ProcessType == "" && !strings.EqualFold(n.Type, "decision"):
		return fmt.Sprintf("it is no process knowledge: a node of type %q", n.Type)
	}
	return ""
}

func (n *triadNode) thing(from Source) Thing {
	t := Thing{Source: from, Title: prose.OneLine(cmp.Or(n.Label, n.Description)), Date: date(n.CreatedAt)}
	t.Observation = &observe.Observation{Observations: 1, LastSeen: t.Date}
	if text := jsonText(n.Evidence); text != "" {
		t.Observation.Evidence = []string{text}
	}
	if n.ProcessType == "" {
		n.decision(&t)
		return t
	}
	t.Problem = prose.OneLine(n.Description)
	t.lesson(n.kind(), priority(n.Priority), n.Confidence)
	t.Lesson.Triggers = lesson.Trigger{Keywords: words(n.Conditions.Keywords), Context: words(n.Conditions.Context)}
	n.body(&t)
	n.conditions(&t)
	switch {
	case n.Deprecated || t.Lesson.Confidence < 0.30:
		t.Lesson.Status = lesson.Archived
	case n.NeedsValidation:
		t.draft("it was waiting for somebody to confirm it")
	case t.Lesson.Confidence < 0.70:
		t.draft("its confidence is below 0.70, at which such a node comes into use")
	}
	return t
}

func (n *triadNode) kind() lesson.Kind {
	switch kind := lesson.Kind(strings.ToLower(n.ProcessType)); kind {
	case lesson.Checklist, lesson.Pattern, lesson.Requirement:
		return kind
	}
	return lesson.Warning
}

// body is what to do, in the words of the node's kind.
func (n *triadNode) body(t *Thing) {
	switch t.Lesson.Kind {
	case lesson.Checklist:
		var items []string
		for i, item := range n.Checklist.Items {
			if text := itemText(item); text != "" {
				items = append(items, fmt.Sprintf("%d. %s", i+1, text))
			}
		}
		t.Fix = strings.Join(items, " ")
	case lesson.Pattern:
		t.Fix = sentences("When", n.Pattern, "when", "then")
	case lesson.Requirement:
		t.Fix = sentences("", n.Requirement, "must", "rationale")
	default:
		t.Fix = sentences("", n.Warning, "condition", "risk", "consequence", "prevention", "mitigation")
	}
}

// sentences joins members of an object in a given order.
func sentences(first string, values map[string]any, names ...string) string {
	var parts []string
	for _, name := range names {
		text, _ := values[name].(string)
		if text = prose.OneLine(text); text == "" {
			continue
		}
		if first != "" && len(parts) == 0 {
			if text[0] >= 'A' && text[0] <= 'Z' {
				text = string(text[0]|0x20) + text[1:]
			}
			text = first + " " + text
		}
		if !strings.ContainsAny(text[len(text)-1:], ".!?:") {
			text += "."
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, " ")
}

func itemText(raw json.RawMessage) string {
	var item struct {
		Item, Text, Description, File string
	}
	if json.Unmarshal(raw, &item) == nil {
		return prose.OneLine(cmp.Or(item.Item, cmp.Or(item.Text, cmp.Or(item.File, item.Description))))
	}
	return jsonText(raw)
}

// jsonText is a text, or a list of texts, of a member that may be either.
func jsonText(raw json.RawMessage) string {
	var text string
	var list []string
	switch {
	case len(raw) == 0:
		return ""
	case json.Unmarshal(raw, &text) == nil:
		return prose.OneLine(text)
	case json.Unmarshal(raw, &list) == nil:
		return prose.OneLine(strings.Join(list, "; "))
	}
	return ""
}

func (n *triadNode) conditions(t *Thing) {
	trigger := &t.Lesson.Triggers
	for _, tool := range n.Conditions.Tools {
		if tool = strings.TrimSpace(tool); tool != "*" && tool != "" && !slices.Contains(trigger.Tools, tool) {
			trigger.Tools = append(trigger.Tools, tool)
		}
	}
	t.paths(n.Conditions.Files, GlobOfFnmatch)
	switch {
	case len(n.Conditions.Files) > 0 && len(trigger.Paths) == 0:
		t.draft("none of its patterns can be translated")
	case len(trigger.Paths) == 0:
		t.draft("it names no files, so that nothing says at which calls it applies")
	case slices.Contains(trigger.Paths, "**/*") || slices.Contains(trigger.Paths, "**"):
		t.draft("it would fire on every file")
	}
}

// decision is a node that settles something.
func (n *triadNode) decision(t *Thing) {
	t.Kind = knowledge.KindADR
	t.field(entry.FieldContext, prose.OneLine(n.Rationale))
	t.field(entry.FieldDecision, cmp.Or(prose.OneLine(n.Description), t.Title))
	t.field("Evidence", jsonText(n.Evidence))
	t.Status = "Accepted"
	switch {
	case n.Deprecated:
		t.Status = "Deprecated"
	case n.NeedsValidation:
		t.Status = "Proposed (it was waiting for somebody to confirm it)"
	}
}

// words are keywords as triggers have them.
func words(list []string) []string {
	return lists.With(nil, lists.MapSome(list, func(w string) string { return strings.ToLower(prose.OneLine(w)) })...)
}
