// Package edits picks, of the edits that mended a linter's rule, those that tell best how.
// An edit is told in words: "Write `…` instead of `…`", "Add `…`", "Delete `…`"; what mended
// the rule in a way that is not known is told in others.
package edits

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/internal/automata"
	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/knowledge/prose"
)

// Of are the edits among the mends, each once, sorted.
func Of(mends []string) []string {
	return lists.SortedUnique(lists.Filter(mends, func(m string) bool { return verbOf(m) != "" }))
}

func verbOf(mend string) string {
	switch verb, _, _ := strings.Cut(mend, " "); verb {
	case "Write", "Add", "Delete":
		return verb
	}
	return ""
}

// Lone says whether one edit alone is known, and other mends are not: it may have mended
// something else.
func Lone(mends []string) bool {
	edits := Of(mends)
	return len(edits) == 1 && slices.ContainsFunc(mends, func(m string) bool { return m != "" && m != edits[0] })
}

// Alike says whether half of the edits, and two at least, brought or took the same word;
// one edit is like itself.
func Alike(mends []string) bool {
	edits := Of(mends)
	in := map[string]int{}
	for _, edit := range edits {
		for _, w := range changedWords(edit) {
			in[w]++
		}
	}
	for _, n := range in {
		if n > 1 && 2*n >= len(edits) {
			return true
		}
	}
	return len(edits) == 1
}

// Tell says by a few examples how a rule is mended: by the most typical of the edits that
// replaced a line, of those that added one, or of those that deleted one, whichever are
// the most. "" where no edit is known.
func Tell(mends []string, most int) string {
	by := map[string][]string{}
	for _, edit := range Of(mends) {
		by[verbOf(edit)] = append(by[verbOf(edit)], edit)
	}
	verb := ""
	for _, v := range [...]string{"Write", "Add", "Delete"} {
		if len(by[v]) > len(by[verb]) {
			verb = v
		}
	}
	switch verb {
	case "":
		return ""
	case "Delete":
		return "Delete what it reports"
	}
	return "For example, " + strings.Join(lists.Map(typical(by[verb], most), prose.LowerFirst), "; ")
}

// perWords is the power of its number of words by which the likeness of an edit is divided:
// of two that are as typical the longer one says more.
const perWords = 0.8

// typical are the edits that changed what most of the others changed, the shortest first
// where none is like another. One that is like no other may have mended something else.
func typical(edits []string, most int) []string {
	changed := make([][]string, len(edits))
	in := map[string]int{} // edits that changed a word
	for i, edit := range edits {
		changed[i] = changedWords(edit)
		for _, w := range changed[i] {
			in[w]++
		}
	}
	like := map[string]float64{}
	for i, edit := range edits {
		for _, w := range changed[i] {
			like[edit] += float64(in[w]-1) / math.Pow(float64(len(changed[i])), perWords)
		}
		if !usesNames(edit) {
			like[edit] /= usesMore
		}
		if bareFormat().MatchString(edit) {
			like[edit] /= saysMore
		}
	}
	slices.SortFunc(edits, func(a, b string) int {
		return cmp.Or(cmp.Compare(like[b], like[a]), cmp.Compare(len(a), len(b)), cmp.Compare(a, b))
	})
	best := edits[:min(len(edits), most)]
	if n := len(best); n > 1 && like[best[0]] > 0 && like[best[n-1]] == 0 {
		best = best[:1]
	}
	return best
}

// usesMore is how many times as much an edit counts that uses the names it brought.
const usesMore = 1.5

// saysMore is how many times as much an edit counts that says something in the text it
// brought: a format and no more only silences the linter.
const saysMore = 2

var bareFormat = automata.Lazily(`"(?:%\w|\{\w*\})"`)

// usesNames says whether an edit uses a name that it brought more often than to set and test
// it: an error that is looked at and dropped is no example of how to treat one.
func usesNames(edit string) bool {
	came, gone, _ := strings.Cut(edit, " instead of ")
	n := map[string]int{}
	for _, w := range name().FindAllString(came, -1) {
		n[w]++
	}
	for _, w := range name().FindAllString(gone, -1) {
		delete(n, w)
	}
	for _, times := range n {
		if times > 2 {
			return true
		}
	}
	return false
}

var name = automata.Lazily(`[A-Za-z_]\w*`)

// changedWords are the words and signs that an edit brought or took, each once.
func changedWords(edit string) []string {
	_, edit, _ = strings.Cut(edit, " ")
	came, gone, _ := strings.Cut(edit, " instead of ")
	now, old := sourceWord().FindAllString(came, -1), sourceWord().FindAllString(gone, -1)
	slices.Sort(now)
	slices.Sort(old)
	var changed []string
	for len(now)+len(old) > 0 {
		switch {
		case len(old) == 0 || len(now) > 0 && now[0] < old[0]:
			changed, now = append(changed, now[0]), now[1:]
		case len(now) == 0 || old[0] < now[0]:
			changed, old = append(changed, old[0]), old[1:]
		default:
			now, old = now[1:], old[1:]
		}
	}
	return slices.Compact(changed)
}

var sourceWord = automata.Lazily(`%?\w+|[-!?:=<>&|+*]+`)
