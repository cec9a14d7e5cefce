package project

import (
	"bytes"
	"errors"
	"io/fs"
	"path/filepath"

	"github.com/lessons-cli/lessons/internal/fsx"
	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/calls"
)

// callsDir holds the call log: one file a session. All work trees of the clone share it.
func (p *Project) callsDir() string { return p.shared("calls") }

// maxCallFile is how large a session's file may be, in bytes.
const maxCallFile = 64 << 20

// callWriter adds what a scan finds to the call log. Two scans that begin a file at once
// leave both their lines, which are one set when they are read.
type callWriter struct {
	p       *Project
	begun   string            // session whose file the newest lines began: it holds nothing older
	written map[string]bool   // files, since the last sync
	anew    map[string][]byte // files that are to be written as a whole, because a line of theirs changed
	size    int               // of those, in bytes
}

// maxAnew is how much is kept to be written as a whole, in bytes. Some files of an agent
// often tell one session, and each of them would write it again.
const maxAnew = 1 << 20

func (p *Project) newCallWriter() *callWriter {
	return &callWriter{p: p, written: map[string]bool{}, anew: map[string][]byte{}}
}

// add unites lines of a session with those that the log has. They go on from those of the
// last call, or begin another session's.
func (w *callWriter) add(session string, lines []byte, goOn bool) error {
	path := filepath.Join(w.p.callsDir(), session+calls.Extension)
	if !goOn || w.begun != session {
		data, err := w.read(path)
		w.begun = ""
		switch {
		case errors.Is(err, fs.ErrNotExist):
			w.begun = session
			if err := fsx.MkdirAll(w.p.FS, w.p.callsDir()); err != nil {
				return err
			}
		case err != nil:
			return err
		default:
			all := calls.Unite(data, lines)
			if w.anew[path] != nil || !bytes.HasPrefix(all, data) {
				return w.replace(path, all)
			}
			if lines = all[len(data):]; len(lines) == 0 { // a copy of the session
				return nil
			}
		}
	}
	w.written[path] = true
	return fsx.Extend(w.p.FS, path, lines)
}

// read is a session's file as it is going to be.
func (w *callWriter) read(path string) ([]byte, error) {
	if data := w.anew[path]; data != nil {
		return data, nil
	}
	return fsx.ReadBelow(w.p.FS, w.p.callsDir(), filepath.Base(path), maxCallFile)
}

// replace has a file written as a whole at the next sync, or now where there is much.
func (w *callWriter) replace(path string, data []byte) error {
	w.size += len(data) - len(w.anew[path])
	w.anew[path] = data
	if w.size <= maxAnew {
		return nil
	}
	return w.writeAnew()
}

func (w *callWriter) writeAnew() error {
	for _, path := range sortedKeys(w.anew) {
		if err := fsx.WriteFile(w.p.FS, path, w.anew[path]); err != nil {
			return err
		}
		w.size -= len(w.anew[path])
		delete(w.anew, path)
	}
	return nil
}

// sync makes the lines durable.
func (w *callWriter) sync() error {
	if err := w.writeAnew(); err != nil {
		return err
	}
	err := fsx.Sync(w.p.FS, sortedKeys(w.written))
	if err == nil {
		clear(w.written)
	}
	return err
}

func (p *Project) readCalls(name string) (calls.Session, []knowledge.Problem, error) {
	data, err := fsx.ReadBelow(p.FS, p.callsDir(), name, maxCallFile)
	if err != nil {
		return calls.Session{}, nil, err
	}
	s, problems := calls.Parse(name, data)
	return s, problems, nil
}

// callEntries are the files of the call log; none where no call was logged yet.
func (p *Project) callEntries() ([]fs.DirEntry, error) {
	entries, err := p.FS.ReadDir(p.callsDir())
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return lists.Filter(entries, func(e fs.DirEntry) bool { return filepath.Ext(e.Name()) == calls.Extension }), err
}

// Calls returns the call log, in the order in which the sessions began.
func (p *Project) Calls() ([]calls.Session, []knowledge.Problem, error) {
	entries, err := p.callEntries()
	if err != nil {
		return nil, nil, err
	}
	var all []calls.Session
	var problems []knowledge.Problem
	for _, e := range entries {
		s, bad, err := p.readCalls(e.Name())
		if err != nil {
			bad = append(bad, knowledge.Problem{Path: filepath.Join(p.callsDir(), e.Name()), Rule: "call-log", Text: "This file of the call log cannot be read: " + err.Error() + "."})
		}
		all, problems = append(all, s), append(problems, bad...)
	}
	calls.Sort(all)
	return all, problems, nil
}
