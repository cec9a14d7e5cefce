package project

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/lessons-cli/lessons/internal/gitstate"
	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/internal/tally"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/entry"
	"github.com/lessons-cli/lessons/knowledge/lesson"
	"github.com/lessons-cli/lessons/knowledge/manifest"
	"github.com/lessons-cli/lessons/knowledge/store"
	"github.com/lessons-cli/lessons/knowledge/verdict"
	"github.com/lessons-cli/lessons/reconcile"
	"github.com/lessons-cli/lessons/render"
)

// RenderOptions of [Project.Render].
type RenderOptions struct {
	DryRun bool
	Only   []string // observation ids; empty: all that are ready
	Hook   bool     // no person asked, and none sees what is printed
}

// Rendered is what a render wrote or would write, with what could not be read.
type Rendered struct {
	render.Plan
	Problems []knowledge.Problem
}

// Render plans what is ready, after asking git what people removed, and writes it.
func (p *Project) Render(ctx context.Context, o RenderOptions) (Rendered, error) {
	return attempt(p, func(s *store.Snapshot) (Rendered, error) {
		first, err := p.firstOfAll(ctx, s, o)
		if len(first.Rendered) > 0 && err == nil {
			s, err = p.Store.Load()
		}
		if err != nil {
			return Rendered{}, err
		}
		plan, err := p.planRender(ctx, s, o)
		plan.Rendered, plan.Notices = append(first.Rendered, plan.Rendered...), append(first.Notices, plan.Notices...)
		rendered := Rendered{plan, append(s.Problems, first.Problems...)}
		rendered.Log = nil // it may be large, and the index is made of the one that is stored
		if err == nil && !o.DryRun {
			if err = p.apply(ctx, plan, !o.Hook); err == nil {
				err = p.Store.KeepWaiting(rendered.Waiting)
			}
		}
		return rendered, err
	})
}

// Wrote says what a plan wrote, a line each, with the words for a new file and for a changed
// one, and with a path that can be opened.
func Wrote(plan render.Plan, wrote, updated string) []string {
	return lists.Map(plan.Rendered, func(place string) string {
		file, id, _ := strings.Cut(place, "#")
		word := updated
		if slices.ContainsFunc(plan.Changes, func(c store.Change) bool { return c.Path == file && c.Before == nil }) {
			word = wrote
		}
		if id != "" && !strings.HasPrefix(path.Base(file), id) {
			file += " (" + id + ")"
		}
		return word + " " + file
	})
}

// firstOfAll joins the files that tell of one thing, and writes what holds by their
// evidence, before a person's render looks at them.
func (p *Project) firstOfAll(ctx context.Context, s *store.Snapshot, o RenderOptions) (r Rendered, err error) {
	if o.Hook || o.DryRun || s.ManifestErr != nil {
		return r, nil
	}
	if err := p.busy(); err != nil {
		return r, err
	}
	joins, left, err := p.join(ctx, s, false, false)
	for _, j := range joins {
		r.Rendered = append(r.Rendered, j.Path)
		r.Notices = append(r.Notices, strings.Join(j.Gone, ", ")+" told of the same as "+j.Path+" and is joined with it")
	}
	if err != nil {
		return r, err
	}
	settled, err := p.settle(false)
	for _, c := range settled {
		if !slices.Contains(r.Rendered, c.Path) {
			r.Rendered = append(r.Rendered, c.Path)
		}
	}
	r.Problems = left
	return r, err
}

// retry repeats what found that somebody wrote in between; nothing was written
// then. Pauses of growing, uneven length let a crowd of writers through one by
// one; whoever still loses after some seconds is told.
func retry[T any](do func() (T, error)) (result T, err error) {
	for n := range 12 {
		if result, err = do(); !errors.Is(err, store.ErrChanged) {
			break
		}
		time.Sleep(rand.N(time.Duration(n+1) * 50 * time.Millisecond))
	}
	return result, err
}

// apply writes a plan and what follows from it.
func (p *Project) apply(ctx context.Context, plan render.Plan, watched bool) error {
	t := store.Transaction{Changes: plan.Changes, Log: plan.Log, Manifest: plan.Manifest, Ledger: p.sawRendered(plan.Rows)}
	return p.write(ctx, t, plan.Changes, watched)
}

