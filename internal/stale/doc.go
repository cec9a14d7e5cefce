// Package stale finds what knowledge names and the repository no longer has:
// files that are gone, identifiers that nothing mentions any more, targets that
// a manifest lost.
//
// Nothing is stored for it. A text vouches for what it names as of the commit
// that last changed it: what did not exist there was never a reference, and what
// existed there and is gone from HEAD is stale. So it works in every clone, for
// what people wrote too, and whoever edits an entry confirms it. Renames are
// followed; an identifier that moved to another file is not gone.
package stale
