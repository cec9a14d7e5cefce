// Package agents holds example agents for lessons flow, which writes them where a person
// wants them.
package agents

import "embed"

// Files are the agents, a file each.
//
//go:embed initializer-agent.md coding-agent.md tester-agent.md
var Files embed.FS
