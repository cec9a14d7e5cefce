// manifest Package manifest registers what was rendered and what people removed of it.
package manifest

import (
	"time"

	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/internal/fields"
)

// Row registers one rendered artifact. It is immutable
// until the tool renders again: ContentHash is that of the text the tool wrote,
// never that of an edit.
type Row struct {
	ObservationID string    `json:"observationId"`
	Type          string    `json:"type"` // workflow, procedural, decision, pitfall (devflow's words) or lesson
	Path          string    `json:"path"` // repository-relative, slashes
	Anchor        string    `json:"anchor,omitempty"`
	ContentHash   string    `json:"contentHash"`
	RenderedAt    time.Time `json:"renderedAt"` // the observation's last_seen
	N             int       `json:"n,omitempty"`
	ContentKey    string    `json:"key,omitempty"`       // the same knowledge learned under another observation id
	Copies        []string  `json:"copies,omitempty"`    // published copies: never rows of their own
	Published     string    `json:"published,omitempty"` // hash of the copies' text where it is not ContentHash: the source was edited
	Status        string    `json:"status,omitempty"`    // of a lesson or a proposal as it was rendered: another one is a person's
	Priority      int       `json:"priority,omitempty"`  // likewise
	Words         string    `json:"words,omitempty"`     // of a lesson, a hash of what it said when it was rendered
	Rev           int       `json:"rev,omitempty"`
	Title         string    `json:"title,omitempty"`
	Formerly      []string  `json:"formerly,omitempty"` // anchors of earlier generations: never given out again
}

// Tombstone is a row whose artifact people removed, published for every clone.
type Tombstone struct {
	Row
	Commit string `json:"commit,omitempty"` // a hint; a rewrite of history may remove it
	By     string `json:"by,omitempty"`
	At     string `json:"at,omitempty"`  // RFC 3339, of the deleting commit
	How    string `json:"how,omitempty"` // committed or command
}

// Manifest registers what the tool rendered and what people removed. Members
// that this version does not know survive, in the file and in every row.
// The zero value is an empty manifest.
type Manifest struct {
	Rows       []Row       // at most one a key
	Tombstones []Tombstone // at most one a key

	// Base are the files that it was loaded from, by path; nil: it was made here.
	// It travels with the manifest and its copies.
	Base map[string][]byte

	raw     []byte         // what it was read from, for an unchanged manifest
	newer   bool           // of a newer version: never written otherwise than it was read
	unknown fields.Unknown // members of the file
	extra   map[rowPlace]fields.Unknown
}

// rowPlace names one row or tombstone.
type rowPlace struct {
	key  knowledge.Key
	tomb bool
}

// Place names the row's artifact to people.
func (r Row) Place() string { return knowledge.Place(r.Path, r.Anchor) }

// Key returns the row's identity.
func (r Row) Key() knowledge.Key {
	return knowledge.Key{Observation: r.ObservationID, Kind: knowledge.KindOf(r.Type)}
}
