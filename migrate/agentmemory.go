package migrate

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/lessons-cli/lessons/knowledge"
)

// agentMemory reads the database of agent-memory. Decisions become decisions;
// guidelines, facts and experiences become lessons, which name no call yet; what
// failed is counted as observations.
func agentMemory() Format {
	return Format{
		Name: "agent-memory", About: "the SQLite database of agent-memory: knowledge, guidelines, experiences, errors and tool outcomes",
		Places: []string{".agent-memory/memory.db", "data/memory.db"},
		Takes:  extension(".db", ".sqlite", ".sqlite3", ".json"),
		Detect: func(name string, head []byte) bool {
			if bytes.HasPrefix(head, []byte("SQLite format 3\x00")) && strings.Contains(name, "memory") {
				return true
			}
			return bytes.Contains(head, []byte("tool_outcomes")) || bytes.Contains(head, []byte("experience_versions"))
		},
		Read: readAgentMemory,
		Tables: []string{
			"knowledge", "knowledge_versions", "guidelines", "guideline_versions", "experiences", "experience_versions", "tool_outcomes", "error_log",
		},
	}
}

// memoryRow is a row of any of the tables, and of the newest version of it.
type memoryRow struct {
	ID         string   `json:"id"`
	Scope      string   `json:"scope_type"`
	Title      string   `json:"title"`
	Name       string   `json:"name"`
	Category   string   `json:"category"`
	Level      string   `json:"level"`
	Current    string   `json:"current_version_id"`
	Active     *truth   `json:"is_active"`
	Priority   *float64 `json:"priority"`
	CreatedAt  string   `json:"created_at"`
	Uses       int      `json:"use_count"`
	LastUsedAt string   `json:"last_used_at"`
}

// memoryVersion is what a row says at one time.
type memoryVersion struct {
	ID            string   `json:"id"`
	Knowledge     string   `json:"knowledge_id"`
	Guideline     string   `json:"guideline_id"`
	Experience    string   `json:"experience_id"`
	Number        int      `json:"version_num"`
	Content       string   `json:"content"`
	Rationale     string   `json:"rationale"`
	Source        string   `json:"source"`
	Scenario      string   `json:"scenario"`
	Outcome       string   `json:"outcome"`
	Pattern       string   `json:"pattern"`
	Applies       string   `json:"applicability"`
	NotWhen       string   `json:"contraindications"`
	Confidence    *float64 `json:"confidence"`
	ValidUntil    string   `json:"valid_until"`
	InvalidatedBy string   `json:"invalidated_by"`
	Rules         string   `json:"verification_rules"`
	CreatedAt     string   `json:"created_at"`
}

// memoryOutcome is a call of a tool, or an error with how often it came.
type memoryOutcome struct {
	ID        string `json:"id"`
	Tool      string `json:"tool_name"`
	Outcome   string `json:"outcome"`
	Kind      string `json:"outcome_type"`
	ErrorKind string `json:"error_type"`
	Message   string `json:"message"`
	Text      string `json:"error_message"`
	Template  string `json:"error_message_template"`
	Count     int    `json:"occurrence_count"`
	CreatedAt string `json:"created_at"`
	First     string `json:"first_occurrence"`
	Last      string `json:"last_occurrence"`
}

// truth is a boolean, which SQLite has as 0 or 1.
type truth bool

func (t *truth) UnmarshalJSON(data []byte) error {
	*t = string(data) != "0" && string(data) != "false"
	return nil
}

func readAgentMemory(name string, data []byte) ([]Thing, []Refusal) {
	if bad := checkJSON(name, data); bad != nil {
		return nil, []Refusal{*bad}
	}
	var file struct {
		Tables map[string]json.RawMessage `json:"tables"`
	}
	if err := json.Unmarshal(data, &file); err != nil || len(file.Tables) == 0 {
		return nil, []Refusal{{Path: name, Reason: "it is no database of agent-memory"}}
	}
	m := memoryFile{name: name, tables: file.Tables}
	m.rows("knowledge", "knowledge_versions", m.fact)
	m.rows("guidelines", "guideline_versions", m.guideline)
	m.rows("experiences", "experience_versions", m.experience)
	m.outcomes("tool_outcomes")
	m.outcomes("error_log")
	if len(m.things)+len(m.refused) == 0 {
		m.refuse("", "it holds nothing")
	}
	return m.things, m.refused
}

// memoryFile is a database being read.
type memoryFile struct {
	name    string
	tables  map[string]json.RawMessage
	things  []Thing
	refused []Refusal
}

