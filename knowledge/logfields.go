package knowledge

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/lessons-cli/lessons/internal/jsonedit"
)

// field is one JSON member of an observation that this version knows.
type field struct {
	name      string
	index     int
	omitEmpty bool
}

// observationFields lists the known fields in the order in which new lines
// have them.
var observationFields = sync.OnceValue(func() []field {
	t := reflect.TypeFor[Observation]()
	fields := make([]field, 0, t.NumField())
	for i := range t.NumField() {
		name, options, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
		fields = append(fields, field{name, i, options == "omitempty"})
	}
	return fields
})

var observationFieldIndex = sync.OnceValue(func() map[string]int {
	index := map[string]int{}
	for i, f := range observationFields() {
		index[f.name] = i
	}
	return index
})

// unknownFields are members of a line that this version does not know.
type unknownFields map[string]json.RawMessage

// add takes a field over. Of two values the greater bytes win, so that any
// order of joins gives the same.
func (u unknownFields) add(name string, value []byte) {
	var b bytes.Buffer
	if json.Compact(&b, value) != nil {
		return
	}
	if old, ok := u[name]; !ok || bytes.Compare(b.Bytes(), old) > 0 {
		u[name] = b.Bytes()
	}
}

// decodeObservation reads one line. Names are compared exactly: "ID" is an
// unknown field, not the id.
func decodeObservation(raw []byte) (*Observation, unknownFields, error) {
	node, err := jsonedit.Parse(raw)
	if err != nil {
		return nil, nil, err
	}
	if !node.IsObject() {
		return nil, nil, fmt.Errorf("it is not a JSON object")
	}
	o, unknown := new(Observation), unknownFields{}
	into := reflect.ValueOf(o).Elem()
	for _, m := range node.Members {
		value := raw[m.Value.Start:m.Value.End]
		i, known := observationFieldIndex()[m.Key]
		if !known {
			unknown[m.Key] = nil // of equal names the last one counts
			unknown.add(m.Key, value)
			continue
		}
		f := into.Field(observationFields()[i].index)
		f.SetZero()
		if err := json.Unmarshal(value, f.Addr().Interface()); err != nil {
			return nil, nil, fmt.Errorf("field %q: %s", m.Key, withoutPackage(err))
		}
	}
	return o, unknown, nil
}

func withoutPackage(err error) string { return strings.TrimPrefix(err.Error(), "json: ") }

// value returns the field's JSON and whether the field is written at all.
func (f field) value(o *Observation) ([]byte, bool) {
	v := reflect.ValueOf(o).Elem().Field(f.index)
	if f.omitEmpty && (v.IsZero() || (v.Kind() == reflect.Slice && v.Len() == 0)) {
		return nil, false
	}
	if v.Kind() == reflect.Slice && v.IsNil() {
		return []byte("[]"), true
	}
	return encodeJSON(v.Interface()), true
}

// encodeJSON marshals a value of our own types without escaping <, > and &.
func encodeJSON(v any) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		panic(fmt.Sprintf("knowledge: %T cannot be encoded: %v", v, err)) // a programming error: only plain data is encoded
	}
	return bytes.TrimRight(b.Bytes(), "\n")
}

// encodeObservation lays a line out anew: known fields in order, unknown ones
// sorted behind them. The line end is not included.
func encodeObservation(o *Observation, unknown unknownFields) []byte {
	var b bytes.Buffer
	member := func(name string, value []byte) {
		b.WriteByte("{,"[min(b.Len(), 1)])
		b.Write(encodeJSON(name))
		b.WriteByte(':')
		b.Write(value)
	}
	for _, f := range observationFields() {
		if value, ok := f.value(o); ok {
			member(f.name, value)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(unknown)) {
		member(name, unknown[name])
	}
	b.WriteByte('}')
	return b.Bytes()
}

// editObservation returns the line with just those known fields changed that
// differ from what it says; everything else keeps its bytes and its place.
func editObservation(raw []byte, o *Observation) []byte {
	old, _, err := decodeObservation(raw)
	if err != nil {
		return encodeObservation(o, nil)
	}
	for _, f := range observationFields() {
		was, had := f.value(old)
		now, has := f.value(o)
		if had == has && bytes.Equal(was, now) {
			continue
		}
		node, err := jsonedit.Parse(raw)
		if err != nil {
			return encodeObservation(o, nil)
		}
		at, present := node.Member(f.name)
		switch {
		case has && present:
			raw = slices.Concat(raw[:at.Start], now, raw[at.End:])
		case has:
			raw = jsonedit.AddMember(raw, node, f.name, now)
		default:
			raw = removeMembers(raw, f.name)
		}
	}
	return raw
}

func removeMembers(raw []byte, name string) []byte {
	for {
		node, err := jsonedit.Parse(raw)
		if err != nil {
			return raw
		}
		if _, ok := node.Member(name); !ok {
			return raw
		}
		raw = jsonedit.RemoveMember(raw, node, name)
	}
}
