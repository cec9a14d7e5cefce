package catalog

import (
	"fmt"
	"slices"
	"testing"
)

func BenchmarkSearch(b *testing.B) {
	var docs []Item
	for i := range 2000 {
		docs = append(docs, Item{Kind: "lesson", ID: fmt.Sprint(i), Title: fmt.Sprint("pytest hangs ", i), text: "a body of some words that is searched for a terminal"})
	}
	for b.Loop() {
		rank(slices.Values(docs), all, []string{"pytest", "terminal"})
	}
}