func (m *memoryFile) refuse(id, reason string) {
	m.refused = append(m.refused, Refusal{Path: m.name, ID: id, Reason: reason})
}

// rows reads a table with its versions.
func (m *memoryFile) rows(table, versions string, make func(memoryRow, memoryVersion, *Thing) string) {
	var list []json.RawMessage
	if raw := m.tables[table]; raw == nil {
		return
	} else if err := json.Unmarshal(raw, &list); err != nil {
		m.refuse(table, "the table cannot be read: "+err.Error())
		return
	}
	newest := m.versions(versions)
	for i, raw := range list {
		r := memoryRow{}
		if err := json.Unmarshal(raw, &r); err != nil {
			m.refuse(fmt.Sprintf("%s row %d", table, i+1), "the row cannot be read: "+err.Error())
			continue
		}
		v, ok := newest[r.Current]
		if !ok {
			v = newest["of "+r.ID]
		}
		t := Thing{Source: Source{Format: "agent-memory", Path: m.name, ID: r.ID}, Title: oneLine(orElse(r.Title, r.Name)), Date: date(orElse(v.CreatedAt, r.CreatedAt))}
		reason := ""
		switch {
		case r.ID == "" || t.Title == "":
			reason = "the row has no id or no title"
		case oneLine(v.Content+v.Pattern) == "":
			reason = "no version of it has any text"
		case r.Scope == "session":
			reason = "it was for one session"
		default:
			reason = make(r, v, &t)
		}
		if reason != "" {
			m.refuse(orElse(r.ID, fmt.Sprintf("%s row %d", table, i+1)), reason)
			continue
		}
		m.things = append(m.things, t)
	}
}

// versions returns all by their id, and the newest of each row under "of" and its
// id.
func (m *memoryFile) versions(table string) map[string]memoryVersion {
	all := map[string]memoryVersion{}
	var list []json.RawMessage
	if raw := m.tables[table]; raw != nil && json.Unmarshal(raw, &list) != nil {
		m.refuse(table, "the table cannot be read")
	}
	for i, raw := range list {
		v := memoryVersion{}
		if err := json.Unmarshal(raw, &v); err != nil {
			m.refuse(fmt.Sprintf("%s row %d", table, i+1), "the row cannot be read: "+err.Error())
			continue
		}
		if v.ID != "" {
			all[v.ID] = v
		}
		key := "of " + orElse(v.Knowledge, orElse(v.Guideline, v.Experience))
		if old, ok := all[key]; !ok || old.Number <= v.Number {
			all[key] = v
		}
	}
	return all
}

// fact is a row of knowledge.
func (m *memoryFile) fact(r memoryRow, v memoryVersion, t *Thing) string {
	gone := r.Active != nil && !bool(*r.Active) || v.InvalidatedBy != ""
	if !strings.EqualFold(r.Category, "decision") {
		t.Problem = oneLine(v.Content)
		m.lesson(t, knowledge.PatternKind, 5, v.Confidence, gone)
		t.Lesson.Tags = sortedTags([]string{"category:" + knowledge.Slug(orElse(r.Category, "fact"))})
		return ""
	}
	t.Kind, t.Status = knowledge.KindADR, "Accepted"
	if gone {
		t.Status = "Deprecated"
	}
	t.field(knowledge.FieldContext, oneLine(v.Source))
	t.field(knowledge.FieldDecision, oneLine(v.Content))
	t.field("Valid until", oneLine(v.ValidUntil))
	t.Observation = &knowledge.Observation{Observations: 1, LastSeen: t.Date}
	return ""
}

// guideline is a rule. What it forbids is kept as text: it is not known as a
// pattern.
func (m *memoryFile) guideline(r memoryRow, v memoryVersion, t *Thing) string {
	t.Problem, t.Fix = oneLine(v.Rationale), oneLine(v.Content)
	level := 5
	if r.Priority != nil {
		level = priority(fmt.Sprint(*r.Priority / 10)) // theirs is from 0 to 100
	}
	gone := r.Active != nil && !bool(*r.Active)
	m.lesson(t, knowledge.Requirement, level, v.Confidence, gone)
	var rules struct {
		Files   []string `json:"filePatterns"`
		Content []string `json:"contentPatterns"`
	}
	if json.Unmarshal([]byte(v.Rules), &rules) != nil {
		return ""
	}
	trigger := &t.Lesson.Triggers
	for _, f := range rules.Files {
		globs, err := Glob(f)
		if err != nil {
			t.note("a pattern of paths is left out: %v", err)
		}
		trigger.Paths = append(trigger.Paths, globs...)
	}
	for _, c := range rules.Content {
		p, err := Translate(c, "", JavaScript)
		if err != nil || len(p.Unless) > 0 {
			t.note("a pattern of contents is left out: %s", c)
			continue
		}
		trigger.Content = append(trigger.Content, p.Source)
	}
	trigger.Paths = unique(trigger.Paths)
	return ""
}

