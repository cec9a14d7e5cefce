package main

import (
	"cmp"
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/knowledge/statement"
)

// In how many messages a word is that is said every day, or commonly: one of so many.
const (
	everyday = 33
	common   = 330
)

// frequent are the stems that many of the examples have: a line of those that are said
// every day, and one of the common ones, each sorted.
func frequent(all []*example) string {
	messages := map[string]int{}
	for _, e := range all {
		for _, stem := range statement.Topic(e.Said) {
			messages[strings.TrimPrefix(stem, "-")]++
		}
	}
	delete(messages, statement.Recall)
	lines := make([][]string, 2)
	for stem, n := range messages {
		switch {
		case n*everyday >= len(all):
			lines[0] = append(lines[0], stem)
		case n*common >= len(all):
			lines[1] = append(lines[1], stem)
		}
	}
	for _, stems := range lines {
		slices.SortFunc(stems, cmp.Compare)
	}
	return strings.Join(lines[0], " ") + "\n" + strings.Join(lines[1], " ") + "\n"
}
