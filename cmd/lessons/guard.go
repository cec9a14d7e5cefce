package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/internal/plain"
	"github.com/lessons-cli/lessons/internal/project"
	"github.com/lessons-cli/lessons/internal/tally"
	"github.com/lessons-cli/lessons/knowledge/lesson"
	"github.com/lessons-cli/lessons/knowledge/store"
)

type guardCommand struct {
	List    guardList    `cmd:"" default:"withargs" help:"List the guards (the default)."`
	Test    guardTest    `cmd:"" help:"Test guards against past calls."`
	Propose guardPropose `cmd:"" help:"Propose guards for what repeats."`
}

const noGuards = "no guards yet; lessons guard propose drafts some for mistakes that repeat"

type guardList struct{}

// Run lists guards, and what keeps each from acting.
func (c *guardList) Run(ctx context.Context, inv *invocation, p *project.Project, s *store.Snapshot) error {
	guards := p.Guards(ctx, s)
	columns := []plain.Column{{Name: "ACTION"}, {Name: "GUARD", Shrinks: true}, {Name: "STATUS"}}
	return printListed(inv, false, guards, noGuards, columns, func(g project.Guard) plain.Row {
		state := g.Lesson.Status
		if !g.Trusted {
			state += ", not trusted: lessons trust"
		}
		return plain.Row{Cells: []string{g.Lesson.Action, g.Lesson.Path, state}, Link: fileURL(p.Root, g.Lesson.Path)}
	})
}

type guardTest struct {
	jsonOutput
	Guards []string `arg:"" optional:"" name:"guard" help:"Guards by name, or files of lessons; default: all guards here."`
}

// Run prints what each guard would have held back, rightly and wrongly.
func (c *guardTest) Run(ctx context.Context, inv *invocation, p *project.Project, s *store.Snapshot) error {
	guards, err := c.chosen(ctx, inv, p, s)
	if err != nil {
		return err
	}
	if len(guards) == 0 && !c.JSON {
		inv.printf("%s\n", noGuards)
	}
	wrong := 0
	for _, l := range guards {
		held, err := p.TestGuard(l)
		if err != nil {
			inv.printf("%s: %s\n", l.Path, err.Error())
			wrong++
			continue
		}
		wrong += len(held.Wrong)
		if c.JSON {
			err = inv.printJSON(heldFacts(l, held))
		} else {
			printHeld(inv, l, held)
		}
		if err != nil {
			return err
		}
	}
	return foundAny(wrong)
}

// chosen are the guards that were named, by name or file.
func (c *guardTest) chosen(ctx context.Context, inv *invocation, p *project.Project, s *store.Snapshot) ([]*lesson.Lesson, error) {
	if len(c.Guards) == 0 {
		return lists.Map(p.Guards(ctx, s), func(g project.Guard) *lesson.Lesson { return g.Lesson }), nil
	}
	var all []*lesson.Lesson
	for _, name := range c.Guards {
		file := absolute(inv.sys.dir, name)
		if rel := lessonNamed(s, name); rel != nil {
			all = append(all, rel)
			continue
		}
		data, err := os.ReadFile(file)
		if err != nil {
			return nil, withHint(errors.New("no guard and no file is called "+name), "lessons guard lists them")
		}
		l, err := lesson.Parse(filepath.ToSlash(name), data)
		if err != nil {
			return nil, err
		}
		all = append(all, l)
	}
	return all, nil
}

// lessonNamed is a lesson by its id, its path, or the name of its file; nil: there is none.
func lessonNamed(s *store.Snapshot, name string) *lesson.Lesson {
	l, _ := lists.Find(s.Lessons, func(l *lesson.Lesson) bool {
		return l.ID == name || l.Path == name || filepath.Base(l.Path) == name || filepath.Base(l.Path) == name+".md"
	})
	return l
}

// maxHits is how many calls of each kind are shown.
const maxHits = 5

func printHeld(inv *invocation, l *lesson.Lesson, held tally.HeldBack) {
	inv.printf("%s: would have held back %s that went wrong, %s that worked, %d unclear\n", l.Path,
		count(len(held.Right), "call", "calls"), count(len(held.Wrong), "call", "calls"), len(held.Unclear))
	if held.Unsure > 0 {
		inv.printf("    of %s the log does not say whether the gates held\n", count(held.Unsure, "call", "calls"))
	}
	for _, kind := range []struct {
		name string
		hits []tally.Match
	}{{"right", held.Right}, {"wrong", held.Wrong}} {
		for _, m := range kind.hits[:min(len(kind.hits), maxHits)] {
			inv.printf("    %s  %-9s %s\n", kind.name, string(m.Call.Outcome), project.CallOf(m.Call))
		}
	}
}

func heldFacts(l *lesson.Lesson, held tally.HeldBack) any {
	type hit struct {
		Session string `json:"session"`
		Call    string `json:"call"`
		Outcome string `json:"outcome"`
	}
	hits := func(all []tally.Match) []hit {
		return append([]hit{}, lists.Map(all, func(m tally.Match) hit { return hit{m.Session, project.CallOf(m.Call), string(m.Call.Outcome)} })...)
	}
	return struct {
		Path    string `json:"path"`
		Right   []hit  `json:"right"`
		Wrong   []hit  `json:"wrong"`
		Unclear []hit  `json:"unclear"`
		Unsure  int    `json:"unsure"`
	}{l.Path, hits(held.Right), hits(held.Wrong), hits(held.Unclear), held.Unsure}
}

type guardPropose struct {
	Min   int  `default:"5" help:"Only for what happened at least this often."`
	Write bool `help:"Write the proposals as drafts to .lessons."`
}

// Run prints the proposals, and writes them where the person wants it.
func (c *guardPropose) Run(ctx context.Context, inv *invocation, p *project.Project) error {
	proposals, err := p.ProposeGuards(ctx, c.Min)
	if err != nil {
		return err
	}
	var drafts []*lesson.Lesson
	for _, g := range proposals {
		if g.Why != "" {
			inv.printf("not proposed: %s\n    %s\n", g.Lesson.Title, g.Why)
			continue
		}
		drafts = append(drafts, g.Lesson)
		inv.printf("%s\n", g.Lesson.Title)
		printHeld(inv, g.Lesson, g.Held)
	}
	switch {
	case len(drafts) == 0:
		inv.printf("no guard is proposed: nothing repeats %s whose calls are known\n", count(c.Min, "time", "times"))
		return nil
	case !c.Write:
		inv.printf("lessons guard propose --write writes them as drafts\n")
		return nil
	}
	if err := p.WriteGuards(drafts); err != nil {
		return err
	}
	for _, l := range drafts {
		inv.printf("wrote   %s, a draft that acts nowhere: read it, then lessons promote %s\n", l.Path, filepath.Base(l.Path))
	}
	return nil
}
