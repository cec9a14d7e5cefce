package compile

import (
	"fmt"
	"regexp/syntax"
	"strings"
	"unicode"

	"github.com/lessons-cli/lessons/internal/inject"
	"github.com/lessons-cli/lessons/knowledge/lesson"
)

func (c *compiler) patterns(l *lesson.Lesson, slot string, list []string) []inject.Pattern {
	var out []inject.Pattern
	for _, source := range list {
		if source == "" {
			continue
		}
		p, err := pattern(source)
		if err != nil {
			c.problem(l, "%s: %v", slot, err)
			continue
		}
		if len(out) == inject.MaxPatterns {
			c.problem(l, "%s: more than %d patterns, the rest is left out", slot, inject.MaxPatterns)
			break
		}
		out = append(out, p)
	}
	return out
}

// pattern checks a pattern against the caps and finds what every match of it
// contains, so that most texts are refused without running it.
func pattern(source string) (inject.Pattern, error) {
	if len(source) > inject.MaxPatternBytes {
		return inject.Pattern{}, fmt.Errorf("a pattern of %d bytes is too long, the limit is %d", len(source), inject.MaxPatternBytes)
	}
	re, err := syntax.Parse(source, syntax.Perl)
	if err != nil {
		return inject.Pattern{}, fmt.Errorf("%q: %w", source, err)
	}
	prog, err := syntax.Compile(re.Simplify())
	if err != nil {
		return inject.Pattern{}, fmt.Errorf("%q: %w", source, err)
	}
	if len(prog.Inst) > inject.MaxPatternCost {
		return inject.Pattern{}, fmt.Errorf("%q is too complex: %d instructions, the limit is %d", source, len(prog.Inst), inject.MaxPatternCost)
	}
	p := inject.Pattern{Source: source, Cost: len(prog.Inst)}
	p.Literal, p.Word = required(re)
	return p, nil
}

// required returns the longest text and the longest whole word that every
// match contains, as far as the pattern's outermost sequence shows.
func required(re *syntax.Regexp) (literal, word string) {
	for re.Op == syntax.OpCapture {
		re = re.Sub[0]
	}
	parts := []*syntax.Regexp{re}
	if re.Op == syntax.OpConcat {
		parts = re.Sub
	}
	for i, part := range parts {
		for part.Op == syntax.OpCapture {
			part = part.Sub[0]
		}
		if part.Op == syntax.OpPlus {
			part = part.Sub[0]
		} else if part.Op != syntax.OpLiteral {
			continue
		}
		if part.Op != syntax.OpLiteral || part.Flags&syntax.FoldCase != 0 {
			continue
		}
		text := string(part.Rune)
		if len(text) > len(literal) {
			literal = text
		}
		plain := part == parts[i]
		left := plain && i > 0 && bounds(parts[i-1])
		right := plain && i+1 < len(parts) && bounds(parts[i+1])
		if w := longestWord(text, left, right); len(w) > len(word) {
			word = w
		}
	}
	return literal, word
}

// bounds says whether a part of a pattern ends a word that touches it.
func bounds(re *syntax.Regexp) bool {
	switch re.Op {
	case syntax.OpWordBoundary, syntax.OpBeginText, syntax.OpEndText, syntax.OpBeginLine, syntax.OpEndLine:
		return true
	case syntax.OpPlus:
		return bounds(re.Sub[0])
	case syntax.OpCharClass:
		for i := 0; i+1 < len(re.Rune); i += 2 {
			for r := re.Rune[i]; r <= re.Rune[i+1]; r++ {
				if isWord(r) || r > unicode.MaxASCII {
					return false
				}
			}
		}
		return len(re.Rune) > 0
	}
	return false
}

// longestWord returns the longest word of a text that ends inside it, or at an
// edge that ends words. Only ASCII is looked at: \b knows nothing else.
func longestWord(text string, left, right bool) string {
	best := ""
	for _, w := range wordSpans(text) {
		if (w[0] > 0 || left) && (w[1] < len(text) || right) && w[1]-w[0] > len(best) {
			best = text[w[0]:w[1]]
		}
	}
	if strings.ContainsFunc(text, func(r rune) bool { return r > unicode.MaxASCII }) {
		return ""
	}
	return best
}

func wordSpans(s string) [][2]int {
	var out [][2]int
	start := -1
	for i := 0; i <= len(s); i++ {
		in := i < len(s) && isWord(rune(s[i]))
		if in && start < 0 {
			start = i
		}
		if !in && start >= 0 {
			out = append(out, [2]int{start, i})
			start = -1
		}
	}
	return out
}

func isWord(r rune) bool {
	return r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
}
