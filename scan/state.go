package scan

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"strconv"
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

// fileState is what is known of one file. Offset, Line and Events say where
// reading goes on, which is before Read, so that the window fills again.
type fileState struct {
	Read    int64  `json:"byteOffset"` // all before was scanned; at a line's end
	Size    int64  `json:"sizeBytes"`
	MTime   int64  `json:"mtimeMs"`
	Inode   string `json:"inode,omitempty"`
	Tail    string `json:"tail,omitempty"` // hash of the last 4 KiB before Read
	Offset  int64  `json:"resumeOffset"`
	Line    int    `json:"resumeLine"` // lines before Offset; of one object: the last message
	Session string `json:"session,omitempty"`
	Foreign bool   `json:"foreign,omitempty"` // of another repository, not scanned
	unknown map[string]json.RawMessage
}

// fileFields are the names of fileState's fields.
var fileFields = []string{"byteOffset", "sizeBytes", "mtimeMs", "inode", "tail", "resumeOffset", "resumeLine", "session", "foreign"}

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
	var known struct {
		Version    int                        `json:"version"`
		LastScanAt time.Time                  `json:"lastScanAt"`
		Files      map[string]json.RawMessage `json:"files"`
	}
	if err := json.Unmarshal(data, &known); err != nil {
		return bad(err.Error())
	}
	if known.Version != stateVersion {
		return bad("version " + strconv.Itoa(known.Version))
	}
	s.lastScan = known.LastScanAt.UTC()
	for name, raw := range known.Files {
		var f fileState
		if json.Unmarshal(raw, &f) != nil || f.Offset < 0 || f.Offset > f.Read || f.Line < 0 {
			continue // this file is scanned again
		}
		if json.Unmarshal(raw, &f.unknown) == nil {
			for _, own := range fileFields {
				delete(f.unknown, own)
			}
		}
		s.files[name] = f
	}
	for _, name := range []string{"version", "lastScanAt", "files"} {
		delete(s.unknown, name)
	}
	return s, nil
}

// bytes writes the state as JSON, sorted by path.
func (s *state) bytes() []byte {
	top := maps.Clone(s.unknown)
	if top == nil {
		top = map[string]json.RawMessage{}
	}
	files := map[string]json.RawMessage{}
	for name, f := range s.files {
		files[name] = f.bytes()
	}
	top["version"] = mustJSON(stateVersion)
	top["lastScanAt"] = mustJSON(s.lastScan)
	top["files"] = mustJSON(files)
	var out bytes.Buffer
	_ = json.Indent(&out, mustJSON(top), "", " ") // mustJSON gives valid JSON
	out.WriteByte('\n')
	return out.Bytes()
}

func (f fileState) bytes() json.RawMessage {
	own := mustJSON(f)
	if len(f.unknown) == 0 {
		return own
	}
	all := maps.Clone(f.unknown)
	var fresh map[string]json.RawMessage
	_ = json.Unmarshal(own, &fresh)
	maps.Copy(all, fresh)
	return mustJSON(all)
}

// mustJSON encodes values that cannot fail to encode.
func mustJSON(v any) json.RawMessage {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return b
}

// unchanged says whether a file is as the state left it, by what the file
// system says without opening it.
func (f fileState) unchanged(now FileInfo) bool {
	return f.Size == now.Size && !now.ModTime.IsZero() && f.MTime == now.ModTime.UnixMilli() && f.Inode == now.ID
}

// grownFrom says whether r is the file that the state describes, as it was or
// longer at its end.
func (f fileState) grownFrom(now FileInfo, r io.ReadSeeker) bool {
	if f.Read == 0 || now.Size < f.Read || f.Inode != now.ID {
		return false
	}
	tail, err := tailHash(r, f.Read)
	return err == nil && tail == f.Tail
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
	var buf []byte
	for end, step := size, int64(1<<10); end > 0; step = 64 << 10 { // it is nearly always the last byte
		if int64(len(buf)) < step {
			buf = make([]byte, step)
		}
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
