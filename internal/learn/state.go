package learn

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"

	"github.com/lessons-cli/lessons/knowledge/observe"
)

const stateVersion = 1

// maxTries is after how many runs without an answer that can be read an
// observation is left alone until its evidence changes.
const maxTries = 3

// State is what the model step remembers (learn-state.json in the clone's shared
// folder). What was phrased or rejected stands in the log; here is only what was
// spent, and what came to nothing.
//
// A run is counted before its program starts and the file is durable then, so no
// crash makes a run free. The batch that a crash or an interrupt cut off is
// tried once more without being counted again.
type State struct {
	Version int             `json:"version"`
	Day     string          `json:"day,omitempty"`  // of the runs, as the person's clock had it
	Runs    int             `json:"runs,omitempty"` // on that day
	Open    string          `json:"open,omitempty"` // batch that was begun and did not end
	Resumed bool            `json:"resumed,omitempty"`
	Away    map[string]Away `json:"away,omitempty"` // by observation
}

// Away is an observation for which no answer held.
type Away struct {
	Version string `json:"version"` // of its words and evidence
	Tries   int    `json:"tries"`
	Reason  string `json:"reason"`
}

// ParseState reads a state; nil or empty data is the empty one. The error says
// that a newer version wrote it, or that it is damaged; the state is empty then.
func ParseState(data []byte) (State, error) {
	s := State{Version: stateVersion}
	if len(bytes.TrimSpace(data)) == 0 {
		return s, nil
	}
	var read State
	if err := json.Unmarshal(data, &read); err != nil {
		return s, fmt.Errorf("cannot be read (%w): today's runs are counted from 0", err)
	}
	if read.Version > stateVersion {
		return s, &NewerError{read.Version}
	}
	read.Version = stateVersion
	return read, nil
}

// NewerError says that the state is of a version that this program must not
// write over.
type NewerError struct{ Version int }

func (e *NewerError) Error() string {
	return fmt.Sprintf("has version %d, which a newer lessons wrote", e.Version)
}

// Bytes is the state as it is stored.
func (s State) Bytes() []byte {
	data, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		panic(err) // texts and numbers always encode
	}
	return append(data, '\n')
}

// Left is how many runs the day still has.
func (s State) Left(day string, most int) int {
	if s.Day != day {
		return most
	}
	return max(most-s.Runs, 0)
}

// begin counts a run of a batch; false: the day has none left.
func (s *State) begin(key, day string, most int) bool {
	if s.Day != day {
		s.Day, s.Runs = day, 0
	}
	if s.Open == key && !s.Resumed {
		s.Resumed = true
		return true
	}
	if s.Runs >= most {
		return false
	}
	s.Runs++
	s.Open, s.Resumed = key, false
	return true
}

// end closes the batch that was begun.
func (s *State) end() { s.Open, s.Resumed = "", false }

func (s State) away(o *observe.Observation) bool {
	row, ok := s.Away[o.ID]
	return ok && row.Version == version(o) && row.Tries >= maxTries
}

// fail notes that nothing held for an episode of a batch; for good, when the
// answer could be read.
func (s *State) fail(id, version, reason string, forGood bool) {
	row := s.Away[id]
	if row.Version != version {
		row = Away{Version: version}
	}
	row.Tries++
	if forGood {
		row.Tries = maxTries
	}
	row.Reason = reason
	if s.Away = maps.Clone(s.Away); s.Away == nil {
		s.Away = map[string]Away{}
	}
	s.Away[id] = row
}

// Prune forgets rows of observations that are not there.
func (s *State) Prune(has func(id string) bool) {
	s.Away = maps.Clone(s.Away)
	maps.DeleteFunc(s.Away, func(id string, _ Away) bool { return !has(id) })
}
