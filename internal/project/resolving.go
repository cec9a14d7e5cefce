package project

import (
	"bytes"
	"context"
	"errors"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/aymanbagabas/go-udiff"

	"github.com/lessons-cli/lessons/internal/gitstate"
	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/internal/resolve"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/config"
	"github.com/lessons-cli/lessons/knowledge/entry"
	"github.com/lessons-cli/lessons/knowledge/manifest"
	"github.com/lessons-cli/lessons/knowledge/merge"
	"github.com/lessons-cli/lessons/knowledge/observe"
	"github.com/lessons-cli/lessons/knowledge/store"
)

// Resolution is what resolve repaired, and what it leaves to a person.
type Resolution struct {
	Repaired   []string              `json:"repaired"`   // files with versions merged or markers taken out
	Untrusted  []string              `json:"untrusted"`  // files of one thing that are one now, with words that nobody here reviewed
	Renumbered []resolve.Renumbering `json:"renumbered"` // who lost a number, and what it is now
	Rewritten  []resolve.Rewrite     `json:"rewritten"`  // citations that provably meant the loser
	Unproved   []resolve.Rewrite     `json:"unproved"`   // citations that may have
	Patch      string                `json:"patch"`      // the unproved ones, rewritten, for a person to apply or not
	Left       []knowledge.Problem   `json:"left"`       // what only a person can settle
	Similar    []knowledge.Problem   `json:"similar"`    // entries and skills that may be about one thing: for a person to look at
}

// Changed says whether any file was or would be written.
func (r *Resolution) Changed() bool {
	return len(r.Repaired)+len(r.Renumbered)+len(r.Rewritten) > 0
}

// ResolveOptions says what to leave out.
type ResolveOptions struct {
	DryRun      bool // write nothing; where files must be merged first, numbers are not looked at
	KeepNumbers bool // merge files, and leave what depends on all of them: numbers and files of one thing
}

// Resolve repairs what a merge left.
func (p *Project) Resolve(ctx context.Context, o ResolveOptions) (*Resolution, error) {
	r := &Resolution{Repaired: []string{}, Untrusted: []string{}, Renumbered: []resolve.Renumbering{}, Rewritten: []resolve.Rewrite{}, Unproved: []resolve.Rewrite{}, Left: []knowledge.Problem{}, Similar: []knowledge.Problem{}}
	if !o.DryRun {
		if err := p.Store.Sweep(); err != nil {
			return nil, err
		}
	}
	files, err := p.mergedFiles(ctx)
	if err != nil {
		return nil, err
	}
	changes, left, err := mergeFiles(ctx, files)
	if err != nil {
		return nil, err
	}
	logMerged, err := p.mergeLog(ctx, o.DryRun)
	if err != nil {
		return nil, err
	}
	if logMerged {
		r.Repaired = append(r.Repaired, observe.LogPath)
	}
	r.Left = append(r.Left, left...)
	r.Repaired = append(r.Repaired, lists.Map(changes, func(c store.Change) string { return c.Path })...)
	if err := p.resolvePublished(ctx, r, o); err != nil {
		return nil, err
	}
	if o.DryRun && len(r.Repaired) > 0 {
		return r, nil
	}
	if err := p.Store.Apply(store.Transaction{Changes: changes}); err != nil {
		return nil, err
	}
	if o.KeepNumbers {
		return r, p.left(r)
	}
	if err := p.joinTwins(ctx, r, o); err != nil {
		return nil, err
	}
	if err := p.left(r); err != nil {
		return nil, err
	}
	if err := p.resolveNumbers(ctx, r, o); err != nil || o.DryRun {
		return r, err
	}
	settled, err := p.settle(true)
	r.Repaired = append(r.Repaired, lists.Map(settled, func(c store.Change) string { return c.Path })...)
	if err != nil {
		return r, err
	}
	s, err := p.Store.LoadFiles()
	if err == nil {
		decisions, pitfalls := p.gate(ctx).inForce(s)
		r.Similar = append(r.Similar, p.gate(ctx).similar(s, decisions, pitfalls)...)
	}
	return r, err
}

// left notes what only a person can settle, and is not noted yet.
func (p *Project) left(r *Resolution) error {
	s, err := p.Store.LoadFiles()
	if err != nil {
		return err
	}
	left := lists.Flat(s.Entries(), entry.Entry.Conflicts)
	for _, l := range append(left, markersLeft(s)...) {
		if !slices.Contains(r.Left, l) {
			r.Left = append(r.Left, l)
		}
	}
	return nil
}

// settle writes what holds by the evidence in the files. After a merge it first takes
// the manifest's rows to where their artifacts stand by now.
func (p *Project) settle(merged bool) ([]store.Change, error) {
	s, err := p.Store.LoadFiles()
	if err != nil || s.ManifestErr != nil {
		return nil, err
	}
	before := s.Manifest.Bytes()
	if merged {
		resolve.Follow(s)
	}
	t := store.Transaction{Changes: resolve.Settle(s)}
	if !bytes.Equal(before, s.Manifest.Bytes()) {
		t.Manifest = s.Manifest
	}
	return t.Changes, p.Store.Apply(t)
}

