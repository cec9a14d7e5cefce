package reconcile

import (
	"context"
	"slices"
	"time"

	"github.com/lessons-cli/lessons/internal/gitstate"
	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/artifact"
	"github.com/lessons-cli/lessons/knowledge/manifest"
)

// facts gathers what git knows, each fact at most once and in batches. It
// decides nothing.
type facts struct {
	repo gitstate.Repository
	ctx  context.Context

	history  context.Context // bounded by the caller's deadline, from the first question on
	deadline time.Duration
	cancel   context.CancelFunc

	index   map[string]gitstate.IndexEntry // stage 0, or one of the stages of an unmerged path
	listed  map[string]bool                // folders and paths that were asked for
	staged  *[]gitstate.Change
	blobs   map[string]blob // by object id
	parsed  map[version][]artifact.Artifact
	walks   map[string][]gitstate.Commit
	renames map[string][]gitstate.Commit
	head    *manifest.Manifest // HEAD's
}

// version is a blob read as one kind of artifact.
type version struct {
	id, path string
	kind     knowledge.Kind
}

// blob is one version of a file.
type blob struct {
	data   []byte
	unread bool
}

func newFacts(ctx context.Context, repo gitstate.Repository, deadline time.Duration) *facts {
	return &facts{
		repo: repo, ctx: ctx, deadline: deadline, cancel: func() {},
		index: map[string]gitstate.IndexEntry{}, listed: map[string]bool{}, blobs: map[string]blob{}, parsed: map[version][]artifact.Artifact{},
		walks: map[string][]gitstate.Commit{}, renames: map[string][]gitstate.Commit{},
	}
}

// gather answers one need of several rows.
func (f *facts) gather(n need, rows []*evidence) error {
	ask := map[need]func([]*evidence) error{
		needIndex: f.gatherIndex, needHead: f.gatherHead, needStaged: f.gatherStaged,
		needBranch: f.gatherBranch, needBranchAll: f.gatherBranchAll, needRenames: f.gatherRenames,
		needIgnored: f.gatherIgnored, needTracked: f.gatherTracked, needRefs: f.gatherRefs, needReflog: f.gatherReflog,
		needHeadManifest: f.gatherHeadManifest,
	}[n]
	err := ask(rows)
	switch {
	case err == nil:
		return nil
	case isNoHistory(err):
		for _, e := range rows {
			e.noHistory = true
		}
		return nil
	case n.asksHistory() && f.ctx.Err() == nil && f.late():
		for _, e := range rows {
			e.late = true
		}
		return nil
	}
	return err
}

// late says whether history's deadline has passed.
func (f *facts) late() bool { return f.history != nil && f.history.Err() != nil }

// historyContext is the context of history questions: the deadline runs from the
// first one.
func (f *facts) historyContext() context.Context {
	if f.history == nil {
		f.history = f.ctx
		if f.deadline > 0 {
			f.history, f.cancel = context.WithTimeout(f.ctx, f.deadline)
		}
	}
	return f.history
}

// list reads the index entries of the artifact folders and of further paths.
func (f *facts) list(paths []string) error {
	ask := lists.Filter(knowledge.Folders, func(folder string) bool { return !f.listed[folder] })
	for _, p := range paths {
		if !knowledge.InFolders(p) && !f.listed[p] && !slices.Contains(ask, p) {
			ask = append(ask, p)
		}
	}
	for chunk := range slices.Chunk(ask, 8) {
		entries, err := f.repo.Index(f.ctx, chunk)
		if err != nil {
			return err
		}
		for _, e := range entries {
			if old, ok := f.index[e.Path]; !ok || old.Stage == 0 {
				f.index[e.Path] = e
			}
		}
		for _, p := range chunk {
			f.listed[p] = true
		}
	}
	return nil
}

