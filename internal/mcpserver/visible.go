package mcpserver

import (
	"bytes"
	"encoding/json"
	"io"

	"github.com/lessons-cli/lessons/internal/plain"
)

// visible takes what nobody can see out of every text that is answered. The transport
// writes one message at a time.
type visible struct{ to io.Writer }

func (v visible) Write(message []byte) (int, error) {
	var value any
	d := json.NewDecoder(bytes.NewReader(message))
	d.UseNumber()
	if err := d.Decode(&value); err != nil {
		return 0, err
	}
	out, err := plain.Marshal(visibleIn(value), "")
	if err != nil {
		return 0, err
	}
	if _, err := v.to.Write(append(out, '\n')); err != nil {
		return 0, err
	}
	return len(message), nil
}

func (visible) Close() error { return nil }

func visibleIn(value any) any {
	switch v := value.(type) {
	case string:
		return plain.Visible(v)
	case []any:
		for i := range v {
			v[i] = visibleIn(v[i])
		}
	case map[string]any:
		for key := range v {
			v[key] = visibleIn(v[key])
		}
	}
	return value
}
