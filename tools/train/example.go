package main

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/knowledge/statement"
	"github.com/lessons-cli/lessons/knowledge/statement/weigh"
)

// example is a message with what it states.
type example struct {
	Said   string   `json:"said"`
	Kind   string   `json:"kind"`   // decision, instruction or nothing
	Rule   []string `json:"rule"`   // parts of Said that say what holds
	Reason []string `json:"reason"` // parts of Said that say why

	sentences []weigh.Sentence
	classes   []weigh.Class // of the sentences
}

// The kinds of an example.
const (
	decision    = "decision"
	instruction = "instruction"
	nothing     = "nothing"
)

// read reads a file of examples, a JSON object a line. What cannot be an example is an error
// with its line.
func read(name string) ([]*example, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	var all []*example
	n := 0
	for line := range strings.Lines(string(data)) {
		n++
		e := &example{}
		if err := json.Unmarshal([]byte(line), e); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, n, err)
		}
		if err := e.check(); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, n, err)
		}
		e.divide()
		all = append(all, e)
	}
	return all, nil
}

func (e *example) check() error {
	if !slices.Contains([]string{decision, instruction, nothing}, e.Kind) {
		return fmt.Errorf("%q is no kind of an example", e.Kind)
	}
	for _, part := range slices.Concat(e.Rule, e.Reason) {
		if !strings.Contains(e.Said, part) {
			return fmt.Errorf("%q is no part of the message", part)
		}
	}
	return nil
}

// divide splits the message and says what each sentence is.
func (e *example) divide() {
	e.sentences = statement.Marked(e.Said)
	for _, s := range e.sentences {
		class := weigh.Nothing
		switch {
		case isOrHas(s.Text, e.Rule):
			class = e.rule()
		case isOrHas(s.Text, e.Reason):
			class = weigh.Reason
		}
		e.classes = append(e.classes, class)
	}
}

// rule is what the example's rules are.
func (e *example) rule() weigh.Class {
	if e.Kind == decision {
		return weigh.Decision
	}
	return weigh.Instruction
}

// isOrHas says whether a sentence is within one of the parts, or has one.
func isOrHas(sentence string, parts []string) bool {
	return slices.ContainsFunc(parts, func(p string) bool {
		p = strings.Join(strings.Fields(p), " ")
		return p != "" && (strings.Contains(sentence, p) || strings.Contains(p, strings.TrimRight(sentence, ".!? ")))
	})
}

// clause is a part of a sentence that is a rule or a reason by itself.
type clause struct {
	text  string
	class weigh.Class
}

// clauses are the parts that are no whole sentences.
func (e *example) clauses() []clause {
	var all []clause
	of := func(parts []string, class weigh.Class) {
		for _, p := range parts {
			whole := func(s weigh.Sentence) bool { return strings.TrimRight(s.Text, ".!? ") == strings.TrimRight(p, ".!? ") }
			if !slices.ContainsFunc(e.sentences, whole) {
				all = append(all, clause{p, class})
			}
		}
	}
	of(e.Rule, e.rule())
	of(e.Reason, weigh.Reason)
	return all
}
