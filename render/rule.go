package render

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/knowledge/prose"
)

// maxExamples is how many examples the pitfall about a linter's rule shows.
const maxExamples = 2

// ruleExamples are the shortest of the edits that mended a rule. What replaced a line says
// more than what was added, and that more than what was deleted.
func (m material) ruleExamples() string {
	edits := map[string][]string{}
	for _, p := range m.o.Pairs() {
		form, _, _ := strings.Cut(p.Fix, " ")
		if !slices.Contains(edits[form], p.Fix) {
			edits[form] = append(edits[form], p.Fix)
		}
	}
	for _, form := range [...]struct {
		verb string
		most int
	}{{"Write", maxExamples}, {"Add", maxExamples}, {"Delete", 1}} {
		shown := edits[form.verb]
		if len(shown) == 0 {
			continue
		}
		slices.SortFunc(shown, func(a, b string) int { return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b)) })
		return stored.text("For example, " + strings.Join(lists.Map(shown[:min(len(shown), form.most)], prose.LowerFirst), "; "))
	}
	return ""
}

// ruleSays is what a rule says wherever it is broken: the words that all messages have,
// with dots for the others and for numbers that differ. Where they have less than half in
// common, it is one of them.
func (m material) ruleSays() string {
	first := strings.Fields(m.mistake)
	shared := first
	for _, p := range m.o.Others {
		if p.Mistake != "" {
			shared = sharedWords(shared, strings.Fields(stored.text(p.Mistake)))
		}
	}
	if 2*len(shared) <= len(first) {
		return m.mistake
	}
	var says []string
	at := 0
	for _, word := range first {
		switch {
		case at < len(shared) && alike(word, shared[at]) != "":
			says = append(says, shared[at])
			at++
		case len(says) == 0 || says[len(says)-1] != "…":
			says = append(says, "…")
		}
	}
	return strings.Join(says, " ")
}

// alike is a word that two have in common, but for its numbers; "" where they have none.
func alike(a, b string) string {
	if a == b {
		return a
	}
	if masked := number.ReplaceAllString(a, "…"); masked != "…" && masked == number.ReplaceAllString(b, "…") {
		return masked
	}
	return ""
}

var number = regexp.MustCompile(`\b\d+\b`)

// sharedWords is the longest list of words that both have in this order.
func sharedWords(a, b []string) []string {
	longest := make([][]string, len(b)+1) // of the words of a so far, by how many of b
	for _, word := range a {
		next := make([][]string, len(b)+1)
		for i := range b {
			next[i+1] = next[i]
			if len(longest[i+1]) > len(next[i+1]) {
				next[i+1] = longest[i+1]
			}
			if same := alike(word, b[i]); same != "" && len(longest[i])+1 > len(next[i+1]) {
				next[i+1] = append(slices.Clone(longest[i]), same)
			}
		}
		longest = next
	}
	return longest[len(b)]
}
