package scan

import (
	"bytes"
	"encoding/json"
	"io"
	"maps"
	"strconv"
	"unicode/utf8"
)

// fileState is what is known of one file. Offset, Line and Events say where
// reading goes on, which is before Read, so that the window fills again.
type fileState struct {
	Read    int64  `json:"byteOffset"` // all before was scanned; at a line's end
	Size    int64  `json:"sizeBytes"`
	MTime   int64  `json:"mtimeMs"`
	Inode   string `json:"inode,omitempty"`
	Tail    string `json:"tail,omitempty"` // hash of the last 4 KiB before Read
	Offset  int64  `json:"resumeOffset"`
	Line    int    `json:"resumeLine"` // lines before Offset; of one object: the last message
	Session string `json:"session,omitempty"`
	Foreign bool   `json:"foreign,omitempty"` // of another repository, not scanned
	unknown map[string]json.RawMessage
}

// fileFields are the names of fileState's fields.
var fileFields = []string{"byteOffset", "sizeBytes", "mtimeMs", "inode", "tail", "resumeOffset", "resumeLine", "session", "foreign"}

// parseFileState reads an entry, which is JSON. One that makes no sense is as good
// as none: its file is scanned again.
func parseFileState(raw []byte) (f fileState, ok bool) {
	if !f.parsePlain(raw) {
		if f, ok = parseAnyFileState(raw); !ok {
			return f, false
		}
	}
	return f, f.Offset >= 0 && f.Offset <= f.Read && f.Line >= 0
}

func parseAnyFileState(raw []byte) (f fileState, ok bool) {
	if json.Unmarshal(raw, &f) != nil {
		return f, false
	}
	if json.Unmarshal(raw, &f.unknown) == nil {
		for _, own := range fileFields {
			delete(f.unknown, own)
		}
	}
	return f, true
}

// parsePlain reads an entry in the form in which [fileState.write] writes it:
// there may be thousands, of sessions that are over. It is false where there is
// anything else, such as a field of a newer version.
func (f *fileState) parsePlain(raw []byte) bool {
	raw = bytes.TrimSpace(raw)
	if len(raw) < 2 || raw[0] != '{' || !utf8.Valid(raw) || bytes.IndexByte(raw, '\\') >= 0 {
		return false
	}
	for rest := raw[1:]; ; {
		_, member, found := bytes.Cut(rest, []byte{'"'})
		name, value, _ := bytes.Cut(member, []byte(`":`))
		if !found {
			return true
		}
		value = bytes.TrimLeft(value, " ")
		if len(value) > 0 && value[0] == '"' {
			text, after, _ := bytes.Cut(value[1:], []byte{'"'})
			if rest = after; !f.setText(string(name), string(text)) {
				return false
			}
			continue
		}
		end := bytes.IndexAny(value, ",}\n ")
		if end < 0 || !f.setNumber(string(name), string(value[:end])) {
			return false
		}
		rest = value[end:]
	}
}

func (f *fileState) setText(name, text string) bool {
	switch name {
	case "inode":
		f.Inode = text
	case "tail":
		f.Tail = text
	case "session":
		f.Session = text
	default:
		return false
	}
	return true
}

func (f *fileState) setNumber(name, value string) bool {
	if name == "foreign" {
		f.Foreign = value == "true"
		return f.Foreign || value == "false"
	}
	n, err := strconv.ParseInt(value, 10, 64)
	switch name {
	case "byteOffset":
		f.Read = n
	case "sizeBytes":
		f.Size = n
	case "mtimeMs":
		f.MTime = n
	case "resumeOffset":
		f.Offset = n
	case "resumeLine":
		f.Line = int(n)
	default:
		return false
	}
	return err == nil && (name != "resumeLine" || int64(f.Line) == n)
}

// write writes the entry as [json.Indent] would among the others.
func (f fileState) write(out *bytes.Buffer) {
	if len(f.unknown) == 0 {
		f.writePlain(out)
		return
	}
	all := maps.Clone(f.unknown)
	var fresh map[string]json.RawMessage
	_ = json.Unmarshal(mustJSON(f), &fresh)
	maps.Copy(all, fresh)
	writeIndented(out, mustJSON(all), "  ")
}

// writePlain writes an entry in which nothing is unknown.
func (f fileState) writePlain(out *bytes.Buffer) {
	next := "{"
	name := func(name string) {
		out.WriteString(next + "\n   \"" + name + "\": ")
		next = ","
	}
	number := func(field string, n int64) {
		name(field)
		out.Write(strconv.AppendInt(out.AvailableBuffer(), n, 10))
	}
	text := func(field, s string) {
		if s != "" {
			name(field)
			out.Write(mustJSON(s))
		}
	}
	number("byteOffset", f.Read)
	number("sizeBytes", f.Size)
	number("mtimeMs", f.MTime)
	text("inode", f.Inode)
	text("tail", f.Tail)
	number("resumeOffset", f.Offset)
	number("resumeLine", int64(f.Line))
	text("session", f.Session)
	if f.Foreign {
		name("foreign")
		out.WriteString("true")
	}
	out.WriteString("\n  }")
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
