package scan

import (
	"bytes"
	"io"
	"testing"

	"pgregory.net/rapid"

	"github.com/lessons-cli/lessons/scan/transcript"
)

// What is kept of a file in memory is read as the file is, wherever one begins.
func TestHeadedFilesReadAsTheyAre(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sizes := []int{0, 1, endBytes, transcript.HeadSize - 1, transcript.HeadSize, transcript.HeadSize + 1, transcript.HeadSize + endBytes, transcript.HeadSize + endBytes + 1, 3 * transcript.HeadSize}
		data := make([]byte, rapid.SampledFrom(sizes).Draw(t, "size"))
		for i := range data {
			data[i] = byte(i>>8*31 ^ i)
		}
		said := max(0, len(data)+rapid.SampledFrom([]int{0, 0, 0, -1, -5000, 1, 9000}).Draw(t, "more than is said"))
		var file io.ReadSeeker = bytes.NewReader(data)
		if rapid.Bool().Draw(t, "only in turn") {
			file = struct{ io.ReadSeeker }{file}
		}
		h, done, err := readHead(file, int64(said))
		if err != nil {
			t.Fatal(err)
		}
		defer done()
		for range 4 {
			from := rapid.IntRange(0, len(data)).Draw(t, "from")
			if _, err := h.Seek(int64(from), io.SeekStart); err != nil {
				t.Fatal(err)
			}
			n := rapid.IntRange(0, len(data)-from).Draw(t, "bytes")
			got := make([]byte, n)
			if _, err := io.ReadFull(h, got); err != nil || !bytes.Equal(got, data[from:from+n]) {
				t.Fatalf("%d bytes from %d on are read wrongly: %v", n, from, err)
			}
		}
		if rest, err := io.ReadAll(h); err != nil || !bytes.HasSuffix(data, rest) {
			t.Fatalf("%d bytes are left: %v", len(rest), err)
		}
	})
}