// joinTwins makes one file of those that tell of one thing.
func (p *Project) joinTwins(ctx context.Context, r *Resolution, o ResolveOptions) error {
	s, err := p.Store.LoadFiles()
	if err != nil {
		return err
	}
	joins, left, err := p.join(ctx, s, true, o.DryRun)
	for _, j := range joins {
		r.Repaired = append(append(r.Repaired, j.Path), j.Gone...)
		if !j.Stands {
			r.Untrusted = append(r.Untrusted, j.Path)
		}
	}
	r.Left = append(r.Left, left...)
	return err
}

// join makes one file of those that tell of one thing, unless it is to write nothing.
func (p *Project) join(ctx context.Context, s *store.Snapshot, merged, dryRun bool) ([]resolve.Join, []knowledge.Problem, error) {
	changes, joins, left := resolve.Twins(s, merged, p.gate(ctx).file)
	if len(joins) == 0 || dryRun {
		return joins, left, nil
	}
	if err := p.Store.Apply(store.Transaction{Changes: changes}); err != nil {
		return joins, left, err
	}
	own := lists.Filter(changes, func(c store.Change) bool {
		return slices.ContainsFunc(joins, func(j resolve.Join) bool { return j.Stands && j.Path == c.Path })
	})
	return joins, left, p.trustMade(own, func(string, thing) bool { return true })
}

func (p *Project) thresholds() observe.Thresholds {
	if p.Store.Base != nil {
		return p.Store.Base.Thresholds
	}
	return config.Default().Thresholds
}

// mergedFiles reads the knowledge files that the merge driver would have merged,
// with the versions that git could not merge.
func (p *Project) mergedFiles(ctx context.Context) ([]resolve.File, error) {
	entries, err := p.index(ctx, ownFolders...)
	if err != nil {
		return nil, err
	}
	unmerged := map[string]map[int]bool{}
	paths := []string{manifest.Path}
	paths = append(paths, entry.BookPaths()...)
	for _, e := range entries {
		if d := merge.Driver(e.Path); d == "" || d == merge.Log {
			continue
		}
		paths = append(paths, e.Path)
		if e.Stage > 0 {
			lists.AddTo(unmerged, e.Path, e.Stage)
		}
	}
	var files []resolve.File
	for _, name := range lists.SortedUnique(paths) {
		f := resolve.File{Path: name, Unmerged: unmerged[name] != nil}
		if f.Text, err = p.Read(name); err != nil {
			return nil, err
		}
		if f.Unmerged {
			if err := p.versions(ctx, &f, unmerged[name]); err != nil {
				return nil, err
			}
		}
		files = append(files, f)
	}
	return files, nil
}

// versions reads the sides of a file that git could not merge. Where one is larger than
// what git is asked for, what the work tree has of them counts.
func (p *Project) versions(ctx context.Context, f *resolve.File, stages map[int]bool) error {
	for stage, side := range map[int]*[]byte{1: &f.Base, 2: &f.Ours, 3: &f.Theirs} {
		if !stages[stage] {
			continue
		}
		objects, err := p.Git.Objects(ctx, []string{":" + string(rune('0'+stage)) + ":" + f.Path}, true)
		if err != nil {
			return err
		}
		if objects[0].Data == nil {
			f.Unmerged = false
			continue
		}
		*side = objects[0].Data
	}
	return nil
}

// index lists what git's index has in folders; without git there is nothing.
func (p *Project) index(ctx context.Context, folders ...string) ([]gitstate.IndexEntry, error) {
	if p.Git == nil {
		return nil, nil
	}
	return p.Git.Index(ctx, folders)
}

// resolveNumbers gives new numbers to entries that share one, and takes the
// citations along.
func (p *Project) resolveNumbers(ctx context.Context, r *Resolution, o ResolveOptions) error {
	s, err := p.Store.LoadFiles()
	if err != nil {
		return err
	}
	h, err := p.history(ctx)
	if err != nil {
		return err
	}
	plan, err := resolve.Numbers(ctx, s, h)
	if err != nil || len(plan) == 0 {
		return err
	}
	r.Renumbered = plan
	documents, err := p.citing(ctx, s, plan)
	if err != nil {
		return err
	}
	texts, done, unproved, err := resolve.Citations(ctx, plan, documents, h)
	if err != nil {
		return err
	}
	r.Rewritten, r.Unproved = append(r.Rewritten, done...), append(r.Unproved, unproved...)
	r.Patch = patch(documents, texts, unproved)
	if o.DryRun {
		return nil
	}
	if err := p.Store.Apply(store.Transaction{Changes: citations(texts, documents)}); err != nil {
		return err
	}
	return p.Store.Apply(renumbering(s, plan, texts))
}

