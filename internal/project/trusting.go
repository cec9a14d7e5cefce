package project

import (
	"bytes"
	"cmp"
	"context"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/lessons-cli/lessons/internal/fsx"
	"github.com/lessons-cli/lessons/internal/inject"
	"github.com/lessons-cli/lessons/internal/inject/compile"
	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/internal/provenance"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/artifact"
	"github.com/lessons-cli/lessons/knowledge/catalog"
	"github.com/lessons-cli/lessons/knowledge/entry"
	"github.com/lessons-cli/lessons/knowledge/lesson"
	"github.com/lessons-cli/lessons/knowledge/manifest"
	"github.com/lessons-cli/lessons/knowledge/store"
)

// gate says of what lies in the repository whether this person stands for it: it is what
// they wrote, committed or trusted. Every channel to an agent asks it, as the lists that they
// take can only come from here (see internal/provenance).
type gate struct {
	p        *Project
	ctx      context.Context
	trust    inject.Trust
	all      bool                // this is the folder where this person alone writes
	own      bool                // the commits made here were looked at
	upstream map[string][]string // what files say on the upstream's default branch
	answers  map[string]answer   // by path of lessons
}

// answer says whether this person stands for a text.
type answer struct {
	text []byte
	yes  bool
}

// gate is what is trusted now.
func (p *Project) gate(ctx context.Context) *gate {
	if p.asked == nil {
		p.asked = &gate{p: p, ctx: ctx, all: p.isUserRoot(), upstream: map[string][]string{}, answers: map[string]answer{}}
		p.asked.trust, _ = inject.ReadTrust(p.trustPath()) // one that is not believed trusts nothing
	}
	return p.asked
}

// lesson says whether this person stands for a lesson.
func (g *gate) lesson(l *lesson.Lesson, text []byte) bool {
	known, ok := g.answers[l.Path]
	if !ok || !bytes.Equal(known.text, text) {
		_, guard, err := compile.Guard(l)
		known = answer{text, g.trusts(l.Path, inject.Applicant{Action: l.Action, Guard: guard || err != nil}, one(knowledge.ContentHash(text)), sync.OnceValue(l.WordsHash))}
		g.answers[l.Path] = known
	}
	return known.yes
}

func one(hash string) func() string { return func() string { return hash } }

// entry says whether this person stands for an entry.
func (g *gate) entry(e entry.Entry) bool {
	return g.trusts(e.Path, inject.Applicant{Action: lesson.ActionInform}, e.WordsHash)
}

// skill says whether this person stands for a skill of .lessons. Those in the folders of
// agents are loaded without asking.
func (g *gate) skill(path string, text []byte) bool {
	return !isSkill(path) || g.trusts(path, inject.Applicant{Action: lesson.ActionInform}, one(knowledge.ContentHash(text)))
}

// file says whether this person stands for what a file says: a lesson, entries, a skill.
func (g *gate) file(path string, text []byte) bool {
	if l, err := lesson.Parse(path, text); isLesson(path) && err == nil {
		return g.lesson(l, text)
	}
	book, _ := entry.ParseBook(path, text)
	return g.skill(path, text) && !slices.ContainsFunc(book.Entries, func(e entry.Entry) bool { return !g.entry(e) })
}

// settings says whether this person stands for the repository's settings, which like guards
// are never trusted because upstream has them; else kept are those that they trusted last.
func (g *gate) settings(data []byte) (trusted bool, kept []byte) {
	trusted = data != nil && g.trusts(ConfigPath, inject.Applicant{Guard: true}, one(knowledge.ContentHash(data)))
	return trusted, []byte(g.trust.Trees[g.p.clone()].Settings)
}

// trusts says whether one of the hashes is trusted, or committed here by this person, or as
// it is on the upstream's default branch where that was accepted. A hash is worked out
// when none before it is trusted.
func (g *gate) trusts(path string, a inject.Applicant, hashes ...func() string) bool {
	if g.all || g.p.ScopeOf(path) == lesson.ScopeUser {
		return true
	}
	ask := func() bool {
		return slices.ContainsFunc(hashes, func(h func() string) bool {
			a.Hash = h()
			return g.trust.Trusts(g.p.clone(), a)
		})
	}
	if ask() {
		return true
	}
	if g.lookAtOwn() && ask() {
		return true
	}
	if g.trust.Trees[g.p.clone()].Accepted.IsZero() {
		return false
	}
	a.Upstream = slices.ContainsFunc(hashes, func(h func() string) bool { return slices.Contains(g.onUpstream(path), h()) })
	return a.Upstream && ask()
}

