package migrate

import (
	"bytes"
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/entry"
	"github.com/lessons-cli/lessons/knowledge/frontmatter"
	"github.com/lessons-cli/lessons/knowledge/markdown"
	"github.com/lessons-cli/lessons/knowledge/prose"
)

// note is a Markdown file of one piece of knowledge, by its sections.
type note struct {
	name    string
	matter  frontmatter.Properties
	title   string
	line    int               // of the title
	texts   map[string]string // flattened, by the name of the section
	order   []string          // names of sections as they come
	heading map[string]string // as they are written
}

// note takes a note apart. Sections below level 2 belong to the one above
// them.
func (f *file) note() (note, bool) {
	m, ok := f.matter()
	if !ok {
		return note{}, false
	}
	n := note{name: f.path, matter: m, title: prose.OneLine(m.Text("title")), line: 1, texts: map[string]string{}, heading: map[string]string{}}
	current := ""
	for _, s := range markdown.Sections(f.data[m.Body:], m.Line) {
		text := flatten(s.Text)
		switch {
		case s.Level == 0 || s.Level == 1:
			if s.Level == 1 && n.title == "" {
				n.title = flatten(s.Title)
			}
			if s.Level == 1 && n.line == 1 {
				n.line = s.Line
			}
			current = ""
		case s.Level == 2 || current == "":
			if current = sectionName(s.Title); current == "" {
				current = "note"
			}
			if n.heading[current] == "" {
				n.order, n.heading[current] = append(n.order, current), flatten(s.Title)
			}
		default:
			text = strings.TrimSuffix(flatten(s.Title), ":") + ": " + text
		}
		n.texts[current] = strings.TrimSpace(n.texts[current] + " " + text)
	}
	return n, true
}

// take returns the texts of the sections of these names, joined, and marks them
// as taken.
func (n *note) take(names ...string) string {
	var all []string
	for _, name := range names {
		if text := n.texts[name]; text != "" {
			all = append(all, text)
		}
		n.order = slices.DeleteFunc(n.order, func(s string) bool { return s == name })
	}
	return strings.Join(all, " ")
}

// dated is the date in front matter, in a line "Date: …" or in the file's name.
func (n *note) dated(keys ...string) (text string) {
	if text = n.matter.Text(keys...); text != "" {
		return text
	}
	for word := range strings.FieldsSeq(n.texts[""]) {
		if !date(word).IsZero() {
			return strings.Trim(word, "*_")
		}
	}
	if base := path.Base(n.name); len(base) > 10 {
		return base[:10]
	}
	return ""
}

// learnings reads notes with the heading "What I Learned", as people and agents
// keep them in a folder of their own.
var learnings = Format{
	Name: "learnings", About: "notes of what was learned, one Markdown file each, with a section \"What I Learned\"",
	Places: []string{".learnings", "docs/learnings", "learnings"},
	Takes:  extension(".md"),
	Detect: func(name string, head []byte) bool {
		return bytes.Contains(bytes.ToLower(head), []byte("\n## what i learned")) || strings.Contains("/"+path.Dir(name)+"/", "/.learnings/")
	},
	read: readLearnings,
}

func readLearnings(f *file) {
	n, ok := f.note()
	if !ok {
		return
	}
	t := Thing{
		Source: f.source(n.line, f.stem()), Kind: knowledge.KindPF, Title: n.title, Names: []string{f.base()},
		Date: date(n.dated("date", "created")), Status: "Active",
	}
	issue := n.take("what i learned", "what we learned", "learnings", "lessons learned", "lesson", "problem", "issue", "what happened")
	fix := n.take("the rule", "rule", "fix", "solution", "resolution", "what would have helped", "prevention")
	switch {
	case n.title == "":
		f.refuseAll(1, "it has no title: a note begins with a heading")
		return
	case issue == "":
		f.refuseAll(n.line, "it has no section \"What I Learned\"")
		return
	}
	t.field(entry.FieldArea, n.take("key files", "files", "area", "related files"))
	t.field(entry.FieldIssue, issue)
	t.field(entry.FieldImpact, n.take("impact", "why it matters", "consequences"))
	t.field(entry.FieldResolution, fix)
	t.field("Prompt", n.take("original prompt", "prompt"))
	for _, name := range n.order { // under its own name
		t.field(otherField(n.heading[name]), n.texts[name])
	}
	f.add(t)
}

