package compile

import (
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/lessons-cli/lessons/internal/inject"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/lesson"
)

// Guard returns what a lesson requires, from the keys require and on_error of its
// front matter; ok says whether it requires anything. For the syntax see
// [inject.Guard].
func Guard(l *lesson.Lesson) (g inject.Guard, ok bool, err error) {
	var require map[string]any
	onError := ""
	for _, key := range l.Unknown {
		switch key.Name {
		case "require":
			var front struct{ Require map[string]any }
			if err := yaml.Unmarshal([]byte(key.YAML), &front); err != nil {
				return g, true, fmt.Errorf("require: expected keys with values: %w", err)
			}
			require, ok = front.Require, true
		case "on_error", "onError":
			var front map[string]string
			if err := yaml.Unmarshal([]byte(key.YAML), &front); err != nil {
				return g, true, fmt.Errorf("%s: expected a word: %w", key.Name, err)
			}
			onError = front[key.Name]
		}
	}
	if !ok {
		return g, false, nil
	}
	g, err = inject.ParseRequire(require, onError)
	return g, true, err
}

// guard returns what a guard needs in the index. One that cannot be read is a
// problem, and its lesson informs: without its gates it would never let go.
func (c *compiler) guard(l *lesson.Lesson) (extra string, guards bool) {
	g, ok, err := Guard(l)
	if err != nil {
		c.problems = append(c.problems, knowledge.Problem{Path: l.Path, Rule: "lesson-guard", Text: strings.ReplaceAll(err.Error(), "\n", "; ")})
	}
	if !ok || err != nil {
		return "", false
	}
	return g.Encode(), true
}
