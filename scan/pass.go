package scan

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/scan/transcript"
)

// slack is how many events before the window a later scan begins to read: what
// a file says twice must be seen both times.
const slack = 32

// errForeign ends the scan of a session that is none of ours.
var errForeign = errors.New("a session of another repository")

// pass is one reading of a session file: it fills the window from where the state
// says and runs the detectors on everything behind what was read before.
type pass struct {
	*visit
	layout transcript.Layout
	before fileState // what an earlier scan knew
	from   fileState // where the detectors begin, and before it the reading
	end    int64
	next   *fileState

	// Until it is known whose session this is, events wait.
	opened  bool
	opening *beginning // nil: an earlier scan knew
	waiting []transcript.Event
	events  int // that were read

	window *Window
	places []transcript.Position // of the window's steps, and some before
	sink   *sink
}

func (p *pass) scan(ctx context.Context, f io.ReadSeeker) error {
	if holdsCancel(f, p.from.Read, p.end) {
		p.from = fileState{} // what is taken back may lie anywhere before
	}
	if p.before.Session == "" {
		p.opening = &beginning{}
	}
	opts := transcript.Options{Name: p.file.Path}
	switch {
	case !p.layout.Resumes() || p.opening != nil:
		p.from.Offset, p.from.Line = 0, 0
	case p.from.Offset > 0:
		meta, err := header(ctx, p.layout, f, p.end)
		if err != nil {
			return err
		}
		opts.Meta = meta
	}
	if _, err := f.Seek(p.from.Offset, io.SeekStart); err != nil {
		return err
	}
	opts.From = transcript.Position{Offset: p.from.Offset, Line: p.from.Line}
	p.window, p.sink = &Window{}, &sink{visit: p.visit}
	if p.opening == nil {
		p.begin(p.before.Session)
	}
	stats, err := readEvents(p.layout, watched{ctx, io.LimitReader(f, p.end-p.from.Offset), p.progress}, opts, func(e transcript.Event) error {
		if p.events++; p.events > p.Limits.Events {
			return errEvents
		}
		if p.opened {
			p.take(&e)
			return nil
		}
		p.waiting = append(p.waiting, e)
		if e.Kind == transcript.Asked {
			return nil
		}
		if p.opening.see(e); p.opening.enough() {
			return p.open(ctx)
		}
		return nil
	})
	if err == nil && !p.opened {
		err = p.open(ctx)
	}
	if err != nil {
		return err
	}
	if stats.TooLong > 0 {
		p.problem(0, "session-line", fmt.Sprintf("Lines longer than %d MiB were left out (%d); the rest of the session was read.", transcript.DefaultMaxLine>>20, stats.TooLong))
	}
	p.sink.close()
	p.leave()
	return nil
}

// open settles whose session it is and takes what waited for that.
func (p *pass) open(ctx context.Context) error {
	session := p.sessionOf(ctx, p.layout, p.file.Path, p.opening)
	if p.opening.own || !p.Foreign && p.foreign(p.opening.cwd) {
		return errForeign
	}
	p.begin(session)
	for i := range p.waiting {
		p.take(&p.waiting[i])
	}
	p.waiting = nil
	return nil
}

func (p *pass) begin(session string) {
	p.opened, p.next.Session, p.name, p.sink.session = true, session, session, session
	if p.before.Read < p.end {
		p.tally.Files++
	}
}

// take lets the detectors see one event.
func (p *pass) take(e *transcript.Event) {
	p.next.Line = e.Line
	p.asks = append(p.asks, asksIn(p.name, e)...)
	p.said = append(p.said, p.saidIn(e)...)
	if e.Kind == transcript.Asked {
		return
	}
	p.window.Push(e)
	if p.places = append(p.places, transcript.Position{Offset: e.Offset, Line: e.Line - 1}); len(p.places) > windowSize+slack {
		p.places = p.places[1:]
	}
	if e.Offset < p.from.Read {
		return // found before
	}
	p.sink.quiet = e.Offset < p.before.Read || p.layout.Object && e.Line < p.before.Line
	found := lists.Flat(listeners(e.Kind), func(d Detector) []finding { return d.Detect(p.window) })
	if p.Calls != nil {
		p.sink.keep(p.sink.called(p.window, found))
	}
	for i := range found {
		p.sink.take(&found[i])
	}
}

// leave notes where the next scan goes on.
func (p *pass) leave() {
	if p.layout.Object {
		return // it reads all again, and tells from the last message on
	}
	if p.next.Line = 0; !p.layout.Resumes() {
		return
	}
	p.next.Offset, p.next.Line = p.from.Offset, p.from.Line
	if len(p.places) > 0 {
		p.next.Offset, p.next.Line = p.places[0].Offset, p.places[0].Line
	}
}
