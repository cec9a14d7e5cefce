package knowledge

import (
	"crypto/sha256"
	"encoding/base32"
	"strings"
)

// base32Lower is the alphabet of ids: lower case, no padding.
var base32Lower = base32.NewEncoding("abcdefghijklmnopqrstuvwxyz234567").WithPadding(base32.NoPadding)

// Digest returns the first n base32 characters of the SHA-256 of the parts,
// behind a prefix. A NUL stands between parts, so that ("ab","c") and ("a","bc")
// differ.
func Digest(prefix string, n int, parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return prefix + base32Lower.EncodeToString(sum[:(5*n+7)/8])[:n] // five bits a character
}

// CloneSuffix are the characters at the end of the names of files that a clone makes:
// of the id of what a file tells and the clone's random key together, so that no two
// clones make files of one name. Without a key (no git, no clones) it is empty.
func CloneSuffix(id, key string) string {
	if key == "" {
		return ""
	}
	return Digest("", 4, id, key)
}

// SessionHash is the form in which a session id is stored: a prefix of its
// hash, enough to count sessions and too little to name one.
// The empty id has the empty hash.
func SessionHash(session string) string {
	if session == "" {
		return ""
	}
	return Digest("", 12, "session", session)
}

// CallHash names a call of a session by the agent's own id of it.
func CallHash(toolUse string) string { return Digest("", 10, "call", toolUse) }
