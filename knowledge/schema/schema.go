// Package schema holds the JSON Schemas of the files that lessons reads and writes, for
// editors, other programs, the reference, and the checks of this one.
package schema

import "embed"

// Files are the schemas, one JSON file each.
//
//go:embed *.json
var Files embed.FS
