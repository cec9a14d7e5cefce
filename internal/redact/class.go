package redact

// class is a set of ASCII characters.
type class [2]uint64

func set(chars string) class {
	var c class
	for i := range len(chars) {
		c[chars[i]>>6] |= 1 << (chars[i] & 63)
	}
	return c
}

func (c class) has(b byte) bool { return b < 0x80 && c[b>>6]&(1<<(b&63)) != 0 }

const (
	digits  = "0123456789"
	lowers  = "abcdefghijklmnopqrstuvwxyz"
	uppers  = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	letters = lowers + uppers
)

var (
	alnum     = set(digits + letters)
	letter    = set(letters)
	word      = set(digits + letters + "_")
	nameChars = set(digits + letters + "_-.")
	base64url = set(digits + letters + "_-")
	base64std = set(digits + letters + "+/=")
	hexChars  = set(digits + "abcdefABCDEF")
	lowerHex  = set(digits + "abcdef")
	upperNum  = set(digits + uppers)
	blank     = set(" \t")
	space     = set(" \t\r\n")
)

// run returns the end of the longest stretch of c in s from at on.
func (c class) run(s string, at int) int {
	for at < len(s) && c.has(s[at]) {
		at++
	}
	return at
}

// back returns the beginning of the longest stretch of c in s before at, which
// is at most limit long.
func (c class) back(s string, at, limit int) int {
	for low := max(0, at-limit); at > low && c.has(s[at-1]); {
		at--
	}
	return at
}

// only says whether s is not empty and consists of c.
func (c class) only(s string) bool { return s != "" && c.run(s, 0) == len(s) }

// any says whether s has a character of c.
func (c class) any(s string) bool {
	for i := range len(s) {
		if c.has(s[i]) {
			return true
		}
	}
	return false
}
