package database

import (
	"slices"
	"testing"
)

// The text with more and rarer words of the query comes first; what is asked is text and no
// query language.
func TestSearchRanksByBM25(t *testing.T) {
	texts := []string{
		"agent marked tested true with empty data", "agent pushed with force", "agent read a log", "tested the data again, tested twice",
		`it said "NEAR(a b)" AND left`,
	}
	for _, c := range []struct {
		words []string
		want  []int
	}{
		{[]string{"force"}, []int{1}},
		{[]string{"test", "empty"}, []int{0, 3}},
		{[]string{"pushing"}, []int{1}}, // by its stem
		{[]string{`NEAR(`, `"`}, []int{4}},
		{[]string{"nothing"}, nil},
		{nil, nil},
	} {
		got, err := Search(texts, c.words)
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%q finds %v, %v; want %v", c.words, got, err, c.want)
		}
	}
}
