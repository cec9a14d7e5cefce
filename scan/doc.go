// Package scan learns from agent sessions: it reads transcripts as streams of
// events, lets small detectors look for what went wrong and what was decided,
// and turns their findings into signals that join the observation log.
//
// # Nouns
//
// A [Source] gives the session files. A [Window] holds the last events of one
// file; a [Detector] looks at it after each event and yields findings. A finding
// becomes a [Candidate], which is what a person sees, and, where it is worth
// keeping, a observe.Signal, which is what the log takes. What is derived of a
// [Step] is found out when a detector first asks for it (facts.go).
//
// # How a person's messages are read
//
// A [speech] is what the form of a message says: whether it reports, asks or
// orders, and how strongly it objects. Words prove nothing: a correction is the
// sum of the words, of what they answer to, and of what the agent does and says
// then ([proven]). A word that is missed belongs to cues.go or reply.go, with a
// dialogue of its own in testdata; the tables that are called heldout show
// whether a rule holds beyond the dialogue that asked for it, and are not tuned to.
//
// # Why any split gives the same log
//
// Detectors keep no state of their own: what they say about an event follows
// from the window alone, and the window is always the last events before it. So
// a scan that goes on where another stopped reads a bounded tail again to fill
// the window, and from there on finds exactly what a single scan would have
// found. Joining signals is commutative and idempotent, so files may come in any
// order and any number of times.
package scan
