package transcript

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// Lines come out as they stand in the file, however it is read and however long
// they are.
func TestLinesAreReadWhole(t *testing.T) {
	length := rapid.OneOf(rapid.IntRange(0, 40), rapid.IntRange(0, 3000), rapid.SampledFrom([]int{bufferSize - 1, bufferSize, bufferSize + 1, 3 * bufferSize, 5*bufferSize + 17}))
	rapid.Check(t, func(t *rapid.T) {
		var text []byte
		for i, n := range rapid.SliceOfN(length, 0, 12).Draw(t, "lengths") {
			text = append(text, bytes.Repeat([]byte{'a' + byte(i)}, n)...)
			text = append(text, rapid.SampledFrom([]string{"\n", "\r\n", "\n\n", "\r\r\n"}).Draw(t, "end")...)
		}
		text = append(text, rapid.SampledFrom([]string{"", "torn", "torn\r"}).Draw(t, "rest")...)
		most := rapid.SampledFrom([]int{0, 10, 1000, bufferSize, 2 * bufferSize}).Draw(t, "max")
		var r io.Reader = bytes.NewReader(text)
		if rapid.Bool().Draw(t, "in small parts") {
			r = &parts{text: text, n: rapid.IntRange(1, 5000).Draw(t, "part")}
		}
		if most == 0 {
			most = DefaultMaxLine
		}
		buffered, release := Buffered(r)
		defer release()
		lines := newLineReader(buffered, Position{Offset: 7, Line: 3}, most)
		at := Position{Offset: 7, Line: 3}
		rest := text
		for {
			got, tooLong, err := lines.next()
			want, behind, whole := bytes.Cut(rest, []byte("\n"))
			size := len(rest) - len(behind)
			if long := size > most; tooLong != long {
				t.Fatalf("line of %d bytes: too long %v", size, tooLong)
			}
			want = want[:min(len(want), most)]
			if whole {
				want = []byte(strings.TrimRight(string(want), "\r"))
				at.Offset += int64(size)
				at.Line++
			} else if !errors.Is(err, io.EOF) {
				t.Fatal("no end", err)
			}
			if !bytes.Equal(got, want) || lines.pos != at {
				t.Fatalf("got %d bytes, at %+v; want %d at %+v", len(got), lines.pos, len(want), at)
			}
			if err != nil {
				return
			}
			rest = behind
		}
	})
}

// parts gives a text in parts of n bytes.
type parts struct {
	text []byte
	n    int
}

func (p *parts) Read(b []byte) (int, error) {
	if len(p.text) == 0 {
		return 0, io.EOF
	}
	n := copy(b, p.text[:min(p.n, len(p.text))])
	p.text = p.text[n:]
	return n, nil
}
