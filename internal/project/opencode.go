package project

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/lessons-cli/lessons/scan"
)

// OpenCode keeps a session in many small files or in a database. A scan reads
// it in the form in which the client exports it, made piece by piece while it
// is read.

// export is a session in the form of `opencode export`. It is read from its
// beginning, as often as wanted.
type export struct {
	pieces iter.Seq2[[]byte, error]
	next   func() ([]byte, error, bool)
	stop   func()
	rest   []byte
	close  func() error
}

func newExport(pieces iter.Seq2[[]byte, error], closing func() error) *export {
	e := &export{pieces: pieces, close: closing}
	e.rewind()
	return e
}

func (e *export) rewind() {
	if e.stop != nil {
		e.stop()
	}
	e.next, e.stop = iter.Pull2(e.pieces)
	e.rest = nil
}

// Read implements [io.Reader].
func (e *export) Read(p []byte) (int, error) {
	for len(e.rest) == 0 {
		piece, err, ok := e.next()
		if !ok {
			return 0, io.EOF
		}
		if err != nil {
			return 0, err
		}
		e.rest = piece
	}
	n := copy(p, e.rest)
	e.rest = e.rest[n:]
	return n, nil
}

// Seek implements [io.Seeker], for the beginning alone.
func (e *export) Seek(offset int64, whence int) (int64, error) {
	if offset != 0 || whence != io.SeekStart {
		return 0, errors.New("a session that is put together can only be read from its beginning")
	}
	e.rewind()
	return 0, nil
}

// Close implements [io.Closer].
func (e *export) Close() error {
	e.stop()
	return e.close()
}

// exported puts a session's pieces together: what it says about itself, then
// each message with its parts. A piece that is no JSON object, because it is
// being written, is left out.
func exported(info []byte, messages iter.Seq2[storedMessage, error]) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		if !yield(slices.Concat([]byte(`{"info":`), info, []byte(`,"messages":[`)), nil) {
			return
		}
		comma := ""
		for m, err := range messages {
			if err != nil {
				yield(nil, err)
				return
			}
			if !isObject(m.info) {
				continue
			}
			m.parts = slices.DeleteFunc(m.parts, func(p []byte) bool { return !isObject(p) })
			piece := slices.Concat([]byte(comma+`{"info":`), m.info, []byte(`,"parts":[`), bytes.Join(m.parts, []byte(",")), []byte("]}"))
			comma = ","
			if !yield(piece, nil) {
				return
			}
		}
		yield([]byte("]}\n"), nil)
	}
}

type storedMessage struct {
	info  []byte
	parts [][]byte
}

func isObject(b []byte) bool {
	b = bytes.TrimSpace(b)
	return len(b) > 0 && b[0] == '{' && json.Valid(b)
}

// maxStored bounds one stored file: what is longer holds a picture.
const maxStored = 8 << 20

// storageOf returns the folder that a stored session's file belongs to. It
// holds session/<project>/<session>.json, message/<session>/<message>.json and
// part/<message>/<part>.json.
func storageOf(name string) (string, bool) {
	session := filepath.Dir(filepath.Dir(name))
	if filepath.Base(session) != "session" || filepath.Ext(name) != ".json" {
		return "", false
	}
	storage := filepath.Dir(session)
	return storage, isStorage(storage)
}

func isStorage(dir string) bool {
	info, err := os.Stat(filepath.Join(dir, "message"))
	if err != nil || !info.IsDir() {
		return false
	}
	info, err = os.Stat(filepath.Join(dir, "session"))
	return err == nil && info.IsDir()
}

// storedSession is a session that is kept in many files, by the file that
// describes it.
func storedSession(name, storage string) scan.File {
	stat := func() (scan.FileInfo, error) {
		info, err := os.Stat(name)
		if err != nil {
			return scan.FileInfo{}, err
		}
		seen := fileInfo(info)
		seen.ModTime = newest(seen.ModTime, filepath.Join(storage, "message", sessionID(name)), filepath.Join(storage, "part"))
		return seen, nil
	}
	return scan.File{Path: name, Stat: stat, Open: func() (io.ReadSeekCloser, scan.FileInfo, error) {
		info, err := stat()
		if err != nil {
			return nil, info, err
		}
		about, err := readStored(name)
		if err != nil {
			return nil, info, err
		}
		if !isObject(about) {
			return nil, info, &fs.PathError{Op: "read", Path: name, Err: errors.New("not a JSON object")}
		}
		messages := storedMessages(storage, idOf(about, sessionID(name)))
		return newExport(exported(about, messages), func() error { return nil }), info, nil
	}}
}

// sessionID is the id that a file's name tells.
func sessionID(name string) string { return strings.TrimSuffix(filepath.Base(name), ".json") }

// newest returns when a session was last written to: the newest of its own file,
// its folder of messages, its last message and that one's parts. The files
// before them do not change any more.
func newest(at time.Time, messages, parts string) time.Time {
	look := func(name string) {
		if info, err := os.Stat(name); err == nil && info.ModTime().After(at) {
			at = info.ModTime()
		}
	}
	look(messages)
	entries, err := os.ReadDir(messages)
	if err != nil || len(entries) == 0 {
		return at
	}
	last := entries[len(entries)-1].Name()
	look(filepath.Join(messages, last))
	look(filepath.Join(parts, sessionID(last)))
	return at
}

// readStored reads one small file, and nothing but a file.
func readStored(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || info.Size() > maxStored {
		return nil, nil
	}
	return io.ReadAll(io.LimitReader(f, maxStored))
}

// idOf is an object's own id; its file's name is the id where it has none.
func idOf(object []byte, name string) string {
	var o struct{ ID string }
	if json.Unmarshal(object, &o) != nil || o.ID == "" || !filepath.IsLocal(o.ID) || strings.ContainsAny(o.ID, `/\`) {
		return name
	}
	return o.ID
}

// storedMessages reads a session's messages in the order of their time.
func storedMessages(storage, session string) iter.Seq2[storedMessage, error] {
	return func(yield func(storedMessage, error) bool) {
		dir := filepath.Join(storage, "message", session)
		names, err := namesIn(dir)
		if err != nil {
			yield(storedMessage{}, err)
			return
		}
		type found struct {
			name    string
			created float64
		}
		var all []found
		for _, name := range names {
			var o struct{ Time struct{ Created float64 } }
			info, err := readStored(filepath.Join(dir, name))
			if err != nil || json.Unmarshal(info, &o) != nil && !isObject(info) {
				continue
			}
			all = append(all, found{name, o.Time.Created})
		}
		slices.SortStableFunc(all, func(a, b found) int { return cmp.Compare(a.created, b.created) })
		for _, f := range all {
			info, err := readStored(filepath.Join(dir, f.name))
			if err != nil {
				continue
			}
			if !yield(storedMessage{info: info, parts: storedParts(storage, idOf(info, sessionID(f.name)))}, nil) {
				return
			}
		}
	}
}

func storedParts(storage, message string) [][]byte {
	dir := filepath.Join(storage, "part", message)
	names, err := namesIn(dir)
	if err != nil {
		return nil // a message without parts, or not yet
	}
	var parts [][]byte
	size := 0
	for _, name := range names {
		part, err := readStored(filepath.Join(dir, name))
		if size += len(part); err == nil && size <= maxStored {
			parts = append(parts, part)
		}
	}
	return parts
}

// namesIn lists the JSON files of a folder by name, which is their order in time.
func namesIn(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var names []string
	for _, e := range entries {
		if e.Type().IsRegular() && filepath.Ext(e.Name()) == ".json" {
			names = append(names, e.Name())
		}
	}
	return names, err
}
