package observe

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// Tests hold small logs to what large ones do.
func init() { keptWhole = -1 }

// A small log stays in memory, and does what one does that is read again and again.
func TestSmallLogsDoWhatLargeOnesDo(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := logOf(rapid.SliceOfN(rapid.Custom(someSignal), 0, 8).Draw(t, "signals")).Bytes()
		text = append(text, rapid.SampledFrom([]string{"", "not JSON\n", string(text), string(manyLines(1))}).Draw(t, "more")...)
		put := observationOf(rapid.Custom(someSignal).Draw(t, "put"))
		other := logOf(rapid.SliceOfN(rapid.Custom(someSignal), 0, 4).Draw(t, "other"))
		copied := rapid.Bool().Draw(t, "copied")
		read := func(kept int64) *Log {
			defer func() { keptWhole = -1 }()
			keptWhole = kept
			l, _ := ParseLog("log", text)
			if copied {
				return l.Clone()
			}
			return l
		}
		small, large := read(int64(len(text))), read(-1)
		same := func(when string) {
			if !reflect.DeepEqual(small.Observations(), large.Observations()) || !slices.Equal(slices.Collect(small.Heads()), slices.Collect(large.Heads())) || !bytes.Equal(small.Bytes(), large.Bytes()) {
				t.Fatalf("%s: a small log is\n%s\na large one\n%s", when, small.Bytes(), large.Bytes())
			}
		}
		same("as read")
		for _, l := range []*Log{small, large} {
			l.Put(put)
		}
		same("with one put")
		for _, l := range []*Log{small, large} {
			l.Join(other)
		}
		same("joined")
		for _, o := range large.Observations() {
			if !reflect.DeepEqual(small.Get(o.ID), large.Get(o.ID)) {
				t.Fatalf("%s differs", o.ID)
			}
		}
		for _, l := range []*Log{small, large} {
			l.Remove(put.ID)
		}
		same("with one removed")
	})
}

// manyLines is a log of n observations, about 800 bytes each.
func manyLines(n int) []byte {
	var b bytes.Buffer
	for i := range n {
		fmt.Fprintf(&b, `{"id":"obs_%010d","type":"pitfall","pattern":"tool %d refuses its flag","details":%q,"evidence":["unknown flag"],"observations":1,"status":"observing","fix":"tool%d --other"}`+"\n",
			i, i, strings.Repeat("it looks right. ", 38), i)
	}
	return b.Bytes()
}

// The texts of a log stay in its file: what is read at one time is a line.
func TestALogTakesAFractionOfItsSize(t *testing.T) {
	data := manyLines(20_000)
	name := filepath.Join(t.TempDir(), "log")
	if err := os.WriteFile(name, data, 0o644); err != nil {
		t.Fatal(err)
	}
	size := len(data)
	data = nil
	text, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer text.Close()
	before := heap()
	l, problems := ReadLog("log", text, int64(size))
	copied := l.Clone()
	n := 0
	for range copied.All() {
		n++
	}
	if grown := heap() - before; n != 20_000 || len(problems) > 0 || grown > int64(size)/2 {
		t.Errorf("%d observations, %d problems; the log and its copy take %d bytes of %d", n, len(problems), grown, size)
	}
	runtime.KeepAlive(l)
	runtime.KeepAlive(copied)
}

// heap is how many bytes are in use.
func heap() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// changing is a text that may be changed while a log reads it.
type changing struct{ data []byte }

func (t *changing) ReadAt(p []byte, at int64) (int, error) {
	return bytes.NewReader(t.data).ReadAt(p, at)
}

// Of a file that is cut or overwritten while it is in use, nothing wrong is read.
func TestATextThatChangesLosesItsObservations(t *testing.T) {
	whole := manyLines(5)
	for name, change := range map[string][]byte{
		"cut": whole[:len(whole)/2], "gone": nil, "other": bytes.Replace(whole, []byte("obs_0000000003"), []byte("obs_1111111111"), 1),
	} {
		source := &changing{whole}
		l, _ := ReadLog("log", source, int64(len(whole)))
		source.data = change
		var ids []string
		for _, o := range l.Observations() {
			ids = append(ids, o.ID)
		}
		if slices.Contains(ids, "obs_0000000003") || slices.Contains(ids, "obs_1111111111") || l.Get("obs_0000000003") != nil {
			t.Errorf("%s: %v", name, ids)
		}
		l.Put(&Observation{ID: "obs_0000000003", Type: "pitfall", Pattern: "new"})
		if o := l.Get("obs_0000000003"); o == nil || o.Pattern != "new" {
			t.Errorf("%s: what was put is %+v", name, o)
		}
	}
}

func TestLongLinesAreRead(t *testing.T) {
	long := fmt.Sprintf(`{"id":"obs_long","type":"pitfall","pattern":"p","details":%q}`, strings.Repeat("x", 3*windowSize))
	data := []byte("\xef\xbb\xbf" + string(manyLines(2)) + long + "\r\n" + string(manyLines(3)[len(manyLines(2)):]))
	l, problems := ParseLog("log", data)
	if o := l.Get("obs_long"); o == nil || len(o.Details) != 3*windowSize || len(l.Observations()) != 4 || len(problems) > 0 {
		t.Errorf("%d observations, %v", len(l.Observations()), problems)
	}
	if !bytes.Equal(l.Bytes(), data) || !bytes.Equal(l.Clone().Bytes(), data) {
		t.Error("the log that was not changed is written in another way")
	}
}
