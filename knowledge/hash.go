package knowledge

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
)

// NormaliseLines turns line endings of Windows into LF. Artifacts are compared
// in this form, so that a checkout with CRLF is not an edit.
func NormaliseLines(text []byte) []byte {
	return bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))
}

// ContentHash is the hash that the manifest keeps of an artifact: "sha256:" and
// the hexadecimal SHA-256 of the text with LF line endings.
func ContentHash(text []byte) string {
	h := NewHasher()
	_, _ = h.Write(text)
	return h.Sum()
}

// Hasher works out the [ContentHash] of a text that comes piece by piece.
type Hasher struct {
	sum hash.Hash
	cr  bool // the last piece ended in the first half of a line ending of Windows
}

// NewHasher begins a text.
func NewHasher() *Hasher { return &Hasher{sum: sha256.New()} }

func (h *Hasher) Write(piece []byte) (int, error) {
	n := len(piece)
	if h.cr {
		piece = append([]byte{'\r'}, piece...)
	}
	if h.cr = bytes.HasSuffix(piece, []byte{'\r'}); h.cr {
		piece = piece[:len(piece)-1]
	}
	h.sum.Write(NormaliseLines(piece))
	return n, nil
}

// Sum is the hash of all pieces; no more come.
func (h *Hasher) Sum() string {
	if h.cr {
		h.sum.Write([]byte{'\r'})
	}
	return "sha256:" + hex.EncodeToString(h.sum.Sum(nil))
}

// SameHash says whether a stored hash is that of the text. It knows the forms
// that other writers left: bare SHA-256, and devflow's 32-bit hash, which was
// taken over the text with or without the blank lines around a section.
func SameHash(stored string, text []byte) bool {
	stored = strings.ToLower(strings.TrimSpace(stored))
	if len(stored) >= sha256.Size*2 {
		return "sha256:"+strings.TrimPrefix(stored, "sha256:") == ContentHash(text)
	}
	if stored == "" || len(stored) > 8 {
		return false
	}
	want, err := strconv.ParseUint(stored, 16, 32)
	if err != nil {
		return false
	}
	plain := string(NormaliseLines(text))
	trimmed := strings.TrimSpace(plain)
	return slices.ContainsFunc([]string{plain, trimmed, trimmed + "\n", "\n" + trimmed, "\n" + trimmed + "\n", trimmed + "\n\n"}, func(form string) bool {
		return devflowHash(form) == uint32(want)
	})
}

// devflowHash is djb2 with exclusive or over UTF-16 code units, 32 bits wide
// (other tools, "Exact formats of generation A").
func devflowHash(text string) uint32 {
	h := uint32(5381)
	for _, unit := range utf16.Encode([]rune(text)) {
		h = h*33 ^ uint32(unit)
	}
	return h
}

// EvidenceHash is the hash by which the quotes that are kept are chosen.
func EvidenceHash(quote string) string {
	sum := sha256.Sum256([]byte(quote))
	return hex.EncodeToString(sum[:])
}
