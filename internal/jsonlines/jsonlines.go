// Package jsonlines reads files that hold a JSON value on each line.
package jsonlines

import (
	"bytes"
	"encoding/json"
)

// Read returns the values that are to be kept. A line that cannot be read is left out:
// another version wrote it, or it was cut off.
func Read[T any](data []byte, keep func(T) bool) []T {
	var all []T
	for line := range bytes.Lines(data) {
		var value T
		if json.Unmarshal(line, &value) == nil && keep(value) {
			all = append(all, value)
		}
	}
	return all
}
