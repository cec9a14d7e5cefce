package jsonedit

import (
	"encoding/json"
	"reflect"
	"testing"
)

func sameNodes(t *testing.T, doc []byte) {
	t.Helper()
	want, err := parseTokens(doc)
	if err != nil {
		t.Fatalf("%q is valid, and reading its tokens says %v", doc, err)
	}
	if got := scanValid(doc); !reflect.DeepEqual(got, want) {
		t.Errorf("%q:\ngot  %+v\nwant %+v", doc, got, want)
	}
}

func TestScanFindsTheSamePlacesAsTokens(t *testing.T) {
	for _, doc := range []string{
		`1`, ` -1.5e3 `, `"a\"b"`, `null`, `{}`, `[]`, ` { } `, "[ \n ]",
		`{"a":1,"b":[true,{"c":"}]\\"}],"a":{}}`, "{\r\n\t\"k\\u0041\" : \"v\" ,\"x\":[1 , 2]}\n",
		"{\"\xff\":1}", `[[[]],{"":{"":""}}]`,
	} {
		if !json.Valid([]byte(doc)) {
			t.Fatalf("%q is not valid", doc)
		}
		sameNodes(t, []byte(doc))
	}
}

func FuzzScan(f *testing.F) {
	f.Add([]byte(`{"a":[1,"\\\"",{}],"b":null}`))
	f.Fuzz(func(t *testing.T, doc []byte) {
		if json.Valid(doc) {
			sameNodes(t, doc)
		}
	})
}
