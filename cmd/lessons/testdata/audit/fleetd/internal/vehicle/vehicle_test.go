package vehicle

import (
	"context"
	"testing"
	"time"

	"example.org/fleetd/internal/clock"
)

type memory map[ID]Vehicle

func (m memory) LoadVehicle(_ context.Context, id ID) (Vehicle, error) {
	v, ok := m[id]
	if !ok {
		return v, ErrNotFound
	}
	return v, nil
}

func (m memory) SaveVehicle(_ context.Context, v Vehicle) error { m[v.ID] = v; return nil }

func TestAssign(t *testing.T) {
	m := memory{"v1": {ID: "v1"}}
	r := NewRegistry(m, clock.Fixed(time.Unix(0, 0)))
	if err := r.Assign(context.Background(), "v1", "kim"); err != nil {
		t.Fatal(err)
	}
	if m["v1"].Driver != "kim" {
		t.Errorf("driver = %q", m["v1"].Driver)
	}
}
