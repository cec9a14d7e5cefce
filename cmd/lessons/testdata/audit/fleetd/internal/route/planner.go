// Package route plans tours.
package route

import "sort"

// Stop is a place where something is delivered.
type Stop struct {
	Name   string
	Metres int // from the depot
	Litres int
}

// Plan is a tour.
type Plan struct {
	Stops  []Stop
	Litres int
}

// Planner plans tours for one capacity.
type Planner struct{ Capacity int }

// Build orders stops by distance and leaves out what does not fit.
func (p Planner) Build(stops []Stop) Plan {
	sorted := append([]Stop(nil), stops...)
	sort.SliceStable(sorted, func(i, j int) bool { return sorted[i].Metres < sorted[j].Metres })
	var plan Plan
	for _, s := range sorted {
		if plan.Litres+s.Litres <= p.Capacity {
			plan.Stops = append(plan.Stops, s)
			plan.Litres += s.Litres
		}
	}
	return plan
}
