package catalog

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSearchRanks(t *testing.T) {
	docs := []searchable{
		{Kind: "lesson", ID: "l1", Title: "pytest hangs without a terminal", Text: "Bare pytest waits for a TTY. Fix: --no-header"},
		{Kind: "adr", ID: "ADR-001", Title: "Use Result types", Text: "Errors are values; pytest is not touched by this."},
		{Kind: "pf", ID: "PF-004", Title: "Background scripts grow", Text: "They hang, and nobody sees it.", Path: ".memory/knowledge/pitfalls.md"},
		{Kind: "observation", ID: "obs_1", Title: "git push hangs", Text: "credential prompt"},
	}
	ids := func(words ...string) []string {
		var found []string
		for _, h := range rank(docs, words) {
			if h.score <= 0 {
				t.Errorf("%s has score %v", h.doc.ID, h.score)
			}
			found = append(found, h.doc.ID)
		}
		return found
	}
	for _, c := range []struct {
		query string
		want  []string
	}{
		{"pytest", []string{"l1", "ADR-001"}},           // a title counts more than a text
		{"PYTEST hangs", []string{"l1"}},                // all words before any word
		{"hang", []string{"obs_1", "l1", "PF-004"}},     // words that begin with it are found, titles first
		{"ADR-001", []string{"ADR-001"}},                // an id is found
		{"credentials", nil},                            // but no shorter words
		{"prompt values", []string{"obs_1", "ADR-001"}}, // none has all words
		{"pitfalls.md", []string{"PF-004"}},             // a path is found
		{"nowhere", nil}, {"", nil}, {"--", nil},
	} {
		if diff := cmp.Diff(c.want, ids(strings.Fields(c.query)...)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", c.query, diff)
		}
	}
}

func TestSearchBreaksTiesTheSameWayEveryTime(t *testing.T) {
	var docs []searchable
	for i := range 20 {
		docs = append(docs, searchable{Kind: "lesson", ID: fmt.Sprintf("l%02d", i), Title: "same words", Text: "in every one"})
	}
	want := rank(docs, []string{"words"})
	slices.Reverse(docs)
	if got := rank(docs, []string{"words"}); !slices.Equal(got, want) {
		t.Errorf("the order of the documents matters:\n%v\n%v", got, want)
	}
	if len(want) != 20 || want[0].doc.ID != "l00" {
		t.Errorf("first of %d is %s", len(want), want[0].doc.ID)
	}
}