// write stores a transaction and what follows from it: of its changes those that
// are this person's own are trusted, and the index is made anew. A manifest that a
// sparse checkout keeps out of this work tree stays out: the markers tell the next
// run that sees it what was rendered. A person who watched knows of the rows.
func (p *Project) write(ctx context.Context, t store.Transaction, own []store.Change, watched bool) error {
	rows := t.Manifest
	if rows != nil {
		hidden, err := p.hides(ctx, manifest.Path)
		if err != nil {
			return err
		}
		if hidden {
			t.Manifest = nil
		}
	}
	p.trustOwn(ctx, own, false) // first: what a crash leaves behind is this person's too
	if err := p.Store.Apply(t); err != nil {
		return err
	}
	p.Freshen(ctx)
	if watched && rows != nil {
		p.announce(lists.Map(rows.Rows, rowName))
	}
	return nil
}

// writeNamed writes what a person decided about items by name: this person stands for all of it.
func (p *Project) writeNamed(ctx context.Context, t store.Transaction) error {
	p.trustOwn(ctx, t.Changes, true)
	return p.write(ctx, t, t.Changes, false)
}

// hides says whether git tracks a file but keeps it out of this work tree.
func (p *Project) hides(ctx context.Context, path string) (bool, error) {
	if p.describe(path) != nil {
		return false, nil
	}
	entries, err := p.index(ctx, path)
	return len(entries) == 1 && entries[0].Skip, err
}

// planRender is Render without writing any file that git tracks.
func (p *Project) planRender(ctx context.Context, s *store.Snapshot, o RenderOptions) (render.Plan, error) {
	before := s.Manifest
	s, report, used, err := p.beforeWriting(ctx, s)
	if err != nil {
		return render.Plan{}, err
	}
	options := render.Options{Only: o.Only, View: report.View, UsedNumbers: used, Hook: o.Hook, Stands: p.gate(ctx).file, Tracked: func(path string) bool { return p.tracked(ctx, path) }}
	if p.Store.CloneKey != nil {
		if options.CloneKey, err = p.Store.CloneKey(); err != nil {
			return render.Plan{}, err
		}
	}
	for _, item := range report.Items {
		if item.Answer == reconcile.Healed {
			options.Rebuilt = append(options.Rebuilt, item.Key())
		}
	}
	if o.Hook {
		options.MostDrafts = draftsAtEnd
	}
	plan, err := p.planWithPast(s, &options)
	if err != nil || p.Git == nil {
		return plan, err
	}
	if n := len(s.Manifest.Tombstones) - len(before.Tombstones); n > 0 && !o.Hook && len(o.Only) == 0 {
		plan.Notices = append(plan.Notices, fmt.Sprintf(".memory keeps that people removed what was rendered (%d new): commit it, so that every clone knows", n))
	}
	removed, err := reconcile.RemovedBefore(ctx, p.Git, newRows(plan, s), p.WorkTree(), evidenceOf(s))
	if err != nil || len(removed) == 0 {
		return plan, err
	}
	s.Ledger = append(s.Ledger, removed...)
	if !o.DryRun {
		if err := p.Store.Apply(store.Transaction{Ledger: removed}); err != nil {
			return plan, err
		}
	}
	return render.NewPlan(s, options)
}

// planWithPast plans with what history says of the lessons that stand and of those that would
// be written with any number of drafts.
func (p *Project) planWithPast(s *store.Snapshot, options *render.Options) (render.Plan, error) {
	all := *options
	all.MostDrafts = 0
	plan, err := render.NewPlan(s, all)
	if err != nil {
		return plan, err
	}
	if options.History, err = p.past(s, plan); err != nil || len(options.History) == 0 && options.MostDrafts == 0 {
		return plan, err
	}
	return render.NewPlan(s, *options)
}

// draftsAtEnd is how many drafts and proposals a session's end writes.
const draftsAtEnd = 5

// past holds the lessons that stand, and those that a plan would write, against the
// history of calls.
func (p *Project) past(s *store.Snapshot, plan render.Plan) (map[string]render.History, error) {
	lessons := slices.Clone(s.Lessons)
	for _, c := range plan.Changes {
		if l, err := lesson.Parse(c.Path, c.After); err == nil && c.Before == nil && isLesson(c.Path) {
			lessons = append(lessons, l)
		}
	}
	e, _, err := p.Evidence(s, lessons)
	if err != nil {
		return nil, err
	}
	all := map[string]render.History{}
	for id, v := range e.verdicts {
		switch v.Standing {
		case tally.Untried, tally.Typed, tally.Contradicted:
		default:
			all[id] = render.History{State: v.Standing.State(), Why: v.Why, Nature: string(v.Nature), Against: v.Against()}
		}
	}
	return all, nil
}

