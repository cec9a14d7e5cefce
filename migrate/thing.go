package migrate

import (
	"fmt"
	"path"
	"strings"
	"time"

	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/entry"
	"github.com/lessons-cli/lessons/knowledge/lesson"
	"github.com/lessons-cli/lessons/knowledge/observe"
)

// Source says where a thing came from.
type Source struct {
	Format string `json:"format"`         // name of the format
	Path   string `json:"path"`           // relative to the repository, or to the folder above what was named
	Line   int    `json:"line,omitempty"` // 1-based; 0: the whole file
	ID     string `json:"id"`             // what the other tool calls it: a file name, a number, a ULID
}

// String is the provenance as it is kept in the artifact: format, path, and the
// id where it says more than the path; the line where there is no id.
func (s Source) String() string {
	base := path.Base(s.Path)
	if s.ID == "" && s.Line > 0 {
		return s.Format + " " + s.Place()
	}
	if s.ID == "" || s.ID == base || s.ID == strings.TrimSuffix(base, path.Ext(base)) {
		return s.Format + " " + s.Path
	}
	return s.Format + " " + s.Path + " " + s.ID
}

// Place is file and line for a message.
func (s Source) Place() string {
	return knowledge.Where(s.Path, s.Line)
}

// Refusal is something that is not imported, and why.
type Refusal struct {
	Path   string `json:"path"`
	Line   int    `json:"line,omitempty"` // 1-based; 0: the whole file
	ID     string `json:"id,omitempty"`   // of one thing in the file
	Reason string `json:"reason"`
}

// Thing is one piece of knowledge out of another tool's file. Which parts are
// filled follows from its kind.
type Thing struct {
	Source Source
	Kind   knowledge.Kind // empty: an observation alone
	Title  string
	// Names are what other things of the same import call it: a file name, or
	// "ADR-5". They become links to the new entry.
	Names []string
	Date  time.Time // zero: not told
	// Status is of an entry: Accepted, Active, Proposed, Deprecated, Superseded or
	// Retired first, then what there is to say about it.
	Status string
	// Fields are those of an entry, without Date, Status and Source, in the order
	// in which they are written. Values are one line of Markdown.
	Fields []entry.Field
	// Lesson holds kind, priority, status, confidence, action, triggers and tags of
	// a lesson; Problem, Fix and Why are its text.
	Lesson  *lesson.Lesson
	Problem string
	Fix     string
	Why     string
	// File is the text of a skill or a slash command, Name its name.
	File []byte
	Name string
	// Observation is evidence that came along: count, dates, quotes. Nil: none.
	Observation *observe.Observation
	// Scope names the project that it is for, in the other tool's words; empty:
	// this one.
	Scope string
	// Identity is what the other tool knows it by, in whatever file it stands; two
	// things of one identity and kind are one. Empty: its words are its identity.
	Identity string
	// Rank orders things of one identity: the smallest is taken.
	Rank int
	// Number is the number of an entry at its source. It is kept where it is free.
	Number int
	// Notes say what was mapped how, beyond what the table in docs/import.md says.
	Notes []string
}

// ID is the observation id of a thing: it follows from where it came from and
// what it says, on every machine.
func (t Thing) ID() string {
	if t.Identity != "" {
		return knowledge.Digest("imp_", 12, t.Source.Format, t.Identity, string(t.Kind))
	}
	parts := []string{t.Source.Format, t.Source.ID, string(t.Kind), t.Title, t.Problem, t.Fix}
	for _, f := range t.Fields {
		parts = append(parts, f.Name, f.Value)
	}
	return knowledge.Digest("imp_", 12, append(parts, string(t.File))...)
}

// field adds a field to an entry unless it is empty.
func (t *Thing) field(name, value string) {
	if value = strings.TrimSpace(value); value != "" {
		t.Fields = append(t.Fields, entry.Field{Name: name, Value: value})
	}
}

func (t *Thing) note(format string, args ...any) {
	t.Notes = append(t.Notes, fmt.Sprintf(format, args...))
}

// lesson makes the thing a lesson that is shown at the calls of its triggers.
// Confidence is 0.5 where none is told.
func (t *Thing) lesson(kind lesson.Kind, priority int, trust *float64) {
	t.Kind = knowledge.KindLesson
	t.Lesson = &lesson.Lesson{Kind: kind, Action: lesson.ActionAuto, Priority: priority, Status: lesson.Active, Confidence: 0.5}
	if trust != nil {
		t.Lesson.Confidence = confidence(*trust)
	}
}

// draft makes a lesson wait for a person, unless it was put away.
func (t *Thing) draft(why string) {
	if t.Lesson.Status == lesson.Active {
		t.Lesson.Status = lesson.Draft
	}
	t.note("a draft: %s", why)
}

// paths adds the globs of patterns of paths to a lesson's trigger, and notes those
// that cannot be translated.
func (t *Thing) paths(patterns []string, translate func(string) ([]string, error)) {
	trigger := &t.Lesson.Triggers
	for _, pattern := range patterns {
		globs, err := translate(pattern)
		if err != nil {
			t.note("a pattern of paths is left out: %v", err)
		}
		trigger.Paths = append(trigger.Paths, globs...)
	}
	trigger.Paths = lists.With(nil, trigger.Paths...)
}

// contents adds JavaScript's patterns of contents to a lesson's trigger. There is
// no "unless" about contents.
func (t *Thing) contents(patterns []string) {
	for _, pattern := range patterns {
		if p, err := Translate(pattern, "", JavaScript); err == nil && len(p.Unless) == 0 {
			t.Lesson.Triggers.Content = append(t.Lesson.Triggers.Content, p.Source)
		} else {
			t.note("a pattern of contents is left out: %s", pattern)
		}
	}
}
