package migrate

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/entry"
	"github.com/lessons-cli/lessons/knowledge/lesson"
	"github.com/lessons-cli/lessons/knowledge/observe"
	"github.com/lessons-cli/lessons/knowledge/prose"
)

// agentMemory reads the database of agent-memory. Decisions become decisions;
// guidelines, facts and experiences become lessons, which name no call yet; what
// failed is counted as observations.
var agentMemory = Format{
	Name: "agent-memory", About: "the SQLite database of agent-memory: knowledge, guidelines, experiences, errors and tool outcomes",
	Places: []string{".agent-memory/memory.db", "data/memory.db"},
	Takes:  extension(".db", ".sqlite", ".sqlite3", ".json"),
	Detect: func(name string, head []byte) bool {
		if bytes.HasPrefix(head, []byte("SQLite format 3\x00")) && strings.Contains(name, "memory") {
			return true
		}
		return bytes.Contains(head, []byte("tool_outcomes")) || bytes.Contains(head, []byte("experience_versions"))
	},
	read: readAgentMemory,
	Tables: []string{
		"knowledge", "knowledge_versions", "guidelines", "guideline_versions", "experiences", "experience_versions", "tool_outcomes", "error_log",
	},
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

func readAgentMemory(f *file) {
	if !f.isJSON() {
		return
	}
	var database struct{ Tables map[string]json.RawMessage }
	if err := json.Unmarshal(f.data, &database); err != nil || len(database.Tables) == 0 {
		f.refuse(0, "", "it is no database of agent-memory")
		return
	}
	m := memoryFile{file: f, tables: database.Tables}
	m.rows("knowledge", "knowledge_versions", memoryRow.fact)
	m.rows("guidelines", "guideline_versions", memoryRow.guideline)
	m.rows("experiences", "experience_versions", memoryRow.experience)
	m.outcomes("tool_outcomes")
	m.outcomes("error_log")
	if len(f.things)+len(f.refused) == 0 {
		f.refuse(0, "", "it holds nothing")
	}
}

// memoryFile is a database being read. A row has no line: its table and its place
// there name it.
type memoryFile struct {
	*file
	tables map[string]json.RawMessage
}

// table lists the rows of a table.
func (m *memoryFile) table(name string) []element {
	var rows []json.RawMessage
	if raw := m.tables[name]; raw != nil {
		if err := json.Unmarshal(raw, &rows); err != nil {
			m.refuse(0, name, "the table cannot be read: "+err.Error())
		}
	}
	list := make([]element, len(rows))
	for i, raw := range rows {
		list[i] = element{Key: fmt.Sprintf("%s row %d", name, i+1), Data: raw}
	}
	return list
}

// rows reads a table with its versions; read fills the thing that a row becomes.
func (m *memoryFile) rows(table, versions string, read func(memoryRow, memoryVersion, *Thing)) {
	list := m.table(table)
	if m.tables[table] == nil {
		return
	}
	newest := m.versions(versions)
	for e, r := range decoded[memoryRow](m.file, list, "row") {
		v, ok := newest[r.Current]
		if !ok {
			v = newest["of "+r.ID]
		}
		t := Thing{Source: m.source(0, r.ID), Title: prose.OneLine(cmp.Or(r.Title, r.Name)), Date: date(cmp.Or(v.CreatedAt, r.CreatedAt))}
		switch {
		case r.ID == "" || t.Title == "":
			m.refuse(0, cmp.Or(r.ID, e.Key), "the row has no id or no title")
		case prose.OneLine(v.Content+v.Pattern) == "":
			m.refuse(0, r.ID, "no version of it has any text")
		case r.Scope == "session":
			m.refuse(0, r.ID, "it was for one session")
		default:
			read(*r, v, &t)
			m.add(t)
		}
	}
}

// versions returns all by their id, and the newest of each row under "of" and its
// id.
func (m *memoryFile) versions(table string) map[string]memoryVersion {
	all := map[string]memoryVersion{}
	for _, v := range decoded[memoryVersion](m.file, m.table(table), "row") {
		if v.ID != "" {
			all[v.ID] = *v
		}
		key := "of " + cmp.Or(v.Knowledge, cmp.Or(v.Guideline, v.Experience))
		if old, ok := all[key]; !ok || old.Number <= v.Number {
			all[key] = *v
		}
	}
	return all
}

// fact is a row of knowledge.
func (r memoryRow) fact(v memoryVersion, t *Thing) {
	gone := r.gone() || v.InvalidatedBy != ""
	if !strings.EqualFold(r.Category, "decision") {
		t.Problem = prose.OneLine(v.Content)
		v.lesson(t, lesson.Pattern, 5, gone)
		t.Lesson.Tags = sortedTags([]string{"category:" + prose.Slug(cmp.Or(r.Category, "fact"))})
		return
	}
	t.Kind, t.Status = knowledge.KindADR, "Accepted"
	if gone {
		t.Status = "Deprecated"
	}
	t.field(entry.FieldContext, prose.OneLine(v.Source))
	t.field(entry.FieldDecision, prose.OneLine(v.Content))
	t.field("Valid until", prose.OneLine(v.ValidUntil))
	t.Observation = &observe.Observation{Observations: 1, LastSeen: t.Date}
}

func (r memoryRow) gone() bool { return r.Active != nil && !bool(*r.Active) }

// guideline is a rule. What it forbids is kept as text: it is not known as a
// pattern.
func (r memoryRow) guideline(v memoryVersion, t *Thing) {
	t.Problem, t.Fix = prose.OneLine(v.Rationale), prose.OneLine(v.Content)
	level := 5
	if r.Priority != nil {
		level = priority(fmt.Sprint(*r.Priority / 10)) // theirs is from 0 to 100
	}
	v.lesson(t, lesson.Requirement, level, r.gone())
	var rules struct {
		Files   []string `json:"filePatterns"`
		Content []string `json:"contentPatterns"`
	}
	if json.Unmarshal([]byte(v.Rules), &rules) == nil {
		t.paths(rules.Files, Glob)
		t.contents(rules.Content)
	}
}

// experience is what an agent went through, or made of it.
func (r memoryRow) experience(v memoryVersion, t *Thing) {
	var problem []string
	for _, text := range []string{v.Scenario, v.Pattern, v.Outcome, v.Applies} {
		if text = prose.OneLine(text); text != "" {
			problem = append(problem, strings.TrimRight(text, ".")+".")
		}
	}
	if text := prose.OneLine(v.NotWhen); text != "" {
		problem = append(problem, "Not when: "+text)
	}
	t.Problem, t.Fix = strings.Join(problem, " "), prose.OneLine(v.Content)
	v.lesson(t, lesson.Pattern, 5, r.gone())
	if r.Category != "" {
		t.Lesson.Tags = sortedTags([]string{"category:" + prose.Slug(r.Category)})
	}
	t.Observation.Observations = min(max(r.Uses, 1), maxSeen)
	if last := date(r.LastUsedAt); !last.IsZero() {
		t.Observation.LastSeen = last
	}
}

// lesson makes a lesson of a thing: a draft, since no call is named.
func (v memoryVersion) lesson(t *Thing, kind lesson.Kind, level int, gone bool) {
	t.lesson(kind, level, v.Confidence)
	if gone {
		t.Lesson.Status = lesson.Archived
	}
	t.Observation = &observe.Observation{Observations: 1, LastSeen: t.Date}
	t.draft("nothing says at which calls it applies")
}

// outcomes counts what failed, by tool and message: one observation each.
func (m *memoryFile) outcomes(table string) {
	seen := map[string]*Thing{}
	passed := 0
	for _, o := range decoded[memoryOutcome](m.file, m.table(table), "row") {
		text := prose.OneLine(cmp.Or(o.Message, cmp.Or(o.Template, o.Text)))
		if o.Outcome == "success" || o.Outcome == "partial" || text == "" {
			passed++
			continue
		}
		title := strings.TrimSpace(o.Tool + " fails: " + prose.Shorten(text, 100))
		t := seen[title]
		if t == nil {
			t = &Thing{
				Source: m.source(0, table+" "+title), Title: title, Identity: table + " " + title,
				Observation: &observe.Observation{Type: knowledge.Pitfall, Details: observe.FormatDetails("area", o.Tool, "issue", text)},
			}
			seen[title] = t
		}
		t.Observation.Observations = min(t.Observation.Observations+max(o.Count, 1), maxSeen)
		t.Observation.FirstSeen = earlier(t.Observation.FirstSeen, date(cmp.Or(o.First, o.CreatedAt)))
		if last := date(cmp.Or(o.Last, o.CreatedAt)); last.After(t.Observation.LastSeen) {
			t.Observation.LastSeen = last
		}
	}
	for _, title := range slices.Sorted(maps.Keys(seen)) {
		m.add(*seen[title])
	}
	if passed > 0 {
		m.refuse(0, table, fmt.Sprintf("%d calls that went well, or that say nothing: there is nothing to learn from them", passed))
	}
}

// earlier is the first of two times, of which either may be none.
func earlier(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}
