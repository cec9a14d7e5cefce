// Package render turns observations that gathered enough evidence into the
// Markdown that people review: slash commands, skills, ADR and PF entries, and
// lessons.
//
// [NewPlan] is a function of its arguments alone: the same observations give the
// same bytes on every machine, in whatever order the log holds them. [Apply]
// stores a plan in one transaction. What a person edited is never overwritten,
// what a person deleted is not written again before twice the evidence is there.
package render
