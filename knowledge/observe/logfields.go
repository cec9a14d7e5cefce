package observe

import (
	"bytes"
	"reflect"
	"slices"
	"sync"

	"github.com/lessons-cli/lessons/internal/settings/jsonedit"
	"github.com/lessons-cli/lessons/knowledge/internal/fields"
)

var observationFields = sync.OnceValue(func() *fields.Set { return fields.Of(reflect.TypeFor[Observation]()) })

// decodeObservation reads one line.
func decodeObservation(raw []byte) (*Observation, fields.Unknown, error) {
	node, err := jsonedit.Parse(raw)
	if err != nil {
		return nil, nil, err
	}
	o := new(Observation)
	unknown, err := observationFields().Decode(raw, node, o)
	if err != nil {
		return nil, nil, err
	}
	return o, unknown, nil
}

// encodeObservation lays a line out anew: known fields in order, unknown ones
// sorted behind them. The line end is not included.
func encodeObservation(o *Observation, unknown fields.Unknown) []byte {
	return observationFields().Encode(o, unknown)
}

// editObservation returns the line with just those known fields changed that
// differ from what it says; everything else keeps its bytes and its place. A
// line in the layout of [encodeObservation] keeps that layout: its bytes then
// do not tell in which order its fields came.
func editObservation(raw []byte, o *Observation) []byte {
	old, unknown, err := decodeObservation(raw)
	if err != nil {
		return encodeObservation(o, nil)
	}
	if reflect.DeepEqual(old, o) {
		return raw // as most lines of a log that is learned again
	}
	if bytes.Equal(raw, encodeObservation(old, unknown)) {
		return encodeObservation(o, unknown)
	}
	set := observationFields()
	for _, f := range set.Fields {
		was, had := f.Value(reflect.ValueOf(old).Elem())
		now, has := f.Value(reflect.ValueOf(o).Elem())
		if had == has && bytes.Equal(was, now) {
			continue
		}
		node, err := jsonedit.Parse(raw)
		if err != nil {
			return encodeObservation(o, nil)
		}
		at, present := node.Member(f.Name)
		switch {
		case has && present:
			raw = slices.Concat(raw[:at.Start], now, raw[at.End:])
		case has:
			raw = jsonedit.AddMember(raw, node, f.Name, now)
		default:
			raw = removeMembers(raw, f.Name)
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
