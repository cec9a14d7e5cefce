package compile

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/internal/fsx"
	"github.com/lessons-cli/lessons/internal/inject"
)

// Fingerprint identifies the lesson files of a folder by name, size and
// modification time; none is opened. A folder that does not exist has the
// fingerprint of an empty one.
func Fingerprint(files fsx.FS, dir string) (inject.Fingerprint, error) {
	var entries []fs.DirEntry
	info, err := files.Lstat(dir)
	if err == nil && info.Mode()&fs.ModeSymlink == 0 { // a link is not followed
		entries, err = files.ReadDir(dir)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return inject.Fingerprint{}, err
	}
	h := sha256.New()
	for _, e := range entries {
		if e.IsDir() || !strings.HasSuffix(e.Name(), ".md") && e.Name() != "config.json" {
			continue
		}
		info, err := files.Lstat(filepath.Join(dir, e.Name()))
		if err != nil {
			continue // removed meanwhile: the folder's stamp has changed
		}
		h.Write([]byte(e.Name()))
		var b [25]byte // a NUL, then size, time and mode
		binary.LittleEndian.PutUint64(b[1:], uint64(info.Size()))
		binary.LittleEndian.PutUint64(b[9:], uint64(info.ModTime().UnixNano()))
		binary.LittleEndian.PutUint64(b[17:], uint64(info.Mode()))
		h.Write(b[:])
	}
	return inject.Fingerprint(h.Sum(nil)), nil
}

// manifests name the language of a repository by a file in its root.
var manifests = []struct{ file, language string }{
	{"go.mod", "go"},
	{"go.work", "go"},
	{"package.json", "javascript"},
	{"package.json", "js"},
	{"tsconfig.json", "typescript"},
	{"tsconfig.json", "ts"},
	{"deno.json", "typescript"},
	{"pyproject.toml", "python"},
	{"setup.py", "python"},
	{"requirements.txt", "python"},
	{"Pipfile", "python"},
	{"Cargo.toml", "rust"},
	{"pom.xml", "java"},
	{"build.gradle", "java"},
	{"build.gradle.kts", "kotlin"},
	{"Gemfile", "ruby"},
	{"composer.json", "php"},
	{"mix.exs", "elixir"},
	{"Package.swift", "swift"},
	{"pubspec.yaml", "dart"},
	{"CMakeLists.txt", "cpp"},
	{"main.tf", "terraform"},
}

// Languages returns the languages that the manifests in a repository's root
// speak of.
func Languages(files fsx.FS, root string) []string {
	var out []string
	for _, m := range manifests {
		if info, err := files.Lstat(filepath.Join(root, m.file)); err == nil && info.Mode().IsRegular() && !slices.Contains(out, m.language) {
			out = append(out, m.language)
		}
	}
	return out
}
