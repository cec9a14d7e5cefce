// Package schema reads the JSON Schemas (draft 2020-12) in knowledge/schema, which
// editors and other programs use, so that tests hold what lessons writes against
// them.
package schema

import (
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"

	"github.com/google/jsonschema-go/jsonschema"
)

// Text returns the file of a schema.
func Text(name string) ([]byte, error) {
	_, here, _, _ := runtime.Caller(0)
	return os.ReadFile(filepath.Join(filepath.Dir(here), "..", "..", "..", "knowledge", "schema", name+".json"))
}

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
