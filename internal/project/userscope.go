package project

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/internal/fsx"
	"github.com/lessons-cli/lessons/internal/inject"
	"github.com/lessons-cli/lessons/internal/inject/compile"
	"github.com/lessons-cli/lessons/internal/provenance"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/catalog"
	"github.com/lessons-cli/lessons/knowledge/lesson"
	"github.com/lessons-cli/lessons/knowledge/observe"
	"github.com/lessons-cli/lessons/knowledge/store"
	"github.com/lessons-cli/lessons/knowledge/verdict"
)

// userFolder holds a person's lessons for all repositories. Its parent has the
// shape of a repository, so that it can be one, and lessons -C works on it.
func (m Machine) userFolder() string { return filepath.Join(m.ConfigHome(), lessonsFolder) }

// userStore reads and writes the person's lessons.
func (p *Project) userStore() *store.Store {
	dir := filepath.Join(p.StateHome(), shortHash(p.ConfigHome()))
	s := p.store(store.Places{Root: p.ConfigHome(), Local: dir, Shared: dir})
	s.LogInTree = true
	return s
}

// OfUser is the person's folder as a project of its own.
func (p *Project) OfUser() *Project {
	return &Project{Machine: p.Machine, Root: p.ConfigHome(), Store: p.userStore(), identified: p.identified}
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
func (p *Project) Holding(ctx context.Context, s *store.Snapshot) (provenance.List[*lesson.Lesson], []lesson.Shadow, []knowledge.Problem) {
	user, problems := p.UserLessons()
	holding, shadowed := lesson.Holding(p.effective(ctx, s), user)
	return holding, shadowed, problems
}

// UserItems lists the person's lessons as items.
func (p *Project) UserItems(ctx context.Context, s *store.Snapshot) ([]catalog.Item, []knowledge.Problem) {
	user, problems := p.UserLessons()
	if len(user) == 0 {
		return nil, problems
	}
	_, shadowed := lesson.Holding(p.gate(ctx).lessons(s, s.Lessons), user)
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

// fingerprint identifies the lessons of both scopes, and the log that says what
// state they are in.
func (p *Project) fingerprint() (inject.Fingerprint, error) {
	own, err := compile.Fingerprint(p.FS, filepath.Join(p.Root, lessonsFolder))
	if err != nil {
		return own, err
	}
	own = sha256.Sum256(slices.Concat(own[:], []byte(p.Store.LogStamp()), p.personal))
	if p.isUserRoot() {
		return own, nil
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
		return Done{}, fmt.Errorf("%s is no lesson; only lessons are taken to all repositories", item.ID)
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
	p.Freshen(ctx)
	return done, nil
}
