// Package schema holds the JSON Schemas of the files that lessons reads and writes, for
// editors, other programs, and the checks of this one.
package schema

import "embed"

// Flow are the schemas of the files with which agents hand work on.
//
//go:embed feature-list.json session-state.json handoff.json
var Flow embed.FS
