// Package learn is the optional model step: it plans which episodes a language
// model is asked about, writes the prompt (prompt.md), and takes of the answer
// (answer.schema.json) only what can be checked.
//
// A model may give title and wording, say which episodes are about the same thing
// or say what is known, choose a trigger of those that history allows, and find
// an episode worth nothing. It never sets a count, a type or a status: those stay
// with the detectors, with [observe.Promote] and with the history of calls. Everything
// that leaves is redacted once more, and what comes back is a value; processes, files
// and the clock belong to the caller.
package learn
