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

// whole reads the file into memory, nil where there is none.
func (f logFile) whole() ([]byte, error) {
	if f.text == nil {
		return nil, f.err
	}
	data := make([]byte, f.size)
	_, err := io.ReadFull(io.NewSectionReader(f.text, 0, f.size), data)
	return data, err
}

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
	for _, name := range []string{filepath.Join(s.Places.Shared, logName), filepath.Join(s.Places.Root, filepath.FromSlash(observe.LogPath))} {
		if info, err := s.FS.Lstat(name); err == nil {
			stamp += fmt.Sprintf("%d %d\n", info.Size(), info.ModTime().UnixNano())
		}
	}
	return stamp
}

// LogSize is how large the log's files are together, in bytes.
func (s *Store) LogSize() int64 {
	var size int64
	for _, name := range []string{filepath.Join(s.Places.Shared, logName), filepath.Join(s.Places.Root, filepath.FromSlash(observe.LogPath))} {
		if info, err := s.FS.Lstat(name); err == nil {
			size += info.Size()
		}
	}
	return size
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
	before, err := disk.main.whole()
	if err != nil {
		return nil, err
	}
	after := planned
	switch {
	case before == nil:
	case planned.LoadedFrom(before):
		planned.ReadFrom(before)
	default:
		disk.main.text = bytes.NewReader(before)
		after, _ = disk.join(c.Thresholds)
		after.Join(planned)
		for _, id := range planned.Removed() {
			after.Remove(id)
		}
		after.Settle(c.Thresholds)
	}
	var all []logWrite
	if data := after.Bytes(); len(data) > 0 || before != nil {
		all = append(all, logWrite{disk.main, before, data})
	}
	if s.Hook && !s.LogInTree {
		return all, nil // the other place is left alone
	}
	return append(all, disk.other.without(planned.Removed())...), nil
}

func sameFile(a, b []byte) bool { return (a == nil) == (b == nil) && bytes.Equal(a, b) }

// without takes out of the other place what was removed, else it would come back.
func (f logFile) without(removed []string) []logWrite {
	before, err := f.whole()
	if err != nil || before == nil || len(removed) == 0 {
		return nil
	}
	log, _ := observe.ParseLog(f.name, before)
	for _, id := range removed {
		log.Remove(id)
	}
	if after := log.Bytes(); !bytes.Equal(before, after) {
		return []logWrite{{f, before, after}}
	}
	return nil
}

// logWrite is the new content of one of the log's files.
type logWrite struct {
	logFile
	before, after []byte
}

func (w logWrite) replacement() fsx.Replacement {
	return fsx.Replacement{Path: w.path, Data: notNil(w.after), Guarded: true, Before: w.before}
}

// notNil makes a content out of nothing: nil would remove the file.
func notNil(data []byte) []byte {
	if data == nil {
		return []byte{}
	}
	return data
}
