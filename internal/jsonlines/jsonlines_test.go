package jsonlines

import (
	"slices"
	"testing"
)

func TestRead(t *testing.T) {
	got := Read([]byte("1\n{\n\"no number\"\n\n4\n3\r\n5"), func(n int) bool { return n != 4 })
	if !slices.Equal(got, []int{1, 3, 5}) {
		t.Errorf("%v", got)
	}
	if none := Read(nil, func(int) bool { return true }); none != nil {
		t.Errorf("of nothing: %v", none)
	}
}
