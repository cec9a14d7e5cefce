package main

import (
	"fmt"
	"os"
	"path/filepath"
	"time"
)

const (
	toImport  = 10_000
	maxImport = 5 * time.Second
)

// benchImport brings in 10,000 decision records that cite each other.
func benchImport(p *place) ([]row, error) {
	dir, err := p.repository("import")
	if err != nil {
		return nil, err
	}
	folder := filepath.Join(p.scratch, "records")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return nil, err
	}
	for i := 1; i <= toImport; i++ {
		text := fmt.Sprintf("# %d. Decide on thing %d\n\nDate: 2024-01-02\n\n## Status\n\nAccepted\n\n## Context\n\nThing %d is not decided, and work waits for it.\n\n## Decision\n\nOption %d. See [the one before](%05d-thing.md).\n\n## Consequences\n\n* work goes on\n", i, i, i, i, i-1)
		if err := os.WriteFile(filepath.Join(folder, fmt.Sprintf("%05d-thing.md", i)), []byte(text), 0o644); err != nil {
			return nil, err
		}
	}
	u, err := p.run(dir, 1, "", p.lessons, "import", "--yes", "--quiet", "adr", folder)
	if err != nil {
		return nil, err
	}
	return []row{{
		fmt.Sprintf("import of %d decision records, processor time", toImport),
		u.cpu.Round(10 * time.Millisecond).String(), "<= " + maxImport.String(), u.cpu <= maxImport,
	}}, nil
}
