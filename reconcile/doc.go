// Package reconcile tells, for each row of the manifest, what a person did to
// the artifact, with git as the witness: left it alone, edited it, moved it,
// removed it, or nothing that this work tree could know of.
//
// A row without its artifact already records a deletion; the verdict is derived
// from git each time and is not a mutation that must happen at the right
// moment. Absence proves nothing without a removal: a commit or a staged change
// that took the artifact away, or this work tree's own memory of having seen it
// together with the proof that no commit anywhere has it.
//
// The package is built in three layers. What stands in the work tree is read
// through package fsx ([workTree]); git's facts are gathered in batches, each
// only when some row needs it, in the order that costs fewest processes
// (facts*.go); the decisions are pure functions from evidence to an answer or to
// the next fact that is needed (decide_*.go, one step of the procedure each).
//
// [Run] writes nothing. It returns ledger events to append, a memo to store in
// the git directory and a [verdict.View]; [PlanManifest] turns its report into
// the manifest that a command which writes the work tree anyway should store.
package reconcile
