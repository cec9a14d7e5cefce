package artifact

import (
	"bytes"
	"encoding/binary"
	"encoding/gob"
	"hash/crc32"
	"io/fs"
	"time"

	"github.com/lessons-cli/lessons/internal/fsx"
	"github.com/lessons-cli/lessons/knowledge/lesson"
)

// Cache is what an earlier run parsed. As git's index it goes by what the file system says of
// a file: while that is the same, so are text and lesson. Reading with it and without gives
// the same.
type Cache struct {
	// Program identifies the program: what another one parsed is not believed. Empty: nothing
	// is cached.
	Program string
	// Began is when this run began. A file that changed shortly before could change again
	// without a trace, so it is not cached.
	Began time.Time
	Data  []byte // as an earlier run returned it in [Found]
}

// settled is how long ago a file must have changed for its time to tell all further changes:
// file systems count time in steps of up to two seconds.
const settled = 3 * time.Second

// worthCaching is how many lessons take longer to parse than a cache takes to write.
var worthCaching = 64

// cachedLesson is a lesson with the state of its file when it was read.
type cachedLesson struct {
	Name   string
	State  fileState
	Text   []byte
	Hash   string
	Lesson *lesson.Lesson
}

// fileState is what tells that a file changed.
type fileState struct {
	Size, Modified, Changed int64
	Mode                    fs.FileMode
	ID                      string
}

func stateOf(info fs.FileInfo) fileState {
	return fileState{info.Size(), info.ModTime().UnixNano(), fsx.Changed(info).UnixNano(), info.Mode(), fsx.FileID(info)}
}

// cacheable says whether the next change of a file will show.
func (c Cache) cacheable(info fs.FileInfo) bool {
	changed := fsx.Changed(info)
	return c.Program != "" && !changed.IsZero() && fsx.FileID(info) != "" && changed.Before(c.Began.Add(-settled))
}

// cacheFile is the content of a cache behind its checksum.
type cacheFile struct {
	Program string
	Lessons []cachedLesson
}

// lessons are those of the cache, by name: none where it is torn, or another program's.
func (c Cache) lessons() map[string]*cachedLesson {
	if c.Program == "" || len(c.Data) < crc32.Size {
		return nil
	}
	sum, data := c.Data[:crc32.Size], c.Data[crc32.Size:]
	var file cacheFile
	if binary.BigEndian.Uint32(sum) != crc32.ChecksumIEEE(data) ||
		gob.NewDecoder(bytes.NewReader(data)).Decode(&file) != nil || file.Program != c.Program {
		return nil
	}
	all := make(map[string]*cachedLesson, len(file.Lessons))
	for i := range file.Lessons {
		all[file.Lessons[i].Name] = &file.Lessons[i]
	}
	return all
}

// renewed is a cache of these files, where so many of them are not in the present one, or
// so many of that are gone, that it is worth writing.
func (c Cache) renewed(files []lessonFile, cached int) []byte {
	anew, kept := 0, []cachedLesson(nil)
	for _, f := range files {
		switch {
		case !f.anew:
			cached--
		case f.err != nil || !c.cacheable(f.info):
			continue
		default:
			f.State = stateOf(f.info)
			anew++
		}
		kept = append(kept, f.cachedLesson)
	}
	if anew < worthCaching && cached < worthCaching {
		return nil
	}
	return c.with(kept)
}

// with is a cache of these lessons; nil where it cannot be written.
func (c Cache) with(lessons []cachedLesson) []byte {
	var out bytes.Buffer
	out.Write(make([]byte, crc32.Size))
	if gob.NewEncoder(&out).Encode(cacheFile{c.Program, lessons}) != nil {
		return nil
	}
	data := out.Bytes()
	binary.BigEndian.PutUint32(data, crc32.ChecksumIEEE(data[crc32.Size:]))
	return data
}
