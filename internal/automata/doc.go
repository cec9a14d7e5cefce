// Package automata matches the regular expressions of package regexp, and says
// "no match" many times faster. A scan asks some hundred expressions of every event
// of a session, and the answer is nearly always no. That takes one table look-up for
// each byte here: the table is filled as texts need it (lazy construction of a
// deterministic automaton, as in RE2, https://swtch.com/~rsc/regexp/regexp3.html).
// Where a match is, and its groups, package regexp says.
//
//	pattern.go, set.go  what others use: one expression, or several asked of the same texts
//	literals.go         the strings of which a text must contain one
//	plan.go             expressions as instructions, and characters in classes that no instruction tells apart
//	automaton.go        the states that a text leads to
package automata
