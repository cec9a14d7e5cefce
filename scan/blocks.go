package scan

import (
	"strings"

	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/lesson"
	"github.com/lessons-cli/lessons/knowledge/observe"
	"github.com/lessons-cli/lessons/scan/transcript"
)

// selfReports finds #lesson blocks in what the agent says. Tool results, the
// person's words and injected context are other events and never looked at.
type selfReports struct{}

func (selfReports) Kind() Kind { return SelfReport }

func (selfReports) Detect(w *Window) []finding {
	if s := w.Last(); s.Kind == transcript.Assistant {
		return located(lessonFindings(s.Text), s)
	}
	return nil
}

// blocks finds [PROCESS_KNOWLEDGE] blocks in what the agent says.
type blocks struct{}

func (blocks) Kind() Kind { return Block }

func (blocks) Detect(w *Window) []finding {
	if s := w.Last(); s.Kind == transcript.Assistant {
		return located(processFindings(s.Text), s)
	}
	return nil
}

func located(found []finding, s *Step) []finding {
	for i := range found {
		found[i].line, found[i].at = s.Line, s.Time
	}
	return found
}

func lessonFindings(text string) []finding {
	tags, cancels, flaws := ParseTags(text)
	var found []finding
	for _, t := range tags {
		found = append(found, finding{
			kind: SelfReport, typ: knowledge.Pitfall, origin: observe.OriginSelfReport,
			tool: t.Tool, mistake: t.Mistake, fix: t.Fix, tags: t.Tags,
			area: pathIn(t.Tool, t.Trigger), trigger: triggerOfReport(t), quotes: []string{"#lesson: " + t.Mistake},
			marks: append([]observe.Mark{observe.MarkSelfReport}, textMarks(t.Mistake+" "+t.Fix, t.Tags)...),
		})
	}
	for _, c := range cancels {
		found = append(found, finding{cancel: c.Prefix})
	}
	for i := range flaws {
		found = append(found, finding{flaw: &flaws[i]})
	}
	return found
}

// textMarks are the facts that a report states about its mistake.
func textMarks(text string, tags []string) []observe.Mark {
	var marks []observe.Mark
	if causal().MatchString(text) {
		marks = append(marks, observe.MarkCausal)
	}
	for _, t := range tags {
		switch t {
		case "severity:hang", "severity:timeout":
			marks = append(marks, observe.MarkHang)
		case "severity:data-loss", "severity:silent-failure":
			marks = append(marks, observe.MarkDataLoss)
		}
	}
	return marks
}

func processFindings(text string) []finding {
	blocks, flaws := ParseProcessBlocks(text)
	var found []finding
	for _, b := range blocks {
		found = append(found, b.finding())
	}
	for i := range flaws {
		found = append(found, finding{flaw: &flaws[i]})
	}
	return found
}

// finding makes of a block what its kind says: warnings and requirements are
// pitfalls, checklists and patterns are ways to do something.
func (b ProcessBlock) finding() finding {
	f := finding{
		kind: Block, origin: observe.OriginBlock, title: b.Title, tags: b.Tags,
		lessonKind: b.Kind, level: b.Level, items: b.Items, trigger: &b.Trigger,
		marks: []observe.Mark{observe.MarkBlock}, quotes: []string{"[PROCESS_KNOWLEDGE]: " + b.Title},
		context: b.Description,
	}
	if len(b.Trigger.Tools) > 0 {
		f.tool = b.Trigger.Tools[0]
	}
	switch b.Kind {
	case lesson.Warning:
		f.typ = knowledge.Pitfall
		f.mistake, f.fix = firstOf(b.item("Risk"), b.Title), b.item("Mitigate")
	case lesson.Requirement:
		f.typ = knowledge.Pitfall
		f.mistake, f.fix = firstOf(b.item("Constraint"), b.Title), b.item("Verify")
	case lesson.Pattern:
		f.typ = knowledge.Procedural
		f.mistake, f.fix = firstOf(b.item("When"), b.Description), b.item("Do")
	default:
		f.typ = knowledge.Procedural
		f.mistake, f.fix = b.Description, strings.Join(b.Items, "; ")
	}
	if causal().MatchString(b.Description + " " + b.item("Why")) {
		f.marks = append(f.marks, observe.MarkCausal)
	}
	return f
}

func firstOf(texts ...string) string {
	for _, t := range texts {
		if t != "" {
			return t
		}
	}
	return ""
}
