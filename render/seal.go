package render

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/knowledge"
)

// A skill carries a digest of its own text. It proves that nobody edited the
// file even where the manifest was lost or rebuilt, which decides whether a tool
// skill may be rendered again and whether an edited copy may flow back.

const digestKey = "  digest: "

// sealed adds a digest of the text behind the first line of the metadata.
func sealed(text []byte) []byte {
	before, after, ok := bytes.Cut(text, []byte("metadata:\n"))
	if !ok {
		return text
	}
	line := digestKey + `"` + textDigest(text) + "\"\n"
	return slices.Concat(before, []byte("metadata:\n"+line), after)
}

// untouched says whether the digest of a sealed text is that of the rest.
func untouched(text []byte) bool {
	text = knowledge.NormaliseLines(text)
	before, after, ok := bytes.Cut(text, []byte("metadata:\n"+digestKey))
	if !ok {
		return false
	}
	line, rest, _ := bytes.Cut(after, []byte("\n"))
	unsealed := slices.Concat(before, []byte("metadata:\n"), rest)
	return strings.Trim(string(line), `"`) == textDigest(unsealed)
}

func textDigest(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:8])
}
