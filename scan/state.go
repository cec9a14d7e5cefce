package scan

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/lessons-cli/lessons/knowledge"
)

// stateVersion is the version of scan-state.json that this package writes.
const stateVersion = 1

// tailBytes is how much before the offset is hashed, to know a file again.
const tailBytes = 4 << 10

// endBytes is how much of a file's end is read at a time to find its last newline.
const endBytes = 8 << 10

// state remembers how far each session file was read (scan-state.json). It is
// an optimisation: an empty state makes a scan slower and its result no
// different.
type state struct {
	lastScan time.Time
	files    map[string]fileState
	unknown  map[string]json.RawMessage // of a newer version; kept
}

// parseState reads scan-state.json. Data that cannot be read is a problem and
// an empty state: everything is scanned again, to the same result. Path only
// serves to name the file.
func parseState(path string, data []byte) (*state, []knowledge.Problem) {
	s := &state{files: map[string]fileState{}, unknown: map[string]json.RawMessage{}}
	if len(bytes.TrimSpace(data)) == 0 {
		return s, nil
	}
	bad := func(why string) (*state, []knowledge.Problem) {
		return &state{files: map[string]fileState{}, unknown: map[string]json.RawMessage{}}, []knowledge.Problem{{
			Path: path, Rule: "scan-state", Text: "The scan state cannot be read (" + why + "); sessions are scanned from their beginning.",
		}}
	}
	if err := json.Unmarshal(data, &s.unknown); err != nil {
		return bad(err.Error())
	}
	var (
		version int
		files   map[string]json.RawMessage
	)
	for _, own := range []struct {
		name string
		into any
	}{{"version", &version}, {"lastScanAt", &s.lastScan}, {"files", &files}} {
		if raw, ok := s.unknown[own.name]; ok {
			if err := json.Unmarshal(raw, own.into); err != nil {
				return bad(err.Error())
			}
			delete(s.unknown, own.name)
		}
	}
	if version != stateVersion {
		return bad("version " + strconv.Itoa(version))
	}
	s.lastScan = s.lastScan.UTC()
	for name, raw := range files {
		if f, ok := parseFileState(raw); ok {
			s.files[name] = f
		}
	}
	return s, nil
}

// SessionFiles are the files of each session that a scan state knows, by the session's
// hashed name, sorted.
func SessionFiles(data []byte) map[string][]string {
	s, _ := parseState("", data)
	files := map[string][]string{}
	for _, path := range slices.Sorted(maps.Keys(s.files)) {
		if name := s.files[path].Session; name != "" {
			files[name] = append(files[name], path)
		}
	}
	return files
}

// forgetRead forgets how far files were read, and keeps those that were skipped.
func (s *state) forgetRead() {
	for path, f := range s.files {
		if f.Skipped == nil {
			delete(s.files, path)
			continue
		}
		s.files[path] = fileState{Size: f.Size, MTime: f.MTime, Inode: f.Inode, Skipped: f.Skipped}
	}
}

// bytes writes the state as JSON, sorted by path.
func (s *state) bytes() []byte {
	all := map[string]any{"version": stateVersion, "lastScanAt": s.lastScan, "files": s.files}
	for name, value := range s.unknown {
		all[name] = value
	}
	out, err := json.MarshalIndent(all, "", " ")
	if err != nil {
		panic(err) // nothing in it can fail to encode
	}
	return append(out, '\n')
}

// tailHash hashes the last 4 KiB before end.
func tailHash(r io.ReadSeeker, end int64) (string, error) {
	from := max(0, end-tailBytes)
	if _, err := r.Seek(from, io.SeekStart); err != nil {
		return "", err
	}
	buf := make([]byte, end-from)
	if _, err := io.ReadFull(r, buf); err != nil {
		return "", err
	}
	sum := sha256.Sum256(buf)
	return hex.EncodeToString(sum[:8]), nil
}

// wholeLines returns the offset behind the last newline before size.
func wholeLines(r io.ReadSeeker, size int64) (int64, error) {
	buf := make([]byte, endBytes)
	for end := size; end > 0; {
		from := max(0, end-endBytes)
		if _, err := r.Seek(from, io.SeekStart); err != nil {
			return 0, err
		}
		n, err := io.ReadFull(r, buf[:end-from])
		if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.EOF) {
			return 0, err
		}
		if i := bytes.LastIndexByte(buf[:n], '\n'); i >= 0 {
			return from + int64(i) + 1, nil
		}
		end = from
	}
	return 0, nil
}
