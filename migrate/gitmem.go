package migrate

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/lessons-cli/lessons/knowledge/lesson"
	"github.com/lessons-cli/lessons/knowledge/prose"
)

// gitmem reads the scars, wins and patterns of GitMem.
var gitmem = Format{
	Name: "gitmem", About: "GitMem's learnings: scars, wins and patterns",
	Places: []string{".gitmem/learnings.json", ".gitmem/starter-scars.json"},
	Takes:  extension(".json"),
	Detect: func(_ string, head []byte) bool {
		return bytes.Contains(head, []byte(`"learning_type"`)) || bytes.Contains(head, []byte(`"counter_arguments"`))
	},
	read: readGitmem,
}

// scar is a learning of GitMem.
type scar struct {
	ID         string   `json:"id"`
	Type       string   `json:"learning_type"`
	Title      string   `json:"title"`
	Severity   string   `json:"severity"`
	Text       string   `json:"description"`
	Problem    string   `json:"problem_context"`
	Solution   string   `json:"solution_approach"`
	Protocol   oneText  `json:"action_protocol"`
	Checks     oneText  `json:"self_check_criteria"`
	Why        string   `json:"why_this_matters"`
	Applies    oneText  `json:"applies_when"`
	Counter    []string `json:"counter_arguments"`
	Keywords   []string `json:"keywords"`
	Domain     []string `json:"domain"`
	SourceDate string   `json:"source_date"`
	CreatedAt  string   `json:"created_at"`
	Active     *bool    `json:"is_active"`
}

// oneText is a text, or a list of texts joined to one.
type oneText string

func (t *oneText) UnmarshalJSON(data []byte) error {
	*t = oneText(jsonText(data))
	return nil
}

func readGitmem(f *file) {
	if !f.isJSON() {
		return
	}
	for e, s := range decoded[scar](f, scars(f), "learning") {
		s.ID = cmp.Or(s.ID, cmp.Or(e.Key, prose.Slug(s.Title)))
		if reason := s.refusal(); reason != "" {
			f.refuse(e.Line, s.ID, reason)
			continue
		}
		f.add(s.thing(f.source(e.Line, s.ID)))
	}
}

// scars finds the list of learnings: the file, a member of it, or the one that it
// is.
func scars(f *file) []element {
	var file struct {
		Learnings json.RawMessage
		Scars     json.RawMessage
		Title     string
	}
	all := json.RawMessage(f.data)
	if json.Unmarshal(f.data, &file) == nil {
		switch {
		case file.Learnings != nil:
			all = file.Learnings
		case file.Scars != nil:
			all = file.Scars
		case file.Title != "":
			return []element{{Line: 1, Data: f.data}}
		}
	}
	list, err := f.elements(all)
	if err != nil || len(list) == 0 {
		f.refuseAll(1, "it holds no list of learnings")
		return nil
	}
	return list
}

func (s *scar) refusal() string {
	switch {
	case prose.OneLine(s.Title) == "":
		return "it has no title"
	case prose.OneLine(s.Text+s.Problem+s.Solution) == "":
		return "it has a title and nothing else"
	}
	return ""
}

func (s *scar) thing(from Source) Thing {
	t := Thing{Source: from, Title: prose.OneLine(s.Title), Date: date(cmp.Or(s.SourceDate, s.CreatedAt))}
	t.Problem = prose.OneLine(strings.Join([]string{cmp.Or(s.Problem, s.Text), s.Why}, " "))
	t.Fix = prose.OneLine(cmp.Or(s.Solution, string(s.Protocol)))
	if t.Fix != string(s.Protocol) && s.Protocol != "" {
		t.Fix = strings.TrimSpace(t.Fix + " " + string(s.Protocol))
	}
	if s.Checks != "" {
		t.Fix = strings.TrimSpace(t.Fix + " Check: " + string(s.Checks))
	}
	for i, c := range s.Counter {
		if c = prose.OneLine(c); c != "" {
			t.Problem += fmt.Sprintf(" Objection %d: %s.", i+1, strings.TrimSuffix(c, "."))
		}
	}
	kind := lesson.Warning
	if strings.EqualFold(s.Type, "win") || strings.EqualFold(s.Type, "pattern") {
		kind = lesson.Pattern
	}
	t.lesson(kind, priority(s.Severity), nil)
	t.Lesson.Tags, t.Lesson.Triggers.Keywords = domainTags(s.Domain), words(s.Keywords)
	if s.Active != nil && !*s.Active {
		t.Lesson.Status = lesson.Archived
	}
	t.draft("it says in words when it applies, and no call is named: " + cmp.Or(string(s.Applies), strings.Join(s.Keywords, ", ")))
	return t
}

// domainTags are tags of the fields of work that another tool names.
func domainTags(domains []string) []string {
	var tags []string
	for _, d := range domains {
		if slug := prose.Slug(d); strings.TrimSpace(d) != "" {
			tags = append(tags, "domain:"+slug)
		}
	}
	return sortedTags(tags)
}
