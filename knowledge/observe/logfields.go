package observe

import (
	"reflect"

	"github.com/lessons-cli/lessons/knowledge/internal/fields"
)

// decodeObservation reads one line.
func decodeObservation(line string) (*Observation, fields.Unknown, error) {
	o := new(Observation)
	unknown, err := fields.Of(reflect.TypeFor[Observation]()).Decode(line, o)
	if err != nil {
		return nil, nil, err
	}
	return o, unknown, nil
}

// encodeObservation lays a line out anew: known fields in order, unknown ones
// sorted behind them. The line end is not included.
func encodeObservation(o *Observation, unknown fields.Unknown) []byte {
	return fields.Of(reflect.TypeFor[Observation]()).Encode(o, unknown)
}
