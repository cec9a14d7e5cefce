package lesson

import (
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

// ParsePriority reads a priority in words or as a number from 1 to 10. The
// empty text is medium.
func ParsePriority(word string) (int, error) {
	switch Level(strings.ToLower(word)) {
	case Low:
		return 3, nil
	case Medium, "":
		return 5, nil
	case High:
		return 7, nil
	case Critical:
		return 9, nil
	}
	n, err := strconv.Atoi(word)
	if err != nil || n < 1 || n > 10 {
		return 5, fmt.Errorf("priority %q is none of low, medium, high, critical, 1 to 10", word)
	}
	return n, nil
}

// LevelOf says a priority in words: low 1-3, medium 4-6, high 7-8, critical 9-10.
func LevelOf(priority int) Level {
	switch {
	case priority >= 9:
		return Critical
	case priority >= 7:
		return High
	case priority >= 4:
		return Medium
	}
	return Low
}

// Range returns the priorities of a level; ok is false for an unknown level.
func (l Level) Range() (lo, hi int, ok bool) {
	switch l {
	case Critical:
		return 9, 10, true
	case High:
		return 7, 8, true
	case Medium:
		return 4, 6, true
	case Low:
		return 1, 3, true
	}
	return 0, 0, false
}
