package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"go/doc/comment"
	"maps"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/knowledge/config"
	"github.com/lessons-cli/lessons/knowledge/schema"
)

// topic is help on something that is no command.
type topic struct {
	name, about string
	make        func() (string, error) // nil: the text is in help/topics
}

var topics = []topic{
	{"triggers", "Which calls a lesson is about, and what happens at one.", nil},
	{"front-matter", "The keys at the top of a lesson's file.", frontMatterTopic},
	{"settings", "Every setting, with its default.", settingsTopic},
	{"files", "What lies where.", nil},
	{"exit-status", "How commands end.", nil},
	{"environment", "Environment variables.", nil},
}

const topicWidth = 80

func topicNamed(name string) (topic, bool) {
	return lists.Find(topics, func(t topic) bool { return t.name == name })
}

// text is the topic in the form of Go's doc comments, which reads well as it is.
func (t topic) text() (string, error) {
	read := t.make
	if read == nil {
		read = func() (string, error) {
			data, err := helpTexts.ReadFile("help/topics/" + t.name + ".txt")
			return string(data), err
		}
	}
	text, err := read()
	printer := &comment.Printer{TextWidth: topicWidth, TextCodePrefix: "    "}
	return string(printer.Text(new(comment.Parser).Parse(text))), err
}

func settingsTopic() (string, error) {
	var b strings.Builder
	b.WriteString(`# Settings

A repository's settings are in .lessons/config.json, which git tracks. Your own are in
~/.config/lessons/config.json and hold for all your repositories; the repository's win, except
for those marked as your own, which are read there alone.

  lessons config minConfidence 0.6
  lessons config --user debug true

Every setting, with its default:

`)
	for _, s := range config.Default().Settings() {
		if strings.HasPrefix(s.Key, "scoring.") {
			continue // told as one below
		}
		own := ""
		if s.User {
			own = " Your own."
		}
		fmt.Fprintf(&b, "  - `%s` (`%s`): %s%s\n", s.Key, s.Value, s.About, own)
	}
	b.WriteString("  - `scoring.*`: The weights of a lesson's priority and confidence. `lessons config` lists them.\n")
	return b.String(), nil
}

func frontMatterTopic() (string, error) {
	data, err := schema.Files.ReadFile("lesson.json")
	if err != nil {
		return "", err
	}
	var s jsonschema.Schema
	if err := json.Unmarshal(data, &s); err != nil {
		return "", err
	}
	var b strings.Builder
	b.WriteString(`# Front matter of a lesson

The keys between the two lines of --- at the top of a file in .lessons. None is needed: what is
missing has a default. Keys that lessons does not know are kept.

`)
	writeKeys(&b, "", &s)
	return b.String(), nil
}

// writeKeys lists the keys of an object, those of objects in it behind a dot.
func writeKeys(b *strings.Builder, prefix string, s *jsonschema.Schema) {
	for _, key := range keysOf(s) {
		value := s.Properties[key]
		if value.Description == "" && value.Ref != "" && strings.ToLower(key) != key {
			continue // another spelling of a key
		}
		fmt.Fprintf(b, "  - `%s%s` (%s)", prefix, key, kindOf(value))
		if value.Description != "" {
			fmt.Fprintf(b, ": %s", value.Description)
		}
		b.WriteString("\n")
		writeKeys(b, prefix+key+".", value)
	}
}

func keysOf(s *jsonschema.Schema) []string {
	if len(s.PropertyOrder) > 0 {
		return s.PropertyOrder
	}
	return slices.Sorted(maps.Keys(s.Properties))
}

// kindOf says in a few words which values a key takes.
func kindOf(s *jsonschema.Schema) string {
	switch name := s.Ref[strings.LastIndexByte(s.Ref, '/')+1:]; {
	case name == "texts":
		return "a text or a list of texts"
	case name == "date":
		return "a date: 2026-05-01"
	case len(s.AnyOf) > 0:
		return kindOf(s.AnyOf[0]) + ", or " + kindOf(s.AnyOf[1])
	case len(s.Enum) > 0:
		words := lists.Map(s.Enum, func(word any) string { return fmt.Sprintf("`%v`", word) })
		return strings.Join(words, ", ")
	case s.Minimum != nil && s.Maximum != nil:
		return fmt.Sprintf("a number from %v to %v", *s.Minimum, *s.Maximum)
	case s.Type == "object" || len(s.Properties) > 0:
		return "keys below it"
	}
	return cmp.Or(map[string]string{"string": "a text", "integer": "a number"}[s.Type], s.Type)
}
