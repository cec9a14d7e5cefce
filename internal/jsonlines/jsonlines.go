// Package jsonlines reads and writes files that hold a JSON value on each line.
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

// Write returns plain data one value a line.
func Write[T any](values []T) []byte {
	var all []byte
	for _, value := range values {
		all = append(all, Line(value)...)
	}
	return all
}

// Line is a value as a line. JSON always holds plain data.
func Line[T any](value T) []byte {
	line, err := json.Marshal(value)
	if err != nil {
		panic("jsonlines: no plain data: " + err.Error())
	}
	return append(line, '\n')
}
