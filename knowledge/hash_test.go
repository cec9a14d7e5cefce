package knowledge

import (
	"crypto/sha256"
	"fmt"
	"strings"
	"testing"
)

func TestHashes(t *testing.T) {
	text := []byte("## ADR-001: x\n\n- **Status**: Accepted\n")
	crlf := []byte(strings.ReplaceAll(string(text), "\n", "\r\n"))
	if ContentHash(text) != ContentHash(crlf) || !strings.HasPrefix(ContentHash(text), "sha256:") || len(ContentHash(text)) != 71 {
		t.Errorf("hash %s", ContentHash(text))
	}
	if ContentHash([]byte("abc")) != "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad" {
		t.Error("not SHA-256")
	}
	// The algorithm over "abc": 5381 → (5381*33)^97 → …, 32 bits, without padding.
	if got := devflowHash("abc"); got != 193409669 {
		t.Errorf("devflow hash of abc: %d", got)
	}
	for stored, want := range map[string]bool{
		ContentHash(text): true,
		strings.TrimPrefix(ContentHash(text), "sha256:"): true,
		strings.ToUpper(ContentHash(text)):               true,
		"b873285":                                        false,
		"":                                               false,
		"sha256:":                                        false,
		"zzzzzzzz":                                       false,
		ContentHash([]byte("other")):                     false,
	} {
		if SameHash(stored, crlf) != want {
			t.Errorf("SameHash(%q) is not %v", stored, want)
		}
	}
	if !SameHash("b873285", []byte("\nabc\n")) {
		t.Error("devflow's hash was taken without the blank lines")
	}
}

// The hash of a text is the same in whichever pieces it comes.
func TestPiecesOfATextHashAlike(t *testing.T) {
	text := "a\r\nb\r\r\nc\r"
	want := fmt.Sprintf("sha256:%x", sha256.Sum256([]byte("a\nb\r\nc\r")))
	for cut := range len(text) + 1 {
		for second := cut; second <= len(text); second++ {
			h := NewHasher()
			for _, piece := range []string{text[:cut], text[cut:second], text[second:]} {
				_, _ = h.Write([]byte(piece))
			}
			if got := h.Sum(); got != want {
				t.Errorf("cut at %d and %d: %s", cut, second, got)
			}
		}
	}
}
