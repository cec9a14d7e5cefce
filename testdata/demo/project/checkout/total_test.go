package checkout

import "testing"

func TestTotal(t *testing.T) {
	if got := Total([]int{1999, 501}); got != 2500 {
		t.Errorf("got %d", got)
	}
}
