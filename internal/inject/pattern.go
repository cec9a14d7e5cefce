package inject

import (
	"io"
	"regexp"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/lessons-cli/lessons/internal/cputime"
)

// Limits of committed patterns.
const (
	MaxPatternBytes  = 1 << 10
	MaxPatternCost   = 2000 // instructions
	MaxPatterns      = 64   // of one lesson
	DefaultBudget    = 10 * time.Millisecond
	cheapSteps       = 200_000 // instructions × bytes that take about a millisecond at worst
	stepsBetweenLook = 20_000  // the same, between looks at the clock
)

// meter bounds the processor time that all patterns of a call take together: on a busy
// machine no lesson is passed over because others had their turn meanwhile.
type meter struct {
	budget   time.Duration
	deadline time.Duration // of this process's time; 0: nothing was looked for yet
	spent    bool
	compiled map[string]*regexp.Regexp
}

func (m *meter) left() bool {
	if m.spent {
		return false
	}
	now := cputime.Now()
	if m.deadline == 0 {
		m.deadline = now + m.budget
	}
	m.spent = now > m.deadline
	return !m.spent
}

// find returns what a pattern matches in a text. When the time is used up it
// finds nothing and m.spent is set.
func (m *meter) find(p Pattern, text string) (string, bool) {
	text = headOf(text, maxText)
	if p.Literal != "" && !strings.Contains(text, p.Literal) {
		return "", false
	}
	if !m.left() {
		return "", false
	}
	re := m.regexp(p)
	if re == nil {
		return "", false
	}
	if p.Cost*len(text) > cheapSteps {
		r := &clocked{text: text, every: stepsBetweenLook/max(p.Cost, 1) + 1, m: m}
		loc := re.FindReaderIndex(r)
		if loc == nil || m.spent || loc[1] > len(text) {
			return "", false
		}
		return text[loc[0]:loc[1]], true
	}
	loc := re.FindStringIndex(text)
	if loc == nil {
		return "", false
	}
	return text[loc[0]:loc[1]], true
}

func (m *meter) regexp(p Pattern) *regexp.Regexp {
	re, ok := m.compiled[p.Source]
	if ok {
		return re
	}
	if len(p.Source) <= MaxPatternBytes {
		re, _ = regexp.Compile(p.Source)
	}
	if m.compiled == nil {
		m.compiled = map[string]*regexp.Regexp{}
	}
	m.compiled[p.Source] = re
	return re
}

// clocked reads a text for a pattern and ends it when the time is used up.
type clocked struct {
	text         string
	at, n, every int
	m            *meter
}

// ReadRune returns the next character; io.EOF at the end or when no time is
// left.
func (c *clocked) ReadRune() (rune, int, error) {
	if c.at >= len(c.text) {
		return 0, 0, io.EOF
	}
	if c.n++; c.n >= c.every {
		c.n = 0
		if !c.m.left() {
			return 0, 0, io.EOF
		}
	}
	r, size := utf8.DecodeRuneInString(c.text[c.at:])
	c.at += size
	return r, size, nil
}
