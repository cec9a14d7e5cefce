package replay

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"os"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/scan"
	"github.com/lessons-cli/lessons/scan/transcript"
)

// session is one recorded session: the files that say the same id, which are its
// own and those of its sub-agents.
type session struct {
	id         string
	files      []scan.File
	start, end time.Time
	dir        string // where it began
}

// step is one event of a session.
type step struct {
	transcript.Event
	file string
}

// keptText is how much of an output is kept, as much as an agent tells its hooks.
const keptText = 30_000

// survey finds the sessions in files, sorted by their start.
func survey(ctx context.Context, files []scan.File, progress func(int)) ([]*session, []knowledge.Problem, error) {
	var problems []knowledge.Problem
	byID := map[string]*session{}
	files = slices.SortedFunc(slices.Values(files), func(a, b scan.File) int { return strings.Compare(a.Path, b.Path) })
	for _, f := range files {
		var found session
		err := read(ctx, f, nil, progress, func(e *transcript.Event) {
			found.id, found.dir = cmp.Or(found.id, e.Session), cmp.Or(found.dir, e.Cwd)
			if e.Time.IsZero() {
				return
			}
			if found.start.IsZero() || e.Time.Before(found.start) {
				found.start = e.Time
			}
			if e.Time.After(found.end) {
				found.end = e.Time
			}
		})
		if ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		if err != nil {
			format, known := errors.AsType[*transcript.ErrFormat](err)
			if !known || f.Named || format.Format != transcript.Unknown {
				problems = append(problems, knowledge.Problem{Path: f.Path, Rule: "session-file", Text: err.Error()})
			}
			continue
		}
		if found.start.IsZero() {
			continue // nothing in it says when it happened
		}
		id := cmp.Or(found.id, f.Path)
		s := byID[id]
		if s == nil {
			found.id = id
			s, byID[id] = &found, &found
		}
		s.files = append(s.files, f)
		if found.start.Before(s.start) {
			s.start, s.dir = found.start, cmp.Or(found.dir, s.dir)
		}
		if found.end.After(s.end) {
			s.end = found.end
		}
	}
	first := func(a, b *session) int { return cmp.Or(a.start.Compare(b.start), strings.Compare(a.id, b.id)) }
	return slices.SortedFunc(maps.Values(byID), first), problems, nil
}

// steps reads a session's events in the order of their times. What other sessions
// said before, as a resumed one repeats it, is left out.
func (s *session) steps(ctx context.Context, seen *transcript.Dedupe, progress func(int)) ([]step, error) {
	var steps []step
	for _, f := range s.files {
		last := s.start
		err := read(ctx, f, seen, progress, func(e *transcript.Event) {
			if e.Time.IsZero() {
				e.Time = last
			}
			last = e.Time
			kept := step{*e, f.Path}
			kept.Input, kept.Text, kept.Parsed = bytes.Clone(e.Input), cut(e.Text), nil
			steps = append(steps, kept)
		})
		if err != nil {
			return nil, err
		}
	}
	slices.SortStableFunc(steps, func(a, b step) int { return a.Time.Compare(b.Time) })
	return steps, nil
}

// cut keeps the two ends of a long text.
func cut(text string) string {
	if len(text) <= keptText {
		return strings.Clone(text)
	}
	return strings.ToValidUTF8(text[:keptText/2]+"\n"+text[len(text)-keptText/2:], "")
}

// read reads the events of one file.
func read(ctx context.Context, f scan.File, seen *transcript.Dedupe, progress func(int), yield func(*transcript.Event)) error {
	r, _, err := f.Open()
	if err != nil {
		return err
	}
	defer r.Close()
	_, err = transcript.Read(f.Path, counted{ctx, r, progress}, transcript.Options{Seen: seen, Whole: true}, func(e transcript.Event) error {
		yield(&e)
		return nil
	})
	return err
}

// counted tells how much was read.
type counted struct {
	ctx  context.Context
	r    io.Reader
	read func(int)
}

func (c counted) Read(p []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := c.r.Read(p)
	c.read(n)
	return n, err
}

// rootOf is the work tree in which a session began: its first directory, or an
// earlier session's above it. A work tree of git's that lies in another is its own.
func rootOf(dir string, known []string) string {
	dir = slashed(dir)
	for _, root := range known {
		if rest, ok := strings.CutPrefix(dir, root+"/"); ok && !strings.Contains(rest, "worktrees/") {
			return root
		}
	}
	return dir
}

func slashed(name string) string {
	name = strings.ReplaceAll(name, `\`, "/")
	for strings.Contains(name, "//") {
		name = strings.ReplaceAll(name, "//", "/")
	}
	return strings.TrimSuffix(name, "/")
}

// places maps the directories of the recording to the repository of the replay.
type places struct {
	roots []string // with slashes, the innermost first
	to    string
}

// path is where a recorded path lies now; outside of all roots it stays.
func (p places) path(name string) string {
	clean := slashed(name)
	for _, root := range p.roots {
		if rest, ok := strings.CutPrefix(clean, root); ok && (rest == "" || rest[0] == '/') {
			return p.to + rest
		}
	}
	return name
}

// dir is the directory of a call, which has to be there for a hook; what lies outside of
// all roots counts as the root.
func (p places) dir(name string) string {
	moved := path.Clean(p.path(name))
	if moved != p.to && !strings.HasPrefix(moved, p.to+"/") || os.MkdirAll(moved, 0o777) != nil {
		return p.to
	}
	return moved
}

// text puts the new root in place of the old ones, where they are whole.
func (p places) text(s string) string {
	for _, root := range p.roots {
		before, rest, found := strings.Cut(s, root)
		if !found || root == "" {
			continue
		}
		var out strings.Builder
		for ; found; before, rest, found = strings.Cut(rest, root) {
			out.WriteString(before)
			if rest == "" || !isNamePart(rest[0]) {
				out.WriteString(p.to)
			} else {
				out.WriteString(root)
			}
		}
		s = out.String() + before
	}
	return s
}

// isNamePart says whether a file's name goes on with a character.
func isNamePart(c byte) bool {
	return c == '-' || c == '_' || c == '.' || c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || c >= 0x80
}

// input is what a tool was asked for, with the paths of now.
func (p places) input(raw json.RawMessage) map[string]any {
	var in map[string]any
	if json.Unmarshal(raw, &in) != nil {
		return map[string]any{}
	}
	for key, value := range in {
		text, ok := value.(string)
		switch {
		case !ok:
		case key == "file_path" || key == "notebook_path" || key == "path":
			in[key] = p.path(text)
		case key == "command":
			in[key] = p.text(text)
		}
	}
	return in
}
