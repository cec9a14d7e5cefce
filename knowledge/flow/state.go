package flow

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
)

// State is where the work stands, as session-state.json says.
type State struct {
	State     string `json:"state"`
	FeatureID string `json:"feature_id"`
	Last      struct {
		Key  string `json:"idempotency_key"`
		Hash string `json:"sha256"`
	} `json:"last_handoff"`
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
func Recorded(state []byte, h Handoff) ([]byte, error) {
	all := map[string]any{}
	if state != nil {
		if err := json.Unmarshal(state, &all); err != nil {
			return nil, err
		}
	}
	all["state"], all["feature_id"] = stateOf[h.Command.Agent], h.Command.Context.Feature
	if log, _ := all["handoffs"].([]any); !h.Again {
		log = append(log, map[string]string{
			"idempotency_key": h.Key, "sha256": h.hash, "agent": h.Command.Agent, "feature_id": h.Command.Context.Feature, "next_agent": h.Command.Next,
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
