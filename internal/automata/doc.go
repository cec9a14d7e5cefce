// Package automata answers what package regexp answers, and says no many times
// faster. A scan asks some hundred expressions of every event of every session, and
// nearly always the answer is no: that takes one look at each byte here, by a table
// that is filled as texts need it (the lazy construction of deterministic automata,
// as in RE2, https://swtch.com/~rsc/regexp/regexp3.html).
//
//	reader.go, charset.go   an expression becomes instructions, as in package regexp/syntax
//	plan.go                 characters that no instruction tells apart become one class
//	automaton.go, table.go  the states that a text leads to, and where they lead with a class
//	finder.go, groups.go    where a match begins and ends, and its groups
//	pattern.go, set.go      what others use: one expression, or several asked of the same texts
//	implies.go              the proof that one expression may be asked before another
//
// What the reader does not know, such as \p{Greek}, is left to package regexp. The
// tests hold all answers against it, on drawn expressions and texts.
package automata
