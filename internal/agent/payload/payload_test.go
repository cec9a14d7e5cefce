package payload

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestFieldsOfAnotherTypeAreAbsent(t *testing.T) {
	o, err := Parse([]byte(` {"s":"x","S":"y","n":3,"f":1.5,"b":true,"o":{"k":"v"},"l":[{"a":"1"},2],"z":null} `))
	if err != nil {
		t.Fatal(err)
	}
	if o.Text("s") != "x" || o.Text("n") != "" || o.Text("missing") != "" || o.First("n z S") != "y" {
		t.Error("texts")
	}
	n, ok := o.Number("n")
	_, half := o.Number("f")
	_, null := o.Number("z")
	if n != 3 || !ok || half || null {
		t.Error("numbers")
	}
	if !o.Flag("b") || o.Flag("s") || o.Has("z") || o.Has("missing") || !o.Has("n") {
		t.Error("flags")
	}
	if o.Object("o").Text("k") != "v" || o.Object("s") != nil || o.Object("s").Text("k") != "" {
		t.Error("objects")
	}
	if len(o.List("l")) != 2 || len(o.Objects("l")) != 1 || o.List("o") != nil {
		t.Error("lists")
	}
	for _, input := range []string{"", "null", "[]", "1", `{"a":}`, `{"a":1}{}`} {
		if _, err := Parse([]byte(input)); err == nil {
			t.Errorf("%q is taken for an object", input)
		}
	}
}

func TestPlainIsWhatAToolSaid(t *testing.T) {
	for raw, want := range map[string]string{
		`"x"`: "x", `null`: "", ``: "", `7`: "7",
		`{"stdout":"a","stderr":"b","interrupted":false}`:         "a\nb",
		`[{"type":"text","text":"a"},{"type":"image"}]`:           "a\n{\"type\":\"image\"}",
		`{"type":"text","file":{"filePath":"/p","content":"hi"}}`: "hi",
		`{"filenames":["a","b"]}`:                                 "a\nb",
		`{"error":{"message":"m","type":"t"}}`:                    "m",
		`{"other":1}`:                                             `{"other":1}`,
	} {
		if got := Plain(json.RawMessage(raw)); got != want {
			t.Errorf("%s: got %q", raw, got)
		}
	}
}

func TestCutKeepsBothEndsAndWholeRunes(t *testing.T) {
	long := "start" + strings.Repeat("é", 5000) + "end"
	for n := range 200 {
		got := Cut(long, n)
		if len(got) > n || !utf8.ValidString(got) {
			t.Fatalf("%d: %d bytes, %q", n, len(got), got)
		}
	}
	got := Cut(long, 100)
	if !strings.HasPrefix(got, "start") || !strings.HasSuffix(got, "end") || Cut("short", 5) != "short" {
		t.Errorf("got %q", got)
	}
}