// lookAtOwn trusts what this person committed here, once, and says whether it was looked at.
func (g *gate) lookAtOwn() bool {
	if g.own {
		return false
	}
	g.own = true
	if g.p.trustCommitted(g.ctx) {
		g.trust, _ = inject.ReadTrust(g.p.trustPath())
		g.p.asked = g
	}
	return true
}

// onUpstream are the hashes of what a file says on the upstream's default branch.
func (g *gate) onUpstream(path string) []string {
	hashes, ok := g.upstream[path]
	if ok || g.p.Git == nil {
		return hashes
	}
	found, err := g.p.Git.Objects(g.ctx, []string{"refs/remotes/origin/HEAD:" + path}, true)
	if err == nil && len(found) == 1 && !found[0].Missing {
		hashes = lists.Flat(thingsIn(path, found[0].Data), func(t thing) []string { return t.hashes })
	}
	g.upstream[path] = hashes
	return hashes
}

// lessons parts lessons of the work tree.
func (g *gate) lessons(s *store.Snapshot, all []*lesson.Lesson) provenance.List[*lesson.Lesson] {
	return provenance.Sort(all, func(l *lesson.Lesson) bool { return g.lesson(l, s.Before(l.Path)) })
}

// entries parts entries of the work tree.
func (g *gate) entries(all []entry.Entry) provenance.List[entry.Entry] {
	return provenance.Sort(all, g.entry)
}

// rendered are the manifest's rows with the titles that stand in their artifacts, parted by
// who stands for those. A title of the manifest alone is nobody's.
func (g *gate) rendered(s *store.Snapshot) provenance.List[manifest.Row] {
	places := lists.By(s.Artifacts, func(a artifact.Artifact) string { return a.Place() + "#" + a.Source })
	rows, standing := slices.Clone(s.Manifest.Rows), map[string]bool{}
	for i, r := range rows {
		if a, ok := places[r.Place()+"#"+r.ObservationID]; ok {
			rows[i].Title = a.Title
			standing[rowName(r)] = g.file(a.Path, a.Text)
		}
	}
	return provenance.Sort(rows, func(r manifest.Row) bool { return standing[rowName(r)] })
}

// Items are what can be named here, parted by who stands for it: lessons, entries and
// skills that others wrote come last. Commands agents load by themselves.
func (p *Project) Items(ctx context.Context, s *store.Snapshot) provenance.List[catalog.Item] {
	g := p.gate(ctx)
	unreviewed := lists.SetOf(g.lessons(s, s.Lessons).Unreviewed(), func(l *lesson.Lesson) string { return l.Path })
	for _, e := range g.entries(s.Entries()).Unreviewed() {
		unreviewed[e.Place()] = true
	}
	for _, a := range s.Artifacts {
		if a.Kind == knowledge.KindSkill && !g.skill(a.Path, a.Text) {
			unreviewed[a.Path] = true
		}
	}
	return provenance.Sort(catalog.Items(s, p.View(ctx, s)), func(i catalog.Item) bool {
		return !unreviewed[i.Path] && !unreviewed[i.Place()]
	})
}

// thing is what is trusted by itself: a lesson, an entry, a skill, the settings.
type thing struct {
	name   string // in its file
	hashes []string
}

// thingsIn are the things in a file, by the hashes under which they are trusted: of a
// lesson its content, and its words alone. A colleague who met the same mistake adds evidence to
// the file and leaves the words: it is still trusted.
func thingsIn(path string, data []byte) []thing {
	switch {
	case data == nil:
		return nil
	case path == ConfigPath, strings.HasSuffix(path, "/SKILL.md"):
		return []thing{{path, []string{knowledge.ContentHash(data)}}}
	case isLesson(path):
		one := thing{path, []string{knowledge.ContentHash(data)}}
		if l, err := lesson.Parse(path, data); err == nil {
			one.hashes = append(one.hashes, l.WordsHash())
		}
		return []thing{one}
	case !entry.IsFile(path) && path != entry.DecisionsPath && path != entry.PitfallsPath:
		return nil
	}
	book, _ := entry.ParseBook(path, data)
	return lists.Map(book.Entries, func(e entry.Entry) thing { return thing{cmp.Or(e.Source, e.ID()), []string{e.WordsHash()}} })
}

