package reconcile

import (
	"bytes"
	"encoding/hex"
	"testing"

	"github.com/lessons-cli/lessons/knowledge/manifest"
)

// FuzzTreeFiles reads hostile tree objects: every name that is found stands in
// the data with its id behind it.
func FuzzTreeFiles(f *testing.F) {
	id := bytes.Repeat([]byte{0xab}, 20)
	f.Add(append([]byte("100644 a.json\x00"), id...))
	f.Add(append([]byte("40000 d\x00"), id[:19]...))
	f.Add([]byte("\x00"))
	f.Fuzz(func(t *testing.T, data []byte) {
		for name, id := range treeFiles(data, 20) {
			raw, err := hex.DecodeString(id)
			if err != nil || !bytes.Contains(data, append([]byte(name+"\x00"), raw...)) {
				t.Errorf("%q with %s is not in the tree", name, id)
			}
		}
	})
}

// FuzzMemo: whatever lies in the git directory, a memo that is written is read
// back, and one that cannot be read is an empty one.
func FuzzMemo(f *testing.F) {
	f.Add([]byte(`{"version":1,"state":"x","answers":[{"observationId":"obs_a","answer":"gone","row":{}}],"told":["b","a"]}`))
	f.Add([]byte(`{"version":2}`))
	f.Add([]byte("{"))
	f.Fuzz(func(t *testing.T, data []byte) {
		m := readMemo(data)
		if m.Version != memoVersion {
			t.Fatalf("version %d", m.Version)
		}
		m.counted(newItem(manifest.Row{}, Healed, ""))
		stored, err := m.bytes(nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		if again, err := readMemo(stored).bytes(nil, stored); err != nil || again != nil {
			t.Errorf("a memo is not read as it was written: %s\n%s (%v)", stored, again, err)
		}
	})
}
