// Package scan learns from agent sessions: it reads transcripts as streams of
// events, lets small detectors look for what went wrong and what was decided,
// and turns their findings into signals that join the observation log.
//
// # Nouns
//
// A [Source] gives the session files. A [Window] holds the last events of one
// file; a [Detector] looks at it after each event and yields findings. A finding
// becomes a [Candidate], which is what a person sees, and, where it is worth
// keeping, a knowledge.Signal, which is what the log takes.
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
