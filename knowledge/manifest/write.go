package manifest

import (
	"bytes"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/internal/fields"
)

// Where the manifest lies in the two layouts, repository-relative.
const (
	Path   = ".memory/.learning-manifest.json"
	Folder = ".memory/manifest"
)

const (
	schemaURL = "https://raw.githubusercontent.com/lessons-cli/lessons/main/knowledge/schema/manifest.json"
	fileType  = "lessons/manifest"
)

// Bytes returns the manifest of layout book: one row a line, sorted, unknown
// members at the end. A manifest that was not changed gives the bytes it was
// read from, so that nobody's formatting is touched without a reason; so does one
// of a newer version, always.
func (m *Manifest) Bytes() []byte {
	if m.newer {
		return slices.Clone(m.raw)
	}
	now := m.layout()
	if len(m.raw) > 0 {
		if read, err := Parse("", m.raw); err == nil && bytes.Equal(read.layout(), now) {
			return slices.Clone(m.raw)
		}
	}
	return now
}

func (m *Manifest) layout() []byte {
	var b bytes.Buffer
	b.WriteString("{\n  \"$schema\": \"" + schemaURL + "\",\n  \"type\": \"" + fileType + "\",\n")
	b.WriteString("  \"version\": 1,\n  \"schemaVersion\": 1,\n")
	all := Merge(m, nil)
	rows := lists.Map(all.Rows, func(r Row) []byte {
		return rowFields().Encode(&r, withAnchorID(r, all.extra[rowPlace{r.Key(), false}]))
	})
	tombs := lists.Map(all.Tombstones, func(t Tombstone) []byte {
		return tombstoneFields().Encode(&t, withAnchorID(t.Row, all.extra[rowPlace{t.Key(), true}]))
	})
	writeLines(&b, "entries", rows)
	b.WriteString(",\n")
	writeLines(&b, "tombstones", tombs)
	for _, name := range slices.Sorted(maps.Keys(all.unknown)) {
		b.WriteString(",\n  ")
		b.Write(fields.JSON(name))
		b.WriteString(": ")
		b.Write(all.unknown[name])
	}
	b.WriteString("\n}\n")
	return b.Bytes()
}

// withAnchorID adds the anchor of a book's row in the member that devflow reads.
func withAnchorID(r Row, unknown fields.Unknown) fields.Unknown {
	if r.Anchor == "" || strings.HasPrefix(path.Base(r.Path), r.Anchor) {
		return unknown
	}
	all := fields.Unknown{"anchorId": fields.JSON(r.Anchor)}
	maps.Copy(all, unknown)
	return all
}

func writeLines(b *bytes.Buffer, name string, lines [][]byte) {
	b.WriteString("  \"" + name + "\": [")
	for i, line := range lines {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString("\n    ")
		b.Write(line)
	}
	if len(lines) > 0 {
		b.WriteString("\n  ")
	}
	b.WriteByte(']')
}

// Files returns the manifest of layout files: path to content, one file an
// observation, each a manifest of its own. file says where an observation's rows
// lie. Members of the file that are not known here go into a manifest without rows
// at [Path].
func (m *Manifest) Files(file func(observationID string) string) map[string][]byte {
	parts := map[string]gathering{}
	for _, c := range m.candidates() {
		path := file(c.tomb.ObservationID)
		if parts[path] == nil {
			parts[path] = gathering{}
		}
		parts[path].meet(c)
	}
	files := map[string][]byte{}
	for path, part := range parts {
		files[path] = part.manifest().layout()
	}
	if len(m.unknown) > 0 {
		files[Path] = (&Manifest{unknown: m.unknown}).layout()
	}
	return files
}

// File is the path that a clone gives to an observation's rows in layout files. It
// ends in the clone's own characters, so that a pull never meets a file that it would
// overwrite; without a clone they are empty. An id that is no plain file name is
// replaced by its hash: ids come from files that others wrote.
func File(observationID, clone string) string {
	const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-"
	name := observationID
	if name == "" || len(name) > 80 || strings.Trim(name, plain) != "" || !strings.Contains(name, "_") {
		name = "id_" + knowledge.Digest("", 20, "file", observationID)
	}
	if clone != "" {
		name += "-" + clone
	}
	return Folder + "/" + name + ".json"
}

// IsFile says whether the path is that of a manifest, in either layout.
func IsFile(path string) bool {
	return path == Path || strings.HasPrefix(path, Folder+"/") && strings.HasSuffix(path, ".json")
}

// Upgrade returns the manifest of layout book as this version lays it out, and
// what it was read from. Both are nil where nothing is to be upgraded: it has our
// form, there is none, or a newer version wrote it. An earlier tool's reader still
// reads the result.
func (m *Manifest) Upgrade() (before, after []byte) {
	if m.newer || len(m.raw) == 0 || bytes.Contains(m.raw, []byte(fileType)) {
		return nil, nil
	}
	return slices.Clone(m.raw), m.layout()
}
