// verdict Package verdict keeps what people did to artifacts, and says what it means for an
// observation.
package verdict

import (
	"time"

	"github.com/lessons-cli/lessons/knowledge"
)

// Event is one line of the ledger, which is append-only, local to the
// clone and may be lost.
type Event struct {
	Event      string    `json:"event"`              // seen, verdict, undone
	WorkTree   string    `json:"workTree,omitempty"` // hash of the work tree's git directory
	ID         string    `json:"observationId"`
	Type       string    `json:"type"`          // row type
	How        string    `json:"how,omitempty"` // committed, staged, uncommitted, command
	Commit     string    `json:"commit,omitempty"`
	By         string    `json:"by,omitempty"`
	At         time.Time `json:"at"`
	N          int       `json:"n,omitempty"` // evidence at the time of the verdict
	ContentKey string    `json:"key,omitempty"`
	Reason     string    `json:"reason,omitempty"`  // in the person's words
	Verdict    string    `json:"verdict,omitempty"` // of undone: which verdict (its commit, or its time when it has none)
}

// Key returns the identity of the artifact the event is about.
func (e Event) Key() knowledge.Key {
	return knowledge.Key{Observation: e.ID, Kind: knowledge.KindOf(e.Type)}
}

// View is what one work tree sees of the artifacts: the read-time join of
// manifest, ledger and git. It is computed by package reconcile and never
// written into an observation.
type View struct {
	Gone map[knowledge.Key]bool // verdict: removed here
	Lost map[knowledge.Key]bool // rendered, and gone before any commit had it; nobody's verdict
	Live map[knowledge.Key]bool // an artifact stands here
}

// Absent says whether the artifact of a row is not here and is not to be expected.
func (v View) Absent(k knowledge.Key) bool { return v.Gone[k] || v.Lost[k] }
