package lists

import (
	"maps"
	"slices"
	"strconv"
	"strings"
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
	if got, ok := Find([]int{2, 3, 5}, odd); got != 3 || !ok {
		t.Error(got, ok)
	}
	if got, ok := Find([]int{2}, odd); got != 0 || ok {
		t.Error(got, ok)
	}
	if got := Flat([]string{"a b", "c"}, strings.Fields); !slices.Equal(got, []string{"a", "b", "c"}) {
		t.Error(got)
	}
	if got := With([]int{1}, 2, 1, 2); !slices.Equal(got, []int{1, 2}) || With[int](nil) != nil {
		t.Error(got)
	}
	unsorted := []int{3, 1, 3}
	if got := SortedUnique(unsorted); !slices.Equal(got, []int{1, 3}) || unsorted[0] != 3 || SortedUnique[int](nil) != nil {
		t.Error(got, unsorted)
	}
	if n := Count([]int{1, 2, 3}, odd); n != 2 {
		t.Error(n)
	}
	if n := Sum([]string{"a", "bc"}, func(s string) int { return len(s) }); n != 3 {
		t.Error(n)
	}
	if got := MapSome([]string{" a", " ", "b"}, strings.TrimSpace); !slices.Equal(got, []string{"a", "b"}) {
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

func TestTables(t *testing.T) {
	if got := Set([]int{1, 2, 1}); !maps.Equal(got, map[int]bool{1: true, 2: true}) {
		t.Error(got)
	}
	if got := Words("a b\n\tc"); !maps.Equal(got, map[string]bool{"a": true, "b": true, "c": true}) {
		t.Error(got)
	}
	if got := SetOf([]int{1, 2}, strconv.Itoa); !maps.Equal(got, map[string]bool{"1": true, "2": true}) {
		t.Error(got)
	}
	if got := By([]string{"ab", "c", "ad"}, func(s string) byte { return s[0] }); !maps.Equal(got, map[byte]string{'a': "ad", 'c': "c"}) {
		t.Error(got)
	}
	sets := map[string]map[int]bool{}
	AddTo(sets, "a", 1)
	if AddTo(sets, "a", 2); !maps.Equal(sets["a"], map[int]bool{1: true, 2: true}) {
		t.Error(sets)
	}
	if got := Table(nil, func(int) (int, int) { return 0, 0 }); got == nil || len(got) != 0 {
		t.Error(got)
	}
}
