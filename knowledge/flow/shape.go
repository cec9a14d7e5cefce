package flow

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/knowledge/prose"
	"github.com/lessons-cli/lessons/knowledge/schema"
)

// shape is what a JSON Schema of this package says: the few keywords that those use. A
// library would say that a document does not fit; this says what to write instead.
type shape struct {
	Type          string            `json:"type"`
	Properties    map[string]*shape `json:"properties"`
	Required      []string          `json:"required"`
	Additional    *bool             `json:"additionalProperties"`
	Items         *shape            `json:"items"`
	Enum          []string          `json:"enum"`
	Minimum       *float64          `json:"minimum"`
	Maximum       *float64          `json:"maximum"`
	MinItems      int               `json:"minItems"`
	MinLength     int               `json:"minLength"`
	MinProperties int               `json:"minProperties"`
	Examples      []any             `json:"examples"`
}

// shapeOf is a schema by its name.
var shapeOf = func() func(string) *shape {
	read := func(name string) func() *shape {
		return sync.OnceValue(func() *shape {
			data, err := schema.Files.ReadFile(name + ".json")
			var s shape
			if err == nil {
				err = json.Unmarshal(data, &s)
			}
			if err != nil {
				panic(err) // it is part of the program
			}
			return &s
		})
	}
	all := map[string]func() *shape{"feature-list": read("feature-list"), "session-state": read("session-state"), "handoff": read("handoff")}
	return func(name string) *shape { return all[name]() }
}()

// parse reads a document into v where it has the shape of a schema.
func parse(name, file string, data []byte, v any) []Fault {
	var value any
	if err := json.Unmarshal(data, &value); err != nil {
		return []Fault{{File: file, Text: "it is no JSON: " + err.Error(), Next: "write it as one JSON object"}}
	}
	c := checker{file: file}
	c.check(shapeOf(name), value, "")
	if len(c.faults) > 0 {
		return c.faults
	}
	if err := json.Unmarshal(data, v); err != nil {
		return []Fault{{File: file, Text: err.Error(), Next: "write it as its schema says"}}
	}
	return nil
}

// checker gathers what is wrong in one document.
type checker struct {
	file   string
	faults []Fault
}

func (c *checker) fault(at, next, format string, args ...any) {
	c.faults = append(c.faults, Fault{c.file, at, fmt.Sprintf(format, args...), next})
}

// check holds a value against its shape.
func (c *checker) check(s *shape, value any, at string) {
	name, next := nameOf(at), s.advice(at)
	if want := s.kind(); kindOf(value) != want {
		c.fault(at, next, "%s is %s, and must be %s", name, told(value), article(want))
		return
	}
	switch v := value.(type) {
	case map[string]any:
		if len(v) < s.MinProperties {
			c.fault(at, next, "%s is empty, and needs one of %s", name, strings.Join(s.names(), ", "))
		}
		c.object(s, v, at)
	case []any:
		if len(v) < s.MinItems {
			c.fault(at, next, "%s is empty, and needs at least one sentence", name)
		}
		for i, item := range v {
			if s.Items != nil {
				c.check(s.Items, item, pointer(at, strconv.Itoa(i)))
			}
		}
	case string:
		switch {
		case s.Enum != nil && !slices.Contains(s.Enum, v):
			c.fault(at, next, "%s is %q, and must be one of %s", name, v, strings.Join(s.Enum, ", "))
		case len(strings.TrimSpace(v)) < s.MinLength:
			c.fault(at, next, "%s is empty", name)
		}
	case float64:
		c.number(s, v, at)
	}
}

func (c *checker) number(s *shape, v float64, at string) {
	name, next := nameOf(at), s.advice(at)
	switch {
	case s.Minimum != nil && v < *s.Minimum:
		c.fault(at, next, "%s is %v, and must be at least %v", name, v, *s.Minimum)
	case s.Maximum != nil && v > *s.Maximum:
		c.fault(at, next, "%s is %v, and must be at most %v", name, v, *s.Maximum)
	case s.Type == "integer" && v != math.Trunc(v):
		c.fault(at, next, "%s is %v, and must be a whole number", name, v)
	}
}

// object checks the fields of an object. A field that is misspelt is one fault, not an
// unknown one and a missing one.
func (c *checker) object(s *shape, v map[string]any, at string) {
	missing := lists.Filter(s.Required, func(name string) bool { _, ok := v[name]; return !ok })
	for _, key := range slices.Sorted(maps.Keys(v)) {
		if p := s.Properties[key]; p != nil {
			c.check(p, v[key], pointer(at, key))
			continue
		}
		meant := slices.IndexFunc(missing, func(name string) bool { return prose.Distance(name, key) <= 2 })
		switch {
		case meant >= 0:
			c.fault(pointer(at, key), fmt.Sprintf("write %q instead", missing[meant]), "%s is unknown; %s is missing, and perhaps meant", key, missing[meant])
			missing = slices.Delete(missing, meant, meant+1)
		case s.Additional != nil && !*s.Additional:
			c.fault(pointer(at, key), "take it out", "%s is unknown; known are %s", key, strings.Join(s.names(), ", "))
		}
	}
	for _, name := range missing {
		at := pointer(at, name)
		c.fault(at, s.Properties[name].advice(at), "%s is missing", name)
	}
}

func (s *shape) names() []string { return slices.Sorted(maps.Keys(s.Properties)) }

// advice is an example of what to write.
func (s *shape) advice(at string) string {
	if at == "" {
		return "write it as one JSON object with " + strings.Join(s.names(), ", ")
	}
	if len(s.Examples) == 0 {
		return fmt.Sprintf("write %q as %s", nameOf(at), article(s.kind()))
	}
	example, err := json.Marshal(s.Examples[0])
	if err != nil {
		panic(err) // it came from JSON
	}
	return fmt.Sprintf("write for example %q: %s", nameOf(at), example)
}

// kinds are types of what a shape describes, in words for a person.
var kinds = map[string]string{"object": "object", "number": "number", "integer": "number", "array": "list", "boolean": "true or false"}

func (s *shape) kind() string { return cmp.Or(kinds[s.Type], "text") }

func kindOf(value any) string {
	switch value.(type) {
	case map[string]any:
		return "object"
	case []any:
		return "list"
	case bool:
		return "true or false"
	case float64:
		return "number"
	case nil:
		return "null"
	}
	return "text"
}

func article(kind string) string {
	switch kind {
	case "object":
		return "an object"
	case "list", "number", "text":
		return "a " + kind
	}
	return kind
}

// told is a value as a message names it.
func told(value any) string {
	switch v := value.(type) {
	case string:
		return fmt.Sprintf("the text %q", prose.Shorten(v, 40))
	case bool, float64:
		return fmt.Sprint(v)
	}
	return article(kindOf(value))
}
