// Package migrate reads what other tools wrote, and plans it into this
// repository: decisions, pitfalls, lessons, skills, commands and observations.
//
// Each format is one file with a reader, a pure function on the bytes of one
// file; [Formats] is the table of them. What is read are [Thing] values with
// their provenance, and what cannot be read are refusals with file and line.
// [NewPlan] turns things into one transaction. Importing again adds nothing: the
// id of a thing follows from where it came from and what it says, and rows,
// tombstones and the verdicts of people are respected.
//
// [Migrations] are about this tool's own files: numbered steps from an earlier
// state to today's, planned from what is there.
package migrate
