package fields_test

import (
	"encoding/json"
	"reflect"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lessons-cli/lessons/knowledge/internal/fields"
)

type word string

type inner struct {
	Words []word `json:"words,omitempty"`
	Next  *inner `json:"next,omitempty"`
}

type outer struct {
	Name   word      `json:"name"`
	Count  int       `json:"count"`
	Share  float64   `json:"share"`
	Fine   bool      `json:"fine"`
	At     time.Time `json:"at"`
	Inner  *inner    `json:"inner"`
	Inners []inner   `json:"inners"`
	Texts  []string  `json:"texts"`
}

// Objects that encoding/json reads are read alike, and those that it refuses are refused.
func TestDecodeReadsAsTheStandardLibrary(t *testing.T) {
	for _, object := range []string{
		`{}`, ` { } `, `{"name":"a","count":3,"share":0.25,"fine":true,"at":"2026-01-02T03:04:05.678Z"}`,
		`{"name":"a\"b\u00e9\ud83d\ude00\ud83d","texts":["plain","é","tab\t",""]}`, "{\"name\":\"\xff\",\"texts\":[\"\xff\"]}",
		`{"texts":[]}`, `{"texts":null,"inner":null,"at":null,"name":null,"count":null}`, `{"texts":["a",null]}`,
		`{"inner":{"words":["x"],"next":{"words":[]},"other":1},"inners":[{},{"next":{}},null]}`,
		`{"name":"a","name":"b","texts":["a","b"],"texts":["c"]}`,
		`{"count":1.5}`, `{"count":1e2}`, `{"count":-0}`, `{"count":99999999999999999999}`, `{"fine":nul}`, `{"fine":t}`, `{"count":"1"}`, `{"name":1}`, `{"texts":"a"}`, `{"texts":[1]}`, `{"inner":[]}`, `{"inners":{}}`,
		`{"at":"yesterday"}`, `{"at":1}`, `{"fine":"true"}`, `{"share":"1"}`, `{"inner":{"words":[1]}}`,
		`{"name":"a"`, `{"name":"a",}`, `{"name":"a"} x`, `[]`, `1`, ``, `{"count":1.5,"name":}`,
	} {
		var got, want outer
		_, err := fields.Of(reflect.TypeFor[outer]()).Decode(object, &got)
		if wantErr := json.Unmarshal([]byte(object), &want); (err == nil) != (wantErr == nil) {
			t.Errorf("%s: %v, encoding/json says %v", object, err, wantErr)
		} else if diff := cmp.Diff(want, got); err == nil && diff != "" {
			t.Errorf("%s (-want +got):\n%s", object, diff)
		}
	}
}

func TestDecodeKeepsWhatIsNotKnown(t *testing.T) {
	var got outer
	unknown, err := fields.Of(reflect.TypeFor[outer]()).Decode(`{"Name":1,"name":"a","more":{"b" : [1]},"more":2}`, &got)
	want := fields.Unknown{"Name": json.RawMessage("1"), "more": json.RawMessage("2")}
	if diff := cmp.Diff(want, unknown); err != nil || diff != "" || got.Name != "a" {
		t.Errorf("%v %+v (-want +got):\n%s", err, got, diff)
	}
}

func TestDecodeNamesWhatIsWrong(t *testing.T) {
	for object, want := range map[string]string{
		`{"count":1.5}`:              `field "count": cannot unmarshal number 1.5 into Go value of type int`,
		`{"inner":{"words":[1]}}`:    `field "inner": field "words": cannot unmarshal number into Go value of type fields_test.word`,
		`{"count":1.5,"name":"a"} x`: `line 1: invalid character 'x' after top-level value`,
		`[]`:                         `it is not a JSON object`,
	} {
		_, err := fields.Of(reflect.TypeFor[outer]()).Decode(object, new(outer))
		if err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", object, err, want)
		}
	}
}
