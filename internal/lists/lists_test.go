package lists

import (
	"slices"
	"strconv"
	"testing"
)

func TestLists(t *testing.T) {
	if got := Map([]int{1, 2}, strconv.Itoa); !slices.Equal(got, []string{"1", "2"}) {
		t.Error(got)
	}
	odd := func(n int) bool { return n%2 == 1 }
	if got := Filter([]int{1, 2, 3}, odd); !slices.Equal(got, []int{1, 3}) {
		t.Error(got)
	}
	many := make([]int, 1000)
	for i := range many {
		many[i] = i
	}
	if got := MapParallel(many, strconv.Itoa); !slices.Equal(got, Map(many, strconv.Itoa)) {
		t.Error(got)
	}
	if Map(nil, strconv.Itoa) != nil || MapParallel(nil, strconv.Itoa) != nil || Filter([]int{2}, odd) != nil {
		t.Error("an empty result is no nil")
	}
}
