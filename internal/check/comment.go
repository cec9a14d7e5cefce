package check

import (
	"fmt"
	"strings"

	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/internal/plain"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/lesson"
)

// CommentMark begins a comment: by it the next one takes its place.
const CommentMark = "<!-- lessons check -->"

// Limits of a comment. A code host takes 65536 characters.
const (
	maxComment  = 50_000 // bytes, before a last section
	maxText     = 4_000  // bytes of what an agent reads
	maxFindings = 30     // of a list
	maxCalls    = 5      // likewise
)

// Comment is the review of a change in Markdown. What the change says stands in code, where
// it is no markup.
func Comment(changed []Changed, findings []knowledge.Problem) plain.Block {
	b := plain.Block(CommentMark + "\n### lessons: what this change tells agents\n\n")
	wrong := lists.Filter(findings, func(f knowledge.Problem) bool { return !f.Notice })
	look := lists.Filter(findings, func(f knowledge.Problem) bool { return f.Notice })
	b += plain.Sprintf("Lessons and entries that change: %d. Broken: %d. To look at: %d.\n", len(changed), len(wrong), len(look))
	b += listed("Broken: the check fails because of it", wrong) + listed("Look at this: what may act on agents, and what would be protected less", look)
	for i, c := range changed {
		if len(b) > maxComment {
			return b + plain.Sprintf("\n%d more are not shown here; read their files.\n", len(changed)-i)
		}
		b += c.section()
	}
	return b
}

func listed(heading string, findings []knowledge.Problem) plain.Block {
	if len(findings) == 0 {
		return ""
	}
	b := plain.Sprintf("\n#### %s\n\n", heading)
	for i, f := range findings {
		if i == maxFindings {
			return b + plain.Sprintf("- and %d more: `lessons check`\n", len(findings)-i)
		}
		b += plain.Sprintf("- %s %s: %s\n", plain.Code(fmt.Sprintf("%s:%d", f.Path, max(1, f.Line))), f.Rule, plain.Code(f.Text))
	}
	return b
}

// section is what a comment says of one lesson or entry.
func (c Changed) section() plain.Block {
	what := map[bool]string{true: "New", false: "Changed"}[c.New]
	switch {
	case c.Entry != nil:
		return plain.Sprintf("\n#### %s: %s\n\nIn %s. An agent that looks it up reads:\n\n%s", what, plain.Code(c.Entry.Anchor), plain.Code(c.Path), fenced(string(c.Entry.Text)))
	case c.Lesson == nil:
		return plain.Sprintf("\n#### Removed: %s\n\nTitle %s\n\n", plain.Code(c.Path), plain.Code(c.Was.Title)) + c.History.lost()
	}
	l := c.Lesson
	b := plain.Sprintf("\n#### %s: %s\n\nTitle %s, status %s. An agent reads:\n\n", what, plain.Code(c.Path), plain.Code(l.Title), plain.Code(l.Status)) + fenced(l.Shown())
	if strings.HasSuffix(l.Shown(), "Read "+l.Path) {
		b += "\nand where it looks there:\n\n" + fenced(l.Body)
	}
	b += "\n- When: " + toldAt(&l.Triggers) + "\n"
	if l.Action != "" && l.Action != lesson.ActionAuto {
		b += "- Asks for the action " + plain.Code(l.Action) + "\n"
	}
	return b + evidence(l) + c.History.block()
}

func fenced(text string) plain.Block {
	if len(text) > maxText {
		text = strings.ToValidUTF8(text[:maxText], "") + "\n… (cut here; the file has the rest)"
	}
	return plain.Fenced(text)
}

// toldAt says at which calls a lesson is told, as add does.
func toldAt(t *lesson.Trigger) plain.Block {
	if lesson.CanonicalTrigger(t) == "" {
		return "no call: it is told when a session starts, where it is a requirement or critical"
	}
	return plain.Code(t.Reading())
}

// evidence is what a lesson's file says of where it comes from.
func evidence(l *lesson.Lesson) plain.Block {
	b := plain.Block("- Evidence: ")
	if l.Source == "" {
		b += "written by hand"
	} else {
		b += plain.Sprintf("%s; %d in which such a call worked", l.Seen, len(l.Seen.Against))
	}
	if l.ReviewedBy != "" {
		b += "; reviewed by " + plain.Code(l.ReviewedBy)
	}
	b += "\n"
	for _, quote := range l.Quotes {
		b += "- In the words of a session: " + plain.Code(quote) + "\n"
	}
	return b
}

// block is what the call log says.
func (h History) block() plain.Block {
	if h.Calls == 0 {
		return "- History: no calls are known here. In a clone with sessions, `lessons check --base BRANCH --format comment` holds it against them.\n"
	}
	b := plain.Sprintf("- History (%d calls): %s\n", h.Calls, plain.Code(h.Verdict))
	b += calls("Would have stopped rightly", h.Right) + calls("Would have stopped wrongly: these worked", h.Wrong)
	return b + h.lost()
}

func (h History) lost() plain.Block {
	return calls("Would no longer be met, and failed", h.Lost)
}

func calls(heading string, list []string) plain.Block {
	if len(list) == 0 {
		return ""
	}
	b := plain.Sprintf("- %s: %d\n", heading, len(list))
	for i, call := range list {
		if i == maxCalls {
			return b + plain.Sprintf("  - and %d more\n", len(list)-i)
		}
		b += "  - " + plain.Code(call) + "\n"
	}
	return b
}
