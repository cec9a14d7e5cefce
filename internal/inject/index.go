package inject

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
)

// Format is the version of the index's bytes. Another version is not read.
const Format = 6

const (
	magic = "lessons\x00"
	// prefixSize is that of magic, format, the header's checksum and the header's length.
	prefixSize = 20
	// firstRead is how much of an index is read at once: the whole of a small one.
	firstRead = 64 << 10
	keySize   = 12 // a hash and a rank
	// MaxIndex bounds the size of an index in bytes.
	MaxIndex = 1 << 30
)

// Fingerprint identifies the state of the lessons that an index was made from.
type Fingerprint [32]byte

// MarshalText implements [encoding.TextMarshaler].
func (f Fingerprint) MarshalText() ([]byte, error) { return hex.AppendEncode(nil, f[:]), nil }

// UnmarshalText implements [encoding.TextUnmarshaler].
func (f *Fingerprint) UnmarshalText(text []byte) error {
	_, err := hex.Decode(f[:], text[:min(len(text), 2*len(f))])
	return err
}

// Header is what an index says about itself.
type Header struct {
	Fingerprint Fingerprint // of every lesson file
	Stamp       uint64      // of the folder alone: see [Stamp]
	Until       string      // YYYY-MM-DD: from this day on some lesson begins or ends; empty: never
	Settings    Settings
}

// Settings are what a hook needs of the configuration.
type Settings struct {
	Scoring             Scoring
	BudgetBytes         int  // of one injection
	MaxLessons          int  // of one injection
	CompactionThreshold int  // priority from which lessons come again after compaction
	Asks                int  // most asks of a session; 0: none
	CallsBeforeEdit     int  // calls without an edit after which a coding agent is told to act; 0: any number
	Holdout             int  // sessions of a hundred that a lesson is withheld from
	Debug               bool // what hooks decide is written down: this person's own setting
}

// Scoring chooses how lessons are ranked.
type Scoring int

const (
	ScoringMatch Scoring = iota // every declared hard slot matches; by priority, confidence, id
	ScoringSeed                 // a weighted sum over a threshold: see [ScoreSeed]
)

// ScoringNamed returns the way of ranking that a setting names; an unknown name
// is [ScoringMatch].
func ScoringNamed(name string) Scoring {
	if name == "seed" {
		return ScoringSeed
	}
	return ScoringMatch
}

// CorruptError says that bytes are no index. [ErrCorrupt] matches it.
type CorruptError struct{ Why string }

func (e *CorruptError) Error() string {
	return "the compiled lessons are damaged (" + e.Why + "); run: lessons compile"
}
func (e *CorruptError) Is(target error) bool { return target == ErrCorrupt }

// FormatError says that another version of lessons made the index.
type FormatError struct{ Version int }

func (e *FormatError) Error() string {
	return fmt.Sprintf("the compiled lessons have format %d, this program reads %d; run: lessons compile", e.Version, Format)
}

// ErrCorrupt is what errors.Is finds in every [CorruptError].
var ErrCorrupt = errors.New("damaged index")

// Index is a compiled set of lessons, opened for reading. Lessons are numbered
// by rank: reviewed or not, priority, confidence, id. It is not safe for concurrent use.
type Index struct {
	Header
	r      io.ReaderAt
	head   []byte // the first bytes of the file
	count  int
	atRank [11]uint32 // number of reviewed lessons of at least this priority
	keys   []byte     // hash and rank of each key, sorted
	// Where the records' offsets, the records and the index end or begin.
	offsets, records, end int64
	read                  map[int]Lesson
	bad                   error // the first damage met while reading
}

// fileHead is what stands in JSON before the keys.
type fileHead struct {
	Header
	Count  int
	AtRank [11]uint32
	Keys   int // bytes
	Rest   int // bytes of keys, offsets and records
}

// Open reads an index from memory.
func Open(data []byte) (*Index, error) {
	return OpenAt(bytes.NewReader(data), int64(len(data)))
}

