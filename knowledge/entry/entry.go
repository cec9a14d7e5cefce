// entry Package entry reads, writes and merges the entries of decisions and pitfalls, in
// books or in files of their own.
package entry

import (
	"slices"
	"strconv"
	"strings"

	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/knowledge"
)

// Entry is one ADR or PF entry as it stands in a book or in a file of its own.
type Entry struct {
	Kind   knowledge.Kind // KindADR or KindPF
	Number int            // 1 for ADR-001
	Title  string         // heading text behind the number
	Fields []Field        // in order of appearance
	Source string         // observation id of the marker, empty when a person wrote it
	Path   string         // repository-relative, slashes
	Line   int            // 1-based line of the heading
	Start  int            // byte range of the section in its file, without the blank lines behind it
	End    int
	Text   []byte // the section's bytes, always with a line end
}

// Field is one "- **Name**: value" bullet.
type Field struct{ Name, Value string }

// Names of the bullets of an entry, in the order in which they are written.
const (
	FieldDate         = "Date"
	FieldStatus       = "Status"
	FieldContext      = "Context"
	FieldDecision     = "Decision"
	FieldBecause      = "Because"
	FieldConsequences = "Consequences"
	FieldArea         = "Area"
	FieldIssue        = "Issue"
	FieldImpact       = "Impact"
	FieldResolution   = "Resolution"
	FieldFormerly     = "Formerly" // display names that the entry had before it was renumbered
	FieldConflict     = "Conflict" // "Field: other version", left by a merge for a person to decide
	FieldSource       = "Source"
	FieldSeen         = "Seen"
	FieldQuote        = "Quote"
	FieldReturned     = "Returned" // after which removal it came back; a proposal until a person acts
)

// Statuses of entries as they are rendered.
const (
	StatusProposed = "Proposed" // one session said so: nobody is held to it yet
	StatusAccepted = "Accepted"
	StatusActive   = "Active" // of a pitfall
)

// ID returns the display name, such as ADR-007. It is never an identity.
func (e Entry) ID() string { return ID(e.Kind, e.Number) }

// Place is where the entry stands, as path#ADR-007.
func (e Entry) Place() string { return knowledge.Place(e.Path, e.ID()) }

// Field returns the value of the first bullet of that name, whatever its case.
func (e Entry) Field(name string) string {
	f, _ := lists.Find(e.Fields, func(f Field) bool { return strings.EqualFold(f.Name, name) })
	return f.Value
}

// Status returns the status as it is written, or the empty text.
func (e Entry) Status() string { return e.Field(FieldStatus) }

// WithStatus returns the entry as if it had another status.
func (e Entry) WithStatus(status string) Entry {
	e.Fields = slices.Clone(e.Fields)
	for i, f := range e.Fields {
		if strings.EqualFold(f.Name, FieldStatus) {
			e.Fields[i].Value = status
			break
		}
	}
	return e
}

// Active says whether the entry counts and is shown in the index.
func (e Entry) Active() bool { return IsActive(e.Status()) }

// IsActive says whether agents are held to an entry of that status. One that is
// missing or not known is active: only a person's word retires an entry.
func IsActive(status string) bool { return standing(status) == 1 }

// IsProposed says whether a status waits for a second session or a person's word.
func IsProposed(status string) bool { return standing(status) == 0 }

// KnownStatus says whether a status begins with a word that readers know.
func KnownStatus(status string) bool {
	return standing(status) != 1 || slices.Contains([]string{"accepted", "active", "decided", "implemented", "amended"}, firstWord(status))
}

// firstWord is the first word of a status, without the marks around it.
func firstWord(status string) string {
	word, _, _ := strings.Cut(strings.ToLower(strings.TrimLeft(status, " *_`~")), " ")
	return strings.Trim(word, ".,;:()*_`~")
}

// standing orders statuses: proposed, in force, retired.
func standing(status string) int {
	switch firstWord(status) {
	case "proposed":
		return 0
	case "deprecated", "superseded", "retired", "rejected":
		return 2
	}
	return 1
}

// CountProposed counts the entries that nobody is held to yet.
func CountProposed(entries []Entry) int {
	return lists.Count(entries, func(e Entry) bool { return IsProposed(e.Status()) })
}

// CountActive counts the entries that the index shows.
func CountActive(entries []Entry) int {
	return lists.Count(entries, Entry.Active)
}

// ID writes an entry's display name with at least three digits.
func ID(kind knowledge.Kind, number int) string {
	digits := strconv.Itoa(number)
	return prefix(kind) + "-" + "000"[min(3, len(digits)):] + digits
}

func prefix(kind knowledge.Kind) string {
	if kind == knowledge.KindPF {
		return "PF"
	}
	return "ADR"
}

// ParseID reads a display name with any number of digits.
func ParseID(id string) (knowledge.Kind, int, bool) {
	for _, kind := range []knowledge.Kind{knowledge.KindADR, knowledge.KindPF} {
		digits, ok := strings.CutPrefix(id, prefix(kind)+"-")
		if !ok {
			continue
		}
		if n, ok := readNumber(digits); ok {
			return kind, n, true
		}
	}
	return "", 0, false
}

// readNumber reads the digits of an entry's number; nine are the most.
func readNumber(digits string) (int, bool) {
	if digits == "" || len(digits) > 9 || strings.Trim(digits, "0123456789") != "" {
		return 0, false
	}
	n, err := strconv.Atoi(digits)
	return n, err == nil
}

// MaxNumber returns the greatest number that was ever used for the kind by the
// entries and by the anchors (of tombstones, rows and history), or 0. The next
// entry has the number after it: numbers are never used again.
func MaxNumber(kind knowledge.Kind, entries []Entry, anchors ...string) int {
	greatest := 0
	for _, e := range entries {
		if e.Kind == kind {
			greatest = max(greatest, e.Number)
		}
	}
	for _, a := range anchors {
		if k, n, ok := ParseID(a); ok && k == kind {
			greatest = max(greatest, n)
		}
	}
	return greatest
}
