package project

import (
	"path/filepath"

	"github.com/lessons-cli/lessons/internal/fsx"
)

// KeepTyped keeps a text that a person typed and that was refused, and says in which
// file: one in the git directory, so that nothing commits it.
func (p *Project) KeepTyped(name string, text []byte) (string, error) {
	dir := p.local("typed")
	if err := fsx.MkdirAll(p.FS, dir); err != nil {
		return "", err
	}
	file := filepath.Join(dir, p.Now().UTC().Format("20060102-150405-")+name)
	return file, fsx.WriteFile(p.FS, file, text)
}