// experience is what an agent went through, or made of it.
func (m *memoryFile) experience(r memoryRow, v memoryVersion, t *Thing) string {
	var problem []string
	for _, text := range []string{v.Scenario, v.Pattern, v.Outcome, v.Applies} {
		if text = oneLine(text); text != "" {
			problem = append(problem, strings.TrimRight(text, ".")+".")
		}
	}
	if text := oneLine(v.NotWhen); text != "" {
		problem = append(problem, "Not when: "+text)
	}
	t.Problem, t.Fix = strings.Join(problem, " "), oneLine(v.Content)
	m.lesson(t, knowledge.PatternKind, 5, v.Confidence, r.Active != nil && !bool(*r.Active))
	if r.Category != "" {
		t.Lesson.Tags = sortedTags([]string{"category:" + knowledge.Slug(r.Category)})
	}
	t.Observation.Observations = min(max(r.Uses, 1), maxSeen)
	if last := date(r.LastUsedAt); !last.IsZero() {
		t.Observation.LastSeen = last
	}
	return ""
}

// lesson makes a lesson of a thing: a draft, since no call is named.
func (m *memoryFile) lesson(t *Thing, kind knowledge.LessonKind, level int, trust *float64, gone bool) {
	t.Kind = knowledge.KindLesson
	t.Lesson = &knowledge.Lesson{Kind: kind, Action: knowledge.ActionAuto, Priority: level, Status: knowledge.StatusActive, Confidence: 0.5}
	if trust != nil {
		t.Lesson.Confidence = confidence(*trust)
	}
	if gone {
		t.Lesson.Status = knowledge.StatusArchived
	}
	t.Observation = &knowledge.Observation{Observations: 1, LastSeen: t.Date}
	t.draft("nothing says at which calls it applies")
}

// outcomes counts what failed, by tool and message: one observation each.
func (m *memoryFile) outcomes(table string) {
	var list []json.RawMessage
	if raw := m.tables[table]; raw == nil {
		return
	} else if err := json.Unmarshal(raw, &list); err != nil {
		m.refuse(table, "the table cannot be read: "+err.Error())
		return
	}
	seen := map[string]*Thing{}
	var order []string
	passed := 0
	for i, raw := range list {
		o := memoryOutcome{}
		if err := json.Unmarshal(raw, &o); err != nil {
			m.refuse(fmt.Sprintf("%s row %d", table, i+1), "the row cannot be read: "+err.Error())
			continue
		}
		text := oneLine(orElse(o.Message, orElse(o.Template, o.Text)))
		if o.Outcome == "success" || o.Outcome == "partial" || text == "" {
			passed++
			continue
		}
		title := strings.TrimSpace(o.Tool + " fails: " + cutText(text, 100))
		t := seen[title]
		if t == nil {
			t = &Thing{
				Source: Source{Format: "agent-memory", Path: m.name, ID: table + " " + title}, Title: title, Identity: table + " " + title,
				Observation: &knowledge.Observation{Type: knowledge.Pitfall, Details: knowledge.FormatDetails("area", o.Tool, "issue", text)},
			}
			seen[title] = t
			order = append(order, title)
		}
		t.Observation.Observations = min(t.Observation.Observations+max(o.Count, 1), maxSeen)
		t.Observation.FirstSeen = earlier(t.Observation.FirstSeen, date(orElse(o.First, o.CreatedAt)))
		if last := date(orElse(o.Last, o.CreatedAt)); last.After(t.Observation.LastSeen) {
			t.Observation.LastSeen = last
		}
	}
	slices.Sort(order)
	for _, title := range order {
		m.things = append(m.things, *seen[title])
	}
	if passed > 0 {
		m.refuse(table, fmt.Sprintf("%d calls that went well, or that say nothing: there is nothing to learn from them", passed))
	}
}

// cutText shortens a text to so many runes.
func cutText(text string, runes int) string {
	if all := []rune(text); len(all) > runes {
		return strings.TrimSpace(string(all[:runes-1])) + "…"
	}
	return text
}

// earlier is the first of two times, of which either may be none.
func earlier(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}
