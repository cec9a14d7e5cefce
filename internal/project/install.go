package project

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/lessons-cli/lessons/internal/agent"
	"github.com/lessons-cli/lessons/internal/fsx"
	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/knowledge/config"
	"github.com/lessons-cli/lessons/knowledge/entry"
	"github.com/lessons-cli/lessons/knowledge/store"
	"github.com/lessons-cli/lessons/render"
)

// Install is a planned installation or removal.
type Install struct {
	Steps     []Step
	Drivers   []string // settings of merge drivers that the clone's configuration lacks, or is to lose
	Notes     []string
	Layout    string
	LayoutWhy string
}

// Diff shows the plan as git would.
func (in *Install) Diff() string {
	return render.Diff(in.changes())
}

// PlanInstall looks at the repository and plans what init will do. layout is
// what the person asked for, or empty.
func (p *Project) PlanInstall(ctx context.Context, o SetupOptions, layout string) (*Install, error) {
	var in Install
	var err error
	if in.Layout, in.LayoutWhy, err = p.layout(layout); err != nil {
		return nil, err
	}
	o.Layout = in.Layout
	o.Unhide = p.Hidden(ctx)
	for _, c := range o.Clients {
		for _, file := range c.SettingsFiles() {
			doc, err := p.Read(file)
			if err != nil {
				return nil, err
			}
			for _, f := range c.Foreign(doc) {
				in.Notes = append(in.Notes, "found another tool's hook in "+file+": "+f+" (left as it is; remove it when you are ready: both would write the same files)")
			}
		}
	}
	if in.Steps, err = PlanInit(p.Read, o); err != nil {
		return nil, err
	}
	in.Drivers, err = p.DriversMissing(ctx)
	return &in, err
}

// Empty says that there is nothing to do.
func (in *Install) Empty() bool { return len(in.Steps)+len(in.Drivers) == 0 }

func (p *Project) layout(asked string) (layout, why string, err error) {
	if data, err := p.Read(ConfigPath); err != nil || data != nil {
		if err != nil {
			return "", "", err
		}
		settings, _, err := config.Read(config.Default(), ConfigPath, data, false)
		if err != nil {
			return "", "", err
		}
		if asked != "" && asked != string(settings.Layout) {
			return "", "", errors.New(ConfigPath + " says layout " + string(settings.Layout) + "; converting a repository's layout is not done by init")
		}
		return string(settings.Layout), ConfigPath + " says so", nil
	}
	books := false
	for _, book := range entry.BookPaths() {
		data, err := p.Read(book)
		if err != nil {
			return "", "", err
		}
		books = books || data != nil
	}
	layout, why = ChooseLayout(asked, books)
	return layout, why, nil
}

// Hidden lists the knowledge folders that an ignore rule keeps from git.
func (p *Project) Hidden(ctx context.Context) []string {
	if p.Git == nil {
		return nil
	}
	ignored, err := p.Git.Ignored(ctx, sortedKeys(Shown))
	if err != nil {
		return nil // without an answer nothing is mended
	}
	var dirs []string
	for _, path := range sortedKeys(Shown) {
		if ignored[path] && !slices.Contains(dirs, Shown[path]) {
			dirs = append(dirs, Shown[path])
		}
	}
	return dirs
}

func (p *Project) recordPath() string { return p.shared("install.json") }

// Apply writes the plan of PlanInstall, and before it the record by which
// uninstall restores the old bytes.
func (p *Project) Apply(ctx context.Context, in *Install) error {
	if err := p.registerDrivers(ctx, in.Drivers); err != nil {
		return err
	}
	if len(in.Steps) == 0 {
		return nil
	}
	record := p.record()
	record.Remember(in.Steps)
	if err := fsx.WriteFile(p.FS, p.recordPath(), record.Bytes()); err != nil {
		return err
	}
	p.trustOwn(ctx, in.changes(), false)
	return p.Store.Apply(store.Transaction{Changes: in.changes()})
}

func (p *Project) record() Record {
	data, _ := p.FS.ReadFile(p.recordPath())
	return ParseRecord(data)
}

func (in *Install) changes() []store.Change {
	return lists.Map(in.Steps, func(s Step) store.Change { return s.Change })
}

