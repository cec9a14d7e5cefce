package scan

import (
	"encoding/json"
	"io"
	"maps"
)

// fileState is what is known of one file. Offset, Line and Events say where
// reading goes on, which is before Read, so that the window fills again.
type fileState struct {
	Read    int64    `json:"byteOffset"` // all before was scanned; at a line's end
	Size    int64    `json:"sizeBytes"`
	MTime   int64    `json:"mtimeMs"`
	Inode   string   `json:"inode,omitempty"`
	Tail    string   `json:"tail,omitempty"` // hash of the last 4 KiB before Read
	Offset  int64    `json:"resumeOffset"`
	Line    int      `json:"resumeLine"` // lines before Offset; of one object: the last message
	Session string   `json:"session,omitempty"`
	Foreign bool     `json:"foreign,omitempty"` // of another repository, not scanned
	Dir     string   `json:"dir,omitempty"`     // of a foreign one: where it began
	Skipped *skipped `json:"skipped,omitempty"`
	unknown map[string]json.RawMessage
}

// plainFileState is a fileState in the form that package json reads and writes.
type plainFileState fileState

// parseFileState reads an entry, which is JSON. One that makes no sense is as good
// as none: its file is scanned again.
func parseFileState(raw []byte) (f fileState, ok bool) {
	var plain plainFileState
	if json.Unmarshal(raw, &plain) != nil || json.Unmarshal(raw, &plain.unknown) != nil {
		return f, false
	}
	for _, own := range []string{"byteOffset", "sizeBytes", "mtimeMs", "inode", "tail", "resumeOffset", "resumeLine", "session", "foreign", "dir", "skipped"} {
		delete(plain.unknown, own)
	}
	f = fileState(plain)
	return f, f.Offset >= 0 && f.Offset <= f.Read && f.Line >= 0
}

// MarshalJSON writes the entry with what a newer version put into it.
func (f fileState) MarshalJSON() ([]byte, error) {
	own, err := json.Marshal(plainFileState(f))
	if len(f.unknown) == 0 || err != nil {
		return own, err
	}
	all := maps.Clone(f.unknown)
	if err := json.Unmarshal(own, &all); err != nil {
		return nil, err
	}
	return json.Marshal(all)
}

// unchanged says whether a file is as the state left it, by what the file
// system says without opening it.
func (f fileState) unchanged(now FileInfo) bool {
	return f.Size == now.Size && !now.ModTime.IsZero() && f.MTime == now.ModTime.UnixMilli() && f.Inode == now.ID
}

// grownFrom says whether r is the file that the state describes, as it was or
// longer at its end.
func (f fileState) grownFrom(now FileInfo, r io.ReadSeeker) bool {
	if f.Read == 0 || now.Size < f.Read || f.Inode != now.ID {
		return false
	}
	tail, err := tailHash(r, f.Read)
	return err == nil && tail == f.Tail
}
