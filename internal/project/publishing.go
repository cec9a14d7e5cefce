package project

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/internal/agent"
	"github.com/lessons-cli/lessons/internal/fsx"
	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/internal/provenance"
	"github.com/lessons-cli/lessons/internal/publish"
	"github.com/lessons-cli/lessons/internal/resolve"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/config"
	"github.com/lessons-cli/lessons/knowledge/instructions"
	"github.com/lessons-cli/lessons/knowledge/lesson"
	"github.com/lessons-cli/lessons/knowledge/merge"
	"github.com/lessons-cli/lessons/knowledge/store"
)

// Publication is what publishing does, and for whom.
type Publication struct {
	publish.Plan
	Targets    []string
	Unreviewed int // active lessons that are left out, because nobody here reviewed them
}

// PlanPublish plans to write what is active to the files of targets; with chosen it
// remembers them, else they are those of the settings. A target whose reader has hooks is
// left out: they deliver already.
func (p *Project) PlanPublish(ctx context.Context, names []string, chosen bool) (*Publication, error) {
	s, err := p.Store.Load()
	if err != nil {
		return nil, err
	}
	if !chosen {
		names = s.Config.PublishTo
	}
	var kept []string
	var targets []publish.Target
	for _, name := range names {
		t, ok := publish.Named(name)
		if !ok {
			return nil, fmt.Errorf("no target %q", name)
		}
		who, err := p.delivered(t)
		if err != nil {
			return nil, err
		}
		if who != "" {
			kept = append(kept, t.Name+": hooks tell this to "+who+" already, and it would read it twice")
			continue
		}
		targets = append(targets, t)
	}
	lessons := p.gate(ctx).lessons(s, s.Lessons)
	plan, err := publish.NewPlan(p.publishTree(), targets, lessons)
	if err != nil {
		return nil, err
	}
	plan.Kept = append(kept, plan.Kept...)
	is := lists.Filter(lessons.Unreviewed(), func(l *lesson.Lesson) bool { return l.Status == lesson.Active })
	result := &Publication{Plan: plan, Targets: names, Unreviewed: len(is)}
	return result, p.rememberTargets(result, targets, chosen)
}

// rememberTargets adds the changes of the settings and of .gitattributes to a plan.
func (p *Project) rememberTargets(plan *Publication, targets []publish.Target, chosen bool) error {
	add := func(path string, edit func([]byte) ([]byte, error)) error {
		before, err := p.Read(path)
		if err != nil {
			return err
		}
		after, err := edit(before)
		if err == nil && string(after) != string(before) {
			plan.Changes = append(plan.Changes, store.Change{Path: path, Before: before, After: after})
		}
		return err
	}
	if chosen {
		names, err := json.Marshal(plan.Targets)
		if err != nil {
			return err
		}
		if err := add(ConfigPath, func(before []byte) ([]byte, error) { return config.Set(before, "publishTo", string(names), false) }); err != nil {
			return err
		}
	}
	return add(attributesPath, func(before []byte) ([]byte, error) {
		if _, _, ok := ownBlock(before); !ok && len(targets) == 0 {
			return before, nil
		}
		return putBlock(before, slices.Concat(merge.Attributes(), lists.Map(targets, publish.Target.Attribute))), nil
	})
}

// attributeLines are the lines of our block in .gitattributes.
func attributeLines(text []byte) []string {
	start, end, _ := ownBlock(text)
	return lists.Map(strings.Split(string(text[start:end]), "\n"), strings.TrimSpace)
}

// publishedAttributes are those of our lines in .gitattributes that publishing added.
func publishedAttributes(text []byte) []string {
	return lists.Filter(attributeLines(text), func(line string) bool { return strings.HasSuffix(line, " merge="+publish.Driver) })
}

// PublishedProblems finds published parts that were edited or are out of date, and files
// that git would merge line by line.
func (p *Project) PublishedProblems(ctx context.Context, s *store.Snapshot) ([]knowledge.Problem, error) {
	attributes, err := p.Read(attributesPath)
	if err != nil {
		return nil, err
	}
	var targets []publish.Target
	var found []knowledge.Problem
	for _, name := range s.Config.PublishTo {
		t, ok := publish.Named(name)
		if who, err := p.delivered(t); err != nil {
			return nil, err
		} else if !ok || who != "" {
			continue
		}
		targets = append(targets, t)
		if !slices.Contains(attributeLines(attributes), t.Attribute()) {
			found = append(found, knowledge.Problem{Path: attributesPath, Rule: "published-outdated", Text: "the line \"" + t.Attribute() + "\" is missing, so git merges what is published line by line. Run: lessons publish"})
		}
	}
	edited, err := publish.Problems(p.publishTree(), targets, p.gate(ctx).lessons(s, s.Lessons))
	return append(found, edited...), err
}

