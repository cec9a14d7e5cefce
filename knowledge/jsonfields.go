package knowledge

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/internal/settings/jsonedit"
)

// fieldSet lists the JSON members of a struct, so that objects can be read and
// written without losing the members that this version does not know. Names
// are compared exactly: "ID" is an unknown member, not the id.
type fieldSet struct {
	fields []field
	byName map[string]int
}

type field struct {
	name      string
	index     []int
	omitEmpty bool
}

// newFieldSet returns the members of a struct, by their json tags.
func newFieldSet(t reflect.Type) *fieldSet {
	set := &fieldSet{byName: map[string]int{}}
	for _, f := range reflect.VisibleFields(t) {
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "" || name == "-" {
			continue
		}
		set.byName[name] = len(set.fields)
		set.fields = append(set.fields, field{name, f.Index, options == "omitempty"})
	}
	return set
}

// unknownFields are members of an object that this version does not know,
// compacted, by name.
type unknownFields map[string]json.RawMessage

// add takes a member over. Of two values the greater bytes win, so that any
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

// joinUnknown joins the members of two objects.
func joinUnknown(a, b unknownFields) unknownFields {
	if len(b) == 0 {
		return a
	}
	all := unknownFields{}
	for _, fields := range []unknownFields{a, b} {
		for name, value := range fields {
			all.add(name, value)
		}
	}
	return all
}

// decode fills the struct that into points to from an object of the document.
// Of equal names the last one counts.
func (set *fieldSet) decode(doc []byte, object jsonedit.Node, into any) (unknownFields, error) {
	if !object.IsObject() {
		return nil, errors.New("it is not a JSON object")
	}
	unknown := unknownFields{}
	v := reflect.ValueOf(into).Elem()
	for _, m := range object.Members {
		value := doc[m.Value.Start:m.Value.End]
		i, known := set.byName[m.Key]
		if !known {
			delete(unknown, m.Key)
			unknown.add(m.Key, value)
			continue
		}
		f := v.FieldByIndex(set.fields[i].index)
		f.SetZero()
		if err := json.Unmarshal(value, f.Addr().Interface()); err != nil {
			return nil, &fieldError{m.Key, m.Value.Start, err}
		}
	}
	return unknown, nil
}

// encode returns the object on one line: known members in order, unknown ones
// sorted behind them.
func (set *fieldSet) encode(from any, unknown unknownFields) []byte {
	var b bytes.Buffer
	v := reflect.ValueOf(from).Elem()
	for _, f := range set.fields {
		if value, ok := f.value(v); ok {
			writeMember(&b, f.name, value)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(unknown)) {
		writeMember(&b, name, unknown[name])
	}
	if b.Len() == 0 {
		b.WriteByte('{')
	}
	b.WriteByte('}')
	return b.Bytes()
}

func writeMember(b *bytes.Buffer, name string, value []byte) {
	b.WriteByte("{,"[min(b.Len(), 1)])
	b.Write(encodeJSON(name))
	b.WriteByte(':')
	b.Write(value)
}

// value returns the member's JSON and whether the member is written at all.
func (f field) value(of reflect.Value) ([]byte, bool) {
	v := of.FieldByIndex(f.index)
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

// withoutPackage is the text of an error of encoding/json.
func withoutPackage(err error) string { return strings.TrimPrefix(err.Error(), "json: ") }

// fieldError says which member of an object has the wrong form.
type fieldError struct {
	name  string
	start int // offset of the value
	err   error
}

func (e *fieldError) Error() string {
	return fmt.Sprintf("field %q: %s", e.name, withoutPackage(e.err))
}

func (e *fieldError) Unwrap() error { return e.err }
