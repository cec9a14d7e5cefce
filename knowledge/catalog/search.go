package catalog

import (
	"cmp"
	"iter"
	"math"
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/knowledge/prose"
)

// Search returns the items that are wanted and match the words, best first and at most so
// many. Where there are very many hits it walks through the items again for those that it
// did not keep.
func Search(items iter.Seq[Item], wanted func(Item) bool, words []string, most int) []Item {
	best := rank(items, wanted, words)
	best = best[:min(len(best), most)]
	places := map[int]int{}
	found := make([]Item, len(best))
	for i, h := range best {
		if h.item != nil {
			found[i] = *h.item
		} else {
			places[h.at] = i
		}
	}
	if len(places) == 0 {
		return found
	}
	at := 0
	for i := range items {
		if place, ok := places[at]; ok {
			found[place] = i
		}
		at++
	}
	return found
}

// maxKept is how many items are kept before it is known which are returned.
const maxKept = 2_000

// hit is an item that holds words of the query. Its score only compares hits of one search.
type hit struct {
	at             int   // of the items
	item           *Item // nil: not kept
	kind, id, path string
	frequencies    []float64 // by word of the query
	length         float64   // weighted words
	score          float64
}

// Parameters of BM25 (Robertson and Zaragoza, 2009) in their usual setting, and
// how much more a word in a title counts.
const (
	saturation   = 1.2
	lengthWeight = 0.75
	titleWeight  = 3
	prefixWeight = 0.5 // a word that only begins with the one asked for
)

// rank returns the items that hold all the words, or if there are none,
// those that hold any; best first, equals by kind and id. A word also finds
// longer words that begin with it, for half the score.
func rank(items iter.Seq[Item], wanted func(Item) bool, words []string) []hit {
	query := queryWords(words)
	if len(query) == 0 {
		return nil
	}
	found, weigh := holding(items, wanted, query)
	all := lists.Filter(found, func(h hit) bool { return !slices.Contains(h.frequencies, 0) })
	if len(all) == 0 {
		all = found
	}
	for i := range all {
		all[i].score = weigh(all[i])
	}
	slices.SortStableFunc(all, func(a, b hit) int {
		return cmp.Or(
			cmp.Compare(b.score, a.score),
			cmp.Compare(a.kind, b.kind),
			cmp.Compare(a.id, b.id),
			cmp.Compare(a.path, b.path),
		)
	})
	return all
}

func queryWords(words []string) []string {
	var query []string
	for _, w := range words {
		query = lists.With(query, prose.Words(w)...)
	}
	return query
}

// holding returns the items that hold any of the words, and the BM25 sum by which they
// are ranked.
func holding(items iter.Seq[Item], wanted func(Item) bool, query []string) (found []hit, weigh func(hit) float64) {
	rarity := make([]float64, len(query)) // so far: how many items hold the word
	total, n := 0.0, 0.0
	at := -1
	for i := range items {
		if at++; !wanted(i) {
			continue
		}
		frequencies, length := countWords(i, query)
		total, n = total+length, n+1
		for w, f := range frequencies {
			if f > 0 {
				rarity[w]++
			}
		}
		if slices.Max(frequencies) > 0 {
			h := hit{at: at, kind: i.Kind, id: i.ID, path: strings.Clone(i.Path), frequencies: frequencies, length: length}
			if len(found) < maxKept {
				h.item = &i
			}
			found = append(found, h)
		}
	}
	for w, holding := range rarity {
		rarity[w] = math.Log(1 + (n-holding+0.5)/(holding+0.5))
	}
	average := max(total/max(n, 1), 1)
	return found, func(h hit) float64 {
		score := 0.0
		length := 1 - lengthWeight + lengthWeight*h.length/average
		for w, f := range h.frequencies {
			score += rarity[w] * f * (saturation + 1) / (f + saturation*length)
		}
		return score
	}
}

// countWords returns the weighted count of each word of the query, and of all words. A
// word that the item does not hold has the best half count of one that begins with it.
func countWords(i Item, query []string) (frequencies []float64, length float64) {
	counts := map[string]float64{}
	count := func(text string, weight float64) {
		for w := range prose.EachWord(text) {
			length += weight
			if slices.ContainsFunc(query, func(word string) bool { return strings.HasPrefix(w, word) }) {
				counts[w] += weight
			}
		}
	}
	count(i.Title, titleWeight)
	count(i.ID, titleWeight)
	count(i.text, 1)
	count(i.Path, 1)
	return lists.Map(query, func(word string) float64 { return frequency(counts, word) }), length
}

// frequency is the weighted count of a word, or without it the best half count
// of a word that begins with it.
func frequency(counts map[string]float64, word string) float64 {
	if n := counts[word]; n > 0 {
		return n
	}
	best := 0.0
	for w, n := range counts {
		if strings.HasPrefix(w, word) {
			best = max(best, n*prefixWeight)
		}
	}
	return best
}
