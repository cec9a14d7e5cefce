package httpapi

import (
	"encoding/json"
	"net/http"

	"example.org/fleetd/internal/vehicle"
)

type assignRequest struct {
	Driver string `json:"driver"`
}

func (s *Server) assignDriver(w http.ResponseWriter, r *http.Request) {
	var req assignRequest
	if err := json.NewDecoder(r.Body).Decode(&req); err != nil {
		http.Error(w, "bad request", http.StatusBadRequest)
		return
	}
	if err := s.registry.Assign(r.Context(), vehicle.ID(r.PathValue("id")), req.Driver); err != nil {
		WriteProblem(w, err)
		return
	}
	w.WriteHeader(http.StatusNoContent)
}
