package project

import (
	"math"
	"os"
	"path/filepath"
	"runtime/debug"
	"testing"

	"github.com/lessons-cli/lessons/internal/fsx"
	"github.com/lessons-cli/lessons/knowledge/store"
)

// A limit of memory is kept unless the log alone is larger.
func TestALargeLogLiftsTheLimitOfMemory(t *testing.T) {
	const limit = 44 << 20
	percent := debug.SetGCPercent(100)
	defer debug.SetGCPercent(percent)
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(limit))
	for _, c := range []struct{ size, want int64 }{{1 << 20, limit}, {largeLog + 1, math.MaxInt64}} {
		dir := t.TempDir()
		p := &Project{Store: store.New(fsx.OS{}, store.Places{Root: dir, Local: dir, Shared: dir})}
		name := filepath.Join(dir, "learning-log.jsonl")
		if err := os.WriteFile(name, nil, 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.Truncate(name, c.size); err != nil {
			t.Fatal(err)
		}
		p.SpareMemory()
		if got := debug.SetMemoryLimit(-1); got != c.want {
			t.Errorf("log of %d bytes: limit %d, want %d", c.size, got, c.want)
		}
	}
}
