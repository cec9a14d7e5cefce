package project

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/lessons-cli/lessons/internal/fsx"
	"github.com/lessons-cli/lessons/internal/inject"
	"github.com/lessons-cli/lessons/internal/inject/compile"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/catalog"
	"github.com/lessons-cli/lessons/knowledge/lesson"
	"github.com/lessons-cli/lessons/knowledge/observe"
	"github.com/lessons-cli/lessons/knowledge/store"
	"github.com/lessons-cli/lessons/knowledge/verdict"
)

// trustPath is outside of every repository: what a repository contains can never
// answer for itself (rulings 48).
func (m Machine) trustPath() string { return filepath.Join(m.StateHome(), "trust.json") }

// trustOwn trusts lessons that this machine is about to write.
func (p *Project) trustOwn(changes []store.Change) {
	var hashes []string
	for _, c := range changes {
		if isLesson(c.Path) && c.After != nil {
			hashes = append(hashes, knowledge.ContentHash(c.After))
		}
	}
	if len(hashes) > 0 {
		_ = p.changeTrust(func(t *inject.Trust) error { return t.Add(p.Root, hashes...) }) // untrusted lessons still inform
	}
}

// wait is how long to wait for another process, as the store does.
func (p *Project) wait() time.Duration { return cmp.Or(p.Store.Wait, 5*time.Second) }

func (p *Project) changeTrust(change func(*inject.Trust) error) error {
	if err := p.FS.MkdirAll(p.StateHome(), 0o700); err != nil {
		return err
	}
	unlock, err := p.FS.Lock(filepath.Join(p.StateHome(), "trust.lock"), p.wait())
	if err != nil {
		return err
	}
	defer func() { _ = unlock() }()
	trust, err := inject.ReadTrust(p.trustPath())
	if err != nil {
		return err
	}
	if err := change(&trust); err != nil {
		return err
	}
	data, err := trust.Bytes()
	if err != nil {
		return err
	}
	if old, err := p.FS.ReadFile(p.trustPath()); err == nil && bytes.Equal(old, data) {
		return nil
	}
	return fsx.WriteFile(p.FS, p.trustPath(), data)
}

func isLesson(path string) bool {
	return strings.HasPrefix(path, lessonsFolder+"/") && strings.Count(path, "/") == 1 && strings.HasSuffix(path, ".md")
}

// trust says of each lesson how far it may go: what nobody here trusts informs.
func (p *Project) trust(ctx context.Context, s *store.Snapshot) func(*lesson.Lesson) string {
	trust, err := inject.ReadTrust(p.trustPath())
	return func(l *lesson.Lesson) string {
		if p.ScopeOf(l.Path) == lesson.ScopeUser {
			return "" // it lies where this person alone writes
		}
		text := s.Before(l.Path)
		_, guard, guardErr := compile.Guard(l)
		a := inject.Applicant{Hash: knowledge.ContentHash(text), Action: l.Action, Guard: guard || guardErr != nil}
		if err == nil && (trust.Trusts(p.Root, a) || p.isUpstream(ctx, l.Path, text, &a) && trust.Trusts(p.Root, a)) {
			return ""
		}
		return lesson.ActionInform
	}
}

// isUpstream says whether a file is as it is on the upstream's default branch.
func (p *Project) isUpstream(ctx context.Context, path string, text []byte, a *inject.Applicant) bool {
	if p.Git == nil {
		return false
	}
	found, err := p.Git.Objects(ctx, []string{"refs/remotes/origin/HEAD:" + path}, true)
	a.Upstream = err == nil && len(found) == 1 && !found[0].Missing && knowledge.ContentHash(found[0].Data) == knowledge.ContentHash(text)
	return a.Upstream
}

// TrustState is what trust is about in a work tree.
type TrustState struct {
	Lessons []TrustedLesson `json:"lessons"`
}

