package gitdir

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Found is the answer of an in-process search for a repository.
type Found struct {
	Location
	// Sure says that git's own answer would be the same. Otherwise git decides
	// where there is one, and the answer is only the best guess.
	Sure bool
	// Unsupported names what this package cannot read in process; empty: nothing.
	Unsupported string
}

// Find walks up from a physical directory as git does (setup.c,
// setup_git_directory_gently): a .git directory, a .git file, or a directory
// that is itself a git directory. The error is [ErrNoRepository], or that of a
// .git that leads nowhere.
func Find(start string) (Found, error) {
	doubt := false // something on the way looked like a repository
	for dir := start; ; dir = filepath.Dir(dir) {
		f, err := locateAt(start, dir)
		if err != nil || f.GitDir != "" {
			f.Sure = f.Sure && err == nil && !doubt
			return f, err
		}
		doubt = doubt || Exists(filepath.Join(dir, ".git")) || Exists(filepath.Join(dir, "HEAD"))
		if dir == filepath.Dir(dir) {
			return Found{Sure: !doubt}, fmt.Errorf("%s: %w", start, ErrNoRepository)
		}
	}
}

// locateAt looks at one directory of the way; no git directory and no error
// mean that the search goes on.
func locateAt(start, dir string) (Found, error) {
	dotGit := filepath.Join(dir, ".git")
	info, err := os.Stat(dotGit)
	switch {
	case err == nil && info.IsDir() && isGitDir(dotGit):
		return inspect(start, dir, dotGit, "")
	case err == nil && info.Mode().IsRegular():
		target, err := readGitFile(dotGit)
		if err != nil {
			return Found{}, err
		}
		return inspect(start, dir, target, dotGit)
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return Found{}, err
	case isGitDir(dir):
		return inspect(start, "", dir, "")
	}
	return Found{}, nil
}

// Exists says whether something is there, link or not.
func Exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// isGitDir is git's is_git_directory: a valid HEAD, objects and refs.
func isGitDir(dir string) bool {
	common, err := commonDir(dir)
	if err != nil || !validHead(filepath.Join(dir, "HEAD")) {
		return false
	}
	for _, sub := range []string{"objects", "refs"} {
		if info, err := os.Stat(filepath.Join(common, sub)); err != nil || !info.IsDir() {
			return false
		}
	}
	return true
}

func validHead(path string) bool {
	info, err := os.Lstat(path)
	if err != nil {
		return false
	}
	if info.Mode()&fs.ModeSymlink != 0 {
		target, err := os.Readlink(path)
		return err == nil && strings.HasPrefix(target, "refs/")
	}
	head, err := ReadSmall(path)
	if err != nil {
		return false
	}
	if target, ok := strings.CutPrefix(head, "ref:"); ok {
		return strings.HasPrefix(strings.TrimLeft(target, " \t\n\v\f\r"), "refs/")
	}
	return IsOID(strings.TrimRight(head, "\r\n"))
}

// ReadSmall reads a file of git's own making, of at most 64 KiB.
func ReadSmall(path string) (string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return "", err
	}
	if !info.Mode().IsRegular() || info.Size() > 64<<10 {
		return "", fmt.Errorf("%s: not a small file", path)
	}
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, 64<<10))
	return string(data), err
}

// readGitFile follows a .git file ("gitdir: <path>").
func readGitFile(path string) (string, error) {
	text, err := ReadSmall(path)
	if err != nil {
		return "", err
	}
	target, ok := strings.CutPrefix(strings.TrimRight(text, "\r\n"), "gitdir: ")
	if !ok || target == "" {
		return "", fmt.Errorf("%s: not a git file: %w", path, ErrNoRepository)
	}
	if target = Against(filepath.Dir(path), target); !isGitDir(target) {
		return "", fmt.Errorf("%s names %s, where there is none: %w", path, target, ErrNoRepository)
	}
	return target, nil
}

// commonDir is the directory that a git directory shares with the other work
// trees: itself, unless a file commondir names another.
func commonDir(gitDir string) (string, error) {
	text, err := ReadSmall(filepath.Join(gitDir, "commondir"))
	if errors.Is(err, fs.ErrNotExist) {
		return gitDir, nil
	}
	if err != nil {
		return "", err
	}
	return Against(gitDir, strings.TrimRight(text, "\r\n")), nil
}

