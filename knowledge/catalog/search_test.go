package catalog

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lessons-cli/lessons/internal/lists"
)

func TestSearchRanks(t *testing.T) {
	docs := []Item{
		{Kind: "lesson", ID: "l1", Title: "pytest hangs without a terminal", text: "Bare pytest waits for a TTY. Fix: --no-header"},
		{Kind: "adr", ID: "ADR-001", Title: "Use Result types", text: "Errors are values; pytest is not touched by this."},
		{Kind: "pf", ID: "PF-004", Title: "Background scripts grow", text: "They hang, and nobody sees it.", Path: ".memory/knowledge/pitfalls.md"},
		{Kind: "observation", ID: "obs_1", Title: "git push hangs", text: "credential prompt"},
	}
	ids := func(words ...string) []string {
		var found []string
		for _, h := range rank(slices.Values(docs), all, words) {
			if h.score <= 0 {
				t.Errorf("%s has score %v", h.id, h.score)
			}
			found = append(found, h.id)
		}
		var returned []string
		for _, i := range Search(slices.Values(docs), all, words, len(docs)) {
			returned = append(returned, i.ID)
		}
		if !slices.Equal(returned, found) {
			t.Errorf("%v ranks %v and returns %v", words, found, returned)
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

// Of very many hits the best is found as well.
func TestSearchFindsTheBestOfVeryMany(t *testing.T) {
	var docs []Item
	for i := range maxKept + 10 {
		docs = append(docs, Item{Kind: "lesson", ID: fmt.Sprint("id", i), Title: "build", text: "pytest"})
	}
	docs[3].Title, docs[maxKept+5].Title = "pytest", "pytest pytest"
	found := Search(slices.Values(docs), all, []string{"pytest"}, 3)
	if len(found) != 3 || found[0].ID != fmt.Sprint("id", maxKept+5) || found[1].ID != "id3" || found[2].ID != "id0" {
		t.Errorf("found %v", found)
	}
}

func TestSearchBreaksTiesTheSameWayEveryTime(t *testing.T) {
	var docs []Item
	for i := range 20 {
		docs = append(docs, Item{Kind: "lesson", ID: fmt.Sprintf("l%02d", i), Title: "same words", text: "in every one"})
	}
	found := func() []string {
		return lists.Map(Search(slices.Values(docs), all, []string{"words"}, 7), func(i Item) string { return i.ID })
	}
	want := found()
	slices.Reverse(docs)
	if got := found(); !slices.Equal(got, want) {
		t.Errorf("the order of the documents matters:\n%v\n%v", got, want)
	}
	if len(want) != 7 || want[0] != "l00" || want[6] != "l06" {
		t.Errorf("the first are %v", want)
	}
}

func all(Item) bool { return true }
