package gitstate

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
)

// errIndex is an index file that is not one, or was cut off.
var errIndex = errors.New("damaged index")

// parseIndexFile reads an index of version 2, 3 or 4 (git's technical document
// "index-format"). go-git's reader drops the assume-unchanged bit.
func parseIndexFile(data []byte, newHash func() hash.Hash) ([]IndexEntry, error) {
	sum := newHash()
	size := sum.Size()
	if len(data) < 12+size || string(data[:4]) != "DIRC" {
		return nil, errIndex
	}
	body, trailer := data[:len(data)-size], data[len(data)-size:]
	sum.Write(body)
	if !bytes.Equal(sum.Sum(nil), trailer) && !bytes.Equal(trailer, make([]byte, size)) { // index.skipHash
		return nil, fmt.Errorf("%w: checksum", errIndex)
	}
	p := indexParser{rest: body[12:], oidSize: size, version: binary.BigEndian.Uint32(data[4:])}
	if p.version < 2 || p.version > 4 {
		return nil, fmt.Errorf("%w without the git program: index version %d", ErrUnsupported, p.version)
	}
	count := binary.BigEndian.Uint32(data[8:])
	if uint64(count)*uint64(40+size) > uint64(len(data)) {
		return nil, errIndex
	}
	entries := make([]IndexEntry, 0, count)
	for range count {
		e, err := p.entry()
		if err != nil {
			return nil, err
		}
		entries = append(entries, e)
	}
	return entries, p.extensions()
}

type indexParser struct {
	rest    []byte
	oidSize int
	version uint32
	last    string // the path before, for version 4
}

const (
	flagAssume   = 0x8000
	flagExtended = 0x4000
	flagSkip     = 0x4000 // of the extended flags
)

func (p *indexParser) entry() (IndexEntry, error) {
	fixed := 40 + p.oidSize + 2
	if len(p.rest) < fixed {
		return IndexEntry{}, errIndex
	}
	flags := binary.BigEndian.Uint16(p.rest[40+p.oidSize:])
	e := IndexEntry{
		Mode:   fmt.Sprintf("%06o", binary.BigEndian.Uint32(p.rest[24:])),
		OID:    hex.EncodeToString(p.rest[40 : 40+p.oidSize]),
		Stage:  int(flags >> 12 & 3),
		Assume: flags&flagAssume != 0,
	}
	if flags&flagExtended != 0 {
		if p.version < 3 || len(p.rest) < fixed+2 {
			return e, errIndex
		}
		e.Skip = binary.BigEndian.Uint16(p.rest[fixed:])&flagSkip != 0
		fixed += 2
	}
	var err error
	e.Path, err = p.path(fixed)
	if err == nil && (e.Path == "" || e.Mode == modeTree) {
		// a directory as an entry: a sparse index
		err = fmt.Errorf("%w without the git program: sparse index", ErrUnsupported)
	}
	return e, err
}

// path reads a path that begins after the fixed part of an entry, and moves to
// the next entry.
func (p *indexParser) path(fixed int) (string, error) {
	text, keep := p.rest[fixed:], 0
	if p.version == 4 {
		drop, n := offsetVarint(text)
		if n == 0 || drop > uint64(len(p.last)) {
			return "", errIndex
		}
		text, keep = text[n:], len(p.last)-int(drop)
	}
	end := bytes.IndexByte(text, 0)
	if end < 0 {
		return "", errIndex
	}
	path := p.last[:keep] + string(text[:end])
	if p.version == 4 {
		p.last = path
		p.rest = text[end+1:]
		return path, nil
	}
	length := (fixed + end + 8) &^ 7 // entries are padded to eight bytes, with at least one NUL
	if length > len(p.rest) {
		return "", errIndex
	}
	p.rest = p.rest[length:]
	return path, nil
}

// offsetVarint is the variable length number of pack files' offsets; n is 0
// when it is cut off or too large.
func offsetVarint(b []byte) (value uint64, n int) {
	for i, c := range b {
		if i > 4 {
			return 0, 0
		}
		if i > 0 {
			value = (value + 1) << 7
		}
		value |= uint64(c & 0x7f)
		if c&0x80 == 0 {
			return value, i + 1
		}
	}
	return 0, 0
}

// extensions refuses an extension that a reader must understand: its name
// begins with a lower-case letter (link: split index, sdir: sparse index).
func (p *indexParser) extensions() error {
	for len(p.rest) > 0 {
		if len(p.rest) < 8 {
			return errIndex
		}
		name, size := string(p.rest[:4]), uint64(binary.BigEndian.Uint32(p.rest[4:]))
		if size > uint64(len(p.rest)-8) {
			return errIndex
		}
		if name[0] < 'A' || name[0] > 'Z' {
			return fmt.Errorf("%w without the git program: index extension %q", ErrUnsupported, name)
		}
		p.rest = p.rest[8+size:]
	}
	return nil
}
