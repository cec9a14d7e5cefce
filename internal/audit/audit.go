// Package audit holds what agents are told against the repository: instruction files,
// memories, lessons and entries. It finds what is named and is not there, what is said
// twice or the other way round, and what a linter's or formatter's settings enforce.
//
//	told.go        the lines that agents are told
//	repository.go  what the repository has
//	paths.go, commands.go, symbols.go   what is named and is not there
//	enforced.go    what settings enforce already
//	pairs.go       what is said twice, or contradicted; rivals.go: what excludes what
//	size.go        what it costs
package audit

import (
	"fmt"
	"slices"

	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/artifact"
	"github.com/lessons-cli/lessons/knowledge/instructions"
)

// Input is what there is to audit. It only reads values.
type Input struct {
	Files     []Source            // instruction files
	Artifacts []artifact.Artifact // lessons and entries in force
	// Repository has the text of every file; one that is no text, or too large, is empty.
	Repository map[string]string
	// Ignored says which paths git ignores.
	Ignored func(paths []string) map[string]bool
}

// Source is an instruction file with its size.
type Source struct {
	instructions.File
	Bytes int
}

// The rules.
const (
	MissingPath    = "missing-path"
	MissingCommand = "missing-command"
	MissingTarget  = "missing-target"
	MissingSymbol  = "missing-symbol"
	Duplicate      = "duplicate"
	Contradiction  = "contradiction"
	Enforced       = "enforced"
	TooLarge       = "too-large"
)

// Run lists what is wrong in order of path and line, once a line and rule.
func Run(in Input) []knowledge.Problem {
	lines, repo := in.told(), newRepository(in)
	found := slices.Concat(
		repo.missingPaths(lines), repo.missingCommands(lines), repo.missingSymbols(lines), repo.enforced(lines), pairs(lines), tooLarge(in.Files),
	)
	slices.SortStableFunc(found, knowledge.Problem.Compare)
	return slices.Compact(found)
}

func (l line) problem(rule, format string, args ...any) knowledge.Problem {
	return knowledge.Problem{Path: l.file, Line: l.number, Rule: rule, Text: fmt.Sprintf(format, args...)}
}
