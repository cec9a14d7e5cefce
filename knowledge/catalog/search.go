package catalog

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/knowledge/prose"
)

// searchable is one thing that can be searched: an entry, a lesson, an
// observation. Kind and ID say which; Text is everything but the title.
type searchable struct {
	Kind  string
	ID    string
	Path  string
	Title string
	Text  string
}

// hit is a document that was found. Its score only compares hits of one search.
type hit struct {
	doc   searchable
	score float64
}

// Parameters of BM25 (Robertson and Zaragoza, 2009) in their usual setting, and
// how much more a word in a title counts.
const (
	saturation   = 1.2
	lengthWeight = 0.75
	titleWeight  = 3
	prefixWeight = 0.5 // a word that only begins with the one asked for
)

// rank returns the documents that hold all the words, or if there are none,
// those that hold any; best first, equals by kind and id. A word also finds
// longer words that begin with it, for half the score.
func rank(docs []searchable, words []string) []hit {
	query := queryWords(words)
	if len(query) == 0 {
		return nil
	}
	index := indexDocuments(docs, query)
	var all, some []hit
	for i, doc := range docs {
		score, matched := index.score(i)
		switch {
		case matched == len(query):
			all = append(all, hit{doc, score})
		case matched > 0:
			some = append(some, hit{doc, score})
		}
	}
	if len(all) == 0 {
		all = some
	}
	slices.SortStableFunc(all, func(a, b hit) int {
		return cmp.Or(
			cmp.Compare(b.score, a.score),
			cmp.Compare(a.doc.Kind, b.doc.Kind),
			cmp.Compare(a.doc.ID, b.doc.ID),
			cmp.Compare(a.doc.Path, b.doc.Path),
		)
	})
	return all
}

func queryWords(words []string) []string {
	var query []string
	for _, w := range words {
		for _, part := range prose.Words(w) {
			if !slices.Contains(query, part) {
				query = append(query, part)
			}
		}
	}
	return query
}

// documentIndex holds how often each document has each word of the query.
type documentIndex struct {
	frequencies [][]float64 // by document, by word of the query
	lengths     []float64   // weighted words of each document
	average     float64     // of lengths
	rarity      []float64   // by word of the query
}

func indexDocuments(docs []searchable, query []string) documentIndex {
	index := documentIndex{rarity: make([]float64, len(query))}
	total := 0.0
	for _, doc := range docs {
		counts, length := countWords(doc)
		row := make([]float64, len(query))
		for i, word := range query {
			row[i] = frequency(counts, word)
			if row[i] > 0 {
				index.rarity[i]++ // so far: how many documents hold it
			}
		}
		index.frequencies = append(index.frequencies, row)
		index.lengths = append(index.lengths, length)
		total += length
	}
	n := float64(len(docs))
	index.average = max(total/max(n, 1), 1)
	for i, holding := range index.rarity {
		index.rarity[i] = math.Log(1 + (n-holding+0.5)/(holding+0.5))
	}
	return index
}

func countWords(doc searchable) (counts map[string]float64, length float64) {
	counts = map[string]float64{}
	count := func(text string, weight float64) {
		for _, w := range prose.Words(text) {
			counts[w] += weight
			length += weight
		}
	}
	count(doc.Title+" "+doc.ID, titleWeight)
	count(doc.Text+" "+doc.Path, 1)
	return counts, length
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

// score returns the BM25 sum over the query's words and how many of them the
// document holds.
func (index documentIndex) score(doc int) (score float64, matched int) {
	length := 1 - lengthWeight + lengthWeight*index.lengths[doc]/index.average
	for i, n := range index.frequencies[doc] {
		if n > 0 {
			matched++
			score += index.rarity[i] * n * (saturation + 1) / (n + saturation*length)
		}
	}
	return score, matched
}
