package transcript

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestArgumentsOfCalls(t *testing.T) {
	for _, c := range []struct {
		input string
		want  Arguments
	}{
		{`{"command":"ls -la","description":"look"}`, Arguments{Command: "ls -la", Description: "look"}},
		{`{"command":["bash","-lc","make test"]}`, Arguments{Command: "make test"}},
		{`{"command":["make","test"]}`, Arguments{Command: "make test"}},
		{`{"command":["make",1]}`, Arguments{}},
		{`{"command":7,"path":"a/b"}`, Arguments{Path: "a/b"}},
		{`{"path":"later","file_path":"first"}`, Arguments{Path: "first"}},
		{`{"filePath":"/a\\b","content":"text"}`, Arguments{Path: `/a\b`}},
		{`{"command":"ls","pa`, Arguments{Command: "ls"}},
		{`["ls"]`, Arguments{}},
		{``, Arguments{}},
	} {
		if diff := cmp.Diff(c.want, ReadArguments(json.RawMessage(c.input))); diff != "" {
			t.Errorf("%s:\n%s", c.input, diff)
		}
	}
}

func TestChangesOfCalls(t *testing.T) {
	for _, c := range []struct {
		input string
		want  Change
	}{
		{`{"file_path":"f","content":"text"}`, Change{Edit: Edit{New: "text"}}},
		{`{"file_path":["f"],"old_string":"a","new_string":"b\n"}`, Change{Edit: Edit{"a", "b\n"}}},
		{`{"notebook_path":"n","new_source":"x"}`, Change{Edit: Edit{New: "x"}}},
		{`{"edits":[{"old_string":"a","new_string":"b"},7,{"new_string":"c"}]}`, Change{Edits: []Edit{{"a", "b"}, {"", "c"}}}},
		{`{"edits":{"old_string":"a"},"new_string":"b"}`, Change{Edit: Edit{New: "b"}}},
		{`{"old_string":"a","new_`, Change{Edit: Edit{Old: "a"}}},
		{`["a"]`, Change{}},
		{``, Change{}},
	} {
		if diff := cmp.Diff(c.want, ReadChange(json.RawMessage(c.input))); diff != "" {
			t.Errorf("%s:\n%s", c.input, diff)
		}
	}
}

// Fields of unexpected types hide no others, and encoding/json agrees.
func TestInputsAreReadAsJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := map[string]any{}
		for _, name := range []string{"command", "path", "file_path", "old_string", "new_string", "other"} {
			if rapid.Bool().Draw(t, "has "+name) {
				in[name] = draw(t, 2)
			}
		}
		raw, err := json.Marshal(in)
		if err != nil {
			t.Fatal(err)
		}
		word := func(name string) string { s, _ := in[name].(string); return s }
		want := Arguments{Command: word("command"), Path: word("file_path")}
		if want.Path == "" {
			want.Path = word("path")
		}
		got := ReadArguments(raw)
		if _, vector := in["command"].([]any); vector {
			got.Command = ""
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("%s:\n%s", raw, diff)
		}
		if diff := cmp.Diff(Edit{word("old_string"), word("new_string")}, ReadChange(raw).Edit); diff != "" {
			t.Fatalf("%s:\n%s", raw, diff)
		}
	})
}
