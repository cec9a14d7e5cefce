package project

import (
	"math"
	"runtime/debug"
)

const largeLog = 16 << 20 // bytes

// LargeLogGrowth is the percentage by which memory may grow until garbage is collected.
const LargeLogGrowth = 50

// SpareMemory has garbage collected sooner where the log is large: what is read of it is
// asked for once, and most of what a process holds is then the log itself. A limit that the
// log alone exceeds is lifted: garbage would be collected without end.
func (p *Project) SpareMemory() {
	if p.Store.LogSize() > largeLog {
		debug.SetGCPercent(LargeLogGrowth)
		debug.SetMemoryLimit(math.MaxInt64)
	}
}
