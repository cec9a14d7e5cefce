// lesson Package lesson reads and writes lessons: their triggers, levels and scopes.
package lesson

// Kind is the form of a lesson's body (seed: process types).
type Kind string

const (
	Checklist   Kind = "checklist"
	Pattern     Kind = "pattern"
	Warning     Kind = "warning"
	Requirement Kind = "requirement"
)

// Lesson is one file in .lessons.
type Lesson struct {
	ID                                           string // ULID
	Kind                                         Kind
	Priority                                     int    // 1..10
	Status                                       string // draft, active, archived
	Confidence                                   float64
	Action                                       string // auto, inform, stop-once, ask, deny, rewrite
	Triggers                                     Trigger
	Examples                                     Examples // of the triggers
	Tags                                         []string
	Source                                       string // observation id, empty when hand-made without a row
	Created                                      string // YYYY-MM-DD
	ReviewedBy                                   string
	ReviewedAt                                   string
	Returned                                     string // after which removal it came back; a draft until a person acts
	Seen                                         Seen
	Nature                                       string   // of the problem that it is about; empty: unknown
	Quotes                                       []string // at most two, each at most 160 characters
	ValidFrom, ValidUntil, SupersededBy, Expires string

	Title    string // the H1
	Body     string // everything behind the H1, LF line ends
	Path     string // repository-relative
	BodyLine int    // 1-based line of the H1, or of the first line of a body without one

	// Unknown holds the top-level keys that this version does not know, each as
	// the lines of YAML that declare it.
	Unknown []UnknownKey
}

// UnknownKey is a key of front matter that is kept for whoever knows it.
type UnknownKey struct {
	Name string
	YAML string // "name: value" with everything that belongs to it, LF line ends
}

// Require is the key of front matter that makes a lesson a guard with one gate.
func Require(gate string, commands []string) UnknownKey {
	return UnknownKey{"require", "require:\n  " + gate + ": " + flowList(commands)}
}

// Statuses of lesson files.
const (
	Draft    = "draft"
	Active   = "active"
	Archived = "archived"
)

// Actions of lessons, from the mildest to the strongest.
const (
	ActionAuto     = "auto"
	ActionInform   = "inform"
	ActionStopOnce = "stop-once"
	ActionAsk      = "ask"
	ActionDeny     = "deny"
	ActionRewrite  = "rewrite"
)

const (
	maxQuotes     = 2
	maxQuoteRunes = 160
)
