package project

import (
	"bytes"
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/internal/gitstate"
	"github.com/lessons-cli/lessons/knowledge/merge"
)

// The lines around what init keeps in .gitignore and .gitattributes, files that
// belong to people.
const (
	blockBegin = "# >>> lessons"
	blockEnd   = "# <<< lessons"
)

// putBlock puts lessons' lines at the end of a file, or in place of those that
// it has, with the file's own line ends.
func putBlock(before []byte, lines []string) []byte {
	eol := "\n"
	if bytes.Contains(before, []byte("\r\n")) {
		eol = "\r\n"
	}
	block := strings.Join(slices.Concat([]string{blockBegin}, lines, []string{blockEnd, ""}), eol)
	if start, end, ok := ownBlock(before); ok {
		return slices.Concat(before[:start], []byte(block), before[end:])
	}
	out := slices.Clone(before)
	if len(out) > 0 && !bytes.HasSuffix(out, []byte("\n")) {
		out = append(out, eol...)
	}
	return append(out, block...)
}

func removeBlock(before []byte) []byte {
	start, end, ok := ownBlock(before)
	if !ok {
		return before
	}
	return slices.Concat(before[:start], before[end:])
}

// ownBlock is the byte range of lessons' lines, line ends included.
func ownBlock(text []byte) (start, end int, ok bool) {
	at, begin := 0, -1
	for line := range bytes.Lines(text) {
		switch strings.TrimSpace(string(line)) {
		case blockBegin:
			begin = at
		case blockEnd:
			if begin >= 0 {
				return begin, at + len(line), true
			}
		}
		at += len(line)
	}
	return 0, 0, false
}

// Shown are paths that git must not ignore: with an ignore rule over them
// knowledge would never reach a commit. One path stands for each folder.
var Shown = map[string]string{
	".lessons/example-0000.md":          "/.lessons/",
	".memory/knowledge/decisions.md":    "/.memory/",
	".memory/.learning-manifest.json":   "/.memory/",
	".memory/manifest/obs_example.json": "/.memory/",
}

// addIgnoreBlock puts lessons' block at the end of an ignore file, where its
// rules win, or replaces the one that is there.
func addIgnoreBlock(before []byte, unhide []string) []byte {
	if _, _, ok := ownBlock(before); ok && len(unhide) == 0 {
		return before
	}
	lines := []string{".lessons-tmp-*"}
	for _, dir := range unhide {
		lines = append(lines, "!"+dir, "!"+dir+"**")
	}
	return putBlock(before, lines)
}

func sortedKeys[V any](m map[string]V) []string {
	return slices.Sorted(maps.Keys(m))
}

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
	} {
		settings["merge."+name+".name"] = what
		settings["merge."+name+".driver"] = driverCommand
	}
	return settings
}

// DriversMissing lists the settings of the merge drivers that this clone lacks,
// sorted. Without the git program there is nobody to merge.
func (p *Project) DriversMissing(ctx context.Context) ([]string, error) {
	configured, ok := p.Git.(gitstate.Configured)
	if !ok {
		return nil, nil
	}
	have, err := configured.LocalConfig(ctx)
	if err != nil {
		return nil, err
	}
	var missing []string
	for _, key := range sortedKeys(mergeDrivers()) {
		if have[key] != mergeDrivers()[key] {
			missing = append(missing, key)
		}
	}
	return missing, nil
}

// registerDrivers writes the settings that are missing.
func (p *Project) registerDrivers(ctx context.Context, missing []string) error {
	configured, ok := p.Git.(gitstate.Configured)
	if !ok {
		return nil
	}
	for _, key := range missing {
		if err := configured.SetLocalConfig(ctx, key, mergeDrivers()[key]); err != nil {
			return err
		}
	}
	return nil
}

// removeDrivers takes out of the clone's configuration what init put in.
func (p *Project) removeDrivers(ctx context.Context) error {
	configured, ok := p.Git.(gitstate.Configured)
	if !ok {
		return nil
	}
	have, err := configured.LocalConfig(ctx)
	if err != nil {
		return err
	}
	for _, name := range []string{merge.Log, merge.Manifest, merge.Book} {
		if _, ok := have["merge."+name+".driver"]; !ok {
			continue
		}
		if err := configured.RemoveLocalSection(ctx, "merge."+name); err != nil {
			return err
		}
	}
	return nil
}
