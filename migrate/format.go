package migrate

import (
	"path"
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/internal/lists"
)

// Format is one kind of file that can be read.
type Format struct {
	Name  string // as on the command line
	About string // one line for help
	// Places are where such files usually lie: globs, relative to a repository.
	Places []string
	// Remembered says that such files lie in agents' own folders, outside of a repository.
	Remembered bool
	// Takes says by its path whether a file of a folder is to be read.
	Takes func(path string) bool
	// Detect says by path and first bytes whether a file is of this format, where
	// nobody said so.
	Detect func(path string, head []byte) bool
	// Tables are those to be read of a SQLite database; empty: it has none.
	Tables []string
	// read adds to the file what is in it: things, and refusals.
	read func(*file)
}

// HeadBytes is how much of a file [Format.Detect] is given at most.
const HeadBytes = 4096

// Tables is how the rows of a database come to [Format.Read]: as the JSON of
// this, each row an object by column name.
type Tables struct {
	Tables map[string][]map[string]any `json:"tables"`
}

// Formats are all formats, in the order in which files are asked for them.
var Formats = []Format{
	ownExport, reviews, lessonsLearned, devflow, triads, agentMemory, gitmem, instincts, hookify, solutions, learnings,
	instructionFiles(), memories, skills, commands, adr,
}

// FormatNamed returns the format of that name.
func FormatNamed(name string) (Format, bool) {
	return lists.Find(Formats, func(f Format) bool { return f.Name == name })
}

// Detect returns the first format that a file is of.
func Detect(name string, head []byte) (Format, bool) {
	return lists.Find(Formats, func(f Format) bool { return f.Takes(name) && f.Detect(name, head) })
}

// extension returns a test of a path's ending.
func extension(endings ...string) func(string) bool {
	return func(name string) bool {
		return slices.ContainsFunc(endings, func(e string) bool { return strings.EqualFold(path.Ext(name), e) })
	}
}
