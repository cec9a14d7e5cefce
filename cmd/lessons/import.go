package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime/debug"
	"strings"

	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/internal/project"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/migrate"
)

type importCommand struct {
	jsonOutput
	Format string   `arg:"" optional:"" help:"The format; default: each file is asked what it is."`
	Paths  []string `arg:"" optional:"" name:"path" help:"Files, or folders of them; default: the usual places of this repository."`
	consent
	DryRun bool `help:"Say what would be done and write nothing."`
	Quiet  bool `short:"q" help:"Name only what was not imported."`
}

func (importCommand) Help() string {
	var b strings.Builder
	b.WriteString(`Brings in what another tool wrote. The source is never changed, importing again adds nothing, and what you edited or
deleted here stays as you left it. Where each thing came from is kept in it. How statuses, priorities, dates and patterns
are mapped: docs/import.md.

Formats:
`)
	for _, f := range migrate.Formats {
		fmt.Fprintf(&b, "  %-16s %s\n", f.Name, f.About)
	}
	b.WriteString(`
Examples:
  lessons import
  lessons import adr docs/adr
  lessons import lessons-learned ~/.lessons-learned/lessons.db --dry-run
  lessons import --yes

Exit status: 0; 1 when something was refused (it is named on standard error, and the rest is imported) or nothing could be
written; 2 for a format that is not known or a path that is not there.`)
	return b.String()
}

// Run imports, and says what became of everything that was found.
func (c *importCommand) Run(ctx context.Context, inv *invocation, p *project.Project) error {
	o, err := c.options(inv.sys.dir)
	if err != nil {
		return err
	}
	debug.SetGCPercent(50) // thousands of files pass through, and little of each stays
	result, err := c.read(ctx, inv, p, o, c.DryRun || !c.Yes)
	if err == nil && !c.DryRun && !c.Yes && result.Count(migrate.Imported) > 0 {
		if !c.JSON {
			c.words(inv, result, true)
		}
		if err := c.agree(ctx, inv, "Import this?"); err != nil {
			return err
		}
		result, err = c.read(ctx, inv, p, o, false)
	}
	if err != nil {
		return err
	}
	if c.JSON {
		err = inv.printJSON(importFactsOf(result))
	} else {
		c.words(inv, result, c.DryRun)
	}
	if n := len(importFactsOf(result).Refused); err == nil && n > 0 {
		err = fmt.Errorf("%s not imported: see above", count(n, "thing was", "things were"))
	} else if err == nil && result.Files == 0 && c.Format != "" {
		err = errors.New("nothing was imported: there is nothing of that kind")
	}
	return err
}

// read imports, or with dryRun says what it would.
func (c *importCommand) read(ctx context.Context, inv *invocation, p *project.Project, o project.ImportOptions, dryRun bool) (project.Import, error) {
	bar := newProgress(inv.sys, "importing")
	defer bar.done()
	o.Progress, o.DryRun = bar.show, dryRun
	result, err := p.Import(ctx, o)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		err = usageError{withHint(err, "see: lessons help import")}
	case err != nil:
		err = withHint(err, "nothing was imported; run it again when that is settled")
	}
	return result, err
}

// options reads the arguments: a first one that is no format is a path.
func (c *importCommand) options(dir string) (project.ImportOptions, error) {
	o := project.ImportOptions{}
	paths := c.Paths
	if _, ok := migrate.FormatNamed(c.Format); ok {
		o.Format = c.Format
	} else if c.Format != "" {
		if _, err := os.Stat(absolute(dir, c.Format)); err != nil {
			names := lists.Map(migrate.Formats, func(f migrate.Format) string { return f.Name })
			return o, usageError{withHint(fmt.Errorf("no format %q", c.Format), "known: %s; and there is no file or folder of that name", strings.Join(names, ", "))}
		}
		paths = append([]string{c.Format}, paths...)
	}
	o.Paths = absoluteAll(dir, paths)
	return o, nil
}

// importFacts is what --json prints.
type importFacts struct {
	Files    int               `json:"files"`
	Imported int               `json:"imported"`
	Known    int               `json:"known"`
	Removed  int               `json:"removed"`
	Items    []migrate.Item    `json:"items"`
	Refused  []migrate.Refusal `json:"refused"`
	Notices  []string          `json:"notices,omitempty"`
}

func importFactsOf(i project.Import) importFacts {
	f := importFacts{
		Files: i.Files, Imported: i.Count(migrate.Imported), Known: i.Count(migrate.Known), Removed: i.Count(migrate.Removed),
		Items: []migrate.Item{}, Refused: []migrate.Refusal{}, Notices: i.Notices,
	}
	for _, item := range i.Items {
		if item.Outcome == migrate.Refused {
			f.Refused = append(f.Refused, migrate.Refusal{Path: item.Source.Path, Line: item.Source.Line, ID: item.Source.ID, Reason: item.Reason})
			continue
		}
		f.Items = append(f.Items, item)
	}
	f.Refused = append(f.Refused, i.Refused...)
	return f
}

func (c *importCommand) words(inv *invocation, i project.Import, dryRun bool) {
	f := importFactsOf(i)
	for _, item := range f.Items {
		if !c.Quiet && (item.Outcome != migrate.Known || item.Reason != "imported before") {
			did := string(item.Outcome)
			if dryRun && item.Outcome == migrate.Imported {
				did = "new"
			}
			inv.printf("%-8s %s  %s\n", did, cmp.Or(item.Place, item.Source.Place()), shorten(oneLine(item.Title), 70))
			for _, note := range append([]string{item.Reason}, item.Notes...) {
				if note != "" {
					inv.printf("         %s\n", note)
				}
			}
		}
	}
	var problems []knowledge.Problem
	for _, r := range f.Refused {
		text := r.Reason
		if r.ID != "" {
			text = r.ID + ": " + text
		}
		problems = append(problems, knowledge.Problem{Path: r.Path, Line: r.Line, Rule: "import", Text: text})
	}
	inv.warn(problems)
	inv.lines(i.Notices)
	verb := "imported"
	if dryRun {
		verb = "would be imported"
	}
	switch {
	case f.Files == 0 && len(f.Refused) == 0:
		inv.printf("nothing to import was found; name a format and a path: lessons help import\n")
	default:
		inv.printf("%s read: %d %s%s, %d known already, %d removed before, %d refused\n", count(f.Files, "file", "files"), f.Imported, verb, byKind(importedKinds(f)), f.Known, f.Removed, len(f.Refused))
	}
}

func importedKinds(f importFacts) map[knowledge.Kind]int {
	kinds := map[knowledge.Kind]int{}
	for _, item := range f.Items {
		if item.Outcome == migrate.Imported {
			kinds[item.Kind]++
		}
	}
	return kinds
}

// byKind says how many of each kind there are, in parentheses.
func byKind(kinds map[knowledge.Kind]int) string {
	var parts []string
	for _, k := range []struct {
		kind      knowledge.Kind
		one, many string
	}{
		{knowledge.KindADR, "decision", "decisions"},
		{knowledge.KindPF, "pitfall", "pitfalls"},
		{knowledge.KindLesson, "lesson", "lessons"},
		{knowledge.KindSkill, "skill", "skills"},
		{knowledge.KindCommand, "command", "commands"},
		{"", "observation", "observations"},
	} {
		if n := kinds[k.kind]; n > 0 {
			parts = append(parts, count(n, k.one, k.many))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return " (" + strings.Join(parts, ", ") + ")"
}