// resolvePublished takes conflicts out of published parts, with the lessons of both sides.
func (p *Project) resolvePublished(ctx context.Context, r *Resolution, o ResolveOptions) error {
	paths, err := publish.Conflicted(p.publishTree())
	if err != nil {
		return err
	}
	var changes []store.Change
	for _, path := range paths {
		f := resolve.File{Path: path}
		if f.Text, err = p.Read(path); err == nil && p.Git != nil {
			err = p.versions(ctx, &f, map[int]bool{1: true, 2: true, 3: true})
		}
		if err != nil {
			return err
		}
		if after, ok := publish.Resolved(f.Text, f.Base, f.Ours, f.Theirs); ok {
			changes = append(changes, store.Change{Path: path, Before: f.Text, After: after})
			r.Repaired = append(r.Repaired, path)
			continue
		}
		r.Left = append(r.Left, knowledge.Problem{Path: path, Line: knowledge.LineAt(f.Text, bytes.Index(f.Text, []byte("<<<<<<< "))), Rule: "conflict", Text: "the sides differ outside of what lessons published. Settle that, then run: lessons resolve"})
	}
	if o.DryRun {
		return nil
	}
	return p.Store.Apply(store.Transaction{Changes: changes})
}

// Publish carries out a plan of PlanPublish.
func (p *Project) Publish(ctx context.Context, plan *Publication) error {
	if len(plan.Changes) == 0 {
		return nil
	}
	missing, err := p.DriversMissing(ctx)
	if err == nil {
		err = p.registerDrivers(ctx, missing)
	}
	if err != nil {
		return err
	}
	record := p.record()
	record.Remember(lists.Map(lists.Filter(plan.Changes, func(c store.Change) bool { return c.Path == ConfigPath || c.Path == attributesPath }), func(c store.Change) Step { return Step{Change: c} }))
	if err := fsx.WriteFile(p.FS, p.recordPath(), record.Bytes()); err != nil {
		return err
	}
	if err := p.Store.Apply(store.Transaction{Changes: plan.Changes}); err != nil {
		return err
	}
	p.clearFolders(plan.Changes)
	return nil
}

// clearFolders removes the folders that became empty.
func (p *Project) clearFolders(changes []store.Change) {
	for _, c := range changes {
		if c.After == nil {
			p.removeEmpty(filepath.Dir(c.Path))
		}
	}
}

// unpublish plans to take out what was published.
func (p *Project) unpublish() ([]Step, []string, error) {
	plan, err := publish.NewPlan(p.publishTree(), nil, provenance.List[*lesson.Lesson]{})
	return lists.Map(plan.Changes, func(c store.Change) Step { return Step{c, "what publish put in"} }), plan.Kept, err
}

func (p *Project) publishTree() publish.Tree {
	return publish.Tree{Read: p.Read, List: func(folder string) ([]string, error) {
		files, err := p.FS.ReadDir(p.absolute(folder))
		if errors.Is(err, fs.ErrNotExist) {
			return nil, nil
		}
		return lists.Map(files, fs.DirEntry.Name), err
	}}
}

// delivered names the reader of a target to whom hooks of this repository tell the same.
func (p *Project) delivered(t publish.Target) (string, error) {
	for _, c := range agent.All {
		if !slices.Contains(t.Readers, c.Name) && !(t.Name == "agents-md" && c.Name == agent.Claude.Name && p.claudeReadsAgents()) {
			continue
		}
		if where, err := p.HooksIn(c); err != nil || len(where) > 0 {
			return c.Name, err
		}
	}
	return "", nil
}

// claudeReadsAgents says whether CLAUDE.md is AGENTS.md, or brings it in.
func (p *Project) claudeReadsAgents() bool {
	for _, name := range []string{"CLAUDE.md", ".claude/CLAUDE.md"} {
		target, err := os.Readlink(p.absolute(name))
		if err == nil && filepath.Base(target) == "AGENTS.md" {
			return true
		}
		data, err := p.Read(name)
		if err == nil && slices.ContainsFunc(instructions.Read(name, data).Imports, func(i instructions.Import) bool { return strings.HasSuffix(i.Path, "AGENTS.md") }) {
			return true
		}
	}
	return false
}
