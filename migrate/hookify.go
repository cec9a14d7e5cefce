package migrate

import (
	"bytes"
	"cmp"
	"fmt"
	"path"
	"regexp"
	"strings"

	"github.com/lessons-cli/lessons/knowledge/frontmatter"
	"github.com/lessons-cli/lessons/knowledge/lesson"
	"github.com/lessons-cli/lessons/knowledge/markdown"
	"github.com/lessons-cli/lessons/knowledge/prose"
)

// hookify reads the rules of the hookify plugin. They come in as drafts: a rule
// stops calls, and nobody here has read it yet.
var hookify = Format{
	Name: "hookify", About: "rules of the hookify plugin: .claude/hookify.*.local.md",
	Places: []string{".claude/hookify.*.md"},
	Takes: func(name string) bool {
		return strings.HasPrefix(path.Base(name), "hookify.") && extension(".md")(name)
	},
	Detect: func(_ string, head []byte) bool { return bytes.Contains(head, []byte("\nevent:")) },
	read:   readHookify,
}

func readHookify(f *file) {
	m, ok := f.matter()
	if !ok {
		return
	}
	id := cmp.Or(prose.OneLine(m.Text("name")), strings.TrimSuffix(strings.TrimPrefix(f.base(), "hookify."), ".local.md"))
	t := Thing{Source: f.source(1, id), Title: strings.ReplaceAll(id, "-", " "), Fix: flatten(string(f.data[m.Body:]))}
	for _, s := range markdown.Sections(f.data[m.Body:], m.Line) {
		if s.Level == 1 {
			t.Title, t.Fix = flatten(s.Title), flatten(s.Text)
			break
		}
	}
	t.Fix = cmp.Or(t.Fix, t.Title)
	t.lesson(lesson.Warning, 5, nil)
	t.Lesson.Action, t.Lesson.Confidence = lesson.ActionInform, 0.9
	if strings.EqualFold(m.Text("action"), "block") {
		t.Lesson.Action, t.Lesson.Priority = lesson.ActionDeny, 7
	}
	if strings.EqualFold(m.Text("enabled"), "false") {
		t.Lesson.Status = lesson.Archived
	}
	t.draft("a rule about calls: it waits until you promote it")
	line, reason := hookifyTrigger(m, &t.Lesson.Triggers)
	switch {
	case m.Body == 0:
		f.refuseAll(1, "it has no front matter: it is no rule")
	case t.Fix == "":
		f.refuseAll(m.Line, "it has no message")
	case reason != "":
		f.refuseAll(line, reason)
	default:
		f.add(t)
	}
}

// condition is one of a rule; all of them have to hold.
type condition struct{ field, operator, pattern string }

// hookifyFields says by event what a pattern alone is about.
var hookifyFields = map[string]string{"bash": "command", "file": "new_text"}

// hookifyTrigger turns event and conditions into a trigger. What has no
// counterpart refuses the rule: with fewer conditions it would stop more.
func hookifyTrigger(m frontmatter.Properties, t *lesson.Trigger) (line int, reason string) {
	event := strings.ToLower(m.Text("event"))
	switch event {
	case "bash":
		t.Tools = []string{"Bash"}
	case "file":
		t.Tools = []string{"Edit", "MultiEdit", "Write"}
	case "all":
	default:
		return max(m.Lines["event"], 1), fmt.Sprintf("rules about the event %q have no counterpart: lessons fire on calls of tools", event)
	}
	line = max(m.Lines["conditions"], m.Lines["pattern"], 1)
	all, reason := hookifyConditions(m, event)
	if reason != "" {
		return line, reason
	}
	taken := map[string]bool{}
	for _, c := range all {
		slot := c.field
		if c.operator == "not_contains" {
			slot = "unless"
		} else if taken[slot] {
			return line, fmt.Sprintf("two conditions about %s have both to hold, and here either would do", slot)
		}
		taken[slot] = true
		if err := c.into(t); err != nil {
			return line, err.Error()
		}
	}
	if len(t.CommandPatterns)+len(t.Paths)+len(t.Content) == 0 {
		return line, "it has no pattern, and would fire on every call"
	}
	return 0, ""
}

