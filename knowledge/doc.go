// Package knowledge is the domain of lessons: observations gathered from agent
// sessions, the artifacts rendered from them (ADR and PF entries, lessons,
// skills, slash commands), the manifest that registers them, and the verdicts
// that people give by editing and deleting.
//
// Everything here is deterministic: time, paths and randomness come in as
// values, and no agent, database, clock or process environment is known.
package knowledge
