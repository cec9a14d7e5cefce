package scan

import (
	"strings"

	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/lesson"
	"github.com/lessons-cli/lessons/knowledge/observe"
)

// finding is the mistake that a #lesson tells.
func (t Tag) finding() finding {
	return finding{
		kind: SelfReport, typ: knowledge.Pitfall, origin: observe.OriginSelfReport,
		tool: t.Tool, mistake: t.Mistake, fix: t.Fix, tags: t.Tags,
		area: pathIn(t.Tool, t.Trigger), trigger: triggerOfReport(t), quotes: []string{lessonOpen + ": " + t.Mistake},
		marks: append([]observe.Mark{observe.MarkSelfReport}, textMarks(t.Mistake+" "+t.Fix, t.Tags)...),
	}
}

// finding is the choice that a #decision tells. Without a reason it is not of quality
// (rulings 17).
func (c Choice) finding() finding {
	marks := append([]observe.Mark{observe.MarkSelfReport}, textMarks(c.Decision, c.Tags)...)
	if c.Because != "" {
		marks = append(marks, observe.MarkCausal)
	}
	return finding{
		kind: SelfReport, typ: knowledge.Decision, origin: observe.OriginSelfReport,
		title: capitalised(c.Decision), fix: c.Decision, context: c.About, rationale: c.Because, tags: c.Tags,
		quotes: []string{decisionOpen + ": " + c.Decision}, unfit: lacksReason(c.Because, true), marks: marks,
	}
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
