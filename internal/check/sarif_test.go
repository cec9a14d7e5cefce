package check_test

import (
	"bytes"
	"encoding/json"
	"os"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/lessons-cli/lessons/internal/check"
	"github.com/lessons-cli/lessons/internal/plain"
	"github.com/lessons-cli/lessons/knowledge"
)

func TestSARIFFitsItsSchema(t *testing.T) {
	data, err := os.ReadFile("testdata/sarif-2.1.0.json")
	if err != nil {
		t.Fatal(err)
	}
	var schema jsonschema.Schema
	if err := json.Unmarshal(data, &schema); err != nil {
		t.Fatal(err)
	}
	resolved, err := schema.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, findings := range map[string][]knowledge.Problem{
		"nothing": nil,
		"some": {
			{Path: ".lessons/a b%ü.md", Line: 3, Rule: "secret", Text: "one"},
			{Path: ".memory/knowledge/decisions.md", Rule: "lesson", Text: "two"},
			{Path: "commit 0123456789", Line: 1, Rule: "dangling-citation", Text: "three"},
		},
	} {
		var out bytes.Buffer
		if err := plain.NewPrinter(&out).JSON(check.SARIF(findings, "1.2.3"), "  "); err != nil {
			t.Fatal(err)
		}
		var value any
		if err := json.Unmarshal(out.Bytes(), &value); err != nil {
			t.Fatal(err)
		}
		if err := resolved.Validate(value); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		broken := bytes.Replace(out.Bytes(), []byte(`"version": "2.1.0"`), []byte(`"version": "2"`), 1)
		if err := json.Unmarshal(broken, &value); err != nil {
			t.Fatal(err)
		}
		if resolved.Validate(value) == nil {
			t.Error("the schema accepts anything")
		}
	}
}
