// Package textfile finds lines and the conflicts of merges in the bytes of a file.
package textfile

import "bytes"

// LineEnd is the offset behind the line that holds the byte before at.
func LineEnd(data []byte, at int) int {
	_, next := LineAt(data, max(0, at-1))
	return next
}

// LineAt returns the line at the offset without its end, and the offset of the
// next line.
func LineAt(data []byte, at int) ([]byte, int) {
	i := bytes.IndexByte(data[at:], '\n')
	if i < 0 {
		return data[at:], len(data)
	}
	return bytes.TrimSuffix(data[at:at+i], []byte("\r")), at + i + 1
}

// ByteOrderMark may stand before the text of a file.
var ByteOrderMark = []byte("\xef\xbb\xbf")
