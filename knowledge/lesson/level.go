package lesson

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
)

// Level is a priority in words: low 1-3, medium 4-6, high 7-8, critical 9-10.
type Level string

const (
	Low      Level = "low"
	Medium   Level = "medium"
	High     Level = "high"
	Critical Level = "critical"
)

// levels are the levels, the lowest first: which priorities each has, and which it means
// where it is written as a word.
var levels = []struct {
	level         Level
	lo, hi, usual int
}{{Low, 1, 3, 3}, {Medium, 4, 6, 5}, {High, 7, 8, 7}, {Critical, 9, 10, 9}}

// ParsePriority reads a priority in words or as a number from 1 to 10. The
// empty text is medium.
func ParsePriority(word string) (int, error) {
	for _, l := range levels {
		if l.level == Level(strings.ToLower(cmp.Or(word, string(Medium)))) {
			return l.usual, nil
		}
	}
	n, err := strconv.Atoi(word)
	if err != nil || n < 1 || n > 10 {
		return 5, fmt.Errorf("priority %q is none of low, medium, high, critical, 1 to 10", word)
	}
	return n, nil
}

// LevelOf says a priority in words: low 1-3, medium 4-6, high 7-8, critical 9-10.
func LevelOf(priority int) Level {
	for _, l := range levels {
		if priority <= l.hi {
			return l.level
		}
	}
	return Critical
}

// Range returns the priorities of a level; ok is false for an unknown level.
func (l Level) Range() (lo, hi int, ok bool) {
	for _, known := range levels {
		if known.level == l {
			return known.lo, known.hi, true
		}
	}
	return 0, 0, false
}
