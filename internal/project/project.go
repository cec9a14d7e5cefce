package project

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/lessons-cli/lessons/internal/fsx"
	"github.com/lessons-cli/lessons/internal/gitstate"
	"github.com/lessons-cli/lessons/internal/gitstate/gitdir"
	"github.com/lessons-cli/lessons/internal/inject"
	"github.com/lessons-cli/lessons/internal/redact"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/artifact"
	"github.com/lessons-cli/lessons/knowledge/config"
	"github.com/lessons-cli/lessons/knowledge/store"
)

// Machine is what lessons takes from the computer and the person at it.
type Machine struct {
	Home    string // home directory
	User    string // login name
	Program string // lessons itself, by its path
	// Version of lessons, by which what an earlier one could not read is tried again.
	Version string
	Env     func(string) string
	Now     func() time.Time
	FS      fsx.FS
	// OnPath says whether a program can be started by its name; nil: none can.
	OnPath func(program string) bool
	// BelowAgent says whether a coding agent started this; nil: nobody knows.
	BelowAgent func() bool
}

// StateHome is where lessons keeps what belongs to no repository.
func (m Machine) StateHome() string {
	if dir := m.Env("XDG_STATE_HOME"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "lessons")
	}
	return filepath.Join(m.Home, ".local", "state", "lessons")
}

// ConfigHome is where a person's own settings are.
func (m Machine) ConfigHome() string {
	return inject.UserRoot(m.Env, m.Home)
}

// Redactor takes this person's name and home out of texts.
func (m Machine) Redactor() *redact.Redactor {
	return &redact.Redactor{Home: m.Home, User: m.User}
}

// store reads and writes knowledge, with the lessons that this program parsed before.
func (m Machine) store(places store.Places) *store.Store {
	s := store.New(m.FS, places)
	if info, err := m.FS.Lstat(m.Program); err == nil {
		s.Cache = artifact.Cache{Began: m.Now(), Program: fmt.Sprint(m.Version, " ", info.Size(), " ", info.ModTime().UnixNano(), " ", fsx.FileID(info))}
	}
	return s
}

// Project is one repository as lessons works on it.
type Project struct {
	Machine
	Root     string
	Location gitstate.Location
	Git      gitstate.Repository // nil: a folder with knowledge, but without git
	Store    *store.Store
	// SettingsProblems are what is wrong with the person's own settings.
	SettingsProblems []knowledge.Problem
	personal         []byte // those settings' file

	identified gitstate.Program // knows who works here; nil: nobody does
	asked      *gate            // see gate
}

// ErrNoProject: the directory is in no git repository, and no folder above it
// holds lessons' files.
var ErrNoProject = errors.New("not a git repository")

// Open finds the repository that dir lies in.
func Open(ctx context.Context, dir string, m Machine) (*Project, error) {
	p := &Project{Machine: m}
	repo, err := gitstate.Open(ctx, dir)
	switch {
	case err == nil:
		p.Git, p.Location = repo, repo.Location()
		p.Root = p.Location.TopLevel
		if p.Root == "" {
			return nil, fmt.Errorf("%s: a bare repository has no work tree to keep lessons in", dir)
		}
	case errors.Is(err, gitstate.ErrNoRepository):
		root, ok := folderWithKnowledge(dir)
		if !ok {
			return nil, fmt.Errorf("%s: %w", dir, ErrNoProject)
		}
		p.Root = root
	default:
		return nil, err
	}
	p.identified, _ = p.Git.(gitstate.Program)
	p.Store = m.store(p.places())
	p.Store.Tracked = func(path string) bool { return p.tracked(ctx, path) }
	p.Store.LogInTree = p.Git == nil
	if p.Git != nil {
		p.Store.CloneKey = p.cloneKey
	}
	p.Store.Vouched = func(data []byte) (bool, []byte) { return p.gate(ctx).settings(data) }
	p.Store.LookAtOwn = func() bool { return p.gate(ctx).lookAtOwn() }
	return p, p.personalSettings()
}

// personalSettings puts the person's own settings below the repository's.
func (p *Project) personalSettings() error {
	name := p.SettingsPath()
	data, err := p.readOwn(name)
	if data == nil || err != nil {
		return err
	}
	settings, problems, err := config.Read(config.Default(), name, data, true)
	p.SettingsProblems = problems
	if err != nil {
		return err
	}
	p.Store.Base, p.personal = &settings, data
	return nil
}

func (p *Project) tracked(ctx context.Context, path string) bool {
	entries, err := p.index(ctx, path)
	return err == nil && len(entries) > 0
}

// OperationError says that a merge, rebase or the like is in progress: what it
// leaves decides what there is to write.
type OperationError struct{ Operation string }

func (e *OperationError) Error() string {
	return fmt.Sprintf("git is busy here (%s), so nothing was written: finish or abort it, then run the command again", e.Operation)
}

// busy is an [OperationError] while git is in the middle of something.
func (p *Project) busy() error {
	if p.Git == nil {
		return nil
	}
	operation, err := p.Git.Operation()
	if err != nil || operation == "" {
		return err
	}
	return &OperationError{operation}
}

// Close ends what git processes still run.
func (p *Project) Close() {
	if c, ok := p.Git.(interface{ Close() error }); ok {
		_ = c.Close()
	}
}

// WorkTree is the identity of the work tree in the ledger.
func (p *Project) WorkTree() string { return shortHash(filepath.Dir(p.Store.Places.Local)) }

// places are in the git directory; where that cannot be written (a sandbox), or
// is not there, in the person's state folder.
func (p *Project) places() store.Places {
	// A link in their place could lead anywhere: an unpacked archive may hold one.
	if p.Git != nil && writable(p.Location.GitDir) && writable(p.Location.CommonDir) &&
		!gitdir.IsLink(filepath.Join(p.Location.GitDir, "lessons")) && !gitdir.IsLink(filepath.Join(p.Location.CommonDir, "lessons")) {
		return store.Places{
			Root:   p.Root,
			Local:  filepath.Join(p.Location.GitDir, "lessons"),
			Shared: filepath.Join(p.Location.CommonDir, "lessons"),
		}
	}
	dir := filepath.Join(p.StateHome(), shortHash(p.Root))
	return store.Places{Root: p.Root, Local: dir, Shared: dir}
}

func shortHash(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:8])
}

// folderWithKnowledge walks up from dir to a folder that holds lessons' files.
func folderWithKnowledge(dir string) (string, bool) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", false
	}
	for {
		for _, name := range []string{".lessons", ".memory"} {
			if info, err := os.Lstat(filepath.Join(dir, name)); err == nil && info.IsDir() {
				return dir, true
			}
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", false
		}
		dir = parent
	}
}

// Read gives a file of the work tree for planning; nil when there is none.
func (p *Project) Read(path string) ([]byte, error) {
	name := p.absolute(path)
	info, err := p.FS.Lstat(name)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s: not a regular file", path)
	}
	data, err := p.FS.ReadFile(name)
	if data == nil && err == nil {
		data = []byte{}
	}
	return data, err
}
