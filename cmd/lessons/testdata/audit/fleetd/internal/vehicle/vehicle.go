// Package vehicle knows vehicles and who drives them.
package vehicle

import (
	"context"
	"errors"
	"fmt"

	"example.org/fleetd/internal/clock"
)

// ErrNotFound says that there is no such vehicle.
var ErrNotFound = errors.New("vehicle not found")

// ID names a vehicle.
type ID string

// Vehicle is a van or a truck.
type Vehicle struct {
	ID       ID
	Plate    string
	Capacity int // litres
	Driver   string
}

// Store is where vehicles are kept.
type Store interface {
	LoadVehicle(ctx context.Context, id ID) (Vehicle, error)
	SaveVehicle(ctx context.Context, v Vehicle) error
}

// Registry assigns drivers to vehicles.
type Registry struct {
	store Store
	clock clock.Clock
}

// NewRegistry returns a registry over a store.
func NewRegistry(s Store, c clock.Clock) *Registry { return &Registry{store: s, clock: c} }

// Assign gives a vehicle to a driver.
func (r *Registry) Assign(ctx context.Context, id ID, driver string) error {
	v, err := r.store.LoadVehicle(ctx, id)
	if err != nil {
		return fmt.Errorf("assign %s: %w", id, err)
	}
	v.Driver = driver
	return r.store.SaveVehicle(ctx, v)
}
