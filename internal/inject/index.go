package inject

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math/bits"
	"slices"
)

// Format is the version of the index's bytes. Another version is not read.
const Format = 5

const (
	magic      = "lessons\x00"
	headerSize = 192
	// firstRead is how much of an index is read at once: the whole of a small
	// one, header and filter of a large one.
	firstRead = 64 << 10
	slotSize  = 16
	// MaxIndex bounds the size of an index in bytes.
	MaxIndex = 1 << 30
)

// Fingerprint identifies the state of the lessons that an index was made from.
type Fingerprint [32]byte

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
	BudgetBytes         int // of one injection
	MaxLessons          int // of one injection
	CompactionThreshold int // priority from which lessons come again after compaction
	Asks                int // most asks of a session; 0: none
}

// Scoring chooses how lessons are ranked (rulings 33).
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
// by rank: priority, confidence, id. It is not safe for concurrent use.
type Index struct {
	Header
	r      io.ReaderAt
	head   []byte // the first bytes of the file
	count  int
	atRank [11]uint32 // number of lessons of at least this priority
	filter []byte
	slots  int // number of slots, a power of two
	sizes  layout
	bad    error // the first damage met while reading
}

// fileHead is the header of an index in its bytes, numbers in little endian.
type fileHead struct {
	Magic       [8]byte
	Format      uint32
	Checksum    uint32 // of what follows in the header
	Fingerprint Fingerprint
	Stamp       uint64
	Until       uint32 // 20061231; 0: never
	Count       uint32 // of lessons
	Scoring     uint32
	Budget      uint32
	MaxLessons  uint32
	Compaction  uint32
	Asks        uint32
	AtRank      [11]uint32 // number of lessons of at least this priority
	Filter      uint32     // bytes
	Slots       uint32     // number
	Postings    uint32     // bytes
	Size        uint64     // of the index
	_           [44]byte
}

// layout holds the offsets of an index's sections.
type layout struct{ filter, slots, postings, offsets, records, end int64 }

// Open reads an index from memory.
func Open(data []byte) (*Index, error) {
	return OpenAt(bytes.NewReader(data), int64(len(data)))
}

// OpenAt opens an index of the given size. Only its first bytes are read now;
// each lookup reads the few bytes that it needs, so that the cost of a hook
// does not grow with the number of lessons.
func OpenAt(r io.ReaderAt, size int64) (*Index, error) {
	if size < headerSize {
		return nil, &CorruptError{Why: "too short"}
	}
	if size > MaxIndex {
		return nil, &CorruptError{Why: "too long"}
	}
	head := make([]byte, min(size, firstRead))
	if n, err := r.ReadAt(head, 0); n < len(head) {
		return nil, fmt.Errorf("compiled lessons: %w", err)
	}
	x := &Index{r: r, head: head}
	if err := x.readHeader(size); err != nil {
		return nil, err
	}
	x.filter = x.at(x.sizes.filter, x.sizes.slots-x.sizes.filter)
	if x.bad != nil {
		return nil, x.bad
	}
	return x, nil
}

func (x *Index) readHeader(size int64) error {
	h := x.head[:headerSize]
	if string(h[:8]) != magic {
		return &CorruptError{Why: "no index"}
	}
	var f fileHead
	_, _ = binary.Decode(h, binary.LittleEndian, &f) // numbers alone, and all of them are there
	switch {
	case f.Format != Format:
		return &FormatError{Version: int(f.Format)}
	case crc32.ChecksumIEEE(h[16:]) != f.Checksum:
		return &CorruptError{Why: "header"}
	case slices.ContainsFunc(f.AtRank[:], func(n uint32) bool { return n > f.Count }):
		return &CorruptError{Why: "ranks"}
	case bits.OnesCount32(f.Filter) != 1 || bits.OnesCount32(f.Slots) != 1:
		return &CorruptError{Why: "tables"} // their sizes are powers of two
	}
	x.Header = Header{Fingerprint: f.Fingerprint, Stamp: f.Stamp, Settings: Settings{
		Scoring: Scoring(f.Scoring), BudgetBytes: int(f.Budget), MaxLessons: int(f.MaxLessons), CompactionThreshold: int(f.Compaction), Asks: int(f.Asks),
	}}
	if day := f.Until; day > 0 {
		x.Until = fmt.Sprintf("%04d-%02d-%02d", day/10000, day/100%100, day%100)
	}
	x.count, x.atRank, x.slots = int(f.Count), f.AtRank, int(f.Slots)
	s := &x.sizes
	s.filter = headerSize
	s.slots = s.filter + int64(f.Filter)
	s.postings = s.slots + int64(f.Slots)*slotSize
	s.offsets = s.postings + int64(f.Postings)
	s.records = s.offsets + 4*(int64(x.count)+1)
	s.end = size
	if f.Size != uint64(size) || s.records > size {
		return &CorruptError{Why: "cut off"}
	}
	return nil
}

// at returns n bytes at an offset, nil when they are not there.
func (x *Index) at(off, n int64) []byte {
	if off < 0 || n < 0 || off+n > x.sizes.end {
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
	if rank < 0 || rank >= x.count {
		return Lesson{}, false
	}
	b := x.at(x.sizes.offsets+4*int64(rank), 8)
	if b == nil {
		return Lesson{}, false
	}
	from, to := int64(binary.LittleEndian.Uint32(b)), int64(binary.LittleEndian.Uint32(b[4:]))
	if to < from {
		x.damaged("records")
		return Lesson{}, false
	}
	b = x.at(x.sizes.records+from, to-from)
	if b == nil {
		return Lesson{}, false
	}
	l, ok := lesson(b)
	if !ok {
		x.damaged("record")
	}
	return l, ok
}

// Find returns the lesson with an id.
func (x *Index) Find(id string) (Lesson, bool) {
	for _, rank := range x.lookup(keyID, id) {
		if l, ok := x.Lesson(int(rank)); ok && l.ID == id {
			return l, true
		}
	}
	return Lesson{}, false
}

// Standing returns the lessons of at least a priority in the order of rank: what is
// told again after a compaction.
func (x *Index) Standing(priority int) []Lesson {
	var out []Lesson
	for rank := range int(x.atRank[min(max(priority, 0), 10)]) {
		if l, ok := x.Lesson(rank); ok {
			out = append(out, l)
		}
	}
	return out
}