func hookifyConditions(m frontmatter.Properties, event string) ([]condition, string) {
	var all []condition
	list, _ := m.Values["conditions"].([]any)
	for _, item := range list {
		values, ok := item.(map[string]any)
		if !ok {
			return nil, "a condition is no list of field, operator and pattern"
		}
		text := func(name string) string { s, _ := values[name].(string); return s }
		all = append(all, condition{cmp.Or(text("field"), hookifyFields[event]), cmp.Or(text("operator"), "regex_match"), text("pattern")})
	}
	if pattern := m.Text("pattern"); pattern != "" {
		field := hookifyFields[event]
		if field == "" {
			return nil, "its pattern is about every kind of call: say a field for it"
		}
		all = append(all, condition{field, "regex_match", pattern})
	}
	return all, ""
}

// hookifyEnds says of the operators with plain words where a text has to begin and
// to end with them.
var hookifyEnds = map[string]struct{ before, after string }{
	"contains": {}, "not_contains": {}, "equals": {`\A`, `\z`}, "starts_with": {`\A`, ""}, "ends_with": {"", `\z`},
}

// expression is what a condition asks for. Hookify's patterns are Python's, found
// anywhere and whatever the case.
func (c condition) expression() (Pattern, error) {
	if c.operator == "regex_match" {
		return Translate(c.pattern, "i", Python)
	}
	ends, ok := hookifyEnds[c.operator]
	if !ok {
		return Pattern{}, fmt.Errorf("the operator %q is none that is known", c.operator)
	}
	return Pattern{Source: "(?i)" + ends.before + regexp.QuoteMeta(c.pattern) + ends.after}, nil
}

// into adds a condition to a trigger.
func (c condition) into(t *lesson.Trigger) error {
	if c.pattern == "" {
		return fmt.Errorf("a condition about %s has no pattern", c.field)
	}
	p, err := c.expression()
	if err != nil {
		return err
	}
	switch field := strings.ToLower(c.field); {
	case c.operator == "not_contains" && field != "command":
		return fmt.Errorf("not_contains about %s has no counterpart: unless is about commands", c.field)
	case c.operator == "not_contains":
		t.Unless = append(t.Unless, p.Source)
	case field == "command":
		t.CommandPatterns, t.Unless = append(t.CommandPatterns, p.Source), append(t.Unless, p.Unless...)
	case field == "new_text" || field == "content" || field == "new_string":
		if len(p.Unless) > 0 {
			return fmt.Errorf("%s: look-around about contents has no counterpart", c.pattern)
		}
		t.Content = append(t.Content, p.Source)
	case field == "file_path":
		globs, err := c.globs()
		t.Paths = append(t.Paths, globs...)
		return err
	default:
		return fmt.Errorf("a condition about %q has no counterpart", c.field)
	}
	return nil
}

// globs turns a condition about a path into globs.
func (c condition) globs() ([]string, error) {
	escaped := strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`, "]", `\]`, "{", `\{`, "}", `\}`).Replace(c.pattern)
	switch c.operator {
	case "regex_match":
		return GlobsOfRegexp(c.pattern)
	case "equals":
		return Glob(c.pattern)
	case "contains":
		if strings.Contains(c.pattern, "/") {
			return nil, fmt.Errorf("a part of a path with a slash in it, %q, has no counterpart", c.pattern)
		}
		return checkedGlobs("**/*"+escaped+"*", "**/*"+escaped+"*/**")
	case "starts_with":
		if err := insideRepository(c.pattern); err != nil {
			return nil, err
		}
		return checkedGlobs(escaped+"*", escaped+"*/**")
	case "ends_with":
		if strings.Contains(c.pattern, "/") {
			return checkedGlobs("**/" + strings.TrimPrefix(escaped, "/"))
		}
		return checkedGlobs("**/*" + escaped)
	}
	return nil, fmt.Errorf("the operator %q about paths has no counterpart", c.operator)
}
