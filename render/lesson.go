package render

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/lessons-cli/lessons/internal/inject/compile"
	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/internal/plain"
	"github.com/lessons-cli/lessons/knowledge/lesson"
	"github.com/lessons-cli/lessons/knowledge/observe"
	"github.com/lessons-cli/lessons/knowledge/prose"
	"github.com/lessons-cli/lessons/knowledge/score"
	"github.com/lessons-cli/lessons/knowledge/state"
)

// lessonFolder holds the lessons.
const lessonFolder = ".lessons"

// formatLesson makes the lesson of an observation. Its status says whether the
// evidence suffices to show it to an agent.
func (p *planner) formatLesson(m material) *lesson.Lesson {
	s := state.OfEvidence(m.o, m.seen, p.config)
	l := &lesson.Lesson{
		ID:         LessonID(m.o.ID),
		Kind:       score.InferKind(m.o),
		Priority:   s.Priority,
		Status:     s.Status,
		Confidence: s.Confidence,
		Action:     cmp.Or(m.o.Action, lesson.ActionAuto),
		Tags:       lists.SortedUnique(cleanerOf(m.o).all(slices.Clone(m.o.Tags))),
		Source:     m.o.ID,
		Created:    lesson.Day(m.o.LastSeen),
		Seen:       m.seen,
		Quotes:     m.quotes,
		Title:      m.title,
	}
	if m.trigger != nil {
		l.Triggers = *m.trigger.Clone()
		l.Triggers.Paths = slices.DeleteFunc(l.Triggers.Paths, compile.MatchesNoFile)
		l.Examples = compile.Agreeing(cleanerOf(m.o).examples(m.o.Examples), m.trigger)
	}
	if len(m.o.Passed) > 0 {
		l.Unknown = append(l.Unknown, lesson.Require("passed", m.o.Passed))
	}
	if m.turnsDown() {
		l.Kind = lesson.Warning
	}
	l.Body = lessonBody(m, l.Kind, l.Priority)
	history := p.options.History[l.ID]
	l.Nature, l.Seen.Against = history.Nature, lists.SortedUnique(slices.Concat(l.Seen.Against, history.Against))
	return l
}

// newLesson is the lesson as it is written first: what the past lets stop calls is active.
func (p *planner) newLesson(m material) *lesson.Lesson {
	l := p.formatLesson(m)
	if p.options.History[l.ID].State == compile.Stops {
		l.Status = lesson.Active
	}
	return l
}

// lessonBody writes what the kind of lesson asks for, and
// everything else that is known.
func lessonBody(m material, kind lesson.Kind, priority int) string {
	var told []string
	switch {
	case kind == lesson.Checklist:
		return m.checklist()
	case m.o.Instructs():
		return m.instruction()
	case m.mistake != "" && m.fix != "":
		told = []string{"", m.news(m.mistake), "Fix", m.fix}
	case kind == lesson.Warning:
		told = []string{
			"Risk", m.news(cmp.Or(m.mistake, m.part("issue", ""))), "Severity", cmp.Or(m.part("severity"), string(lesson.LevelOf(priority))),
			"Detect", m.part("detection", "area", "context"), "Mitigate", cmp.Or(m.fix, m.part("resolution", "decision")),
		}
	case kind == lesson.Requirement:
		told = []string{
			"Constraint", cmp.Or(m.part("decision"), cmp.Or(m.fix, cmp.Or(m.part("issue", ""), m.title))),
			"Why", cmp.Or(m.part("rationale", "impact"), m.mistake), "Verify", m.part("validation", "resolution"),
		}
	default:
		do := cmp.Or(m.fix, cmp.Or(m.part("decision", "resolution", ""), m.title))
		told = []string{"When", cmp.Or(m.part("context", "issue", "area"), m.calls()), "Do", do, "Why", cmp.Or(m.part("rationale", "impact"), m.mistake)}
	}
	return labelled(slices.Concat([]string{"", m.news(m.part("description"))}, told, m.further())...)
}

// further are the labels and texts of the details that every kind of lesson may have.
func (m material) further() []string {
	return []string{
		"Why", m.part("rationale"), "Impact", m.part("impact"), "Severity", m.part("severity"), "Detect", m.part("detection"),
		"Example", m.part("example"), "Verify", m.part("validation"), "Format", m.part("format"), "Evidence", m.part("evidence"), "Notes", m.part("notes"),
	}
}

