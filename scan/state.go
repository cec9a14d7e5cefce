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
	"sync"
	"time"

	"github.com/lessons-cli/lessons/knowledge"
)

// stateVersion is the version of scan-state.json that this package writes.
const stateVersion = 1

// tailBytes is how much before the offset is hashed, to know a file again.
const tailBytes = 4 << 10

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

// bytes writes the state as JSON, sorted by path.
func (s *state) bytes() []byte {
	var out bytes.Buffer
	writeObject(&out, "", append(slices.Collect(maps.Keys(s.unknown)), "version", "lastScanAt", "files"), func(name string) {
		switch name {
		case "version":
			out.Write(mustJSON(stateVersion))
		case "lastScanAt":
			out.Write(mustJSON(s.lastScan))
		case "files":
			writeObject(&out, " ", slices.Collect(maps.Keys(s.files)), func(file string) { s.files[file].write(&out) })
		default:
			writeIndented(&out, s.unknown[name], " ")
		}
	})
	out.WriteByte('\n')
	return out.Bytes()
}

// writeObject writes an object as [json.Indent] lays it out, sorted by name.
func writeObject(out *bytes.Buffer, margin string, names []string, value func(name string)) {
	slices.Sort(names)
	next := "{"
	for _, name := range names {
		out.WriteString(next + "\n " + margin)
		out.Write(mustJSON(name))
		out.WriteString(": ")
		value(name)
		next = ","
	}
	if len(names) == 0 {
		out.WriteString("{}")
		return
	}
	out.WriteString("\n" + margin + "}")
}

func writeIndented(out *bytes.Buffer, value json.RawMessage, margin string) {
	_ = json.Indent(out, value, margin, " ") // it is valid JSON
}

// mustJSON encodes values that cannot fail to encode.
func mustJSON(v any) json.RawMessage {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return b
}

// tailHash hashes the last 4 KiB before end.
func tailHash(r io.ReadSeeker, end int64) (string, error) {
	from := max(0, end-tailBytes)
	if _, err := r.Seek(from, io.SeekStart); err != nil {
		return "", err
	}
	space := tails.Get().(*[tailBytes]byte)
	defer tails.Put(space)
	buf := space[:end-from]
	if _, err := io.ReadFull(r, buf); err != nil {
		return "", err
	}
	sum := sha256.Sum256(buf)
	return hex.EncodeToString(sum[:8]), nil
}

// tails are kept from one file to the next.
var tails = sync.Pool{New: func() any { return new([tailBytes]byte) }}

// wholeLines returns the offset behind the last newline before size.
func wholeLines(r io.ReadSeeker, size int64) (int64, error) {
	space := heads.Get().(*ends)
	defer heads.Put(space)
	buf := space.head[:]
	for end, step := size, int64(endBytes); end > 0; step = int64(len(buf)) { // it is nearly always the last byte
		from := max(0, end-step)
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
