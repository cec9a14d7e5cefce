// Package flow says what comes next where agents work through a list of features: one
// writes the list, one codes, one tests, and the main agent only hands on. It reads the
// feature list, checks hand-offs and measures summaries; nothing here does I/O.
package flow

// Where the files of a flow are, repository-relative.
const (
	ListPath  = ".claude/progress/feature-list.json"
	StatePath = ".claude/progress/session-state.json"
)

// The agents of a flow.
const (
	Initializer = "initializer-agent"
	Coder       = "coding-agent"
	Tester      = "tester-agent"
	Main        = "main"
)
