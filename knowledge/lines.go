package knowledge

import "bytes"

// lineEnd is the offset behind the line that holds the byte before at.
func lineEnd(data []byte, at int) int {
	_, next := lineAt(data, max(0, at-1))
	return next
}

// lineAt returns the line at the offset without its end, and the offset of the
// next line.
func lineAt(data []byte, at int) ([]byte, int) {
	i := bytes.IndexByte(data[at:], '\n')
	if i < 0 {
		return data[at:], len(data)
	}
	return bytes.TrimSuffix(data[at:at+i], []byte("\r")), at + i + 1
}

// byteOrderMark may stand before the text of a file.
var byteOrderMark = []byte("\xef\xbb\xbf")
