package trace

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/internal/shell"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/prose"
)

// Pattern is a violation or a correction that repeats.
type Pattern struct {
	ID       string   `json:"id"`
	Count    int      `json:"count"`
	Sessions int      `json:"sessions"` // that are known
	Agents   []string `json:"agents,omitempty"`
	Happened string   `json:"what_happened"` // as the newest tells it
	Correct  string   `json:"what_was_correct,omitempty"`
	Why      string   `json:"why,omitempty"`
	About    string   `json:"about,omitempty"`   // a lesson
	Command  string   `json:"command,omitempty"` // what its command lines share
	Path     string   `json:"path,omitempty"`
	Traces   []string `json:"traces"` // ids, newest first

	words map[string]bool
}

// MinRepeats is how often something happens until it is a pattern, where nobody names
// another number.
const MinRepeats = 2

// alike is the share of words that two tellings of one thing have in common.
const alike = 0.6

// Patterns are the violations and corrections that happened at least so often, the most
// frequent first. What came of one lesson is one; else what called for the same command or
// file; else what is told in about the same words.
func Patterns(all []Trace, atLeast int) []Pattern {
	all = slices.Clone(all)
	Sort(all)
	var found []*Pattern
	sessions := map[*Pattern]map[string]bool{}
	for _, t := range all {
		if t.Type != Violation && t.Type != Correction {
			continue
		}
		p := patternOf(found, t)
		if p == nil {
			p = &Pattern{
				Happened: t.Event.Happened, About: t.About, Command: Shape(t.Context.Command), Path: t.Context.Path, words: wordsOf(t.Event.Happened),
			}
			found, sessions[p] = append(found, p), map[string]bool{}
		}
		p.Count++
		p.Traces = append(p.Traces, t.ID)
		p.Correct, p.Why = cmp.Or(p.Correct, t.Event.Correct), cmp.Or(p.Why, t.Event.Why)
		if t.Context.Agent != "" && !slices.Contains(p.Agents, t.Context.Agent) {
			p.Agents = append(p.Agents, t.Context.Agent)
		}
		if t.Session != "" {
			sessions[p][t.Session] = true
		}
	}
	var patterns []Pattern
	for _, p := range found {
		if p.Count < atLeast {
			continue
		}
		slices.Sort(p.Agents)
		p.Sessions = len(sessions[p])
		p.ID = knowledge.Digest("pat_", 10, p.About, p.Command, p.Path, tellsApart(p))
		patterns = append(patterns, *p)
	}
	slices.SortStableFunc(patterns, func(a, b Pattern) int { return cmp.Compare(b.Count, a.Count) })
	return patterns
}

// tellsApart are the words of a pattern that nothing else names.
func tellsApart(p *Pattern) string {
	if p.About != "" || p.Command != "" || p.Path != "" {
		return ""
	}
	return strings.Join(slices.Sorted(maps.Keys(p.words)), " ")
}

// patternOf is the pattern that a trace belongs to; nil: none yet.
func patternOf(found []*Pattern, t Trace) *Pattern {
	command, words := Shape(t.Context.Command), wordsOf(t.Event.Happened)
	for _, p := range found {
		switch {
		case t.About != "" || p.About != "":
			if t.About == p.About {
				return p
			}
		case command != "" || p.Command != "":
			if command == p.Command {
				return p
			}
		case t.Context.Path != "" || p.Path != "":
			if t.Context.Path == p.Path {
				return p
			}
		case share(words, p.words) >= alike:
			return p
		}
	}
	return nil
}

// wordsOf are the words of a text without those that differ from time to time.
func wordsOf(text string) map[string]bool {
	return lists.Set(lists.Filter(prose.Words(text), func(w string) bool { return !strings.ContainsFunc(w, unicode.IsDigit) }))
}

// share is the Jaccard index of two sets.
func share(a, b map[string]bool) float64 {
	both := 0
	for w := range a {
		if b[w] {
			both++
		}
	}
	if len(a)+len(b) == both {
		return 1
	}
	return float64(both) / float64(len(a)+len(b)-both)
}

// Shape is what of a command line a trigger asks for: the last program, what it is asked to
// do and its flags, without their values; empty where that is no single thing.
func Shape(line string) string {
	commands := slices.DeleteFunc(slices.Clone(shell.Parse(line).Commands), func(c *shell.Command) bool {
		return c.Wrapper || c.Declares() || c.In(shell.Substituted)
	})
	if len(commands) == 0 {
		return ""
	}
	c := commands[len(commands)-1]
	if c.Program == "" || c.Dynamic {
		return ""
	}
	return strings.Join(append([]string{c.Name()}, lists.SortedUnique(c.FlagNames())...), " ")
}
