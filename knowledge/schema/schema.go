// Package schema holds the JSON Schemas (draft 2020-12) of the files that lessons
// writes, for editors and other programs: config for .lessons/config.json, export
// for what lessons export writes, lesson for the front matter of a lesson,
// manifest for the manifest in layout book, observation for one line of the log.
// Tests hold what is written against them; the program itself does not read them.
package schema

import (
	"embed"
	"encoding/json"

	"github.com/google/jsonschema-go/jsonschema"
)

//go:embed *.json
var files embed.FS

// Names lists the schemas.
func Names() []string { return []string{"config", "export", "lesson", "manifest", "observation"} }

// Text returns the file of a schema.
func Text(name string) ([]byte, error) { return files.ReadFile(name + ".json") }

// Read returns a schema.
func Read(name string) (*jsonschema.Schema, error) {
	data, err := Text(name)
	if err != nil {
		return nil, err
	}
	var s jsonschema.Schema
	return &s, json.Unmarshal(data, &s)
}

// Validate says what in a JSON document does not fit the schema.
func Validate(name string, data []byte) error {
	var value any
	if err := json.Unmarshal(data, &value); err != nil {
		return err
	}
	s, err := Read(name)
	if err != nil {
		return err
	}
	resolved, err := s.Resolve(nil)
	if err != nil {
		return err
	}
	return resolved.Validate(value)
}
