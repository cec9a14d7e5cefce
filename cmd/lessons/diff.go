package main

import (
	"context"
	"strings"

	"github.com/sergi/go-diff/diffmatchpatch"

	"github.com/lessons-cli/lessons/internal/project"
	"github.com/lessons-cli/lessons/knowledge/store"

	"github.com/aymanbagabas/go-udiff"
)

type diffCommand struct {
	ID        string `arg:"" help:"An item, as in blame."`
	Committed bool   `help:"Against the last commit instead of what was rendered."`
	Words     bool   `help:"Show changed words instead of lines."`
}

// Run compares two versions of the item.
func (c *diffCommand) Run(ctx context.Context, inv *invocation, p *project.Project, s *store.Snapshot) error {
	t, err := traced(ctx, p, s, c.ID)
	if err != nil {
		return err
	}
	v := t.Versions()
	from, name := v.Rendered, "rendered"
	if c.Committed {
		from, name = v.Committed, "committed"
	}
	if from == "" && !c.Committed {
		return withHint(errNoRendered, "lessons diff --committed %s shows what is not committed", c.ID)
	}
	switch {
	case from == v.Current:
		inv.printf("as %s\n", name)
	case c.Words:
		inv.block(wordDiff(from, v.Current))
	default:
		inv.block(udiff.Unified(name+" "+t.ID, "current "+t.ID, from, v.Current))
	}
	return nil
}

// wordDiff marks changed words the way git diff --word-diff does.
func wordDiff(from, to string) string {
	differ := diffmatchpatch.New()
	a, b, words := wordsToRunes(from, to)
	var out strings.Builder
	for _, d := range differ.DiffMainRunes(a, b, false) {
		var text strings.Builder
		for _, r := range d.Text {
			text.WriteString(words[r])
		}
		switch d.Type {
		case diffmatchpatch.DiffDelete:
			out.WriteString("[-" + text.String() + "-]")
		case diffmatchpatch.DiffInsert:
			out.WriteString("{+" + text.String() + "+}")
		default:
			out.WriteString(text.String())
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
