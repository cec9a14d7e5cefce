package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"

	"github.com/lessons-cli/lessons/internal/fsx"
	"github.com/lessons-cli/lessons/internal/project"
	"github.com/lessons-cli/lessons/internal/publish"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/config"
	"github.com/lessons-cli/lessons/knowledge/merge"
	"github.com/lessons-cli/lessons/knowledge/observe"
)

type mergeDriverCommand struct {
	Base   string `arg:"" help:"The common ancestor's version (%O)."`
	Ours   string `arg:"" help:"Our version (%A); the result is written here."`
	Theirs string `arg:"" help:"Their version (%B)."`
	Path   string `arg:"" help:"Where the file lies in the repository (%P)."`
}

// Run merges. What cannot be read as knowledge gets conflict markers, so that
// neither side is lost. When it is interrupted our version stays as it is, and git leaves
// the file to lessons resolve.
func (c *mergeDriverCommand) Run(ctx context.Context, inv *invocation) error {
	path := filepath.ToSlash(c.Path)
	if merge.Driver(path) == merge.Log {
		return c.mergeLogs(ctx, inv)
	}
	var sides [3][]byte
	for i, name := range []string{c.Base, c.Ours, c.Theirs} {
		data, err := os.ReadFile(absolute(inv.sys.dir, name))
		if err != nil {
			return err
		}
		sides[i] = data
	}
	if publish.Owns(path) {
		return c.mergePublished(ctx, inv, sides)
	}
	var out []byte
	var problems []knowledge.Problem
	var err error
	stopped := merge.Until(ctx, func() {
		out, problems, err = merge.File(path, sides[0], sides[1], sides[2])
	})
	if stopped != nil {
		return stopped
	}
	if err != nil {
		out = withMarkers(sides[1], sides[2])
	}
	if write := fsx.WriteFile(inv.sys.fs, absolute(inv.sys.dir, c.Ours), out); write != nil {
		return write
	}
	if err != nil {
		return withHint(err, "both versions are in %s; mend it, then: lessons resolve", path)
	}
	inv.warn(problems)
	if len(problems) > 0 {
		return fmt.Errorf("%s: two branches changed the same thing; keep one version of each, then git add %s", path, path)
	}
	return nil
}

// mergeLogs merges logs, which may be too large for memory.
func (c *mergeDriverCommand) mergeLogs(ctx context.Context, inv *invocation) error {
	debug.SetGCPercent(project.LargeLogGrowth)
	var sides [3]observe.Text
	for i, name := range []string{c.Base, c.Ours, c.Theirs} {
		name = absolute(inv.sys.dir, name)
		info, err := inv.sys.fs.Lstat(name)
		if err != nil {
			return err
		}
		text, err := inv.sys.fs.Open(name)
		if err != nil {
			return err
		}
		sides[i] = observe.Text{ReaderAt: text, Size: info.Size()}
	}
	plan, err := observe.MergeLogs(ctx, sides[0], sides[1], sides[2], config.Default().Thresholds)
	if err != nil {
		return err
	}
	return fsx.WriteStream(inv.sys.fs, absolute(inv.sys.dir, c.Ours), func(to io.Writer) error { return plan.Write(ctx, to) })
}

// mergePublished makes our part of a file the same in all versions, and lets git merge the
// rest.
func (c *mergeDriverCommand) mergePublished(ctx context.Context, inv *invocation, sides [3][]byte) error {
	base, ours, theirs, _ := publish.Merge(sides[0], sides[1], sides[2])
	var names []string
	for i, name := range []string{c.Ours, c.Base, c.Theirs} {
		names = append(names, absolute(inv.sys.dir, name))
		if err := fsx.WriteFile(inv.sys.fs, names[i], [][]byte{ours, base, theirs}[i]); err != nil {
			return err
		}
	}
	cmd := exec.CommandContext(ctx, "git", append([]string{"merge-file", "-L", "ours", "-L", "base", "-L", "theirs"}, names...)...)
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%s: two branches changed the same lines; keep what holds, then git add %s", c.Path, c.Path)
	}
	return nil
}

// withMarkers holds both versions of a file as one conflict.
func withMarkers(ours, theirs []byte) []byte {
	var b bytes.Buffer
	side := func(mark string, data []byte) {
		b.WriteString(mark + "\n")
		b.Write(data)
		if len(data) > 0 && data[len(data)-1] != '\n' {
			b.WriteByte('\n')
		}
	}
	side("<<<<<<< ours", ours)
	side("=======", theirs)
	b.WriteString(">>>>>>> theirs\n")
	return b.Bytes()
}