// PlanRemoval plans what uninstall will do.
func (p *Project) PlanRemoval(ctx context.Context, clients []*agent.Client) (*Install, error) {
	left, err := p.hasKnowledge()
	if err != nil {
		return nil, err
	}
	var in Install
	if in.Steps, in.Notes, err = PlanUninstall(p.Read, p.record(), clients, left); err != nil {
		return nil, err
	}
	published, kept, err := p.unpublish()
	if err != nil {
		return nil, err
	}
	in.Steps, in.Notes = append(in.Steps, published...), append(in.Notes, kept...)
	missing, err := p.DriversMissing(ctx)
	if err == nil && p.Git != nil && len(missing) < len(mergeDrivers()) {
		in.Drivers = sortedKeys(mergeDrivers())
	}
	return &in, err
}

// hasKnowledge says whether .lessons holds more than what init wrote.
func (p *Project) hasKnowledge() (bool, error) {
	files, err := p.FS.ReadDir(filepath.Join(p.Root, ".lessons"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return false, err
	}
	for _, f := range files {
		if name := ".lessons/" + f.Name(); name != ConfigPath && name != ReadmePath {
			return true, nil
		}
	}
	return false, nil
}

// Remove carries out the plan of PlanRemoval, and takes away the folders that
// became empty by it and the record.
func (p *Project) Remove(ctx context.Context, in *Install) error {
	if err := p.removeDrivers(ctx); err != nil {
		return err
	}
	if err := p.Store.Apply(store.Transaction{Changes: in.changes()}); err != nil {
		return err
	}
	p.clearFolders(in.changes())
	if err := p.FS.Remove(p.recordPath()); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

func (p *Project) removeEmpty(dir string) {
	for ; dir != "."; dir = filepath.Dir(dir) {
		name := filepath.Join(p.Root, dir)
		if files, err := p.FS.ReadDir(name); err != nil && !errors.Is(err, fs.ErrNotExist) || len(files) > 0 {
			return
		}
		_ = p.FS.Remove(name) // a folder that stays is nobody's loss
	}
}

// InUse lists the agents whose hooks are registered here; where none are, the
// first one stands for what could be.
func (p *Project) InUse(clients []*agent.Client) []*agent.Client {
	var used []*agent.Client
	for _, c := range clients {
		if where, err := p.HooksIn(c); err != nil || len(where)+len(p.HooksElsewhere(c)) > 0 {
			used = append(used, c)
		}
	}
	if len(used) == 0 {
		return clients[:min(1, len(clients))]
	}
	return used
}

// HooksElsewhere says where a person registered an agent's hooks for all repositories.
func (p *Project) HooksElsewhere(c *agent.Client) []string {
	return c.Elsewhere(os.DirFS(c.PersonalHome(p.Home, p.Env)), os.DirFS(p.Root))
}

var errHooksElsewhere = errors.New("hooks are on already, in all repositories of yours (lessons init registers them for everybody who works here)")

var errHooksOn = errors.New("hooks are on here already; in two files each would run twice (lessons learn off takes them out)")

// SwitchHooks puts an agent's hooks in or takes them out of both settings files.
func (p *Project) SwitchHooks(c *agent.Client, local, on bool) error {
	files := c.SettingsFiles()
	edit := c.RemoveHooks
	if on {
		where, err := p.HooksIn(c)
		if err != nil {
			return err
		}
		if other := c.Settings(!local); other != c.Settings(local) && slices.Contains(where, other) {
			return fmt.Errorf("%s: %w", other, errHooksOn)
		}
		if all := p.HooksElsewhere(c); len(all) > 0 && len(where) == 0 {
			return fmt.Errorf("%s: %w", all[0], errHooksElsewhere)
		}
		files, edit = []string{c.Settings(local)}, c.AddHooks
	}
	var changes []store.Change
	for _, path := range files {
		before, err := p.Read(path)
		if err != nil {
			return err
		}
		if before == nil && !on {
			continue
		}
		after, err := edit(before)
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		changes = append(changes, store.Change{Path: path, Before: before, After: after})
	}
	return p.Store.Apply(store.Transaction{Changes: changes})
}

// HooksIn lists the settings files in which an agent's hooks are registered.
func (p *Project) HooksIn(c *agent.Client) ([]string, error) {
	var where []string
	for _, file := range c.SettingsFiles() {
		doc, err := p.Read(file)
		if err != nil {
			return nil, err
		}
		if len(doc) == 0 {
			continue
		}
		events, err := c.Registered(doc)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		if len(events) > 0 {
			where = append(where, file)
		}
	}
	return where, nil
}