// instruction writes a rule in a person's words. Where the title is the whole rule it
// says that alone. What the agent did or claimed before is evidence, and no part of it.
func (m material) instruction() string {
	rule := cmp.Or(m.fix, m.part("decision", "resolution"))
	if prose.NormaliseTitle(rule) == prose.NormaliseTitle(m.title) {
		rule = ""
	}
	if m.turnsDown() {
		return labelled("When", m.calls(), "Fix", cmp.Or(m.reportedFix(), rule, m.title), "Why", because(m.part("rationale")))
	}
	return labelled("When", m.calls(), "Constraint", rule, "Fix", m.reportedFix(), "Why", because(m.part("rationale")))
}

// turnsDown says whether it is an instruction against a command, which such calls are to
// be stopped by.
func (m material) turnsDown() bool {
	return m.o.Instructs() && m.o.Origin != observe.OriginManual && m.trigger != nil && len(m.trigger.Commands) > 0
}

// reportedFix is what somebody else who met the same told to do instead.
func (m material) reportedFix() string {
	for _, p := range m.o.Others {
		fix := stored.text(p.Fix)
		if p.Mistake != "" && fix != "" && prose.NormaliseTitle(m.title) != prose.NormaliseTitle(fix) {
			return fix
		}
	}
	return ""
}

// calls says which calls the trigger is about.
func (m material) calls() string {
	t := m.trigger
	if t == nil {
		return ""
	}
	for _, slot := range []struct {
		words    string
		elements []string
	}{{"running", t.Commands}, {"working on", t.Paths}, {"the task speaks of", t.Keywords}, {"using", t.Tools}} {
		if len(slot.elements) > 0 {
			return slot.words + " " + codeList(slot.elements)
		}
	}
	return ""
}

func codeList(elements []string) string {
	var spans []string
	for _, e := range lists.SortedUnique(elements) {
		if e = prose.OneLine(e); e != "" && !strings.Contains(e, "`") {
			e = "`" + e + "`"
		}
		spans = append(spans, e)
	}
	return strings.Join(spans, ", ")
}

// saysItems says whether a text is one of the items, or all of them in turn.
func saysItems(text string, items []string) bool {
	letters := func(s string) string {
		return strings.Join(strings.FieldsFunc(s, func(r rune) bool { return r == ';' || unicode.IsSpace(r) }), " ")
	}
	return slices.Contains(items, prose.OneLine(text)) || letters(text) == letters(strings.Join(items, " "))
}

// checklist writes the items that must be done together.
func (m material) checklist() string {
	items := m.steps
	if len(items) == 0 {
		items = nonEmpty([]string{m.fix, m.part("resolution", "decision")})
	}
	if len(items) == 0 {
		items = []string{m.title}
	}
	before := []string{"", m.part("description"), "", m.news(m.mistake)}
	if text := m.news(m.details[""]); m.mistake == "" && len(m.o.Items) > 0 && !saysItems(text, items) {
		before = append(before, "", text)
	}
	before = append(before, "", m.part("context"), "", m.part("heading"))
	var after []string
	if !saysItems(m.fix, items) {
		after = []string{"Fix", m.fix}
	}
	var list strings.Builder
	for _, item := range items {
		fmt.Fprintf(&list, "- [ ] %s\n", plainStart(uncommented(prose.OneLine(item))))
	}
	parts := []string{labelled(before...), list.String(), labelled(append(after, m.further()...)...)}
	return strings.Join(slices.DeleteFunc(parts, func(text string) bool { return text == "\n" }), "\n")
}

// labelled writes one paragraph a label, in order, without those that have no
// text or repeat an earlier one. An empty label has its text stand alone.
func labelled(labelsAndTexts ...string) string {
	var paragraphs, texts []string
	for i := 0; i+1 < len(labelsAndTexts); i += 2 {
		text := strings.TrimSpace(labelsAndTexts[i+1])
		if text == "" || slices.Contains(texts, text) {
			continue
		}
		texts = append(texts, text)
		paragraphs = append(paragraphs, paragraph(labelsAndTexts[i], text))
	}
	return strings.Join(paragraphs, "\n\n") + "\n"
}

// paragraph writes a text behind its label. Of several lines, as in a command
// with a here-document, it makes a code block, whatever fences are in them.
func paragraph(label, text string) string {
	if label != "" {
		label = "**" + label + "**:"
	}
	text = strings.Trim(plain.Visible(text), "\n")
	if !strings.Contains(text, "\n") {
		text = uncommented(prose.OneLine(text))
		if label == "" {
			return plainStart(text)
		}
		return label + " " + text
	}
	fence := "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	return strings.TrimSpace(label + "\n\n" + fence + "\n" + text + "\n" + fence)
}

// uncommented keeps text from opening an HTML comment, which would hide what
// follows from a reader and not from a model.
func uncommented(text string) string { return strings.ReplaceAll(text, "<!--", `\<!--`) }
