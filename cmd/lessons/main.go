// Command lessons captures what goes wrong and what is decided in sessions of
// coding agents, keeps it as Markdown in the repository, and puts it before the
// agent in time.
package main

import (
	"os"
	"runtime/debug"
)

// Most runs are over before the first garbage collection pays; long scans keep
// their memory small all the same, because they hold little at a time.
const gcPercent = 400

func main() {
	debug.SetGCPercent(gcPercent)
	os.Exit(run(os.Args[1:], thisMachine()))
}
