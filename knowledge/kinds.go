package knowledge

import (
	"bytes"
	"cmp"
	"fmt"
)

// Type is what an observation is about (seed self-learning, "Observation
// Types"). It decides which artifact the observation is rendered to.
type Type string

const (
	Workflow   Type = "workflow"   // a slash command
	Procedural Type = "procedural" // a skill
	Decision   Type = "decision"   // an ADR entry
	Pitfall    Type = "pitfall"    // a PF entry
)

// Kind is the kind of an artifact. Together with the observation id it is the
// identity of a rendered artifact: one observation may have several artifacts.
type Kind string

const (
	KindCommand Kind = "command"
	KindSkill   Kind = "skill"
	KindADR     Kind = "adr"
	KindPF      Kind = "pf"
	KindLesson  Kind = "lesson"
)

// Problem is something wrong in a stored file. Reading goes on behind it.
type Problem struct {
	Path string `json:"path"`           // repository-relative, or absolute outside of the work tree
	Line int    `json:"line,omitempty"` // 1-based; 0: the whole file
	Rule string `json:"rule"`           // a stable short name, such as "log-line"
	Text string `json:"text"`           // one sentence for a person

	Notice bool `json:"notice,omitempty"` // nothing is wrong: a person is to look at it
}

// Said is file, line and what is wrong, as compilers print it.
func (p Problem) Said() string { return Where(p.Path, p.Line) + ": " + p.Text }

// Compare puts problems in the order of files, lines and rules.
func (p Problem) Compare(q Problem) int {
	return cmp.Or(cmp.Compare(p.Path, q.Path), cmp.Compare(p.Line, q.Line), cmp.Compare(p.Rule, q.Rule))
}

// Key is the identity of a rendered artifact: observation id and kind.
type Key struct {
	Observation string
	Kind        Kind
}

// ParseError says why a file cannot be read. Line is 1-based; 0 means the whole
// file.
type ParseError struct {
	Path string
	Line int
	Text string
}

func (e *ParseError) Error() string {
	switch {
	case e.Path == "" && e.Line == 0:
		return e.Text
	case e.Path == "":
		return fmt.Sprintf("line %d: %s", e.Line, e.Text)
	}
	return Where(e.Path, e.Line) + ": " + e.Text
}

// LineAt is the 1-based line of a byte: the first for an offset before the data, the last
// for one behind it.
func LineAt(data []byte, offset int) int {
	return 1 + bytes.Count(data[:min(max(offset, 0), len(data))], []byte("\n"))
}

// Problem returns the error as a problem of the given rule.
func (e *ParseError) Problem(rule string) Problem {
	return Problem{Path: e.Path, Line: e.Line, Rule: rule, Text: e.Text}
}

// kindOf is the artifact to which observations of a type are rendered.
var kindOf = map[Type]Kind{Workflow: KindCommand, Procedural: KindSkill, Decision: KindADR, Pitfall: KindPF}

// KindOf maps a row's type to the kind of artifact.
func KindOf(rowType string) Kind {
	return cmp.Or(Type(rowType).Kind(), Kind(rowType))
}

// RowType is the inverse of [KindOf].
func RowType(k Kind) string {
	return cmp.Or(string(k.Type()), string(k))
}

// Kind is the artifact to which observations of the type are rendered.
func (t Type) Kind() Kind { return kindOf[t] }

// Type is the inverse of [Type.Kind]. A lesson has none.
func (k Kind) Type() Type {
	for t, kind := range kindOf {
		if kind == k {
			return t
		}
	}
	return ""
}
