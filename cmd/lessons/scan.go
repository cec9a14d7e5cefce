package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"time"

	"github.com/lessons-cli/lessons/internal/agent"
	"github.com/lessons-cli/lessons/internal/project"
	"github.com/lessons-cli/lessons/scan"
)

type scanCommand struct {
	jsonOutput
	Paths      []string `arg:"" optional:"" name:"path" help:"Transcripts, or folders of them; default: this repository's sessions."`
	Agent      string   `help:"Whose sessions; default: all agents'."`
	All        bool     `help:"From the beginning, not only what is new."`
	Foreign    bool     `help:"Accept sessions of other repositories."`
	MovedFrom  []string `placeholder:"DIR" help:"This repository lay in DIR before; its sessions from there count from now on."`
	DryRun     bool     `help:"Write nothing."`
	Render     bool     `hidden:"" help:"Render afterwards: what the session-end hook starts."`
	Hook       bool     `hidden:"" help:"No person asked: leave what git tracks alone."`
	Reviews    []string `placeholder:"FILE" help:"Read review comments instead, as gh prints them in JSON: what reviewers state as a rule becomes a draft with its link."`
	Due        string   `hidden:"" placeholder:"SESSION" help:"Only where some other session than this one was not read to its end: what the start of a session starts."`
	Compliance bool     `help:"Learn nothing; measure how far agents report their mistakes by #lesson."`
	Ended      string   `hidden:"" help:"The session that came to its end, hashed: what the session-end hook tells."`
	Quiet      bool     `short:"q" help:"Print nothing when all is well."`
}

// plainScan reads the command lines by which scans are started, without the
// grammar, which takes longer to build than the scan of a hook takes. What it does
// not know at once is left to that.
func plainScan(args []string) (*scanCommand, bool) {
	if len(args) == 0 || args[0] != "scan" {
		return nil, false
	}
	c := &scanCommand{}
	values := map[string]*string{"--agent": &c.Agent, "--ended": &c.Ended}
	flags := map[string]*bool{
		"--quiet": &c.Quiet, "-q": &c.Quiet, "--render": &c.Render, "--hook": &c.Hook, "--json": &c.JSON,
		"--all": &c.All, "--foreign": &c.Foreign, "--dry-run": &c.DryRun, "--compliance": &c.Compliance,
	}
	for i := 1; i < len(args); i++ {
		flag, value := flags[args[i]], values[args[i]]
		switch option := strings.HasPrefix(args[i], "-"); {
		case flag != nil:
			*flag = true
		case value != nil && *value == "" && i+1 < len(args) && !strings.HasPrefix(args[i+1], "-"):
			i++
			*value = args[i]
		case strings.HasPrefix(args[i], "--due="):
			c.Due = strings.TrimPrefix(args[i], "--due=")
		case option, args[i] == "":
			return nil, false
		default:
			c.Paths = append(c.Paths, args[i])
		}
	}
	return c, true
}

// scanMemory is how much memory a scan may take before it makes a greater effort
// to free some, in bytes; the program's own text comes on top.
const scanMemory = 42 << 20

// Run scans and reports what was found.
func (c *scanCommand) Run(ctx context.Context, inv *invocation) error {
	if len(c.Reviews) > 0 {
		return c.reviews(ctx, inv)
	}
	inv.sys.limitMemory(scanMemory)
	whose := agent.All
	if c.Agent != "" {
		client, err := clientNamed(c.Agent)
		if err != nil {
			return err
		}
		whose = []*agent.Client{client}
	}
	if len(c.MovedFrom) > 0 && c.DryRun {
		return usageError{errors.New("--moved-from is remembered, and --dry-run writes nothing: leave one out")}
	}
	for _, name := range c.Paths {
		if _, err := os.Stat(absolute(inv.sys.dir, name)); errors.Is(err, fs.ErrNotExist) {
			return usageError{withHint(fmt.Errorf("no file or folder %s", name), "see: lessons help scan")}
		}
	}
	bar := newProgress(inv.sys, "scanning")
	o := project.ScanOptions{
		Clients: whose, Paths: absoluteAll(inv.sys.dir, c.Paths), All: c.All, Foreign: c.Foreign, DryRun: c.DryRun,
	}
	if inv.sys.terminal {
		o.Progress = bar.show
	}
	p, err := inv.project(ctx)
	if err != nil && !(errors.Is(err, project.ErrNoProject) && (c.DryRun || c.Compliance) && len(c.Paths) > 0 && len(c.MovedFrom) == 0) {
		return err
	}
	if p != nil {
		p.Store.Hook = c.Hook || c.Render
	}
	if c.Due != "" && p != nil && len(whose) == 1 && !p.ScanIsDue(whose[0], c.Due) {
		p.Freshen(ctx) // of what was edited in place
		return nil
	}
	if p != nil && p.Store.Hook && len(whose) == 1 {
		awaitWhole(ctx, whose[0])
	}
	for _, dir := range c.MovedFrom {
		if err := p.AddMovedFrom(earlierPlace(inv.sys.dir, dir)); err != nil {
			return err
		}
		o.All = true // what was refused before is looked at again
	}
	if c.Compliance {
		measured, problems, err := measure(ctx, inv, p, o)
		bar.done()
		if err := inv.warnBesides(err, problems); err != nil {
			return err
		}
		return c.compliance(inv, measured)
	}
	var result scan.Result
	if p == nil {
		result, err = project.Inspect(ctx, inv.sys.machine(), o)
	} else {
		result, err = p.Scan(ctx, o)
	}
	bar.done()
	if err := inv.warnBesides(err, result.Problems); err != nil {
		return err
	}
	if c.JSON {
		if err := printLines(inv, result.Candidates); err != nil {
			return err
		}
	} else if !c.Quiet {
		c.tell(inv, result)
	}
	if p != nil && p.Store.Hook {
		p.AfterScan(c.Ended)
	}
	if c.Render && p != nil {
		if err := p.RenderAfterSession(ctx); err != nil {
			return err
		}
		p.Close()
		if p, err = inv.project(ctx); err == nil { // as the next session finds it
			p.RememberStart(ctx)
		}
	}
	return nil
}

// awaitWhole waits until an agent has written the session whose end was just heard of.
func awaitWhole(ctx context.Context, c *agent.Client) {
	select {
	case <-ctx.Done():
	case <-time.After(c.Late()):
	}
}
