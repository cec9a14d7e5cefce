// Package migrate reads what other tools wrote, and plans it into this
// repository: decisions, pitfalls, lessons, skills, commands and observations.
//
// Each format is one Go file; [Formats] is the table of them. A format adds to a
// file what it finds there: [Thing] values with their provenance, and refusals
// with file and line. What formats have in common is in file.go (text, front
// matter, decoding) and jsonfile.go (lists and where their elements stand).
// [NewPlan] turns things into one transaction. Importing again adds nothing: the
// id of a thing follows from where it came from and what it says, and rows,
// tombstones and the verdicts of people are respected.
//
// [Migrations] are about this tool's own files: numbered steps from an earlier
// state to today's, planned from what is there.
package migrate