// TrustedLesson is one active lesson that wants to do more than inform.
type TrustedLesson struct {
	Path    string `json:"path"`
	Action  string `json:"action"`
	Guard   bool   `json:"guard"`
	Trusted bool   `json:"trusted"`
}

// TrustState lists the active lessons and whether they are trusted here.
func (p *Project) TrustState(ctx context.Context, s *store.Snapshot) TrustState {
	limit := p.trust(ctx, s)
	state := TrustState{Lessons: []TrustedLesson{}}
	for _, l := range s.Lessons {
		if l.Status == lesson.Active {
			_, guard, _ := compile.Guard(l)
			state.Lessons = append(state.Lessons, TrustedLesson{l.Path, l.Action, guard, limit(l) == ""})
		}
	}
	return state
}

// Trust accepts the work tree's lessons that inform or stop once, as they come
// from upstream, and by their content all that are active now.
func (p *Project) Trust(ctx context.Context, s *store.Snapshot) error {
	var hashes []string
	for _, l := range s.Lessons {
		if l.Status == lesson.Active {
			hashes = append(hashes, knowledge.ContentHash(s.Before(l.Path)))
		}
	}
	err := p.changeTrust(func(t *inject.Trust) error {
		t.Accept(p.Root, p.Now())
		return t.Add(p.Root, hashes...)
	})
	if err != nil {
		return err
	}
	_, err = p.Compile(ctx)
	return err
}

// Distrust takes all trust in the work tree back.
func (p *Project) Distrust(ctx context.Context) error {
	err := p.changeTrust(func(t *inject.Trust) error {
		t.Drop(p.Root)
		return nil
	})
	if err != nil {
		return err
	}
	_, err = p.Compile(ctx)
	return err
}

// userFolder holds a person's lessons for all repositories. Its parent has the
// shape of a repository, so that it can be one, and lessons -C works on it.
func (m Machine) userFolder() string { return filepath.Join(m.ConfigHome(), lessonsFolder) }

// userStore reads and writes the person's lessons.
func (p *Project) userStore() *store.Store {
	dir := filepath.Join(p.StateHome(), shortHash(p.ConfigHome()))
	s := store.New(p.FS, store.Places{Root: p.ConfigHome(), Local: dir, Shared: dir})
	s.LogInTree = true
	return s
}

// UserLessons are those that this person has for all repositories, each with its
// absolute path. There are none in the folder that holds them: there they are
// the project's.
func (p *Project) UserLessons() ([]*lesson.Lesson, []knowledge.Problem) {
	info, err := p.FS.Lstat(p.userFolder())
	if errors.Is(err, fs.ErrNotExist) || p.isUserRoot() {
		return nil, nil
	}
	if err != nil || !info.IsDir() {
		return nil, []knowledge.Problem{{Path: p.userFolder(), Rule: "unreadable", Text: "not a folder: your lessons for all repositories are not read"}}
	}
	s, err := p.userStore().Load()
	if err != nil {
		return nil, []knowledge.Problem{{Path: p.userFolder(), Rule: "unreadable", Text: err.Error()}}
	}
	var problems []knowledge.Problem
	for _, problem := range s.Problems {
		if isLesson(problem.Path) {
			problem.Path = p.userPath(problem.Path)
			problems = append(problems, problem)
		}
	}
	for _, l := range s.Lessons {
		l.Path = p.userPath(l.Path)
	}
	return s.Lessons, problems
}

func (p *Project) userPath(path string) string {
	return filepath.ToSlash(filepath.Join(p.ConfigHome(), filepath.FromSlash(path)))
}

// isUserRoot says whether this project is the person's own folder.
func (p *Project) isUserRoot() bool {
	root, err := filepath.EvalSymlinks(p.ConfigHome())
	return err == nil && root == p.Root || p.ConfigHome() == p.Root
}

// ScopeOf is the scope of a lesson by its path.
func (p *Project) ScopeOf(path string) lesson.Scope {
	if filepath.IsAbs(filepath.FromSlash(path)) {
		return lesson.ScopeUser
	}
	return lesson.ScopeProject
}

