package route

import "testing"

func TestBuildLeavesOutWhatDoesNotFit(t *testing.T) {
	plan := Planner{Capacity: 10}.Build([]Stop{{"b", 20, 8}, {"a", 10, 5}})
	if len(plan.Stops) != 1 || plan.Stops[0].Name != "a" {
		t.Errorf("plan = %+v", plan)
	}
}

func BenchmarkBuild(b *testing.B) {
	for b.Loop() {
		Planner{Capacity: 10}.Build([]Stop{{"b", 20, 8}, {"a", 10, 5}})
	}
}