// solutions reads the notes of the compound-engineering plugin. What they tell
// of a fault becomes a pitfall, of a way to work a decision.
var solutions = Format{
	Name: "solution", About: "solutions of compound-engineering: docs/solutions/**/*.md",
	Places: []string{"docs/solutions"},
	Takes:  extension(".md"),
	Detect: func(name string, head []byte) bool {
		return strings.Contains("/"+name, "/docs/solutions/") ||
			bytes.HasPrefix(head, []byte("---")) && bytes.Contains(head, []byte("\nproblem_type:"))
	},
	read: readSolution,
}

// ways are the problem types that tell how to work, not what went wrong.
var ways = []string{
	"architecture_pattern", "design_pattern", "tooling_decision", "convention", "best_practice", "workflow_issue", "developer_experience",
	"documentation_gap", "knowledge", "pattern",
}

func readSolution(f *file) {
	n, ok := f.note()
	if !ok {
		return
	}
	t := Thing{
		Source: f.source(n.line, f.stem()), Title: n.title, Names: []string{f.base()},
		Date: date(n.dated("date", "last_updated", "created")),
	}
	kind := strings.ToLower(n.matter.Text("problem_type"))
	way := slices.Contains(ways, kind) || kind == "" && n.texts["guidance"] != ""
	switch {
	case n.title == "":
		f.refuseAll(1, "it has no title: neither in its front matter nor as a heading")
		return
	case way:
		n.decision(&t)
	default:
		n.pitfall(&t)
	}
	if !t.says() && kind != "" {
		n.asWritten(&t)
	}
	if !t.says() {
		f.refuseAll(n.line, "it has neither a problem nor guidance: it is a document, not a solution")
		return
	}
	t.field("Symptoms", strings.Join(n.matter.List("symptoms"), "; "))
	t.field("Severity", n.matter.Text("severity"))
	t.field("Cause", n.matter.Text("root_cause"))
	t.field("Tags", n.matter.Text("tags"))
	n.left(&t)
	f.add(t)
}

// says tells whether an entry has what an entry is about.
func (t *Thing) says() bool {
	return slices.ContainsFunc(t.Fields, func(f entry.Field) bool {
		return f.Name == entry.FieldDecision || f.Name == entry.FieldIssue
	})
}

// asWritten takes the introduction, or else the first section, of a note whose
// sections have names of their own.
func (n *note) asWritten(t *Thing) {
	text := n.texts[""]
	if text == "" && len(n.order) > 0 {
		text = n.take(n.order[0])
	}
	name := entry.FieldDecision
	if t.Kind == knowledge.KindPF {
		name = entry.FieldIssue
	}
	t.field(name, text)
}

func (n *note) decision(t *Thing) {
	t.Kind, t.Status = knowledge.KindADR, "Accepted"
	t.field(entry.FieldContext, n.take("context", "problem", "symptoms", "what happened"))
	t.field(entry.FieldDecision, n.take("guidance", "solution", "fix", "what to do instead", "the pattern", "summary"))
	t.field(entry.FieldConsequences, n.take("why this matters", "why this works", "why it happened"))
	t.field("When", n.take("when to apply", "when to use"))
	t.field("Prevention", n.take("prevention"))
	t.field("Links", n.take("related", "related issues", "related docs", "related patterns", "see also", "sources"))
}

func (n *note) pitfall(t *Thing) {
	t.Kind, t.Status = knowledge.KindPF, "Active"
	t.field(entry.FieldArea, prose.OneLine(cmp.Or(n.matter.Text("module"), n.matter.Text("component"))))
	t.field(entry.FieldIssue, n.take("problem", "context", "summary", "what happened", "symptoms"))
	t.field(entry.FieldImpact, n.take("why this matters", "impact"))
	t.field(entry.FieldResolution, n.take("solution", "guidance", "fix", "what to do instead"))
	t.field("Prevention", n.take("prevention", "when to apply"))
	t.field("Cause", n.take("root cause", "why this works", "why it happened"))
	t.field("Tried", n.take("what didn t work", "what didn’t work", "what didn't work"))
	t.field("Links", n.take("related", "related issues", "related docs", "see also", "sources"))
}

// left names the sections that an entry has no room for.
func (n *note) left(t *Thing) {
	var names []string
	for _, name := range n.order {
		if n.texts[name] != "" {
			names = append(names, n.heading[name])
		}
	}
	if len(names) > 0 {
		t.field("More", "in "+n.name+": "+strings.Join(names, "; "))
		t.note("left at the source: %s", strings.Join(names, ", "))
	}
}
