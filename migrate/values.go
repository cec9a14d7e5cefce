package migrate

import (
	"cmp"
	"strconv"
	"strings"
	"time"

	"github.com/lessons-cli/lessons/knowledge/lesson"
	"github.com/lessons-cli/lessons/knowledge/prose"
)

// Statuses of entries, by the first word of what other tools write. The order of
// docs/import.md.
var entryStatuses = map[string]string{
	"accepted": "Accepted", "approved": "Accepted", "adopted": "Accepted", "decided": "Accepted", "implemented": "Accepted", "done": "Accepted",
	"active":   "Active",
	"proposed": "Proposed", "draft": "Proposed", "pending": "Proposed", "rfc": "Proposed", "open": "Proposed",
	"deprecated": "Deprecated", "obsolete": "Deprecated", "amended": "Accepted",
	"superseded": "Superseded", "superceded": "Superseded", "replaced": "Superseded",
	"rejected": "Retired", "declined": "Retired", "withdrawn": "Retired", "abandoned": "Retired", "retired": "Retired",
}

// entryStatus maps a status. What follows its first word stays; one that is
// mapped to another word is named in parentheses.
func entryStatus(text string) (status string, ok bool) {
	text = strings.Trim(prose.OneLine(text), " *_`.~")
	word := strings.ToLower(text[:len(text)-len(strings.TrimLeftFunc(text, isLetter))])
	mapped, ok := entryStatuses[word]
	if word == "partly" || word == "partially" { // the rest still holds
		return "Accepted (" + text + ")", true
	}
	if !ok {
		return "", false
	}
	rest := strings.TrimSpace(text[len(word):])
	switch {
	case rest == "" && strings.EqualFold(mapped, word):
		return mapped, true
	case mapped == "Superseded" || strings.EqualFold(mapped, word) && (strings.HasPrefix(rest, "by ") || strings.HasPrefix(rest, "(")):
		return strings.TrimSpace(mapped + " " + rest), true
	case strings.EqualFold(mapped, word):
		return mapped + " (" + strings.TrimLeft(rest, ",;:. ") + ")", true
	}
	return strings.TrimSpace(mapped + " (" + strings.TrimSpace(word+" "+rest) + ")"), true
}

func isLetter(r rune) bool { return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' }

// lessonStatuses maps the life of a lesson elsewhere.
var lessonStatuses = map[string]string{
	"": lesson.Active, "active": lesson.Active, "enabled": lesson.Active,
	"candidate": lesson.Draft, "reviewed": lesson.Draft, "draft": lesson.Draft, "pending": lesson.Draft,
	"disabled": lesson.Archived, "archived": lesson.Archived, "deprecated": lesson.Archived,
}

// lessonStatus maps a status; one that is not known is a draft.
func lessonStatus(word string) string {
	if s, ok := lessonStatuses[strings.ToLower(strings.TrimSpace(word))]; ok {
		return s
	}
	return lesson.Draft
}

// levels are words for levels beside our own.
var levels = map[string]string{
	"blocker": "critical", "fatal": "critical", "major": "high", "error": "high", "normal": "medium", "moderate": "medium",
	"warning": "medium", "warn": "medium", "minor": "low", "info": "low", "trivial": "low", "hint": "low",
}

// priority maps a level in words or a number from 1 to 10; what is neither is 5.
func priority(word string) int {
	word = strings.ToLower(strings.TrimSpace(word))
	if f, err := strconv.ParseFloat(word, 64); err == nil {
		return min(max(int(f+0.5), 1), 10)
	}
	p, _ := lesson.ParsePriority(cmp.Or(levels[word], word))
	return p
}

// confidence keeps a number from 0 to 1, reads one up to 100 as a percentage,
// and has 0.5 for what is none.
func confidence(f float64) float64 {
	switch {
	case f >= 0 && f <= 1:
		return f
	case f > 1 && f <= 100:
		return f / 100
	}
	return 0.5
}

// date reads the forms in which tools write days and times; without a zone they
// are UTC. The zero time: none of them.
func date(text string) time.Time {
	text = strings.Trim(strings.TrimSpace(text), "*_`\"'[](){}.")
	for _, layout := range []string{
		time.RFC3339Nano, "2006-01-02T15:04:05", "2006-01-02 15:04:05", "2006-01-02 15:04", time.DateOnly,
		"2006/01/02", "2006.01.02", "20060102", "2 January 2006", "2 Jan 2006", "January 2, 2006", "Jan 2, 2006", "02-01-2006", "02/01/2006",
	} {
		if t, err := time.Parse(layout, text); err == nil && t.Year() > 1970 && t.Year() < 2200 {
			return t.UTC()
		}
	}
	if len(text) > len(time.DateOnly) {
		if t, err := time.Parse(time.DateOnly, text[:len(time.DateOnly)]); err == nil {
			return t
		}
	}
	return time.Time{}
}
