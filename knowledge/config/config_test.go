package config

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lessons-cli/lessons/internal/test/kit"
	"github.com/lessons-cli/lessons/internal/test/schema"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/entry"
	"github.com/lessons-cli/lessons/knowledge/lesson"
	"github.com/lessons-cli/lessons/knowledge/observe"
)

func TestConfigDefaults(t *testing.T) {
	var b strings.Builder
	for _, s := range Default().Settings() {
		b.WriteString(s.Key + " " + s.Value + "\n")
	}
	kit.Golden(t, "config/defaults.txt", []byte(b.String()))
	for _, text := range []string{"{}", `{"$schema":"x","type":"lessons/config","version":1}`} {
		c, problems, err := Read(Default(), File, []byte(text), false)
		if err != nil || len(problems) > 0 || !reflect.DeepEqual(c, Default()) {
			t.Errorf("%s: %v %v\n%s", text, err, problems, cmp.Diff(Default(), c))
		}
	}
	if c := Default(); c.BatchSize(14) != 3 || c.BatchSize(15) != 5 {
		t.Error("batch sizes")
	}
}

func TestConfigIsReadInBothSpellings(t *testing.T) {
	text := `{"layout":"files","min_confidence":0.7,"scoring":{"hang_timeout_bonus":4},"thresholds":{"decision":{"spread_days":2}},"publish":["claude"],"later":{"x":1},
	"maxAction":"inform","aggregateAt":0}`
	want := Default()
	want.Layout, want.MinConfidence, want.MaxAction, want.AggregateAt, want.Publish = entry.LayoutFiles, 0.7, lesson.ActionInform, 0, []string{"claude"}
	want.Weights.HangTimeoutBonus = 4
	want.Thresholds.Decision = observe.Threshold{Required: 2, SpreadDays: 2, Promote: 0.65}
	got, problems, err := Read(Default(), File, []byte(text), false)
	if err != nil || len(problems) > 0 {
		t.Fatal(err, problems)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if Default().Thresholds.Decision.SpreadDays != 0 {
		t.Error("reading changed the defaults")
	}
}

func TestConfigProblemsNameTheirLine(t *testing.T) {
	for _, tt := range []struct {
		value string
		says  string
	}{
		{`"minConfidence": "0.5"`, "a number from 0 to 1"},
		{`"minConfidence": 1.5`, "a number from 0 to 1"},
		{`"batch": 1.5`, "a whole number from 1 to 100"},
		{`"batch": null`, "a whole number"},
		{`"layout": 1`, "a text"},
		{`"layout": "tree"`, "book, files"},
		{`"scoringMode": "evidence"`, "match, seed"},
		{`"publish": "claude"`, "a list of texts"},
		{`"scoring": 3`, "an object"},
		{`"thresholds": {"decision": {"required": 0}}`, "thresholds.decision.required"},
		{`"version": 2`, "newer"},
		{`"version": "1"`, "whole number"},
		{`"scanPaths": ["/etc"]`, "your own settings"},
		{`"learn_command": ["sh"]`, "your own settings"},
		{`"model": "x"`, "your own settings"},
		{`"dailyCap": 100`, "your own settings"},
		{`"debug": true`, "your own settings"},
		{`"minPriority": 11`, "1 to 10"},
		{`"batch": 4, "batch": 5`, "twice"},
		{`"min_confidence": 1, "minConfidence": 1`, "twice"},
	} {
		text := "{\n  \"ceiling\": 7,\n\n  " + tt.value + "\n}\n"
		c, problems, err := Read(Default(), File, []byte(text), false)
		if err != nil || len(problems) != 1 || problems[0].Line != 4 || problems[0].Path != File || !strings.Contains(problems[0].Text, tt.says) {
			t.Errorf("%s: %v %v", tt.value, err, problems)
		}
		if c.Ceiling != 7 {
			t.Errorf("%s hides another setting", tt.value)
		}
	}
	c, _, _ := Read(Default(), File, []byte(`{"model":"x","debug":true,"minConfidence":9,"scanPaths":["/"]}`), false)
	if !reflect.DeepEqual(c, Default()) {
		t.Errorf("refused values are used: %+v", c)
	}
}

func TestBrokenConfigIsOneError(t *testing.T) {
	for text, line := range map[string]int{"": 1, "{": 1, "{\n\"a\": }": 2, "[]": 1, "{}\n{}": 2, "\xff": 1} {
		c, _, err := Read(Default(), File, []byte(text), false)
		var parse *knowledge.ParseError
		if !errors.As(err, &parse) || parse.Line != line || parse.Path != File {
			t.Errorf("%q: %v", text, err)
		}
		if !reflect.DeepEqual(c, Default()) {
			t.Errorf("%q: not the defaults", text)
		}
	}
}

func TestUserConfigMaySetWhatARepositoryMayNot(t *testing.T) {
	user, problems, err := Read(Default(), "config.json", []byte(`{"model":"x","dailyCap":1,"debug":true,"scanPaths":["~/t"],"learnCommand":["llm","-p"],"minConfidence":0.9}`), true)
	if err != nil || len(problems) > 0 || user.Model != "x" || user.DailyCap != 1 || !user.Debug || len(user.LearnCommand) != 2 {
		t.Fatalf("%v %v %+v", err, problems, user)
	}
	c, problems, err := Read(user, File, []byte(`{"model":"y","minConfidence":0.4}`), false)
	if err != nil || len(problems) != 1 || c.Model != "x" || c.MinConfidence != 0.4 {
		t.Errorf("%v %v %+v", err, problems, c)
	}
}

func TestDevflowConfigGivesValuesAlone(t *testing.T) {
	c, problems := readDevflow(Default(), devflowFile, []byte(`{"model":"x","batch_size":4,"max_daily_runs":50,"debug":true,"command":"rm"}`))
	if len(problems) > 0 || c.Batch != 4 || c.Model != "sonnet" || c.DailyCap != 5 || c.Debug || len(c.LearnCommand) > 0 {
		t.Errorf("%v %+v", problems, c)
	}
	for _, text := range []string{`{"batch_size":"x"}`, `no`} {
		if c, problems := readDevflow(Default(), devflowFile, []byte(text)); len(problems) != 1 || c.Batch != 3 {
			t.Errorf("%s: %v", text, problems)
		}
	}
}

func TestSetConfigChangesNothingElse(t *testing.T) {
	tests := []struct{ name, text, key, value, want string }{
		{"a value", "{ \"minConfidence\" : 0.5,\n\t\"x\": [1,2] }", "minConfidence", "0.6", "{ \"minConfidence\" : 0.6,\n\t\"x\": [1,2] }"},
		{"its own spelling", "{\"min_confidence\":0.5}", "minConfidence", "0.6", "{\"min_confidence\":0.6}"},
		{"asked in the other spelling", "{\"minConfidence\":0.5}", "min_confidence", "0.6", "{\"minConfidence\":0.6}"},
		{"a word", "{\n  \"layout\": \"book\"\n}\n", "layout", "files", "{\n  \"layout\": \"files\"\n}\n"},
		{"a new one", "{\n  \"later\": 1\n}\n", "batch", "4", "{\n  \"later\": 1,\n  \"batch\": 4\n}\n"},
		{"nested", "{\n  \"scoring\": {\n    \"x\": 1\n  }\n}\n", "scoring.hangTimeoutBonus", "2", "{\n  \"scoring\": {\n    \"x\": 1,\n    \"hangTimeoutBonus\": 2\n  }\n}\n"},
		{"a new group", "{}", "thresholds.decision.required", "3", "{\n  \"thresholds\": {\n    \"decision\": {\n      \"required\": 3\n    }\n  }\n}"},
		{"a list", "{\"publish\":[]}", "publish", `["claude"]`, "{\"publish\":[\"claude\"]}"},
		{"CRLF", "{\r\n  \"batch\": 3\r\n}\r\n", "batch", "4", "{\r\n  \"batch\": 4\r\n}\r\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := Set([]byte(tt.text), tt.key, tt.value, false)
			if err != nil || string(got) != tt.want {
				t.Errorf("%v\n got %q\nwant %q", err, got, tt.want)
			}
		})
	}
	for _, bad := range [][3]string{
		{"{}", "nothing", "1"},
		{"{}", "batch", "x"},
		{"{}", "batch", "0"},
		{"{}", "layout", "tree"},
		{"{}", "model", "x"},
		{"{}", "publish", "claude"},
		{"{", "batch", "3"},
		{`{"version":9}`, "batch", "3"},
		{`{"scoring":1}`, "scoring.hangTimeoutBonus", "2"},
		{"{}", "batch", "3}"},
	} {
		if got, err := Set([]byte(bad[0]), bad[1], bad[2], false); err == nil {
			t.Errorf("%q became %q", bad, got)
		}
	}
	begun, err := Set(nil, "batch", "4", false)
	if err != nil {
		t.Fatal(err)
	}
	kit.Golden(t, "config/begun.json", begun)
}

