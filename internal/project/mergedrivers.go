package project

import (
	"context"

	"github.com/lessons-cli/lessons/internal/gitstate"
	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/internal/publish"
	"github.com/lessons-cli/lessons/knowledge/merge"
)

// attributesPath names the drivers, for everybody; what a driver runs is in each
// clone's own configuration, because git takes programs from nowhere else.
const attributesPath = ".gitattributes"

// driverCommand falls back on git's own merge where lessons is gone: a driver
// that cannot start would leave our side alone in the file.
const driverCommand = "command -v lessons >/dev/null 2>&1 && exec lessons merge-driver %O %A %B %P; " +
	"exec git merge-file -L ours -L base -L theirs %A %O %B"

// mergeDrivers are the settings that register the drivers in a clone.
func mergeDrivers() map[string]string {
	settings := map[string]string{}
	for name, what := range map[string]string{
		merge.Log:      "lessons: observations",
		merge.Manifest: "lessons: what was rendered",
		merge.Book:     "lessons: decisions and pitfalls",
		merge.Lesson:   "lessons: lessons",
		publish.Driver: "lessons: what was published",
	} {
		settings["merge."+name+".name"] = what
		settings["merge."+name+".driver"] = driverCommand
	}
	return settings
}

// DriversMissing lists the settings of the merge drivers that this clone lacks,
// sorted. Without the git program there is nobody to merge.
func (p *Project) DriversMissing(ctx context.Context) ([]string, error) {
	git, ok := p.Git.(gitstate.Program)
	if !ok {
		return nil, nil
	}
	have, err := git.LocalConfig(ctx)
	if err != nil {
		return nil, err
	}
	return lists.Filter(sortedKeys(mergeDrivers()), func(key string) bool { return have[key] != mergeDrivers()[key] }), nil
}

// registerDrivers writes the settings that are missing.
func (p *Project) registerDrivers(ctx context.Context, missing []string) error {
	git, ok := p.Git.(gitstate.Program)
	if !ok {
		return nil
	}
	for _, key := range missing {
		if err := git.SetLocalConfig(ctx, key, mergeDrivers()[key]); err != nil {
			return err
		}
	}
	return nil
}

// removeDrivers takes out of the clone's configuration what init put in.
func (p *Project) removeDrivers(ctx context.Context) error {
	git, ok := p.Git.(gitstate.Program)
	if !ok {
		return nil
	}
	have, err := git.LocalConfig(ctx)
	if err != nil {
		return err
	}
	for _, name := range []string{merge.Log, merge.Manifest, merge.Book, merge.Lesson, publish.Driver} {
		if _, ok := have["merge."+name+".driver"]; !ok {
			continue
		}
		if err := git.RemoveLocalSection(ctx, "merge."+name); err != nil {
			return err
		}
	}
	return nil
}
