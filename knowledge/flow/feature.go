package flow

import "strconv"

// Status is how far a feature is.
type Status string

const (
	Pending    Status = "pending"
	InProgress Status = "in_progress"
	Completed  Status = "completed" // coded; tested says whether it passed
	Blocked    Status = "blocked"
)

// Feature is one thing to build.
type Feature struct {
	ID          string `json:"id"`
	Description string `json:"description"`
	Status      Status `json:"status"`
	Tested      bool   `json:"tested"`
	Retry       int    `json:"retry"` // how often its tests failed
	LastFailure string `json:"last_failure"`
}

// Features reads a feature list; no bytes are a list that is not there.
func Features(file string, data []byte) ([]Feature, []Fault) {
	if data == nil {
		return nil, nil
	}
	var list struct {
		Features []Feature `json:"features"`
	}
	if faults := parse("feature-list", file, data, &list); len(faults) > 0 {
		return nil, faults
	}
	c := checker{file: file}
	first := map[string]int{}
	for i, f := range list.Features {
		at := pointer("/features", strconv.Itoa(i))
		if n, twice := first[f.ID]; twice {
			c.fault(pointer(at, "id"), "give each feature an id of its own", "%s is there twice: as feature %d and as feature %d", f.ID, n+1, i+1)
			continue
		}
		first[f.ID] = i
		if f.Tested && f.Status != Completed {
			c.fault(pointer(at, "tested"), `set "tested" to false, or "status" to "completed"`, "%s is tested, but its status is %s and not completed", f.ID, f.Status)
		}
	}
	if len(c.faults) > 0 {
		return nil, c.faults
	}
	return list.Features, nil
}