// OpenAt opens an index of the given size. Its header and its keys are read now,
// and of the lessons those that a call may need, so that the cost of a hook grows
// little with their number.
func OpenAt(r io.ReaderAt, size int64) (*Index, error) {
	if size < prefixSize {
		return nil, &CorruptError{Why: "too short"}
	}
	if size > MaxIndex {
		return nil, &CorruptError{Why: "too long"}
	}
	head := make([]byte, min(size, firstRead))
	if n, err := r.ReadAt(head, 0); n < len(head) {
		return nil, fmt.Errorf("compiled lessons: %w", err)
	}
	x := &Index{r: r, head: head, end: size, read: map[int]Lesson{}}
	if err := x.readHeader(); err != nil {
		return nil, err
	}
	return x, nil
}

func (x *Index) readHeader() error {
	if string(x.head[:8]) != magic {
		return &CorruptError{Why: "no index"}
	}
	if format := binary.LittleEndian.Uint32(x.head[8:]); format != Format {
		return &FormatError{Version: int(format)}
	}
	keys := prefixSize + int64(binary.LittleEndian.Uint32(x.head[16:]))
	text := x.at(prefixSize, keys-prefixSize)
	var f fileHead
	if crc32.ChecksumIEEE(text) != binary.LittleEndian.Uint32(x.head[12:]) || json.Unmarshal(text, &f) != nil {
		return &CorruptError{Why: "header"}
	}
	x.Header, x.count, x.atRank = f.Header, f.Count, f.AtRank
	x.offsets = keys + int64(f.Keys)
	x.records = x.offsets + 4*(int64(x.count)+1)
	if keys+int64(f.Rest) != x.end || x.records > x.end {
		return &CorruptError{Why: "cut off"}
	}
	x.keys = x.at(keys, int64(f.Keys))
	return x.bad
}

// at returns n bytes at an offset, nil when they are not there.
func (x *Index) at(off, n int64) []byte {
	if off < 0 || n < 0 || off+n > x.end {
		x.damaged("offset")
		return nil
	}
	if off+n <= int64(len(x.head)) {
		return x.head[off : off+n : off+n]
	}
	b := make([]byte, n)
	if got, _ := x.r.ReadAt(b, off); int64(got) < n {
		x.damaged("cut off")
		return nil
	}
	return b
}

func (x *Index) damaged(why string) {
	if x.bad == nil {
		x.bad = &CorruptError{Why: why}
	}
}

// Err returns the first damage that lookups met; nil when there was none.
func (x *Index) Err() error { return x.bad }

// Len returns the number of lessons.
func (x *Index) Len() int { return x.count }

// Lesson returns the lesson of a rank, counted from 0.
func (x *Index) Lesson(rank int) (Lesson, bool) {
	if l, ok := x.read[rank]; ok || rank < 0 || rank >= x.count {
		return l, ok
	}
	b := x.at(x.offsets+4*int64(rank), 8)
	if b == nil {
		return Lesson{}, false
	}
	from, to := int64(binary.LittleEndian.Uint32(b)), int64(binary.LittleEndian.Uint32(b[4:]))
	var l Lesson
	b = x.at(x.records+from, to-from)
	if len(b) < 4 || crc32.ChecksumIEEE(b[4:]) != binary.LittleEndian.Uint32(b) || json.Unmarshal(b[4:], &l) != nil {
		x.damaged("record")
		return Lesson{}, false
	}
	x.read[rank] = l
	return l, true
}

// Find returns the lesson with an id.
func (x *Index) Find(id string) (Lesson, bool) {
	for _, rank := range x.lookup(nil, keyID, id) {
		if l, ok := x.Lesson(int(rank)); ok && l.ID == id {
			return l, true
		}
	}
	return Lesson{}, false
}

// Standing returns the reviewed lessons of at least a priority in the order of rank: what
// is told again after a compaction.
func (x *Index) Standing(priority int) []Lesson {
	var out []Lesson
	for rank := range int(x.atRank[min(max(priority, 0), 10)]) {
		if l, ok := x.Lesson(rank); ok {
			out = append(out, l)
		}
	}
	return out
}
