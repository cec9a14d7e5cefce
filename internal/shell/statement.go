package shell

// statement is a statement of a line, in the form in which all readers give it.
type statement struct {
	kind       kind
	parts      []statement // of which it consists, in the order of the text
	inside     []statement // that are substituted in its words
	joined     string      // how a part of a chain hangs on the one before: "&&" or "||"
	negated    bool
	background bool

	source    string   // as written, without the bodies of heredocs
	redirects []string // the files that they name
	stdin     string   // of a heredoc or a here-string
	assigns   []string
	words     []word // of a simple command; those of export are its operands
	name      string // of a function, or the word that declares
}

type kind uint8

const (
	simple       kind = iota // a simple command, or assignments alone
	declaration              // export A=1 and its like
	list                     // one after the other
	subshell                 // a list that keeps what it changes to itself
	substitution             // the list of $(…) or <(…)
	chain                    // joined by && and ||
	pipeline
	condition // if: condition, what follows, and perhaps what else
	loop      // its last part is the body
	test      // [[ … ]]
	function
	quiet // it has no status of its own that matters: ((…)), let
	other // its status can be that of any part
)
