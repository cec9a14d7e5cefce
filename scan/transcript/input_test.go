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
		edits bool
		want  Arguments
	}{
		{`{"command":"ls -la","description":"look"}`, false, Arguments{Command: "ls -la", Description: "look"}},
		{`{"command":["bash","-lc","make test"]}`, false, Arguments{Argv: []string{"bash", "-lc", "make test"}}},
		{`{"command":["make",1]}`, false, Arguments{}},
		{`{"command":7,"path":"a/b"}`, false, Arguments{Path: "a/b"}},
		{`{"path":"later","file_path":"first"}`, false, Arguments{Path: "first"}},
		{`{"filePath":"/a\\b","content":"text"}`, false, Arguments{Path: `/a\b`}},
		{`{"file_path":"f","content":"text"}`, true, Arguments{Path: "f", Edit: Edit{New: "text"}}},
		{`{"file_path":["f"],"old_string":"a","new_string":"b\n"}`, true, Arguments{Edit: Edit{"a", "b\n"}}},
		{`{"notebook_path":"n","new_source":"x"}`, true, Arguments{Path: "n", Edit: Edit{New: "x"}}},
		{`{"edits":[{"old_string":"a","new_string":"b"},7,{"new_string":"c"}]}`, true, Arguments{Edits: []Edit{{"a", "b"}, {"", "c"}}}},
		{`{"edits":{"old_string":"a"},"file_path":"f"}`, true, Arguments{Path: "f"}},
		{`{"command":"ls","pa`, false, Arguments{Command: "ls"}},
		{`["ls"]`, false, Arguments{}},
		{``, true, Arguments{}},
	} {
		if diff := cmp.Diff(c.want, ReadArguments(json.RawMessage(c.input), c.edits)); diff != "" {
			t.Errorf("%s:\n%s", c.input, diff)
		}
	}
}

// Fields of unexpected types hide no others, and encoding/json agrees.
func TestArgumentsAreReadAsJSON(t *testing.T) {
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
		want := Arguments{Command: word("command"), Path: word("file_path"), Edit: Edit{word("old_string"), word("new_string")}}
		if want.Path == "" {
			want.Path = word("path")
		}
		got := ReadArguments(raw, true)
		got.Argv = nil
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("%s:\n%s", raw, diff)
		}
	})
}
