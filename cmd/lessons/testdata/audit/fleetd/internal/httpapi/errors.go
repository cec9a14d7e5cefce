package httpapi

import (
	"encoding/json"
	"errors"
	"net/http"

	"example.org/fleetd/internal/vehicle"
)

// problem is an RFC 9457 problem.
type problem struct {
	Title  string `json:"title"`
	Status int    `json:"status"`
}

// WriteProblem answers with a problem that fits the error.
func WriteProblem(w http.ResponseWriter, err error) {
	status := http.StatusInternalServerError
	if errors.Is(err, vehicle.ErrNotFound) {
		status = http.StatusNotFound
	}
	w.Header().Set("Content-Type", "application/problem+json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(problem{http.StatusText(status), status})
}
