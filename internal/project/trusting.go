package project

import (
	"bytes"
	"cmp"
	"context"
	"path/filepath"
	"strings"
	"time"

	"github.com/lessons-cli/lessons/internal/fsx"
	"github.com/lessons-cli/lessons/internal/inject"
	"github.com/lessons-cli/lessons/internal/inject/compile"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/lesson"
	"github.com/lessons-cli/lessons/knowledge/store"
)

// trustPath is outside of every repository: what a repository contains can never
// answer for itself (rulings 48).
func (m Machine) trustPath() string { return filepath.Join(m.StateHome(), "trust.json") }

// trustOwn trusts lessons that this machine is about to write.
func (p *Project) trustOwn(changes []store.Change) {
	var hashes []string
	for _, c := range changes {
		if isLesson(c.Path) && c.After != nil {
			hashes = append(hashes, hashesOf(c.Path, c.After)...)
		}
	}
	if len(hashes) > 0 {
		_ = p.changeTrust(func(t *inject.Trust) error { return t.Add(p.Root, hashes...) }) // untrusted lessons still inform
	}
}

// hashesOf are what trust in a lesson's file is kept under: its content, and its
// words alone. A colleague who met the same mistake adds evidence to the file and
// leaves the words: it is still trusted.
func hashesOf(path string, text []byte) []string {
	hashes := []string{knowledge.ContentHash(text)}
	if l, err := lesson.Parse(path, text); err == nil {
		hashes = append(hashes, l.WordsHash())
	}
	return hashes
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
		a := inject.Applicant{Action: l.Action, Guard: guard || guardErr != nil}
		if err != nil {
			return lesson.ActionInform
		}
		if a.Hash = knowledge.ContentHash(text); trust.Trusts(p.Root, a) {
			return ""
		}
		if a.Hash = l.WordsHash(); trust.Trusts(p.Root, a) {
			return ""
		}
		if p.isUpstream(ctx, l.Path, text, &a) && trust.Trusts(p.Root, a) {
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

// TrustedLesson is one lesson that does more than inform, or may once evidence
// makes it active.
type TrustedLesson struct {
	Path    string `json:"path"`
	Action  string `json:"action"`
	Guard   bool   `json:"guard"`
	Trusted bool   `json:"trusted"`
}

// TrustState lists the lessons that are not archived, and whether they are trusted
// here: evidence may make a draft active.
func (p *Project) TrustState(ctx context.Context, s *store.Snapshot) TrustState {
	limit := p.trust(ctx, s)
	state := TrustState{Lessons: []TrustedLesson{}}
	for _, l := range s.Lessons {
		if l.Status != lesson.Archived {
			_, guard, _ := compile.Guard(l)
			state.Lessons = append(state.Lessons, TrustedLesson{l.Path, l.Action, guard, limit(l) == ""})
		}
	}
	return state
}

// Trust accepts the work tree's lessons that inform or stop once, as they come
// from upstream, and by their content all that are there now and not archived.
func (p *Project) Trust(ctx context.Context, s *store.Snapshot) error {
	var hashes []string
	for _, l := range s.Lessons {
		if l.Status != lesson.Archived {
			hashes = append(hashes, hashesOf(l.Path, s.Before(l.Path))...)
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
