package lesson

import (
	"slices"

	"github.com/lessons-cli/lessons/knowledge/internal/ordered"
)

// Trigger says when a lesson applies. Slots that are empty
// are not declared. Within a slot any element may match; all declared hard
// slots (tools, commands, command patterns, paths, content, agents) must match.
type Trigger struct {
	Tools           []string `json:"tools,omitempty"`
	Commands        []string `json:"commands,omitempty"`        // program, sub-command, flags
	Unless          []string `json:"unless,omitempty"`          // flags, NAME=value or patterns that silence it
	CommandPatterns []string `json:"commandPatterns,omitempty"` // RE2
	Paths           []string `json:"paths,omitempty"`           // doublestar globs, repository-relative
	Content         []string `json:"content,omitempty"`         // RE2 against what is written
	Keywords        []string `json:"keywords,omitempty"`        // action keywords, whole words
	Context         []string `json:"context,omitempty"`         // context keywords
	Agents          []string `json:"agents,omitempty"`          // sub-agent types
}

// Examples are a trigger's own regression test: command lines on which it has
// to fire, and others, the right command among them, on which it must not. They
// are held against it whenever it is compiled and take no part in its identity.
type Examples struct {
	Match []string `json:"match,omitempty"`
	Miss  []string `json:"miss,omitempty"`
}

// Limits of examples.
const (
	maxExamples     = 4   // of either kind
	MaxExampleBytes = 200 // a longer command line is no example
)

// IsZero says whether there are none.
func (e Examples) IsZero() bool { return len(e.Match)+len(e.Miss) == 0 }

// Join returns the examples of both. Of too many the ones with the smallest
// hashes are kept, so that the order of joining does not matter.
func (e Examples) Join(f Examples) Examples {
	return Examples{Match: chosen(e.Match, f.Match), Miss: chosen(e.Miss, f.Miss)}
}

func chosen(a, b []string) []string {
	all := ordered.ByHash(slices.Concat(a, b))
	return ordered.Set(all[:min(len(all), maxExamples)])
}

// slotKeys are the keys of the slots in a lesson's file, in the order of [Trigger.Slots].
var slotKeys = [...]string{"tools", "commands", "unless", "command_patterns", "paths", "content", "keywords", "context", "agents"}

// Slots returns all slots, in the order of the fields.
func (t *Trigger) Slots() [9]*[]string {
	return [...]*[]string{
		&t.Tools, &t.Commands, &t.Unless, &t.CommandPatterns, &t.Paths,
		&t.Content, &t.Keywords, &t.Context, &t.Agents,
	}
}

// Any says whether something holds of an element of one of the slots.
func (t *Trigger) Any(holds func(element string) bool) bool {
	if t == nil {
		return false
	}
	slots := t.Slots()
	return slices.ContainsFunc(slots[:], func(slot *[]string) bool { return slices.ContainsFunc(*slot, holds) })
}

// Clone returns an independent copy; nil stays nil.
func (t *Trigger) Clone() *Trigger {
	if t == nil {
		return nil
	}
	c := *t
	for _, slot := range c.Slots() {
		*slot = slices.Clone(*slot)
	}
	return &c
}
