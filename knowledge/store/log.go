package store

import (
	"bytes"
	"errors"
	"fmt"
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
	name       string // in problems and errors
	data       []byte // nil: there is none
	err        error  // it is there and cannot be read
}

func (f logFile) there() bool { return f.data != nil || f.err != nil }

// logs are both places of the log: the one that is written and the other one.
type logs struct{ main, other logFile }

// readLogs reads both places. The log is in the shared folder, or in the work
// tree where the settings say so or git tracks it. A hook leaves that
// alone: what it learns waits in the shared folder.
func (s *Store) readLogs(c config.Config) logs {
	shared := s.readLog(s.Places.Shared, logName, filepath.Join(s.Places.Shared, logName))
	tree := s.readLog(s.Places.Root, observe.LogPath, observe.LogPath)
	if s.LogInTree || !s.Hook && (c.Log == "committed" || tree.there() && s.tracks(observe.LogPath)) {
		return logs{tree, shared}
	}
	return logs{shared, tree}
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
	f.data, f.err = fsx.ReadBelow(s.FS, root, path, maxLog)
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
	log.NoteLoaded(l.main.data)
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
	return observe.ParseLog(f.name, f.data)
}

// planLog works out the new content of the log, under the lock. What another
// process wrote since the log was loaded is joined, so that nothing is lost.
func (s *Store) planLog(planned *observe.Log, c config.Config) ([]logWrite, error) {
	disk := s.readLogs(c)
	if disk.main.err != nil {
		return nil, disk.main.err
	}
	after := planned
	if disk.main.data != nil && !planned.LoadedFrom(disk.main.data) {
		after, _ = disk.join(c.Thresholds)
		after.Join(planned)
		for _, id := range planned.Removed() {
			after.Remove(id)
		}
		after.Settle(c.Thresholds)
	}
	return disk.writes(after, planned.Removed(), s.Hook && !s.LogInTree), nil
}

func sameFile(a, b []byte) bool { return (a == nil) == (b == nil) && bytes.Equal(a, b) }

// writes are the changes of the files. From the other place only goes what was
// removed, else it would come back; a hook leaves it alone.
func (l logs) writes(after *observe.Log, removed []string, hook bool) []logWrite {
	var all []logWrite
	if data := after.Bytes(); len(data) > 0 || l.main.data != nil {
		all = append(all, logWrite{l.main, data})
	}
	if l.other.data == nil || len(removed) == 0 || hook {
		return all
	}
	other, _ := observe.ParseLog(l.other.name, l.other.data)
	for _, id := range removed {
		other.Remove(id)
	}
	if data := other.Bytes(); !bytes.Equal(data, l.other.data) {
		all = append(all, logWrite{l.other, data})
	}
	return all
}

// logWrite is the new content of one of the log's files.
type logWrite struct {
	logFile
	after []byte
}

func (w logWrite) replacement() fsx.Replacement {
	return fsx.Replacement{Path: w.path, Data: notNil(w.after), Guarded: true, Before: w.data}
}

// notNil makes a content out of nothing: nil would remove the file.
func notNil(data []byte) []byte {
	if data == nil {
		return []byte{}
	}
	return data
}