// beforeWriting brings a snapshot up to date before artifacts are planned: what
// people did is in its manifest and ledger, and places where nothing must be
// written are among its problems. used are the entry numbers that history holds.
func (p *Project) beforeWriting(ctx context.Context, s *store.Snapshot) (ready *store.Snapshot, report reconcile.Report, used map[knowledge.Kind]int, err error) {
	if err := p.busy(); err != nil {
		return nil, report, nil, err
	}
	if report, err = p.reconcile(ctx, s, true); err != nil {
		return nil, report, nil, err
	}
	s.Manifest = reconcile.PlanManifest(report, s.Manifest)
	if used, err = p.usedNumbers(ctx); err != nil {
		return nil, report, nil, err
	}
	hidden, err := p.hiddenBooks(ctx)
	if err != nil {
		return nil, report, nil, err
	}
	blocked := *s
	blocked.Problems = slices.Concat(s.Problems, hidden, p.foreignFolders())
	return &blocked, report, used, nil
}

// hiddenBooks are books that git tracks but keeps out of this work tree (sparse
// checkout): one begun anew in their place would, once committed, remove every
// entry that it does not show. Hidden settings may say that there are no books.
func (p *Project) hiddenBooks(ctx context.Context) ([]knowledge.Problem, error) {
	var absent []string
	for _, book := range entry.BookPaths() {
		if _, err := p.FS.Lstat(p.absolute(book)); errors.Is(err, os.ErrNotExist) {
			absent = append(absent, book)
		}
	}
	if len(absent) == 0 {
		return nil, nil
	}
	entries, err := p.index(ctx, append(slices.Clone(absent), ConfigPath)...)
	if err != nil {
		return nil, err
	}
	var hidden []knowledge.Problem
	for _, e := range entries {
		if !e.Skip {
			continue
		}
		why := "git keeps %s out of this work tree (sparse checkout): git sparse-checkout add %s"
		for _, book := range absent {
			if e.Path == book || e.Path == ConfigPath { // which says whether there are to be books
				hidden = append(hidden, knowledge.Problem{Path: book, Rule: "sparse", Text: fmt.Sprintf(why, e.Path, path.Dir(e.Path))})
			}
		}
	}
	return hidden, nil
}

// foreignFolders are links, files and other repositories that stand where render
// would make folders: the store refuses to write through them, and one refused
// file would end the whole render.
func (p *Project) foreignFolders() []knowledge.Problem {
	var foreign []knowledge.Problem
	for _, folder := range render.Folders {
		for ; folder != "."; folder = path.Dir(folder) {
			info, err := p.FS.Lstat(p.absolute(folder))
			if err != nil {
				continue
			}
			_, noRepository := p.FS.Lstat(p.absolute(folder + "/.git"))
			if !info.IsDir() || noRepository == nil {
				foreign = append(foreign, knowledge.Problem{Path: folder, Rule: "link", Text: "not a folder of this repository"})
			}
		}
	}
	return foreign
}

func (p *Project) absolute(path string) string {
	return filepath.Join(p.Root, filepath.FromSlash(path))
}

// newRows are the rows of artifacts that the plan writes for the first time, as
// far as manifest and ledger know.
func newRows(plan render.Plan, s *store.Snapshot) []manifest.Row {
	verdicts := verdict.Open(s.Ledger)
	var rows []manifest.Row
	for _, r := range plan.Manifest.Rows {
		_, registered := s.Manifest.Row(r.Key())
		_, buried := s.Manifest.Tombstone(r.Key())
		if !registered && !buried && len(verdicts[r.Key()]) == 0 {
			rows = append(rows, r)
		}
	}
	return rows
}

// evidenceOf counts an observation's evidence, as a verdict remembers it.
func evidenceOf(s *store.Snapshot) func(id string) int {
	return func(id string) int {
		o := s.Log.Get(id)
		if o == nil {
			return 0
		}
		return o.Met()
	}
}

// usedNumbers are the anchors that the books' history holds, so that no number
// is given twice.
func (p *Project) usedNumbers(ctx context.Context) (map[knowledge.Kind]int, error) {
	if p.Git == nil {
		return nil, nil
	}
	used, err := reconcile.UsedNumbers(ctx, p.Git)
	if errors.Is(err, gitstate.ErrNoHistory) {
		return nil, nil // tombstones and entries have to do
	}
	return used, err
}

// RenderAfterSession is the end of a session's background work: what cannot be
// done now (a merge is going on) waits for the next one.
func (p *Project) RenderAfterSession(ctx context.Context) error {
	if !p.SetUp() {
		return nil // nobody set lessons up here: a plugin is active in every repository
	}
	_, err := p.Render(ctx, RenderOptions{Hook: true})
	if _, busy := errors.AsType[*OperationError](err); busy {
		return nil
	}
	return err
}
