package scan

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/scan/transcript"
)

// headEvents is how many events are looked at to learn whose session a file
// holds.
const headEvents = 64

// head is what the beginning of a file says about its session.
type head struct {
	session string // hash prefix of what copies of one session share
	cwd     string
	opening opening
	final   bool // no later line can say otherwise
}

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
	layout, err := layoutOf(v.file.Path, f)
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
	next.Session = from.Session
	final := true
	if next.Session == "" {
		h, err := v.head(ctx, layout, v.file.Path, f, end)
		if err != nil {
			return next, err
		}
		if h.opening.own || !v.Foreign && v.foreign(h.cwd) {
			v.tally.Foreign++
			next.Foreign = true
			return next, nil
		}
		next.Session, final = h.session, h.final
	}
	v.name = next.Session
	if from.Read < end {
		v.tally.Files++
	}
	if err := v.scanEvents(ctx, layout, f, from, end, &next); err != nil {
		return next, err
	}
	if !final {
		next.Session = "" // the next scan asks again
	}
	next.Read = stays
	if stays > 0 {
		next.Tail, err = tailHash(f, stays)
	}
	next.Offset = min(next.Offset, stays)
	return next, err
}

// slack is how many events before the window a later scan begins to read: what
// a file says twice must be seen both times.
const slack = 32

// scanEvents fills the window from where the state says and runs the detectors
// on everything behind what was read before.
func (v *visit) scanEvents(ctx context.Context, layout transcript.Layout, f io.ReadSeeker, from fileState, end int64, next *fileState) error {
	told, toldMessages := from.Read, from.Line
	if holdsCancel(f, from.Read, end) {
		from = fileState{} // what is taken back may lie anywhere before
	}
	opts := transcript.Options{Name: v.file.Path}
	switch {
	case !layout.Resumes():
		from.Offset, from.Line = 0, 0
	case from.Offset > 0:
		meta, err := header(ctx, layout, f, end)
		if err != nil {
			return err
		}
		opts.Meta = meta
	}
	if _, err := f.Seek(from.Offset, io.SeekStart); err != nil {
		return err
	}
	opts.From = transcript.Position{Offset: from.Offset, Line: from.Line}
	part := watched{ctx, io.LimitReader(f, end-from.Offset), v.progress}
	var (
		w      = NewWindow()
		places []transcript.Position // of the window's steps, and some before
		sink   = &sink{visit: v, session: next.Session}
		all    = Detectors()
	)
	err := readEvents(layout, part, opts, func(e transcript.Event) error {
		next.Line = e.Line
		w.Push(e)
		if places = append(places, transcript.Position{Offset: e.Offset, Line: e.Line - 1}); len(places) > windowSize+slack {
			places = places[1:]
		}
		if e.Offset < from.Read {
			return nil // found before
		}
		sink.quiet = e.Offset < told || layout.Object && e.Line < toldMessages
		for _, d := range all {
			for _, found := range d.Detect(w) {
				sink.take(found)
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	sink.close()
	if layout.Object {
		return nil // the next scan reads all again, and tells from the last message on
	}
	if next.Line = 0; !layout.Resumes() {
		return nil
	}
	next.Offset, next.Line = from.Offset, from.Line
	if len(places) > 0 {
		next.Offset, next.Line = places[0].Offset, places[0].Line
	}
	return nil
}

// holdsCancel says whether a part of a file that goes on from an earlier scan may
// hold a cancellation. What cannot be read fails in the scan itself.
func holdsCancel(f io.ReadSeeker, from, end int64) bool {
	if _, err := f.Seek(from, io.SeekStart); from == 0 || err != nil {
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

// head reads the beginning of a file. The session's name is that of its first
// message in Claude Code, and not the id that the agent gave the file, because a
// resumed or forked copy gets a new id and repeats the messages. Other agents'
// readers give copies the id of their origin. A sub-agent's file belongs to the
// session of its parent.
func (r *run) head(ctx context.Context, layout transcript.Layout, name string, f io.ReadSeeker, end int64) (head, error) {
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return head{}, err
	}
	var (
		h           head
		root, id    string
		subAgent    bool
		n           int
		first, done = true, false
	)
	err := readEvents(layout, watched{ctx, io.LimitReader(f, end), nil}, transcript.Options{Name: name}, func(e transcript.Event) error {
		if first {
			first, subAgent = false, e.Agent != ""
		}
		if root == "" {
			root = e.ID
		}
		if id == "" {
			id = e.Session
		}
		if h.cwd == "" {
			h.cwd = e.Cwd
		}
		h.opening.see(e)
		if n++; n >= headEvents || root != "" && id != "" && h.cwd != "" && h.opening.over {
			done = true
			return errEnough
		}
		return nil
	})
	if err != nil && !done {
		return h, err
	}
	switch {
	case layout.Format != transcript.Claude:
		root = id
	case subAgent:
		root = id
		if parent := r.parentRoot(ctx, name, id); parent != "" {
			root = parent
		}
	}
	for _, s := range []string{root, id, name} {
		if h.session == "" {
			h.session = knowledge.SessionHash(s)
		}
	}
	h.final = root != "" && h.cwd != "" && h.opening.over
	return h, nil
}

// parentRoot returns the first message's id of the session that a sub-agent's
// file belongs to, if that session is among the files or beside them. It lies beside the
// sub-agents' folder, or, in older versions, beside the file itself.
func (r *run) parentRoot(ctx context.Context, name, session string) string {
	slashed := strings.ReplaceAll(name, `\`, "/")
	wanted := []string{slashed[:len(slashed)-len(path.Base(slashed))] + session + ".jsonl"}
	if dir, _, ok := strings.Cut(slashed, "/subagents/"); ok {
		wanted = append(wanted, dir+".jsonl")
	}
	root := ""
	for _, file := range r.filesAt(wanted) {
		if root != "" {
			break
		}
		f, info, err := file.Open()
		if err != nil {
			continue
		}
		// A parent that cannot be read leaves the session's id as its name.
		_ = readEvents(transcript.Layout{Format: transcript.Claude}, watched{ctx, io.LimitReader(f, info.Size), nil}, transcript.Options{}, func(e transcript.Event) error {
			if root = e.ID; root != "" {
				return errEnough
			}
			return nil
		})
		f.Close()
	}
	return root
}

// filesAt returns the files of these paths, with slashes, that can be opened:
// what is found must not depend on which files are scanned together.
func (r *run) filesAt(wanted []string) []File {
	var found []File
	for _, name := range wanted {
		if i := slices.IndexFunc(r.Files, func(f File) bool { return strings.ReplaceAll(f.Path, `\`, "/") == name }); i >= 0 {
			found = append(found, r.Files[i])
		} else if r.Beside != nil {
			if f, ok := r.Beside(name); ok {
				found = append(found, f)
			}
		}
	}
	return found
}

// foreign says whether a working directory lies outside of all roots. A session
// that names none is taken for one of ours.
func (r *run) foreign(cwd string) bool {
	if cwd == "" || len(r.roots) == 0 {
		return false
	}
	_, inside := relativeTo(r.roots, cwd)
	return !inside
}

// relativeTo returns a path relative to the root that holds it, with slashes.
func relativeTo(roots []string, name string) (string, bool) {
	clean := path.Clean(strings.ReplaceAll(name, `\`, "/"))
	for _, root := range roots {
		root = path.Clean(strings.ReplaceAll(root, `\`, "/"))
		if clean == root {
			return ".", true
		}
		if rest, ok := strings.CutPrefix(clean, strings.TrimSuffix(root, "/")+"/"); ok {
			return rest, true
		}
	}
	return "", false
}