func TestEverySettingCanBeSet(t *testing.T) {
	for _, s := range Default().Settings() {
		known, _ := settingOf(s.Key)
		if known.about == "" {
			t.Errorf("%s has no description", s.Key)
		}
		if known.user {
			continue
		}
		data, err := Set([]byte("{}"), s.Key, s.Value, false)
		if err != nil {
			t.Errorf("%s: %v", s.Key, err)
			continue
		}
		if c, problems, err := Read(Default(), "c", data, false); err != nil || len(problems) > 0 || !reflect.DeepEqual(c, Default()) {
			t.Errorf("%s: %v %v", data, err, problems)
		}
	}
}

func FuzzConfig(f *testing.F) {
	f.Add([]byte(`{"thresholds":{"decision":{"required":3}},"scoring":null,"publish":["a"]}`), "0.7")
	f.Add([]byte("{\"layout\":\"files\",\n\"layout\":1,\"version\":1e9}"), "x")
	f.Fuzz(func(t *testing.T, data []byte, value string) {
		c, problems, err := Read(Default(), File, data, false)
		if err != nil {
			return
		}
		for _, p := range problems {
			if p.Line < 1 || p.Text == "" {
				t.Fatalf("%+v", p)
			}
		}
		if c.Model != "sonnet" || len(c.LearnCommand) > 0 || c.Thresholds.Of(knowledge.Decision).Required < 1 {
			t.Fatalf("%+v", c)
		}
		after, err := Set(data, "minConfidence", value, false)
		if err != nil {
			return
		}
		var number float64
		if json.Unmarshal([]byte(value), &number) != nil {
			t.Fatalf("%q was taken for a number", value)
		}
		if got, _, err := Read(Default(), File, after, false); err != nil || got.MinConfidence != number || got.Layout != c.Layout {
			t.Fatalf("%q became %q: %v", data, after, err)
		}
	})
}

