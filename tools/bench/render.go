package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/lessons-cli/lessons/internal/fsx"
	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/internal/project"
	"github.com/lessons-cli/lessons/internal/test/fsxtest"
)

const toRender = 100

// benchRender counts the locks and fsyncs of one render of 100 ready
// observations, through the same file system seam that the program writes by.
func benchRender(p *place) ([]row, error) {
	dir, err := p.repository("render")
	if err != nil {
		return nil, err
	}
	if err := writeReady(dir); err != nil {
		return nil, err
	}
	counting := fsxtest.NewCounting(fsx.OS{})
	repo, err := project.Open(bg, dir, project.Machine{
		Home: p.scratch, User: "dev", Env: func(string) string { return "" }, Now: time.Now, FS: counting,
	})
	if err != nil {
		return nil, err
	}
	defer repo.Close()
	start := time.Now()
	plan, err := repo.Render(bg, project.RenderOptions{})
	if err != nil {
		return nil, err
	}
	took := time.Since(start)
	if len(plan.Rendered) < toRender {
		return nil, fmt.Errorf("rendered %d of %d", len(plan.Rendered), toRender)
	}
	c := counting.Counts()
	own := lists.Filter(c.Locked, func(name string) bool { return strings.HasPrefix(name, dir) })
	return []row{
		{
			fmt.Sprintf("render of %d ready observations (%v): locks of the repository", len(plan.Rendered), took.Round(time.Millisecond)),
			fmt.Sprintf("%d (and %d of what this machine trusts)", len(own), len(c.Locked)-len(own)), "1", len(own) == 1,
		},
		{"render: fsyncs a file touched", fmt.Sprintf("%d fsyncs, %d files", c.FileSyncs, c.FilesWritten), "1", c.FileSyncs == c.FilesWritten},
	}, nil
}

// writeReady puts ready observations of every type into the log.
func writeReady(dir string) error {
	folder := filepath.Join(dir, ".git", "lessons")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	types := []string{"workflow", "procedural", "decision", "pitfall"}
	var log strings.Builder
	for i := range toRender {
		typ := types[i%len(types)]
		details := fmt.Sprintf("area: part%d; issue: it breaks; impact: time lost; resolution: look", i)
		if typ == "decision" {
			details = "context: asked; decision: do it; rationale: because it was asked"
		}
		fmt.Fprintf(&log, `{"id":"obs_bench%05d","type":%q,"pattern":"case %s number %d","details":"%s %d","evidence":["said so"],"observations":6,"confidence":0.95,"first_seen":"2026-01-01T00:00:00Z","last_seen":"2026-01-20T00:00:00Z","status":"ready","quality_ok":true}`+"\n", i, typ, typ, i, details, i)
	}
	return os.WriteFile(filepath.Join(folder, "learning-log.jsonl"), []byte(log.String()), 0o644)
}

var bg = context.Background()
