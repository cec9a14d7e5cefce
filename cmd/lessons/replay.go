package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"

	"github.com/lessons-cli/lessons/internal/agent"
	"github.com/lessons-cli/lessons/internal/project"
	"github.com/lessons-cli/lessons/internal/replay"
	"github.com/lessons-cli/lessons/knowledge"
)

type replayCommand struct {
	jsonOutput
	Paths     []string `arg:"" optional:"" name:"path" help:"Folders of sessions, each one repository's; default: this repository's sessions."`
	Verbose   bool     `short:"v" help:"Also print every measure: problems by kind, shares with their 95 % intervals, and cost."`
	Decisions string   `placeholder:"FILE" help:"Write what hooks said to FILE, a line of JSON each."`
}

// replayMemory is how much memory a replay may take before it makes a greater effort
// to free some, in bytes.
const replayMemory = 256 << 20

// Run replays the sessions and prints what was found.
func (c *replayCommand) Run(ctx context.Context, inv *invocation) error {
	inv.sys.limitMemory(replayMemory)
	archives, problems, err := c.archives(ctx, inv)
	if err != nil {
		return err
	}
	inv.warn(problems)
	machine := inv.sys.machine()
	o := replay.Options{Archives: archives, Redactor: machine.Redactor()}
	log, err := c.decisionLog(inv)
	if err != nil {
		return err
	}
	o.Decided = log.write
	bar, began := newProgress(inv.sys, "replaying"), inv.sys.now()
	if inv.sys.terminal {
		o.Progress = bar.show
	}
	report, problems, err := replay.Run(ctx, o)
	bar.done()
	if err := errors.Join(inv.warnBesides(err, problems), log.close()); err != nil {
		return err
	}
	if c.JSON {
		return inv.printJSON(report)
	}
	inv.sys.stderr.Printf("replayed in %.0f s\n", inv.sys.now().Sub(began).Seconds())
	printReport(inv, report, c.Verbose)
	return nil
}

// decisionLog is the file of --decisions; without one nothing is written.
type decisionLog struct {
	file *os.File
	out  *bufio.Writer
	err  error
}

func (c *replayCommand) decisionLog(inv *invocation) (*decisionLog, error) {
	if c.Decisions == "" {
		return &decisionLog{}, nil
	}
	file, err := os.Create(absolute(inv.sys.dir, c.Decisions))
	return &decisionLog{file: file, out: bufio.NewWriter(file)}, err
}

func (l *decisionLog) write(d replay.Decision) {
	if l.file != nil && l.err == nil {
		l.err = json.NewEncoder(l.out).Encode(d)
	}
}

func (l *decisionLog) close() error {
	if l.file == nil {
		return nil
	}
	return errors.Join(l.err, l.out.Flush(), l.file.Close())
}

// archives are the folders that were named, or this repository's own sessions.
func (c *replayCommand) archives(ctx context.Context, inv *invocation) ([]replay.Archive, []knowledge.Problem, error) {
	if len(c.Paths) == 0 {
		p, err := inv.project(ctx)
		if err != nil {
			return nil, nil, err
		}
		files, problems, err := p.Sessions(project.ScanOptions{Clients: agent.All})
		return []replay.Archive{{Name: filepath.Base(p.Root), Files: files}}, problems, err
	}
	var archives []replay.Archive
	var problems []knowledge.Problem
	for _, path := range c.Paths {
		files, trouble, err := project.NamedFiles(absoluteAll(inv.sys.dir, []string{path}))
		if err != nil {
			return nil, nil, err
		}
		archives = append(archives, replay.Archive{Name: filepath.Base(path), Files: files})
		problems = append(problems, trouble...)
	}
	return archives, problems, nil
}
