// fields Package fields reads and writes JSON objects without losing the members that this
// version does not know.
package fields

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/lessons-cli/lessons/internal/plain"
	"github.com/lessons-cli/lessons/internal/settings/jsonedit"
)

// Set lists the JSON members of a struct, so that objects can be read and
// written without losing the members that this version does not know. Names
// are compared exactly: "ID" is an unknown member, not the id.
type Set struct {
	Fields []field
	byName map[string]int
}

type field struct {
	Name      string
	index     []int
	omitEmpty bool
}

var sets sync.Map // by type

// Of returns the members of a struct, by their json tags.
func Of(t reflect.Type) *Set {
	if known, ok := sets.Load(t); ok {
		return known.(*Set)
	}
	set := &Set{byName: map[string]int{}}
	for _, f := range reflect.VisibleFields(t) {
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "" || name == "-" {
			continue
		}
		set.byName[name] = len(set.Fields)
		set.Fields = append(set.Fields, field{name, f.Index, options == "omitempty"})
	}
	sets.Store(t, set)
	return set
}

// Unknown are members of an object that this version does not know, on one line
// each, by name.
type Unknown map[string]json.RawMessage

// Add takes a member over. Of two values the greater bytes win, so that any
// order of joins gives the same.
func (u Unknown) Add(name string, value []byte) {
	var b bytes.Buffer
	if json.Compact(&b, value) != nil {
		return
	}
	if old, ok := u[name]; !ok || bytes.Compare(b.Bytes(), old) > 0 {
		u[name] = b.Bytes()
	}
}

// JoinUnknown joins the members of two objects.
func JoinUnknown(a, b Unknown) Unknown {
	if len(b) == 0 {
		return a
	}
	all := Unknown{}
	for _, fields := range []Unknown{a, b} {
		for name, value := range fields {
			all.Add(name, value)
		}
	}
	return all
}

// Decode fills the struct that into points to from an object, and keeps the members that
// are not known. Of equal names the last one counts. The texts share the object's memory.
func (set *Set) Decode(object string, into any) (Unknown, error) {
	s := jsonedit.Scan(object)
	if s.Next() != '{' {
		s.Value()
		return nil, cmp.Or(s.End(), errors.New("it is not a JSON object"))
	}
	unknown := Unknown{}
	wrong := set.read(reflect.ValueOf(into).Elem(), s, func(name, value string) {
		delete(unknown, name)
		if unknown.Add(name, []byte(value)); strings.IndexByte(value, '\n') < 0 { // it fits on a line as it is
			unknown[name] = []byte(value)
		}
	})
	if err := cmp.Or(s.End(), wrong); err != nil {
		return nil, err
	}
	return unknown, nil
}

// read reads the object that comes next. It returns the first member of the wrong form,
// and reads on: what is no JSON behind it is worse.
func (set *Set) read(into reflect.Value, s *jsonedit.Scanner, unknown func(name, value string)) error {
	var wrong error
	for name := range s.Members {
		i, known := set.byName[name]
		if !known {
			unknown(name, s.Value())
			continue
		}
		f, start := into.FieldByIndex(set.Fields[i].index), s.Offset()
		f.SetZero()
		if err := read(f, s); err != nil && wrong == nil {
			wrong = &Error{name, start, err}
		}
	}
	return wrong
}

// read reads the next value as [json.Unmarshal] does, but for names, which are compared
// exactly.
func read(into reflect.Value, s *jsonedit.Scanner) error {
	if own, ok := into.Addr().Interface().(json.Unmarshaler); ok {
		return own.UnmarshalJSON([]byte(s.Value()))
	}
	switch kind, next := into.Kind(), s.Next(); {
	case kind == reflect.String && next == '"':
		if text, plain := s.Text(); plain {
			into.SetString(text)
			return nil
		}
	case kind == reflect.Slice && next == '[':
		return readElems(into, s)
	case kind == reflect.Pointer && next == '{':
		into.Set(reflect.New(into.Type().Elem()))
		return read(into.Elem(), s)
	case kind == reflect.Struct && next == '{':
		return Of(into.Type()).read(into, s, func(string, string) {})
	}
	value := s.Value()
	switch kind := into.Kind(); { // most values, without the way through encoding/json
	case kind == reflect.Bool && (value == "true" || value == "false"):
		into.SetBool(value == "true")
		return nil
	case kind == reflect.Int:
		if n, err := strconv.Atoi(value); err == nil {
			into.SetInt(int64(n))
			return nil
		}
	}
	return json.Unmarshal([]byte(value), into.Addr().Interface())
}

func readElems(into reflect.Value, s *jsonedit.Scanner) error {
	var wrong error
	into.Set(reflect.MakeSlice(into.Type(), 0, 0))
	for range s.Elems {
		n := into.Len()
		into.Grow(1)
		into.SetLen(n + 1)
		wrong = cmp.Or(wrong, read(into.Index(n), s))
	}
	return wrong
}

// Encode returns the object on one line: known members in order, unknown ones
// sorted behind them.
func (set *Set) Encode(from any, unknown Unknown) []byte {
	var b bytes.Buffer
	v := reflect.ValueOf(from).Elem()
	for _, f := range set.Fields {
		if value, ok := f.Value(v); ok {
			writeMember(&b, f.Name, value)
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
	b.Write(JSON(name))
	b.WriteByte(':')
	b.Write(value)
}

// Value returns the member's JSON and whether the member is written at all.
func (f field) Value(of reflect.Value) ([]byte, bool) {
	v := of.FieldByIndex(f.index)
	if f.omitEmpty && (v.IsZero() || (v.Kind() == reflect.Slice && v.Len() == 0)) {
		return nil, false
	}
	if v.Kind() == reflect.Slice && v.IsNil() {
		return []byte("[]"), true
	}
	return JSON(v.Interface()), true
}

// JSON marshals a value of our own types without escaping <, > and &.
func JSON(v any) []byte {
	data, err := plain.Marshal(v, "")
	if err != nil {
		panic(fmt.Sprintf("knowledge: %T cannot be encoded: %v", v, err)) // a programming error: only plain data is encoded
	}
	return data
}

// WithoutPackage is the text of an error of encoding/json.
func WithoutPackage(err error) string { return strings.TrimPrefix(err.Error(), "json: ") }

// Error says which member of an object has the wrong form.
type Error struct {
	name  string
	Start int // offset of the value in the object
	err   error
}

func (e *Error) Error() string {
	return fmt.Sprintf("field %q: %s", e.name, WithoutPackage(e.err))
}

func (e *Error) Unwrap() error { return e.err }
