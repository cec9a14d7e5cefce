package scan

import (
	"context"
	"errors"
	"io"
	"io/fs"

	"github.com/lessons-cli/lessons/scan/transcript"
)

// reason is an error's cause without the path that the problem names already.
func reason(err error) string {
	var p *fs.PathError
	if errors.As(err, &p) {
		err = p.Err
	}
	return err.Error()
}

func (v *visit) scanOpen(ctx context.Context, f io.ReadSeeker, info FileInfo) (fileState, error) {
	known := v.known
	next := fileState{Size: info.Size, Inode: info.ID, unknown: known.unknown}
	if !info.ModTime.IsZero() {
		next.MTime = info.ModTime.UnixMilli()
	}
	if info.Size == 0 {
		return next, nil
	}
	if info.Size > v.Limits.Bytes {
		return next, errBytes
	}
	buffered, release := transcript.Buffered(f)
	defer release()
	head, err := buffered.Peek(transcript.HeadSize)
	if err != nil && !errors.Is(err, io.EOF) {
		return next, err
	}
	layout, err := transcript.Identify(v.file.Path, head)
	if err != nil {
		return next, err
	}
	end, stays, err := wholeSession(layout, f, info.Size)
	if err != nil || end == 0 {
		return next, err
	}
	from := fileState{}
	switch {
	case known.Foreign:
	case layout.Object && known.Inode == info.ID:
		from.Line = known.Line
	case !layout.Object && known.grownFrom(info, f):
		from = known
	}
	p := &pass{visit: v, layout: layout, from: from, before: from, end: end, next: &next}
	if err := p.scan(ctx, f); errors.Is(err, errForeign) {
		if next.Foreign = true; !p.opening.own {
			next.Dir = p.opening.cwd
		}
		v.tally.refuse(next.Dir)
		return next, nil
	} else if err != nil {
		return next, err
	}
	if p.opening != nil && !p.opening.final {
		next.Session = "" // the next scan asks again
	}
	next.Read = stays
	if stays > 0 {
		next.Tail, err = tailHash(f, stays)
	}
	next.Offset = min(next.Offset, stays)
	return next, err
}

// holdsCancel says whether a part of a file that goes on from an earlier scan may
// hold a cancellation. What cannot be read fails in the scan itself.
func holdsCancel(f io.ReadSeeker, from, end int64) bool {
	if from == 0 {
		return false
	}
	if _, err := f.Seek(from, io.SeekStart); err != nil {
		return false
	}
	return holds(io.LimitReader(f, end-from), []byte(cancelOpen))
}

// header reads what the beginning of a file says about its session.
func header(ctx context.Context, layout transcript.Layout, f io.ReadSeeker, end int64) (transcript.Meta, error) {
	if layout.Format == transcript.Claude {
		return transcript.Meta{}, nil // each line says it
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return transcript.Meta{}, err
	}
	return layout.Header(watched{ctx, io.LimitReader(f, end), nil}, transcript.Options{})
}
