// Package knowledge holds the words that all its parts share: the types of
// observations and the kinds of artifacts, paths in a repository, hashes, markers,
// and what is wrong in a file. The parts are the packages below it.
//
// Everything in them is deterministic: time, paths and randomness come in as
// values, and no agent, database, clock or process environment is known.
package knowledge
