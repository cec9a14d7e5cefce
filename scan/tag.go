package scan

import (
	"strings"

	"github.com/lessons-cli/lessons/internal/agent/tools"
	"github.com/lessons-cli/lessons/internal/automata"
	"github.com/lessons-cli/lessons/internal/redact"
)

// Tag is one well-formed #lesson block (seed lessons-learned, section 11).
// Texts are as written: redact them before they are stored.
type Tag struct {
	Tool    string // by its common name
	Trigger string
	Mistake string
	Fix     string
	Tags    []string // category:value, as written
}

// Cancel takes back the lessons of this session whose mistake begins with
// Prefix.
type Cancel struct{ Prefix string }

// Choice is one well-formed #decision block. Texts are as written.
type Choice struct {
	Decision string
	Because  string
	About    string
	Tags     []string
}

// lesson reads a #lesson block, and says what it lacks.
func (r *Reports) lesson(b tagged) (lacks string) {
	f := fields(b.lines, lessonFields)
	tag := Tag{
		Tool: tools.Common(strings.Trim(f["tool"], "` ")), Trigger: f["trigger"],
		Mistake: f["mistake"], Fix: f["fix"], Tags: splitTags(f["tags"]),
	}
	switch {
	case placeholder(tag.Mistake) || placeholder(tag.Fix):
		return "" // somebody shows the form
	case tag.Mistake == "":
		return "#lesson has no mistake: line"
	case tag.Fix == "":
		return "#lesson has no fix: line"
	}
	r.Lessons = append(r.Lessons, tag)
	return ""
}

// decision reads a #decision block.
func (r *Reports) decision(b tagged) (lacks string) {
	f := fields(b.lines, decisionFields)
	c := Choice{Decision: f["decision"], Because: f["because"], About: f["about"], Tags: splitTags(f["tags"])}
	switch {
	case placeholder(c.Decision) || placeholder(c.Because):
		return ""
	case c.Decision == "":
		return "#decision has no decision: line"
	}
	if placeholder(c.About) {
		c.About = ""
	}
	r.Decisions = append(r.Decisions, c)
	return ""
}

// cancel reads a #lesson:cancel block.
func (r *Reports) cancel(b tagged) (lacks string) {
	switch mistake := fields(b.lines, lessonFields)["mistake"]; {
	case mistake == "":
		return "#lesson:cancel names no mistake"
	case !placeholder(mistake):
		r.Cancels = append(r.Cancels, Cancel{mistake})
	}
	return ""
}

// The accepted spellings of the fields, with the field of each.
var (
	lessonFields = map[string]string{
		"tool": "tool", "trigger": "trigger", "mistake": "mistake", "problem": "mistake",
		"fix": "fix", "solution": "fix", "tags": "tags",
	}
	decisionFields = map[string]string{
		"decision": "decision", "because": "because", "why": "because", "reason": "because", "rationale": "because",
		"about": "about", "context": "about", "tags": "tags",
	}
)

var fieldLine = automata.Lazily(`^(\s{0,3})(?:[-*]\s+)?\**([A-Za-z][A-Za-z_-]*)\**\s*:\**(?:\s+|$)(.*)$`)

// fields reads "name: value" lines. A line that names no field goes on with the
// value before it. A lower-case name nobody knows is a field of another version
// and is left out with its continuation.
func fields(lines []string, names map[string]string) map[string]string {
	values := map[string]string{}
	current := ""
	for _, line := range lines {
		m := fieldLine().FindStringSubmatch(line)
		if m != nil {
			name, known := names[strings.ToLower(m[2])]
			switch {
			case known && values[name] == "":
				current = name
				values[name] = strings.TrimSpace(m[3])
				continue
			case !known && m[1] == "" && m[2] == strings.ToLower(m[2]):
				current = ""
				continue
			}
		}
		if t := strings.TrimSpace(line); t != "" && current != "" {
			values[current] = strings.TrimSpace(values[current] + " " + t)
		}
	}
	return values
}

// splitTags reads the comma list of tags. Only category:value counts.
func splitTags(list string) []string {
	var tags []string
	for t := range strings.SplitSeq(list, ",") {
		if redact.HoldsKey(t) {
			continue // in lower case nobody would know it any more
		}
		t = strings.ToLower(strings.Trim(strings.TrimSpace(t), "[]`\"'"))
		category, value, ok := strings.Cut(t, ":")
		if ok && category != "" && value != "" && !strings.ContainsAny(t, " \t<>") && len(t) <= 60 {
			tags = append(tags, t)
		}
	}
	return tags
}

// placeholder says whether a value is a form to fill in, such as
// "<what went wrong>" or "...".
func placeholder(value string) bool {
	v := strings.Trim(value, " `\"'*")
	return strings.HasPrefix(v, "<") && strings.HasSuffix(v, ">") && !strings.Contains(v[1:], "<") ||
		v != "" && strings.Trim(v, ".…") == ""
}
