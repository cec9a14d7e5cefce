// Command fleetd serves the fleet API.
package main

import (
	"context"
	"log/slog"
	"os"

	"example.org/fleetd/internal/clock"
	"example.org/fleetd/internal/config"
	"example.org/fleetd/internal/httpapi"
	"example.org/fleetd/internal/pg"
	"example.org/fleetd/internal/vehicle"
)

func main() {
	if err := run(context.Background()); err != nil {
		slog.Error("fleetd", "err", err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	cfg, err := config.Load()
	if err != nil {
		return err
	}
	db, err := pg.Open(ctx, cfg.DatabaseURL)
	if err != nil {
		return err
	}
	defer db.Close()
	registry := vehicle.NewRegistry(db, clock.System{})
	return httpapi.NewServer(cfg, registry).Serve(ctx)
}