func (f *facts) gatherIndex(rows []*evidence) error {
	paths := lists.Map(rows, func(e *evidence) string { return e.path })
	if err := f.list(paths); err != nil {
		return err
	}
	var ids []string
	for _, e := range rows {
		entry, has := f.index[e.path]
		e.index = &indexFact{has: has, entry: entry, unmerged: has && entry.Stage > 0, gitlink: f.gitlink(e.path)}
		if has {
			ids = append(ids, entry.OID)
		}
	}
	if err := f.load(f.ctx, ids); err != nil {
		return err
	}
	for _, e := range rows {
		if e.index.has {
			e.index.text = f.holds(e, e.index.entry.OID)
			b := f.blobs[e.index.entry.OID]
			e.index.intent = !b.unread && len(b.data) == 0
			if e.index.intent {
				e.index.text = absent // until HEAD says whether it is only announced
			}
		}
	}
	return nil
}

// gitlink returns the ancestor of a path, or the path, that is a submodule.
func (f *facts) gitlink(p string) string {
	for i := range len(p) + 1 {
		if i == len(p) || p[i] == '/' {
			if e, ok := f.index[p[:i]]; ok && e.Mode == "160000" {
				return p[:i]
			}
		}
	}
	return ""
}

func (f *facts) gatherHead(rows []*evidence) error {
	names := lists.Map(rows, func(e *evidence) string { return "HEAD:" + e.path })
	objects, err := f.repo.Objects(f.ctx, names, true)
	if err != nil {
		return err
	}
	for i, e := range rows {
		h := absent
		if o := objects[i]; !o.Missing && o.Type == "blob" {
			f.blobs[o.OID] = blob{data: o.Data}
			h = f.holds(e, o.OID)
		}
		e.head = &h
	}
	return nil
}

func (f *facts) gatherStaged(rows []*evidence) error {
	if f.staged == nil {
		changes, err := f.repo.Staged(f.ctx)
		if err != nil {
			return err
		}
		f.staged = &changes
	}
	return f.targets(f.ctx, rows, func(*evidence) []gitstate.Change { return *f.staged },
		func(e *evidence, to []string) { e.staged = &to })
}

// load reads blobs that are not known yet.
func (f *facts) load(ctx context.Context, ids []string) error {
	var ask []string
	for _, id := range ids {
		if _, ok := f.blobs[id]; !ok && !gitstate.IsZero(id) && !slices.Contains(ask, id) {
			ask = append(ask, id)
		}
	}
	if len(ask) == 0 {
		return nil
	}
	objects, err := f.repo.Objects(ctx, ask, true)
	if err != nil {
		return err
	}
	for i, o := range objects {
		f.blobs[ask[i]] = blob{data: o.Data, unread: o.Missing}
	}
	return nil
}

// holds says what a loaded version has of the row's artifact.
func (f *facts) holds(e *evidence, id string) hold {
	if gitstate.IsZero(id) {
		return absent
	}
	b, ok := f.blobs[id]
	if !ok || b.unread {
		return unread
	}
	v := version{id, e.path, e.row.Key().Kind}
	found, ok := f.parsed[v]
	if !ok {
		found = artifact.In(v.kind, v.path, b.data)
		f.parsed[v] = found
	}
	return holdOf(e.row, found)
}

func (f *facts) gatherIgnored(rows []*evidence) error {
	paths := lists.Map(rows, func(e *evidence) string { return e.path })
	ignored, err := f.repo.Ignored(f.historyContext(), paths)
	if err != nil {
		return err
	}
	for _, e := range rows {
		is := ignored[e.path]
		e.ignored = &is
	}
	return nil
}

func (f *facts) gatherHeadManifest(rows []*evidence) error {
	head, err := f.headManifest()
	if err != nil {
		return err
	}
	for _, e := range rows {
		_, row := head.Row(e.row.Key())
		_, stone := head.Tombstone(e.row.Key())
		has := row || stone
		e.inHeadManifest = &has
	}
	return nil
}
