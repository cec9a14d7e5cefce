// Package httpapi serves the API.
package httpapi

import (
	"context"
	"net/http"

	"example.org/fleetd/internal/config"
	"example.org/fleetd/internal/vehicle"
)

// Server serves the API.
type Server struct {
	cfg      config.Config
	registry *vehicle.Registry
}

// NewServer returns a server.
func NewServer(cfg config.Config, r *vehicle.Registry) *Server { return &Server{cfg: cfg, registry: r} }

// Serve serves until the context ends.
func (s *Server) Serve(ctx context.Context) error {
	srv := &http.Server{Addr: s.cfg.Addr, Handler: s.routes(), ReadTimeout: s.cfg.RequestTimeout}
	go func() { <-ctx.Done(); _ = srv.Close() }()
	return srv.ListenAndServe()
}

func (s *Server) routes() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	mux.HandleFunc("POST /v1/vehicles/{id}/driver", s.assignDriver)
	return mux
}