// changed are the things that a change of a file made or made anew, each with what it was
// before.
func changed(c store.Change) (now, was []thing) {
	before := thingsIn(c.Path, c.Before)
	for _, t := range thingsIn(c.Path, c.After) {
		var old thing
		if at := slices.IndexFunc(before, func(b thing) bool { return b.name == t.name }); at >= 0 {
			old = before[at]
		}
		if !slices.Equal(old.hashes, t.hashes) {
			now, was = append(now, t), append(was, old)
		}
	}
	return now, was
}

// trustOwn trusts what this person's commands made. What another person wrote stays as it
// is, unless this person named it: evidence that is added vouches for nothing.
func (p *Project) trustOwn(ctx context.Context, changes []store.Change, named bool) {
	g := p.gate(ctx)
	_ = p.trustMade(changes, func(path string, was thing) bool {
		return named || was.hashes == nil || g.trusts(path, inject.Applicant{Action: lesson.ActionInform}, lists.Map(was.hashes, one)...)
	}) // untrusted lessons still inform
}

// trustMade trusts what changes made, where its maker counts for what stood there before.
func (p *Project) trustMade(changes []store.Change, counts func(path string, was thing) bool) error {
	var hashes []string
	settings := ""
	for _, c := range changes {
		now, was := changed(c)
		for i, t := range now {
			if !counts(c.Path, was[i]) {
				continue
			}
			hashes = append(hashes, t.hashes...)
			if c.Path == ConfigPath {
				settings = string(c.After)
			}
		}
	}
	if len(hashes) == 0 {
		return nil
	}
	return p.changeTrust(func(t *inject.Trust) error {
		if settings != "" {
			t.KeepSettings(p.clone(), settings)
		}
		return t.Add(p.clone(), hashes...)
	})
}

// trustPath is outside of every repository: what a repository contains can never
// answer for itself.
func (m Machine) trustPath() string { return filepath.Join(m.StateHome(), "trust.json") }

// clone names this clone in what is trusted, whichever of its work trees this is.
func (p *Project) clone() string { return cmp.Or(p.Location.CommonDir, p.Root) }

// wait is how long to wait for another process, as the store does.
func (p *Project) wait() time.Duration { return cmp.Or(p.Store.Wait, 5*time.Second) }

// trustedHashes are the contents that this person trusts in this clone.
func (p *Project) trustedHashes() []string {
	trust, _ := inject.ReadTrust(p.trustPath()) // one that is not believed trusts nothing
	return trust.Trees[p.clone()].Hashes
}

// distrust takes trust in contents back.
func (p *Project) distrust(hashes []string) error {
	if len(hashes) == 0 {
		return nil
	}
	return p.changeTrust(func(t *inject.Trust) error {
		t.Take(p.clone(), hashes...)
		return nil
	})
}

func (p *Project) changeTrust(change func(*inject.Trust) error) error {
	if err := p.FS.MkdirAll(p.StateHome(), 0o700); err != nil {
		return err
	}
	return p.locked(filepath.Join(p.StateHome(), "trust.lock"), p.wait(), func() error {
		trust, err := inject.ReadTrust(p.trustPath())
		if err == nil {
			err = change(&trust)
		}
		if err != nil {
			return err
		}
		p.asked = nil
		data, err := trust.Bytes()
		if err != nil {
			return err
		}
		if old, err := p.FS.ReadFile(p.trustPath()); err == nil && bytes.Equal(old, data) {
			return nil
		}
		return fsx.WriteFile(p.FS, p.trustPath(), data)
	})
}

// isSkill says whether a path is that of a skill's source, which render publishes.
func isSkill(path string) bool {
	return strings.HasPrefix(path, lessonsFolder+"/skills/") && strings.HasSuffix(path, "/SKILL.md")
}

func isLesson(path string) bool {
	return strings.HasPrefix(path, lessonsFolder+"/") && strings.Count(path, "/") == 1 && strings.HasSuffix(path, ".md")
}
