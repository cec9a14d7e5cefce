package transcript

import (
	"encoding/json"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"pgregory.net/rapid"
)

func iotestHalf(data []byte) io.Reader { return iotest.OneByteReader(strings.NewReader(string(data))) }

// The cursor and encoding/json agree about every string.
func TestStringsDecodeAsJSON(t *testing.T) {
	check := func(t interface{ Fatalf(string, ...any) }, raw string) {
		var want string
		if json.Unmarshal([]byte(raw), &want) != nil {
			return
		}
		c := cursor{b: []byte(raw)}
		if got := c.text(); c.bad || got != want || c.i != len(raw) {
			t.Fatalf("%s: got %q, want %q", raw, got, want)
		}
	}
	for _, raw := range []string{`""`, `"a"`, `"\\"`, `"\\\""`, `"\n\t\r\b\f\/"`, `"\u00e9"`, `"\ud83d\ude00"`, `"\ud83d"`, `"\ud83dx"`, `"\ude00"`, `"\ud83d\ud83d\ude00"`, "\"\xff\"", `"\u0000"`} {
		check(t, raw)
	}
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.String().Draw(t, "s")
		raw, err := json.Marshal(s)
		if err != nil {
			t.Fatalf("%v", err)
		}
		check(t, string(raw))
		check(t, `"`+rapid.StringMatching(`([a-z]|\\[nrtbf"\\/]|\\u[0-9a-fD][0-9a-f8-d]{3})*`).Draw(t, "escaped")+`"`)
	})
}

// A value that is stepped over is as long as encoding/json says.
func TestSkipStepsOverOneValue(t *testing.T) {
	value := rapid.Custom(func(t *rapid.T) any { return draw(t, 3) })
	rapid.Check(t, func(t *rapid.T) {
		raw, err := json.Marshal(value.Draw(t, "value"))
		if err != nil {
			t.Fatal(err)
		}
		c := cursor{b: append(append([]byte(" "), raw...), `,"next"`...)}
		if !c.skip() || c.peek() != ',' || c.i != len(raw)+1 {
			t.Fatalf("%s: stopped at %d", raw, c.i)
		}
		for cut := range len(raw) {
			if c := (cursor{b: raw[:cut]}); (raw[0] == '{' || raw[0] == '[' || raw[0] == '"') && c.skip() {
				t.Fatalf("%s is no whole value", raw[:cut])
			}
		}
	})
}

func draw(t *rapid.T, depth int) any {
	switch kind := rapid.IntRange(0, 5).Draw(t, "kind"); {
	case kind == 0 && depth > 0:
		m := map[string]any{}
		for range rapid.IntRange(0, 3).Draw(t, "n") {
			m[rapid.String().Draw(t, "key")] = draw(t, depth-1)
		}
		return m
	case kind == 1 && depth > 0:
		list := []any{}
		for range rapid.IntRange(0, 3).Draw(t, "n") {
			list = append(list, draw(t, depth-1))
		}
		return list
	case kind == 2:
		return rapid.Float64Range(-1e9, 1e9).Draw(t, "number")
	case kind == 3:
		return rapid.Bool().Draw(t, "flag")
	case kind == 4:
		return nil
	}
	return rapid.String().Draw(t, "text")
}

func TestDeepNestingCostsNoStack(t *testing.T) {
	deep := strings.Repeat("[", 1<<20)
	if c := (cursor{b: []byte(deep)}); c.skip() {
		t.Error("an open array is no value")
	}
	if c := (cursor{b: []byte(deep + strings.Repeat("]", 1<<20))}); !c.skip() {
		t.Error("a deep array is a value")
	}
}

// stringEnd is closingQuote as one would write it.
func stringEnd(b []byte, from int) int {
	for i := from; i < len(b); i++ {
		switch b[i] {
		case '\\':
			i++
		case '"':
			return i
		}
	}
	return -1
}

// bracketEnd is closingBracket as one would write it.
func bracketEnd(b []byte, from int) int {
	depth := 0
	for i := from; i < len(b); i++ {
		switch b[i] {
		case '"':
			if i = stringEnd(b, i+1); i < 0 {
				return -1
			}
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// pieces are what strings are made of, so that quotes, backslashes and long
// stretches without any come at all distances.
var pieces = []string{`"`, `\"`, `\\`, `\`, "a", "{", "}", "[", "]", `","`, `":"`, "\xff", "é", "\x00", "\n", "sevenby", strings.Repeat("x", 31), strings.Repeat("y", 32), strings.Repeat("z", 250), "!\xa2"}

func TestEndsAreFoundAsByteByByte(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := []byte(strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 30).Draw(t, "pieces"), ""))
		from := rapid.IntRange(0, len(b)).Draw(t, "from")
		want := stringEnd(b, from)
		if got := closingQuote(b, from); got != want {
			t.Fatalf("%q from %d: closing quote at %d, want %d", b, from, got, want)
		}
		if got, want := closingBracket(b, from), bracketEnd(b, from); got != want {
			t.Fatalf("%q from %d: bracket at %d, want %d", b, from, got, want)
		}
	})
}
