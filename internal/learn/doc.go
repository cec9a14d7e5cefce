// Package learn is the optional model step: it plans which observations a
// language model is asked to name and phrase, writes the prompt, and takes of
// the answer only what can be checked (algorithms section 9).
//
// A model may give a title, wording and a judgement of quality. It never sets a
// count, a trigger, a type or a status: those stay with the detectors and with
// [observe.Promote]. Everything that leaves is redacted once more, and what
// comes back is a value; processes, files and the clock belong to the caller.
package learn
