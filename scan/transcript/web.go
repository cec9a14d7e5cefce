package transcript

import "io"

// ReadWeb reads a session of Claude Code on the web, which is exported as one
// object with a list of what would be lines. Event.Line is an index from 0.
func ReadWeb(r io.Reader, opts Options, emit func(Event) error) (Stats, error) {
	c := &claude{emit: emit, seen: opts.Seen, texts: opts.Texts, inputs: opts.Inputs, calls: newCalls()}
	defer c.calls.close()
	err := readObject(r, opts, "loglines", &c.stats, func(string, value) {}, func(index int, v value) error {
		c.line = index
		c.objects(v)
		return c.err
	})
	return c.stats, err
}