// citations are the changes of the files that cite. They come first: while two entries
// share a number, whoever ends here finds the same plan again.
func citations(texts map[string][]byte, documents []resolve.Document) []store.Change {
	var changes []store.Change
	for _, d := range documents {
		if after, ok := texts[d.Path]; ok {
			changes = append(changes, store.Change{Path: d.Path, Before: d.Text, After: after})
		}
	}
	return changes
}

// renumbering is what the plan writes, when the texts are as they are with their citations.
func renumbering(s *store.Snapshot, plan []resolve.Renumbering, cited map[string][]byte) store.Transaction {
	before := map[string][]byte{}
	for _, n := range plan {
		before[n.Path] = s.Before(n.Path)
		if text, ok := cited[n.Path]; ok {
			before[n.Path] = text
		}
	}
	texts := maps.Clone(before)
	renamed := resolve.Renumber(plan, texts)
	resolve.Rows(s.Manifest, plan, texts, renamed)
	t := store.Transaction{Manifest: s.Manifest}
	for _, name := range sortedKeys(texts) {
		t.Changes = append(t.Changes, store.Change{Path: name, Before: before[name], After: texts[name]})
	}
	for _, name := range sortedKeys(before) {
		if _, stays := texts[name]; !stays { // renamed away
			t.Changes = append(t.Changes, store.Change{Path: name, Before: before[name]})
		}
	}
	return t
}

// mergeFiles plans the merges of files.
func mergeFiles(ctx context.Context, files []resolve.File) ([]store.Change, []knowledge.Problem, error) {
	var changes []store.Change
	var left []knowledge.Problem
	if err := merge.Until(ctx, func() { changes, left = resolve.Files(files) }); err != nil {
		return nil, nil, err
	}
	return changes, left, nil
}

// history reads what the sides of a merge say: HEAD's and, while a merge is going
// on, the other side's.
func (p *Project) history(ctx context.Context) (*resolve.History, error) {
	if p.Git == nil {
		return resolve.ReadHistory(ctx, nil, nil)
	}
	heads := []string{"HEAD^{commit}", "MERGE_HEAD^{commit}", "CHERRY_PICK_HEAD^{commit}", "REBASE_HEAD^{commit}"}
	objects, err := p.Git.Objects(ctx, heads, false)
	if err != nil {
		return nil, err
	}
	var tips []string
	for _, o := range objects {
		if !o.Missing && !slices.Contains(tips, o.OID) {
			tips = append(tips, o.OID)
		}
	}
	return resolve.ReadHistory(ctx, p.Git, tips)
}

// citing reads the files of the work tree that name a number which is to change.
func (p *Project) citing(ctx context.Context, s *store.Snapshot, plan []resolve.Renumbering) ([]resolve.Document, error) {
	var words []string
	for _, n := range plan {
		prefix, digits, _ := strings.Cut(n.From, "-")
		words = append(words, n.From, prefix+"-"+strings.TrimLeft(digits, "0"))
	}
	var paths []string
	if p.Git != nil {
		var err error
		if paths, err = p.Git.Search(ctx, words); err != nil && !errors.Is(err, gitstate.ErrNoHistory) {
			return nil, err
		}
	}
	paths = append(paths, lists.Map(s.Entries(), func(e entry.Entry) string { return e.Path })...)
	var documents []resolve.Document
	for _, name := range lists.SortedUnique(paths) {
		if merge.Driver(name) == merge.Manifest || merge.Driver(name) == merge.Log {
			continue
		}
		text, err := p.Read(name)
		if err != nil || text == nil {
			continue // a link, or gone from the work tree: nothing of it is rewritten
		}
		documents = append(documents, resolve.Document{Path: name, Text: text})
	}
	return documents, nil
}

// patch shows the citations that could not be proved as they would be rewritten.
func patch(documents []resolve.Document, texts map[string][]byte, unproved []resolve.Rewrite) string {
	var out strings.Builder
	for _, d := range documents {
		before := d.Text
		if after, ok := texts[d.Path]; ok {
			before = after
		}
		lines := strings.SplitAfter(string(before), "\n")
		touched := false
		for _, u := range unproved {
			if u.Path == d.Path && u.Line <= len(lines) {
				lines[u.Line-1] = strings.ReplaceAll(lines[u.Line-1], u.From, u.To)
				touched = true
			}
		}
		if touched {
			out.WriteString(udiff.Unified(path.Join("a", d.Path), path.Join("b", d.Path), string(before), strings.Join(lines, "")))
		}
	}
	return out.String()
}

// markersLeft lists the conflict markers that stand in other artifacts, whose
// text only a person can merge.
func markersLeft(s *store.Snapshot) []knowledge.Problem {
	var left []knowledge.Problem
	for _, a := range s.Artifacts {
		for i, line := range strings.Split(string(a.Text), "\n") {
			if strings.HasPrefix(line, "<<<<<<<") && a.Anchor == "" {
				left = append(left, knowledge.Problem{Path: a.Path, Line: i + 1, Rule: "conflict", Text: "a merge conflict was left here; keep one version"})
			}
		}
	}
	return left
}
