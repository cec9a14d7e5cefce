package catalog

import (
	"fmt"
	"testing"
)

func BenchmarkSearch(b *testing.B) {
	var docs []searchable
	for i := range 2000 {
		docs = append(docs, searchable{Kind: "lesson", ID: fmt.Sprint(i), Title: fmt.Sprint("pytest hangs ", i), Text: "a body of some words that is searched for a terminal"})
	}
	for b.Loop() {
		rank(docs, []string{"pytest", "terminal"})
	}
}
