package knowledge

// Places says where a work tree's knowledge lies. All paths are absolute.
type Places struct {
	Root   string // top of the work tree
	Local  string // <git dir of the work tree>/lessons: lock, memo, index, spool
	Shared string // <git common dir>/lessons: log, ledger, ids lock, scan state
}

// Folders are the artifact folders, repository-relative: the only places in
// which markers are looked for.
var Folders = []string{".lessons", ".memory", ".claude", ".agents"}

// Change is the new content of one tracked file, planned as a value.
type Change struct {
	Path   string // repository-relative, slashes
	Before []byte // content the plan was made from; nil: the file must not exist
	After  []byte // nil: remove the file
}
