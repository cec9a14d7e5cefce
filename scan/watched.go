package scan

import (
	"context"
	"io"
)

// watched is a reader that ends early when its context does, and tells how much
// was read.
type watched struct {
	ctx  context.Context
	r    io.Reader
	read func(n int) // nil: nobody asks
}

func (w watched) Read(p []byte) (int, error) {
	if err := w.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := w.r.Read(p)
	if w.read != nil {
		w.read(n)
	}
	return n, err
}
