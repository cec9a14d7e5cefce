package scan

import (
	"sync"

	"github.com/lessons-cli/lessons/internal/automata"
)

// How a sentence of a person stands to what the agent did.
const (
	rebuke automata.Members = 1 << iota
	anger
	doubt
	preference
	comparison
	observation
	confirmation
	confirmationTag
	swapWords
)

// What it says of its state.
const (
	breakage automata.Members = 1 << iota
	negation
	subjectWords
	unwanted
	pastedLine
)

// How it begins.
const (
	repairOrder automata.Members = 1 << iota
	doingQuestion
	explanation
	politeOrder
	imperative
	wish
	inquiry
)

// What a message can hold.
const (
	acceptance automata.Members = 1 << iota
	retraction
	exploration
	redoOrder
	planHeading
)

// speechPatterns are compiled on first use. Sets hold what is asked of every
// sentence and message. What reaches far within one is no member of a set: it would
// multiply the states of all others.
type speechPatterns struct {
	stance, trouble, opening, message *automata.Set

	emphatic, preferring, sinceBefore, inquiring *automata.Pattern // that reach far
	opener, contrast, denial, turn, item         *automata.Pattern
	broken, negated, subject, wants              *automata.Pattern // of a sentence, but for some words
	approves, affirms, pasted, offers            *automata.Pattern
	goesOn, asks, settles, clarify               *automata.Pattern
}

var personPatterns = sync.OnceValue(func() *speechPatterns {
	p := phrasebook.Pattern
	return &speechPatterns{
		stance: phrasebook.Set(map[automata.Members]string{
			rebuke: "rebuke", anger: "anger", doubt: "doubt", preference: "preference", comparison: "comparison",
			observation: "observation", confirmation: "confirmation", confirmationTag: "confirmationTag", swapWords: "swapWords",
		}),
		trouble: phrasebook.Set(map[automata.Members]string{
			breakage: "breakage", negation: "negation", subjectWords: "subjectWords", unwanted: "unwanted", pastedLine: "pastedLine",
		}),
		opening: phrasebook.Set(map[automata.Members]string{
			repairOrder: "repairOrder", doingQuestion: "doingQuestion", explanation: "explanation", politeOrder: "politeOrder",
			imperative: "imperative", wish: "wish", inquiry: "inquiry",
		}),
		message: phrasebook.Set(map[automata.Members]string{
			acceptance: "acceptance", retraction: "retraction", exploration: "exploration", redoOrder: "redoOrder", planHeading: "planHeading",
		}),
		emphatic: p("emphatic"), preferring: p("preferring"), sinceBefore: p("sinceBefore"), inquiring: p("inquiring"),
		opener: p("opener"), contrast: p("contrast"), denial: p("denial"), turn: p("turn"), item: p("item"),
		broken: p("breakage"), negated: p("negation"), subject: p("subjectWords"), wants: p("unwanted"),
		approves: p("approves"), affirms: p("affirms"), pasted: p("pastedLine"), offers: p("offers"),
		goesOn: p("goesOn"), asks: p("asks"), settles: p("settles"), clarify: p("clarify"),
	}
})
