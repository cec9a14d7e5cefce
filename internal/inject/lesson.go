// Package inject finds the lessons that belong to what an agent is about to
// do. It is the half of delivery that runs inside hooks: it reads a compiled
// index (made by internal/inject/compile) at the few places that a tool call points to,
// and never Markdown, YAML or the whole index.
//
// It imports the standard library, a shell parser and a matcher of globs only: the
// size of a hook is its latency.
package inject

// Lesson is a lesson as the index holds it.
type Lesson struct {
	ID         string
	Kind       string
	Title      string
	Path       string // repository-relative
	Text       string // what the agent is shown
	Summary    string // the fallback when Text does not fit
	Fix        string // what to do instead, as one line; empty when none is known
	Source     string // observation id
	Priority   int    // 1..10, with what the repository's languages add
	Confidence int    // per mille
	Action     string // inform, after-failure, stop-once, ask, deny or rewrite: "auto" is resolved
	Unreviewed bool   // its action was lowered because nobody here trusts it yet
	Extra      string // what a guard needs besides; opaque to this package
	Skill      string // path of the skill that holds all lessons about its tool; empty: there is none
	Trigger    Trigger
}

// Kinds of what has no file: a notice tells of problems, whose ids are its source.
const (
	KindNotice = "notice" // with a path: about what is not there
	KindAfter  = "after"  // a notice that is told after a failure alone
	KindStart  = "start"  // told when a session starts, and at no call
	KindNeeded = "needed" // likewise: what has to be done first
)

// Notice says whether the lesson has no file and tells of problems at calls.
func (l Lesson) Notice() bool { return l.Kind == KindNotice || l.Kind == KindAfter }

// HasFile says whether it is a lesson, and no notice of any kind.
func (l Lesson) HasFile() bool { return !l.Notice() && l.Kind != KindStart && l.Kind != KindNeeded }

// Critical is the priority from which a lesson is never left out.
const Critical = 9

// Trigger says when a lesson applies: any element inside a slot, and all
// declared hard slots (tools, commands, command patterns, paths, content,
// agents) together.
type Trigger struct {
	Tools           []string  `json:",omitempty"`
	Commands        []Spec    `json:",omitempty"`
	Unless          []Unless  `json:",omitempty"`
	CommandPatterns []Pattern `json:",omitempty"`
	Paths           []string  `json:",omitempty"` // globs, repository-relative, or absolute
	Content         []Pattern `json:",omitempty"`
	Keywords        []string  `json:",omitempty"` // lower case
	Context         []string  `json:",omitempty"` // lower case
	Agents          []string  `json:",omitempty"`
	SeedPaths       []string  `json:",omitempty"` // globs as written, for [ScoringSeed]
}

// Broad says that no tool call can match the trigger: it names no command,
// path, content or agent, and no tool with a keyword.
func (t *Trigger) Broad() bool {
	return len(t.Commands)+len(t.CommandPatterns)+len(t.Paths)+len(t.Content)+len(t.Agents) == 0 &&
		(len(t.Tools) == 0 || len(t.Keywords)+len(t.Context) == 0)
}

// Spec is a command of a trigger, such as "go test -timeout=30". Flags match
// in any order, a value is compared when the spec gives one.
type Spec struct {
	Text     string
	Wrappers []string `json:",omitempty"` // programs that run it, such as sudo or python -m
	Program  string
	Sub      []string `json:",omitempty"` // sub-commands and target
	Flags    []string `json:",omitempty"` // "-x", or "--name=value"
	Passed   []string `json:",omitempty"` // those that are given to what the program runs
	Operands []string `json:",omitempty"`
	Env      []string `json:",omitempty"` // NAME=value
	Dir      string   `json:",omitempty"` // a glob: where an earlier cd leads
	From     *Spec    `json:",omitempty"` // whose output goes into it
}

// Unless is one condition that silences a lesson: a spec without program (its
// flags, operands and environment must be there), or a pattern.
type Unless struct {
	Spec    Spec
	Pattern Pattern // used when its source is not empty
}

// Pattern is an RE2 expression.
type Pattern struct {
	Source  string
	Literal string // text that every match contains; empty when none is known
	Word    string // whole word that every match contains; empty when none is known
	Cost    int    // instructions of the compiled program
}
