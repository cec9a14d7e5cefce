package store

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"

	"github.com/lessons-cli/lessons/internal/fsx"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/config"
	"github.com/lessons-cli/lessons/knowledge/observe"
)

// logFile is a log in one of its two places.
type logFile struct {
	root, path string
	name       string      // in problems and errors
	text       io.ReaderAt // nil: there is none
	size       int64
	err        error // it is there and cannot be read
}

func (f logFile) there() bool { return f.text != nil || f.err != nil }

// logs are both places of the log: the one that is written and the other one.
type logs struct {
	main, other logFile
	doubted     bool // git tracks one that nobody here stands for: it is left alone
}

// readLogs reads both places. The log is in the shared folder, or in the work
// tree where the settings say so or git tracks it. A hook leaves that
// alone: what it learns waits in the shared folder.
func (s *Store) readLogs(c config.Config) logs {
	shared := s.readLog(s.Places.Shared, logName, filepath.Join(s.Places.Shared, logName))
	tree := s.treeLog()
	tracked := tree.there() && s.tracks(observe.LogPath)
	switch {
	case tracked && !s.vouched(tree):
		return logs{main: shared, doubted: true}
	case s.LogInTree || !s.Hook && (c.Log == "committed" || tracked):
		return logs{main: tree, other: shared}
	}
	return logs{main: shared, other: tree}
}

// LogStamp identifies the state of the log's files. None is opened.
func (s *Store) LogStamp() string {
	stamp := ""
	for _, info := range s.logFiles() {
		stamp += fmt.Sprintf("%d %d\n", info.Size(), info.ModTime().UnixNano())
	}
	return stamp
}

// LogSize is how large the log's files are together, in bytes.
func (s *Store) LogSize() int64 {
	var size int64
	for _, info := range s.logFiles() {
		size += info.Size()
	}
	return size
}

// logFiles are those of the log's files that are there.
func (s *Store) logFiles() (found []fs.FileInfo) {
	for _, name := range []string{filepath.Join(s.Places.Shared, logName), filepath.Join(s.Places.Root, filepath.FromSlash(observe.LogPath))} {
		if info, err := s.FS.Lstat(name); err == nil {
			found = append(found, info)
		}
	}
	return found
}

func (s *Store) readLog(root, path, name string) logFile {
	f := logFile{root: root, path: path, name: name}
	f.text, f.size, f.err = fsx.OpenBelow(s.FS, root, path, maxLog)
	if f.err != nil {
		f.text = nil
	}
	if errors.Is(f.err, fs.ErrNotExist) {
		f.err = nil
	}
	return f
}

// join parses both and joins them.
func (l logs) join(t observe.Thresholds) (*observe.Log, []knowledge.Problem) {
	log, problems := l.main.parse()
	if l.other.there() {
		more, found := l.other.parse()
		problems = append(problems, found...)
		log.Join(more)
		log.Settle(t)
	}
	log.NoteLoaded()
	return log, problems
}

func (f logFile) parse() (*observe.Log, []knowledge.Problem) {
	if f.err != nil {
		root := f.root
		if f.name != f.path {
			root = "" // it is named in full
		}
		return &observe.Log{}, []knowledge.Problem{readProblem(root, f.name, f.err)}
	}
	if f.text == nil {
		return observe.ParseLog(f.name, nil)
	}
	return observe.ReadLog(f.name, f.text, f.size)
}

// planLog works out the new content of the log, under the lock. What another
// process wrote since the log was loaded is joined, so that nothing is lost.
func (s *Store) planLog(planned *observe.Log, c config.Config) ([]logWrite, error) {
	disk := s.readLogs(c)
	if disk.main.err != nil {
		return nil, disk.main.err
	}
	after := planned
	if disk.main.text != nil && !planned.LoadedFrom(disk.main.text, disk.main.size) {
		after, _ = disk.join(c.Thresholds)
		after.Join(planned)
		for _, id := range planned.Removed() {
			after.Remove(id)
		}
		after.Settle(c.Thresholds)
	}
	all := []logWrite{disk.main.with(after)}
	if s.Hook && !s.LogInTree {
		return all, nil // the other place is left alone
	}
	return append(all, disk.other.without(planned.Removed())...), nil
}

func sameFile(a, b []byte) bool { return (a == nil) == (b == nil) && bytes.Equal(a, b) }

// without takes out of the other place what was removed, else it would come back.
func (f logFile) without(removed []string) []logWrite {
	if f.text == nil || len(removed) == 0 {
		return nil
	}
	log, _ := f.parse()
	log.NoteLoaded()
	for _, id := range removed {
		log.Remove(id)
	}
	if w := f.with(log); !w.same {
		return []logWrite{w}
	}
	return nil
}

// logWrite is the new content of one of the log's files, as far as it is another one.
type logWrite struct {
	logFile
	after *observe.Log
	same  bool
}

// with is the file with another content.
func (f logFile) with(after *observe.Log) logWrite {
	same, err := fsx.Holds(f.text, f.size, after.Write)
	return logWrite{f, after, same && err == nil}
}

func (w logWrite) replacement() fsx.Replacement {
	r := fsx.Replacement{Path: w.path, Guarded: true, Stream: w.after.Write}
	if w.text != nil {
		r.Unchanged = w.after.LoadedFrom
	}
	return r
}

// notNil makes a content out of nothing: nil would remove the file.
func notNil(data []byte) []byte {
	if data == nil {
		return []byte{}
	}
	return data
}

// TreeLog is the log in the work tree as it lies there, nil where there is none.
func (s *Store) TreeLog() (*observe.Text, error) {
	f := s.treeLog()
	if f.text == nil {
		return nil, f.err
	}
	return &observe.Text{ReaderAt: f.text, Size: f.size}, nil
}

// ReplaceTreeLog writes the log in the work tree anew, if it still has that sum.
func (s *Store) ReplaceTreeLog(was uint64, write func(io.Writer) error) error {
	unlock, err := s.lock(false)
	if err != nil {
		return err
	}
	err = fsx.Replace(s.FS, s.Places.Root, []fsx.Replacement{{
		Path: observe.LogPath, Guarded: true, Stream: write,
		Unchanged: func(text io.ReaderAt, size int64) bool { return observe.Text{ReaderAt: text, Size: size}.Sum() == was },
	}})
	return errors.Join(err, unlock())
}
