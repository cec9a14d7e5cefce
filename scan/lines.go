package scan

import (
	"bytes"
	"context"
	"io"
)

// lineMap is a reader that remembers where each line begins, from the line that
// was asked for last. It lets offsets be told from line numbers while somebody
// else reads the stream ahead. It ends early when its context does.
type lineMap struct {
	ctx   context.Context
	r     io.Reader
	base  int64   // offset of the first byte that r gives
	at    int64   // bytes given
	first int     // number of the line that starts[0] belongs to, 1-based
	start []int64 // offsets of lines
	read  func(n int)
	plain bool // lines are not asked for
}

func newLineMap(ctx context.Context, r io.Reader, base int64, read func(n int)) *lineMap {
	return &lineMap{ctx: ctx, r: r, base: base, first: 1, start: []int64{base}, read: read}
}

func (m *lineMap) Read(p []byte) (int, error) {
	if err := m.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := m.r.Read(p)
	for rest, at := p[:n], m.base+m.at; !m.plain; {
		i := bytes.IndexByte(rest, '\n')
		if i < 0 {
			break
		}
		at += int64(i) + 1
		m.start = append(m.start, at)
		rest = rest[i+1:]
	}
	m.at += int64(n)
	if m.read != nil {
		m.read(n)
	}
	return n, err
}

// offset returns where a line begins, counted from 1 within the stream. Lines
// must be asked for in order: earlier ones are forgotten.
func (m *lineMap) offset(line int) int64 {
	if drop := line - m.first; drop > 0 && drop < len(m.start) {
		m.start = append(m.start[:0], m.start[drop:]...)
		m.first = line
	}
	return m.start[0]
}
