package project

import (
	"context"
	"path/filepath"
	"slices"

	"github.com/lessons-cli/lessons/internal/fsx"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/config"
	"github.com/lessons-cli/lessons/knowledge/store"
)

// SettingsPath is the file of this person's own settings.
func (m Machine) SettingsPath() string { return filepath.Join(m.ConfigHome(), settingsName) }

const settingsName = "config.json"

// SettingError: a setting is not known, or a value does not fit.
type SettingError struct{ error }

func (e *SettingError) Unwrap() error { return e.error }

// Configure changes one setting, of this repository or of this person, and returns the
// file that says so now.
func (p *Project) Configure(ctx context.Context, key, value string, user bool) (path string, err error) {
	of, path, shown := p, ConfigPath, ConfigPath
	if user {
		of, path, shown = p.OfUser(), settingsName, p.SettingsPath()
		if err := fsx.MkdirAll(p.FS, p.ConfigHome()); err != nil {
			return "", err
		}
	}
	before, err := of.Read(path)
	if err != nil {
		return "", err
	}
	after, err := config.Set(before, key, value, user)
	if err != nil {
		return "", &SettingError{err}
	}
	changes := []store.Change{{Path: path, Before: before, After: after}}
	if !user {
		p.trustOwn(ctx, changes, true)
	}
	return shown, of.Store.Apply(store.Transaction{Changes: changes})
}

// UnknownSettings are those that have no effect, of this repository and of this person.
func (p *Project) UnknownSettings(s *store.Snapshot) []knowledge.Problem {
	return slices.Concat(config.Unknown(ConfigPath, s.ConfigData), config.Unknown(p.SettingsPath(), p.personal))
}
