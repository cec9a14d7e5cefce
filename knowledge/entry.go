package knowledge

// Entry is one ADR or PF entry as it stands in a book or in a file of its own.
type Entry struct {
	Kind   Kind         // KindADR or KindPF
	Number int          // 1 for ADR-001
	Title  string       // heading text behind the number
	Fields []EntryField // in order of appearance
	Source string       // observation id of the marker, empty when a person wrote it
	Path   string       // repository-relative, slashes
	Line   int          // 1-based line of the heading
	Start  int          // byte range of the section in its file
	End    int
	Text   []byte // the section's bytes
}

// EntryField is one "- **Name**: value" bullet.
type EntryField struct{ Name, Value string }
