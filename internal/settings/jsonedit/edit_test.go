package jsonedit

import (
	"encoding/json"
	"errors"
	"reflect"
	"testing"
)

func TestEditsKeepEverythingElse(t *testing.T) {
	tests := []struct {
		name, doc, key, value, want string
	}{
		{"empty object", "{}", "a", "1", "{\n  \"a\": 1\n}"},
		{"empty object with line end", "{}\n", "a", "1", "{\n  \"a\": 1\n}\n"},
		{"two spaces", "{\n  \"x\": true\n}\n", "a", `{"b":[1]}`, "{\n  \"x\": true,\n  \"a\": {\n    \"b\": [\n      1\n    ]\n  }\n}\n"},
		{"tabs", "{\n\t\"x\": 1\n}", "a", "[1]", "{\n\t\"x\": 1,\n\t\"a\": [\n\t\t1\n\t]\n}"},
		{"one line", `{"x":1, "y" : [ 2]}`, "a", `{"b": 1}`, `{"x":1, "y" : [ 2],"a":{"b":1}}`},
		{"line ends of Windows", "{\r\n    \"x\": 1\r\n}\r\n", "a", "1", "{\r\n    \"x\": 1,\r\n    \"a\": 1\r\n}\r\n"},
		{"last on the closing line", "{ \"x\": 1,\n  \"y\": 2 }", "a", "1", "{ \"x\": 1,\n  \"y\": 2,\n  \"a\": 1 }"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			root := parse(t, tt.doc)
			got := string(AddMember([]byte(tt.doc), root, tt.key, json.RawMessage(tt.value)))
			if got != tt.want {
				t.Fatalf("got %q\nwant %q", got, tt.want)
			}
			back := string(RemoveMember([]byte(got), parse(t, got), tt.key))
			if len(root.Members) > 0 && back != tt.doc {
				t.Errorf("removed again: got %q\nwant %q", back, tt.doc)
			}
		})
	}
}

func TestArrays(t *testing.T) {
	doc := "{\"a\": [1,\n 2]}"
	array, _ := parse(t, doc).Member("a")
	got := string(Append([]byte(doc), array, json.RawMessage("3")))
	if want := "{\"a\": [1,\n 2,\n  3]}"; got != want {
		t.Errorf("got %q want %q", got, want)
	}
	for i, want := range []string{"{\"a\": [2]}", "{\"a\": [1]}"} {
		if got := string(RemoveElem([]byte(doc), array, i)); got != want {
			t.Errorf("without element %d: got %q want %q", i, got, want)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	for _, doc := range []string{"", "{", `{"a":}`, "{}x", "{} {}", "[1,]", `{"a":1,}`, "// note\n{}"} {
		_, err := Parse([]byte(doc))
		var syntax *SyntaxError
		if !errors.As(err, &syntax) || syntax.Line < 1 {
			t.Errorf("%q: got %v, want a syntax error with a line", doc, err)
		}
	}
}

func parse(t *testing.T, doc string) Node {
	t.Helper()
	n, err := Parse([]byte(doc))
	if err != nil {
		t.Fatalf("%q: %v", doc, err)
	}
	return n
}

// FuzzAdd checks that adding and removing a member leaves the meaning of every
// other member alone.
func FuzzAdd(f *testing.F) {
	f.Add([]byte(`{"x":1,"y":[{}]}`))
	f.Add([]byte("{\n\t\"x\" : null }"))
	f.Add([]byte(`{"a":1,"a":2}`))
	f.Fuzz(func(t *testing.T, doc []byte) {
		root, err := Parse(doc)
		if err != nil || !root.IsObject() {
			return
		}
		var before, after, back map[string]any
		if json.Unmarshal(doc, &before) != nil {
			return
		}
		if _, taken := before["lessons"]; taken {
			return
		}
		added := AddMember(doc, root, "lessons", json.RawMessage(`{"on":true}`))
		if err := json.Unmarshal(added, &after); err != nil {
			t.Fatalf("%q became %q: %v", doc, added, err)
		}
		again, err := Parse(added)
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(RemoveMember(added, again, "lessons"), &back); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(before, back) || len(after) != len(before)+1 {
			t.Errorf("%q became %q, then %v", doc, added, back)
		}
	})
}