// Holding are the lessons that hold in this repository, and those of the person
// that do not because the repository has its own word.
func (p *Project) Holding(s *store.Snapshot) ([]*lesson.Lesson, []lesson.Shadow, []knowledge.Problem) {
	user, problems := p.UserLessons()
	holding, shadowed := lesson.Holding(s.Lessons, user)
	return holding, shadowed, problems
}

// UserItems lists the person's lessons as items.
func (p *Project) UserItems(s *store.Snapshot) ([]catalog.Item, []knowledge.Problem) {
	user, problems := p.UserLessons()
	_, shadowed := lesson.Holding(s.Lessons, user)
	items := catalog.Items(&store.Snapshot{Lessons: user, Log: &observe.Log{}}, verdict.View{})
	for n := range items {
		items[n].Scope = lesson.ScopeUser
		for _, sh := range shadowed {
			if sh.Lesson.Path == items[n].Path {
				items[n].ShadowedBy = sh.By.Path
			}
		}
	}
	return items, problems
}

// stamp identifies what a hook looks at before it believes the index.
func (p *Project) stamp() uint64 { return inject.StampOf(p.FS.Lstat, p.Root, p.userFolder()) }

// fingerprint identifies the lessons of both scopes.
func (p *Project) fingerprint() (inject.Fingerprint, error) {
	own, err := compile.Fingerprint(p.FS, filepath.Join(p.Root, lessonsFolder))
	if err != nil || p.isUserRoot() {
		return own, err
	}
	user, err := compile.Fingerprint(p.FS, p.userFolder())
	if err != nil {
		user = inject.Fingerprint{} // told when it is read
	}
	return inject.Fingerprint(sha256.Sum256(append(own[:], user[:]...))), nil
}

// ErrNotActive: only what holds here is taken to all repositories.
var ErrNotActive = errors.New("not active")

// PromoteToUser copies a lesson to those for all repositories. This repository's
// stays, and wins here.
func (p *Project) PromoteToUser(ctx context.Context, s *store.Snapshot, item catalog.Item, dryRun bool) (Done, error) {
	data := s.Before(item.Path)
	switch {
	case item.Kind != string(knowledge.KindLesson) || data == nil:
		return Done{}, &catalog.WrongKindError{Text: fmt.Sprintf("%s is no lesson; only lessons are taken to all repositories", item.ID)}
	case p.isUserRoot():
		return Done{Said: []string{item.Path + " is for all repositories already"}}, nil
	case item.Status != lesson.Active:
		return Done{}, fmt.Errorf("%s is %s: %w", item.Path, item.Status, ErrNotActive)
	}
	user, _ := p.UserLessons()
	if at := slices.IndexFunc(user, func(l *lesson.Lesson) bool { return strings.EqualFold(l.ID, item.ID) }); at >= 0 {
		return Done{Said: []string{fmt.Sprintf("it is there already: %s", user[at].Path)}}, nil
	}
	done := Done{Said: []string{fmt.Sprintf("copied to %s: it holds in all your repositories; %s stays, and wins here", p.userPath(item.Path), item.Path)}}
	for _, l := range s.Lessons {
		if l.Path == item.Path && len(l.Triggers.Paths) > 0 {
			done.Said = append(done.Said, "it is about paths ("+strings.Join(l.Triggers.Paths, ", ")+"), which it now looks for everywhere")
		}
	}
	if dryRun {
		done.Said[0] = "would be " + done.Said[0]
		return done, nil
	}
	if err := fsx.MkdirAll(p.FS, p.ConfigHome()); err != nil {
		return done, err
	}
	change := store.Change{Path: item.Path, After: data}
	if err := p.userStore().Apply(store.Transaction{Changes: []store.Change{change}}); err != nil {
		return done, err
	}
	p.freshen(ctx)
	return done, nil
}
