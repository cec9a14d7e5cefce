package observe

import (
	"reflect"
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
