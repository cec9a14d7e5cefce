package review

import (
	"strings"

	"github.com/sergi/go-diff/diffmatchpatch"
)

// Piece is a run of words of two texts that are compared.
type Piece struct {
	Text         string
	Gone, Coming bool // in the first text alone; in the second alone
}

// Words compares two texts word by word.
func Words(from, to string) []Piece {
	a, b, words := wordsToRunes(from, to)
	var pieces []Piece
	differ := diffmatchpatch.New()
	for _, d := range differ.DiffCleanupSemantic(differ.DiffMainRunes(a, b, false)) {
		var text strings.Builder
		for _, r := range d.Text {
			text.WriteString(words[r])
		}
		pieces = append(pieces, Piece{text.String(), d.Type == diffmatchpatch.DiffDelete, d.Type == diffmatchpatch.DiffInsert})
	}
	return pieces
}

// Marked writes pieces the way git diff --word-diff does.
func Marked(pieces []Piece) string {
	var out strings.Builder
	for _, p := range pieces {
		switch {
		case p.Gone:
			out.WriteString("[-" + p.Text + "-]")
		case p.Coming:
			out.WriteString("{+" + p.Text + "+}")
		default:
			out.WriteString(p.Text)
		}
	}
	return out.String()
}

// wordsToRunes gives every word and every space a rune of its own, so that words
// are compared and not letters.
func wordsToRunes(texts ...string) (a, b []rune, words map[rune]string) {
	words = map[rune]string{}
	known := map[string]rune{}
	next := rune(0x100)
	code := func(text string) []rune {
		var runes []rune
		for len(text) > 0 {
			end := 1
			for blank := isBlank(text[0]); end < len(text) && isBlank(text[end]) == blank && !blank; end++ {
			}
			word := text[:end]
			if known[word] == 0 {
				if next == 0xD800 {
					next = 0xE000 // surrogates are no runes
				}
				known[word], words[next] = next, word
				next++
			}
			runes = append(runes, known[word])
			text = text[end:]
		}
		return runes
	}
	return code(texts[0]), code(texts[1]), words
}

func isBlank(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' }
