package flow

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"time"
)

// State is where the work stands, as session-state.json says.
type State struct {
	State     string  `json:"state"`
	FeatureID string  `json:"feature_id"`
	Handoffs  []Noted `json:"handoffs"` // the newest last
	Last      struct {
		Key  string `json:"idempotency_key"`
		Hash string `json:"sha256"`
	} `json:"last_handoff"`
}

// Noted is a hand-off as the session state keeps it.
type Noted struct {
	Key      string    `json:"idempotency_key"`
	Hash     string    `json:"sha256"`
	Agent    string    `json:"agent"` // who is to do it
	Task     string    `json:"task,omitempty"`
	Feature  string    `json:"feature_id"`
	Previous string    `json:"previous_state,omitempty"`
	Next     string    `json:"next_agent"`
	Rollback string    `json:"rollback,omitempty"`
	Timeout  float64   `json:"timeout_seconds,omitempty"`
	At       time.Time `json:"at,omitzero"` // when it was noted
}

// hashes are of the hand-offs that had a key.
func (s State) hashes(key string) []string {
	var all []string
	if key == s.Last.Key {
		all = append(all, s.Last.Hash)
	}
	for _, n := range s.Handoffs {
		if n.Key == key {
			all = append(all, n.Hash)
		}
	}
	return all
}

// ReadState reads a session state; no bytes are one that is not there.
func ReadState(file string, data []byte) (s State, faults []Fault) {
	if data != nil {
		faults = parse("session-state", file, data, &s)
	}
	return s, faults
}

// stateOf is the state in which an agent's task leaves the work.
var stateOf = map[string]string{Initializer: "init", Coder: "coding", Tester: "testing", Main: "done"}

// maxHandoffs is how many hand-offs a session state keeps, the newest.
const maxHandoffs = 100

// Recorded is a session state with a hand-off noted in it; a retry is noted once. Fields of
// others stay.
func Recorded(state []byte, h Handoff, now time.Time) ([]byte, error) {
	all := map[string]any{}
	if state != nil {
		if err := json.Unmarshal(state, &all); err != nil {
			return nil, err
		}
	}
	all["state"], all["feature_id"] = stateOf[h.Command.Agent], h.Command.Context.Feature
	if log, _ := all["handoffs"].([]any); !h.Again {
		log = append(log, Noted{
			Key: h.Key, Hash: h.hash, Agent: h.Command.Agent, Task: h.Command.Task, Feature: h.Command.Context.Feature, Previous: h.Command.Context.Previous,
			Next: h.Command.Next, Rollback: h.Rollback, Timeout: h.Timeout, At: now.UTC().Truncate(time.Second),
		})
		all["handoffs"] = log[max(0, len(log)-maxHandoffs):]
	}
	all["last_handoff"] = map[string]string{"idempotency_key": h.Key, "sha256": h.hash}
	data, err := json.MarshalIndent(all, "", "  ")
	return append(data, '\n'), err
}

// hashOf names the content of a JSON document: white space and the order of its keys do
// not count.
func hashOf(data []byte) string {
	var value any
	if json.Unmarshal(data, &value) == nil {
		if canonical, err := json.Marshal(value); err == nil {
			data = canonical
		}
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}
