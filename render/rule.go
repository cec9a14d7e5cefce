package render

import (
	"cmp"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/knowledge/prose"
)

// maxExamples is how many examples the pitfall about a linter's rule shows.
const maxExamples = 2

// ruleMend is what mended a rule: the most typical of the edits that replaced a line, of
// those that added one, or of those that deleted one, whichever are the most. "" where no
// edit is known.
func (m material) ruleMend() string {
	var replaced, added, deleted []string
	for _, edit := range m.o.Edits() {
		switch verb, _, _ := strings.Cut(edit, " "); verb {
		case "Write":
			replaced = append(replaced, edit)
		case "Add":
			added = append(added, edit)
		case "Delete":
			deleted = append(deleted, edit)
		}
	}
	switch n := max(len(replaced), len(added), len(deleted)); {
	case n == 0:
		return ""
	case n == len(replaced):
		return stored.text("For example, " + lowered(typical(replaced)))
	case n == len(added):
		return stored.text("For example, " + lowered(typical(added)))
	}
	one := strings.TrimPrefix(typical(deleted)[0], "Delete ")
	return stored.text("Delete what it reports, for example " + one)
}

// lowered are sentences as one.
func lowered(sentences []string) string {
	return strings.Join(lists.Map(sentences, prose.LowerFirst), "; ")
}

// typical are the edits that changed what most of the others changed, the shortest first
// where none is like another. One that is like no other may have mended something else.
func typical(edits []string) []string {
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
			like[edit] += float64(in[w]-1) / math.Sqrt(float64(len(changed[i])))
		}
	}
	slices.SortFunc(edits, func(a, b string) int {
		return cmp.Or(cmp.Compare(like[b], like[a]), cmp.Compare(len(a), len(b)), cmp.Compare(a, b))
	})
	best := edits[:min(len(edits), maxExamples)]
	if n := len(best); n > 1 && like[best[0]] > 0 && like[best[n-1]] == 0 {
		best = best[:1]
	}
	return best
}

// changedWords are the words and signs that an edit brought or took, each once.
func changedWords(edit string) []string {
	came, gone, _ := strings.Cut(edit, "` instead of `")
	now, old := sourceWord.FindAllString(came, -1), sourceWord.FindAllString(gone, -1)
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

var sourceWord = regexp.MustCompile(`%?\w+|[-!?:=<>&|+*]+`)

// ruleSays is what a rule says wherever it is broken: the words that its messages have in
// common, with dots for the others and for numbers that differ. Where a rule has messages
// of several kinds, it is the kind of which there are the most.
func (m material) ruleSays() string {
	said := [][]string{strings.Fields(m.mistake)}
	for _, p := range m.o.Others {
		if p.Mistake != "" {
			said = append(said, strings.Fields(stored.text(p.Mistake)))
		}
	}
	var first, shared []string
	most := 0
	for _, one := range said {
		if common, n := ofOneKind(one, said); n > most {
			first, shared, most = one, common, n
		}
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

// ofOneKind counts the messages that have two thirds of their words in common with
// one, itself too, and returns the words that all of these have.
func ofOneKind(one []string, said [][]string) (common []string, n int) {
	common = one
	for _, other := range said {
		if 3*len(sharedWords(one, other)) >= 2*max(len(one), len(other)) {
			common, n = sharedWords(common, other), n+1
		}
	}
	return common, n
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
