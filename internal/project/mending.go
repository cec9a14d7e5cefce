package project

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/lessons-cli/lessons/internal/agent"
	"github.com/lessons-cli/lessons/internal/fsx"
	"github.com/lessons-cli/lessons/internal/lists"
)

// Mending is what doctor can mend by itself: what init writes, where it is missing, and
// what crashes left.
type Mending struct {
	*Install
	Left []string // temporary files, absolute
}

// Empty says that there is nothing to mend.
func (m *Mending) Empty() bool { return m.Install.Empty() && len(m.Left) == 0 }

// PlanMending looks at what is set up here. Hooks are mended in the file in which they stand.
func (p *Project) PlanMending(ctx context.Context, clients []*agent.Client) (*Mending, error) {
	var team, own []*agent.Client
	for _, c := range Proposed(p.FindAgents(clients), clients) {
		where, err := p.HooksIn(c)
		switch {
		case err != nil:
			return nil, err
		case len(where) == 0 && len(p.HooksElsewhere(c)) > 0: // they are on already
		case len(where) > 0 && !slices.Contains(where, c.Settings(false)):
			own = append(own, c)
		default:
			team = append(team, c)
		}
	}
	in, err := p.PlanInstall(ctx, SetupOptions{Clients: team}, "")
	if err != nil {
		return nil, err
	}
	if len(own) > 0 {
		more, err := p.PlanInstall(ctx, SetupOptions{Clients: own, Local: true}, "")
		if err != nil {
			return nil, err
		}
		in.Steps = append(in.Steps, lists.Filter(more.Steps, func(s Step) bool {
			return !slices.ContainsFunc(in.Steps, func(other Step) bool { return other.Path == s.Path })
		})...)
	}
	return &Mending{in, p.leftovers()}, nil
}

// Mend does what was planned.
func (p *Project) Mend(ctx context.Context, m *Mending) error {
	if err := p.Apply(ctx, m.Install); err != nil {
		return err
	}
	for _, file := range m.Left {
		if err := p.FS.Remove(file); err != nil && !errors.Is(err, fs.ErrNotExist) { // what was written took some away
			return err
		}
	}
	p.Freshen(ctx)
	return nil
}

// leftAge is how old a temporary file is that no writer uses any more.
const leftAge = time.Hour

// leftovers are the temporary files that crashes left in the folders in which lessons writes.
func (p *Project) leftovers() []string {
	var left []string
	var look func(dir string, deep bool)
	look = func(dir string, deep bool) {
		files, err := p.FS.ReadDir(dir)
		if err != nil {
			return // there is none
		}
		for _, f := range files {
			name := filepath.Join(dir, f.Name())
			if f.IsDir() && deep {
				look(name, true)
			} else if strings.HasPrefix(f.Name(), fsx.TempPrefix) && p.isOld(f) {
				left = append(left, name)
			}
		}
	}
	look(p.Root, false)
	for _, dir := range []string{".lessons", ".memory", ".claude"} {
		look(filepath.Join(p.Root, dir), true)
	}
	look(p.Store.Places.Shared, true)
	return left
}

func (p *Project) isOld(f fs.DirEntry) bool {
	info, err := f.Info()
	return err == nil && info.Mode().IsRegular() && p.Now().Sub(info.ModTime()) > leftAge
}
