package project

import (
	"context"
	"io"

	"github.com/lessons-cli/lessons/internal/resolve"
	"github.com/lessons-cli/lessons/knowledge/observe"
)

// mergeLog repairs what a merge left of a log in the work tree, and says whether there was
// anything to repair. It may be large: no more of it is held than where its lines stand.
func (p *Project) mergeLog(ctx context.Context, dryRun bool) (bool, error) {
	text, err := p.Store.TreeLog()
	if text == nil || err != nil {
		return false, err
	}
	f, err := p.logVersions(ctx)
	if err != nil {
		return false, err
	}
	base, ours, theirs := observe.TextOf(f.Base), observe.TextOf(f.Ours), observe.TextOf(f.Theirs)
	marked := text.Conflicted()
	switch whole := f.Unmerged && f.Ours != nil && f.Theirs != nil; {
	case whole && (marked || text.Sum() == ours.Sum()):
	case marked:
		base, ours, theirs = observe.Text{}, *text, *text
	default:
		return false, nil
	}
	if dryRun {
		return true, nil
	}
	was := text.Sum()
	plan, err := observe.MergeLogs(ctx, base, ours, theirs, p.thresholds())
	if err != nil {
		return false, err
	}
	return true, p.Store.ReplaceTreeLog(was, func(to io.Writer) error { return plan.Write(ctx, to) })
}

// logVersions are the versions of the log that git could not merge.
func (p *Project) logVersions(ctx context.Context) (resolve.File, error) {
	f := resolve.File{Path: observe.LogPath}
	entries, err := p.index(ctx, ownFolders...)
	if err != nil {
		return f, err
	}
	stages := map[int]bool{}
	for _, e := range entries {
		if e.Path == observe.LogPath && e.Stage > 0 {
			f.Unmerged, stages[e.Stage] = true, true
		}
	}
	return f, p.versions(ctx, &f, stages)
}