// Against is a path of git's files, which may be relative to their directory.
func Against(base, path string) string {
	path = filepath.FromSlash(path)
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(base, path)
}

// IsLink says whether a path is a symbolic link.
func IsLink(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && info.Mode()&fs.ModeSymlink != 0
}

// inspect reads what a git directory says of itself. top is the directory that
// holds .git, empty when the git directory itself was met.
func inspect(start, top, gitDir, gitFile string) (Found, error) {
	f := Found{Location: Location{TopLevel: top}, Sure: true}
	var err error
	if f.GitDir, err = filepath.EvalSymlinks(gitDir); err != nil {
		return Found{}, err
	}
	common, err := commonDir(f.GitDir)
	if err == nil {
		f.CommonDir, err = filepath.EvalSymlinks(common)
	}
	if err != nil {
		return Found{}, err
	}
	if _, err := os.Stat(filepath.Join(f.CommonDir, "shallow")); err == nil {
		f.Shallow = true
	}
	if top == "" || !ownedHere(start, top, gitFile, f.GitDir) {
		f.Sure = false
	}
	f.configure()
	return f, nil
}

// Linked refuses a linked work tree that its repository does not name: a .git
// or commondir file of someone else's making could otherwise borrow another
// repository's place and trust. git itself does not look.
func Linked(at Location) error {
	if at.GitDir == at.CommonDir {
		return nil
	}
	gitFile := filepath.Join(at.TopLevel, ".git")
	text, err := ReadSmall(filepath.Join(at.GitDir, "gitdir"))
	if err == nil && at.TopLevel != "" && filepath.Dir(at.GitDir) == filepath.Join(at.CommonDir, "worktrees") {
		back, err := os.Stat(Against(at.GitDir, strings.TrimRight(text, "\r\n")))
		here, err2 := os.Lstat(gitFile)
		if err == nil && err2 == nil && here.Mode().IsRegular() && os.SameFile(back, here) {
			return nil
		}
	}
	return fmt.Errorf("%s: %w: %s is not listed as a work tree of %s (if it was moved, git worktree repair mends it)",
		gitFile, ErrUnsupported, at.GitDir, at.CommonDir)
}

// configure applies core.worktree, core.bare and the format of the repository.
func (f *Found) configure() {
	shared, err := readConfig(filepath.Join(f.CommonDir, "config"))
	if err != nil {
		f.Sure, f.Unsupported = false, err.Error()
		return
	}
	places := shared // where core.worktree and core.bare count
	if f.GitDir != f.CommonDir {
		places = nil
	}
	if format := formatOf(shared); format.unsupported != "" {
		f.Sure, f.Unsupported = false, format.unsupported
	} else if format.perWorktree {
		own, err := readConfig(filepath.Join(f.GitDir, "config.worktree"))
		if err != nil {
			f.Sure, f.Unsupported = false, err.Error()
			return
		}
		places = append(append([]setting(nil), shared...), own...)
	}
	f.workTree(places)
}

func (f *Found) workTree(settings []setting) {
	tree, bare := "", false
	for _, s := range settings {
		if s.section != "core" || s.sub != "" {
			continue
		}
		switch s.key {
		case "worktree":
			tree = s.value
		case "bare":
			bare = s.truth()
		}
	}
	if tree != "" {
		f.Sure = false
		if top, err := filepath.EvalSymlinks(Against(f.GitDir, tree)); err == nil {
			f.TopLevel = top
		}
	} else if bare {
		f.Sure = false
		f.TopLevel = ""
	}
}

func readConfig(path string) ([]setting, error) {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || info.Size() > 8<<20 {
		return nil, fmt.Errorf("%s: %w", path, errConfig)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	settings, err := parseConfig(data)
	if err != nil || bytes.IndexByte(data, 0) >= 0 {
		return nil, fmt.Errorf("%s: %w", path, errConfig)
	}
	return settings, nil
}
