package scan

import (
	"regexp"
	"strings"
	"sync"

	"github.com/lessons-cli/lessons/internal/agent/tools"
	"github.com/lessons-cli/lessons/internal/redact"
)

// Tag is one well-formed #lesson block (seed lessons-learned, section 11).
// Texts are as written: redact them before they are stored.
type Tag struct {
	Line    int    // 1-based within the text
	Tool    string // by its common name
	Trigger string
	Mistake string
	Fix     string
	Tags    []string // category:value, as written
}

// Cancel takes back the lessons of this session whose mistake begins with
// Prefix.
type Cancel struct {
	Line   int
	Prefix string
}

// ParseTags reads the #lesson and #lesson:cancel blocks of an agent's text.
// Blocks that lack what a lesson needs are returned as flaws; they never hide
// the others.
func ParseTags(text string) ([]Tag, []Cancel, []Flaw) {
	blocks, flaws := extract(text)
	var (
		tags    []Tag
		cancels []Cancel
	)
	for _, b := range blocks {
		if b.open == blockOpen {
			continue
		}
		f := fields(b.lines)
		tag := Tag{
			Line: b.line, Tool: tools.Common(strings.Trim(f["tool"], "` ")), Trigger: f["trigger"],
			Mistake: f["mistake"], Fix: f["fix"], Tags: splitTags(f["tags"]),
		}
		switch {
		case placeholder(tag.Mistake) || placeholder(tag.Fix):
			// Somebody shows the form.
		case b.open == cancelOpen && tag.Mistake == "":
			flaws = append(flaws, Flaw{b.line, "lesson-tag", "#lesson:cancel names no mistake"})
		case b.open == cancelOpen:
			cancels = append(cancels, Cancel{b.line, tag.Mistake})
		case tag.Mistake == "":
			flaws = append(flaws, Flaw{b.line, "lesson-tag", "#lesson has no mistake: line"})
		case tag.Fix == "":
			flaws = append(flaws, Flaw{b.line, "lesson-tag", "#lesson has no fix: line"})
		default:
			tags = append(tags, tag)
		}
	}
	return tags, cancels, lessonFlaws(flaws)
}

func lessonFlaws(flaws []Flaw) []Flaw {
	var own []Flaw
	for _, f := range flaws {
		if f.Rule == "lesson-tag" {
			own = append(own, f)
		}
	}
	return own
}

// fieldNames maps the accepted spellings to the field.
var fieldNames = map[string]string{
	"tool": "tool", "trigger": "trigger", "mistake": "mistake", "problem": "mistake",
	"fix": "fix", "solution": "fix", "tags": "tags",
}

var fieldLine = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(\s{0,3})(?:[-*]\s+)?\**([A-Za-z][A-Za-z_-]*)\**\s*:\**(?:\s+|$)(.*)$`)
})

// fields reads "name: value" lines. A line that names no field goes on with the
// value before it. A lower-case name nobody knows is a field of another version
// and is left out with its continuation.
func fields(lines []string) map[string]string {
	values := map[string]string{}
	current := ""
	for _, line := range lines {
		m := fieldLine().FindStringSubmatch(line)
		if m != nil {
			name, known := fieldNames[strings.ToLower(m[2])]
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
