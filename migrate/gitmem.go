package migrate

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/lessons-cli/lessons/knowledge"
)

// gitmem reads the scars, wins and patterns of GitMem.
func gitmem() Format {
	return Format{
		Name: "gitmem", About: "GitMem's learnings: scars, wins and patterns",
		Places: []string{".gitmem/learnings.json", ".gitmem/starter-scars.json"},
		Takes:  extension(".json"),
		Detect: func(_ string, head []byte) bool {
			return bytes.Contains(head, []byte(`"learning_type"`)) || bytes.Contains(head, []byte(`"counter_arguments"`))
		},
		Read: readGitmem,
	}
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

func readGitmem(name string, data []byte) ([]Thing, []Refusal) {
	if bad := checkJSON(name, data); bad != nil {
		return nil, []Refusal{*bad}
	}
	raw, offset := json.RawMessage(data), int64(0)
	var file struct {
		Learnings json.RawMessage `json:"learnings"`
		Scars     json.RawMessage `json:"scars"`
		Title     string          `json:"title"`
	}
	list, err := []element(nil), json.Unmarshal(data, &file)
	switch {
	case err == nil && file.Learnings != nil:
		raw, offset = file.Learnings, offsetOf(data, file.Learnings)
	case err == nil && file.Scars != nil:
		raw, offset = file.Scars, offsetOf(data, file.Scars)
	case err == nil && file.Title != "":
		list = []element{{Line: 1, Data: data}}
	}
	if list == nil {
		if list, err = elements(data, raw, offset); err != nil || err == nil && len(list) == 0 {
			return nil, []Refusal{{Path: name, Line: 1, Reason: "it holds no list of learnings"}}
		}
	}
	var things []Thing
	var refused []Refusal
	for _, e := range list {
		s := scar{}
		if err := json.Unmarshal(e.Data, &s); err != nil {
			refused = append(refused, Refusal{Path: name, Line: e.Line, ID: e.Key, Reason: "the learning cannot be read: " + err.Error()})
			continue
		}
		s.ID = orElse(s.ID, orElse(e.Key, knowledge.Slug(s.Title)))
		if reason := s.refusal(); reason != "" {
			refused = append(refused, Refusal{Path: name, Line: e.Line, ID: s.ID, Reason: reason})
			continue
		}
		things = append(things, s.thing(Source{Format: "gitmem", Path: name, Line: e.Line, ID: s.ID}))
	}
	return things, refused
}

func (s *scar) refusal() string {
	switch {
	case oneLine(s.Title) == "":
		return "it has no title"
	case oneLine(s.Text+s.Problem+s.Solution) == "":
		return "it has a title and nothing else"
	}
	return ""
}

func (s *scar) thing(from Source) Thing {
	t := Thing{Source: from, Kind: knowledge.KindLesson, Title: oneLine(s.Title), Date: date(orElse(s.SourceDate, s.CreatedAt))}
	t.Problem = oneLine(strings.Join([]string{orElse(s.Problem, s.Text), s.Why}, " "))
	t.Fix = oneLine(orElse(s.Solution, string(s.Protocol)))
	if t.Fix != string(s.Protocol) && s.Protocol != "" {
		t.Fix = strings.TrimSpace(t.Fix + " " + string(s.Protocol))
	}
	if s.Checks != "" {
		t.Fix = strings.TrimSpace(t.Fix + " Check: " + string(s.Checks))
	}
	for i, c := range s.Counter {
		if c = oneLine(c); c != "" {
			t.Problem += fmt.Sprintf(" Objection %d: %s.", i+1, strings.TrimSuffix(c, "."))
		}
	}
	kind := knowledge.Warning
	if strings.EqualFold(s.Type, "win") || strings.EqualFold(s.Type, "pattern") {
		kind = knowledge.PatternKind
	}
	t.Lesson = &knowledge.Lesson{
		Kind: kind, Action: knowledge.ActionAuto, Priority: priority(s.Severity), Status: knowledge.StatusActive, Confidence: 0.5,
		Tags: domainTags(s.Domain), Triggers: knowledge.Trigger{Keywords: words(s.Keywords)},
	}
	if s.Active != nil && !*s.Active {
		t.Lesson.Status = knowledge.StatusArchived
	}
	t.draft("it says in words when it applies, and no call is named: " + orElse(string(s.Applies), strings.Join(s.Keywords, ", ")))
	return t
}

// domainTags are tags of the fields of work that another tool names.
func domainTags(domains []string) []string {
	var tags []string
	for _, d := range domains {
		if slug := knowledge.Slug(d); strings.TrimSpace(d) != "" {
			tags = append(tags, "domain:"+slug)
		}
	}
	return sortedTags(tags)
}
