package knowledge

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	"go.yaml.in/yaml/v3"
)

// resolved compiles a shipped schema.
func resolved(t *testing.T, name string) *jsonschema.Resolved {
	t.Helper()
	var schema jsonschema.Schema
	if err := json.Unmarshal(Schema(name), &schema); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	r, err := schema.Resolve(nil)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return r
}

func validate(t *testing.T, name string, data []byte) error {
	t.Helper()
	var value any
	if err := json.Unmarshal(data, &value); err != nil {
		t.Fatal(err)
	}
	return resolved(t, name).Validate(value)
}

func TestSchemasAreShipped(t *testing.T) {
	for _, name := range SchemaNames() {
		resolved(t, name)
	}
	if Schema("other") != nil || Schema("../config") != nil {
		t.Error("a schema that is not there")
	}
}

// configSchemaOf writes the schema of the settings from their table.
func configSchemaOf(t *testing.T) []byte {
	t.Helper()
	object := func() map[string]any {
		return map[string]any{"type": "object", "additionalProperties": true, "properties": map[string]any{}}
	}
	root := object()
	root["$schema"] = "https://json-schema.org/draft/2020-12/schema"
	root["$id"] = configSchema
	root["title"] = "Settings of lessons"
	root["description"] = "Settings of a repository in .lessons/config.json. Those marked as a person's own are read from that person's settings only."
	properties := func(o map[string]any) map[string]any { return o["properties"].(map[string]any) }
	properties(root)["$schema"] = map[string]any{"type": "string"}
	properties(root)["type"] = map[string]any{"const": configType}
	properties(root)["version"] = map[string]any{"type": "integer", "minimum": 1}
	defaults := DefaultConfig()
	for _, s := range settings() {
		at := root
		keys := strings.Split(s.key, ".")
		for _, key := range keys[:len(keys)-1] {
			if properties(at)[key] == nil {
				properties(at)[key] = object()
			}
			at = properties(at)[key].(map[string]any)
		}
		about := s.about
		if s.user {
			about += " A person's own setting."
		}
		property := map[string]any{"description": about}
		text := s.text(&defaults)
		var value any = text
		switch into := s.field(&defaults).(type) {
		case *string, *Layout:
			property["type"] = "string"
			if s.words != nil {
				property["enum"] = s.words
			}
		case *bool:
			property["type"], value = "boolean", text == "true"
		case *[]string:
			property["type"], property["items"], value = "array", map[string]any{"type": "string"}, []string{}
		default:
			property["type"] = "integer"
			if f, ok := into.(*thresholdField); (ok && !f.whole()) || reflect.TypeOf(into) == reflect.TypeFor[*float64]() {
				property["type"] = "number"
			}
			property["minimum"], property["maximum"], value = s.min, s.max, json.Number(text)
		}
		property["default"] = value
		properties(at)[keys[len(keys)-1]] = property
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(root); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestConfigSchemaIsThatOfTheSettings(t *testing.T) {
	want := configSchemaOf(t)
	if os.Getenv("LESSONS_UPDATE") != "" {
		if err := os.WriteFile(filepath.Join("schema", "config.json"), want, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if got := NormaliseLines(Schema("config")); !bytes.Equal(got, want) {
		t.Errorf("schema/config.json is not that of the settings; LESSONS_UPDATE=1 writes it:\n%s", want)
	}
}

func TestConfigsFitTheirSchema(t *testing.T) {
	data, err := json.Marshal(DefaultConfig())
	if err != nil {
		t.Fatal(err)
	}
	if err := validate(t, "config", data); err != nil {
		t.Errorf("the defaults: %v", err)
	}
	written, err := SetConfig(nil, "thresholds.decision.promote", "0.7")
	if err != nil {
		t.Fatal(err)
	}
	if err := validate(t, "config", written); err != nil {
		t.Errorf("%s: %v", written, err)
	}
	for _, bad := range []string{`{"layout":"tree"}`, `{"minConfidence":2}`, `{"publish":"x"}`, `{"thresholds":{"decision":{"required":0}}}`, `{"type":"x"}`, `{"batch":1.5}`} {
		if validate(t, "config", []byte(bad)) == nil {
			t.Errorf("%s fits", bad)
		}
		if _, problems, _ := ParseConfig("c", []byte(bad)); len(problems) == 0 && !strings.Contains(bad, "type") {
			t.Errorf("%s is read without a problem", bad)
		}
	}
}

func TestManifestsFitTheirSchema(t *testing.T) {
	m := &Manifest{}
	row := Row{ObservationID: "obs_a", Type: "decision", Path: DecisionsPath, Anchor: "ADR-001", ContentHash: ContentHash(nil), RenderedAt: time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC), N: 2, Rev: 1, Title: "x"}
	m.PutRow(row)
	row.ObservationID, row.Type, row.Anchor = "obs_b", "lesson", ""
	m.Bury(Tombstone{Row: row, How: "committed", At: "2026-11-20T00:00:00Z"})
	if err := validate(t, "manifest", m.Bytes()); err != nil {
		t.Errorf("%s: %v", m.Bytes(), err)
	}
	for _, bad := range []string{`{"entries":[{}]}`, `{"entries":{}}`, `{"tombstones":[{"observationId":"x"}]}`} {
		if validate(t, "manifest", []byte(bad)) == nil {
			t.Errorf("%s fits", bad)
		}
	}
}

func TestObservationsFitTheirSchema(t *testing.T) {
	at := time.Date(2026, 11, 20, 8, 0, 0, 0, time.UTC)
	full := Observation{
		ID: "obs_a", Type: Pitfall, Pattern: "x", Details: "area: y", Evidence: []string{"q"}, Observations: 2, Confidence: 0.95, FirstSeen: at, LastSeen: at,
		Status: Ready, QualityOK: true, ArtifactPath: "p", NeedsReview: true, MayBeStale: true, StaleReason: "r", SoftCapExceeded: true, DeprecatedAt: "d",
		Sessions: []string{"a"}, Aliases: []string{"b"}, Keys: []string{"c"}, Trigger: &Trigger{Tools: []string{"Bash"}}, Mistake: "m", Fix: "f", Tags: []string{"t"},
		Origin: OriginErrorFix, Marks: []Mark{MarkHang}, Projects: 1, Priority: 7, Kind: Checklist, Level: High, Items: []string{"i"}, Recorded: RecordedManual,
		Phrased: []Phrasing{{Of: "o", Model: "m", Title: "t", Mistake: "m", Fix: "f", Why: "w", Quotes: []string{"q"}, QualityOK: true, Rejected: "r"}},
	}
	line, err := json.Marshal(full)
	if err != nil {
		t.Fatal(err)
	}
	if err := validate(t, "observation", line); err != nil {
		t.Error(err)
	}
	var schema jsonschema.Schema
	if err := json.Unmarshal(Schema("observation"), &schema); err != nil {
		t.Fatal(err)
	}
	typ := reflect.TypeFor[Observation]()
	for i := range typ.NumField() {
		name, _, _ := strings.Cut(typ.Field(i).Tag.Get("json"), ",")
		if schema.Properties[name] == nil {
			t.Errorf("field %s is not in the schema", name)
		}
	}
	for _, bad := range []string{`{}`, `{"id":"x","type":"y","pattern":"z"}`, `{"id":"x","type":"pitfall","pattern":"z","confidence":2}`} {
		if validate(t, "observation", []byte(bad)) == nil {
			t.Errorf("%s fits", bad)
		}
	}
}

func TestLessonsFitTheirSchema(t *testing.T) {
	check := func(data []byte) error {
		m, err := findMatter(data)
		if err != nil {
			t.Fatal(err)
		}
		var node yaml.Node
		if err := yaml.Unmarshal(data[m.start:m.end], &node); err != nil {
			t.Fatal(err)
		}
		return resolved(t, "lesson").Validate(plainYAML(node.Content[0]))
	}
	if err := check(fullLesson().Format()); err != nil {
		t.Error(err)
	}
	for _, bad := range []string{"kind: x", "priority: 11", "confidence: 2", "triggers: {tool: [x]}", "triggers: []", "tags: {a: b}", "seen: {sessions: x}", "action: x", "status: x"} {
		text := []byte("---\n" + bad + "\n---\n")
		if check(text) == nil {
			t.Errorf("%s fits", bad)
		}
		if _, err := ParseLesson("l.md", text); err == nil {
			t.Errorf("%s is read", bad)
		}
	}
}

// plainYAML turns a node into values as JSON has them; dates stay texts.
func plainYAML(n *yaml.Node) any {
	switch n.Kind {
	case yaml.MappingNode:
		m := map[string]any{}
		for i := 0; i+1 < len(n.Content); i += 2 {
			m[n.Content[i].Value] = plainYAML(n.Content[i+1])
		}
		return m
	case yaml.SequenceNode:
		list := []any{}
		for _, c := range n.Content {
			list = append(list, plainYAML(c))
		}
		return list
	}
	if n.Tag == "!!int" || n.Tag == "!!float" {
		var number float64
		if json.Unmarshal([]byte(n.Value), &number) == nil {
			return number
		}
	}
	return n.Value
}
