package scan

import (
	"slices"
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

// finding is the choice that a #decision tells. Without a reason it is not of quality.
func (c Choice) finding() finding {
	marks := append([]observe.Mark{observe.MarkSelfReport}, textMarks(c.Decision, c.Tags)...)
	if c.Because != "" {
		marks = append(marks, observe.MarkCausal)
	}
	return finding{
		kind: SelfReport, typ: knowledge.Decision, origin: observe.OriginSelfReport,
		title: capitalised(c.Decision), fix: c.Decision, context: c.About, rationale: c.Because, tags: c.Tags,
		quotes: []string{decisionOpen + ": " + c.Decision}, unfit: lacksReason(c.Because), marks: marks,
	}
}

// textMarks are the facts that a report states about its mistake.
func textMarks(text string, tags []string) []observe.Mark {
	var marks []observe.Mark
	if causal.MatchString(text) {
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
		kind: Block, typ: knowledge.Procedural, origin: observe.OriginBlock, title: b.Title, tags: b.Tags,
		lessonKind: b.Kind, level: b.Level, items: b.Items, trigger: &b.Trigger, mistake: b.Mistake, fix: b.Fix,
		marks: []observe.Mark{observe.MarkBlock}, quotes: []string{"[PROCESS_KNOWLEDGE]: " + b.Title},
		parts: append([]string{"description", b.Description}, b.Parts...),
	}
	if len(b.Trigger.Tools) > 0 {
		f.tool = b.Trigger.Tools[0]
	}
	if b.Kind == lesson.Warning || b.Kind == lesson.Requirement {
		f.typ = knowledge.Pitfall
	}
	if b.Kind == lesson.Checklist {
		f.fix = strings.Join(b.Items, "; ")
	}
	if slices.Contains(b.Parts, "rationale") || causal.MatchString(b.Description) {
		f.marks = append(f.marks, observe.MarkCausal)
	}
	return f
}