// schemaFolder holds the schemas.
const schemaFolder = "../schema"

// configSchemaOf writes the schema of the settings from their table.
func configSchemaOf(t *testing.T) []byte {
	t.Helper()
	object := func() map[string]any {
		return map[string]any{"type": "object", "additionalProperties": true, "properties": map[string]any{}}
	}
	root := object()
	root["$schema"] = "https://json-schema.org/draft/2020-12/schema"
	root["$id"] = schemaURL
	root["title"] = "Settings of lessons"
	root["description"] = "Settings of a repository in .lessons/config.json. Those marked as a person's own are read from that person's settings only."
	properties := func(o map[string]any) map[string]any { return o["properties"].(map[string]any) }
	properties(root)["$schema"] = map[string]any{"type": "string"}
	properties(root)["type"] = map[string]any{"const": fileType}
	properties(root)["version"] = map[string]any{"type": "integer", "minimum": 1}
	defaults := Default()
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
		switch field := s.field(&defaults); field.Kind() {
		case reflect.String:
			property["type"] = "string"
			if s.words != nil {
				property["enum"] = s.words
			}
		case reflect.Bool:
			property["type"], value = "boolean", text == "true"
		case reflect.Slice:
			property["type"], property["items"], value = "array", map[string]any{"type": "string"}, []string{}
		default:
			property["type"] = "integer"
			if field.CanFloat() {
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
		if err := os.WriteFile(filepath.Join(schemaFolder, "config.json"), want, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	got, err := schema.Text("config")
	if err != nil || !bytes.Equal(knowledge.NormaliseLines(got), want) {
		t.Errorf("schema/config.json is not that of the settings; LESSONS_UPDATE=1 writes it:\n%s", want)
	}
}

func TestConfigsFitTheirSchema(t *testing.T) {
	data, err := json.Marshal(Default())
	if err != nil {
		t.Fatal(err)
	}
	if err := schema.Validate("config", data); err != nil {
		t.Errorf("the defaults: %v", err)
	}
	written, err := Set(nil, "thresholds.decision.promote", "0.7", false)
	if err != nil {
		t.Fatal(err)
	}
	if err := schema.Validate("config", written); err != nil {
		t.Errorf("%s: %v", written, err)
	}
	for _, bad := range []string{`{"layout":"tree"}`, `{"minConfidence":2}`, `{"publish":"x"}`, `{"thresholds":{"decision":{"required":0}}}`, `{"type":"x"}`, `{"batch":1.5}`} {
		if schema.Validate("config", []byte(bad)) == nil {
			t.Errorf("%s fits", bad)
		}
		if _, problems, _ := Read(Default(), "c", []byte(bad), false); len(problems) == 0 && !strings.Contains(bad, "type") {
			t.Errorf("%s is read without a problem", bad)
		}
	}
}
