package project

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/lessons-cli/lessons/internal/fsx"
	"github.com/lessons-cli/lessons/knowledge/store"
	"github.com/lessons-cli/lessons/migrate"
)

// MigrationState is a migration, what it would do now, and whether it was
// applied to this repository.
type MigrationState struct {
	migrate.Migration
	Applied time.Time `json:"applied,omitzero"` // zero: never
	migrate.MigrationPlan
}

// appliedMigrations is the file that records them, one for all work trees of a
// repository.
type appliedMigrations struct {
	Version int                `json:"version"`
	Applied []appliedMigration `json:"applied"`
}

type appliedMigration struct {
	Name string    `json:"name"`
	At   time.Time `json:"at"`
	Did  int       `json:"did"` // how many lines of a plan
}

func (p *Project) migrationsFile() string { return p.shared("migrations.json") }

func (p *Project) appliedMigrations() (appliedMigrations, error) {
	all := appliedMigrations{Version: 1}
	data, err := p.readOwn(p.migrationsFile())
	if data != nil && err == nil {
		err = json.Unmarshal(data, &all)
	}
	if err == nil && all.Version > 1 {
		err = fmt.Errorf("its version is %d, and 1 is the newest that is known", all.Version)
	}
	if err != nil {
		return all, fmt.Errorf("%s: %w", p.migrationsFile(), err)
	}
	return all, nil
}

// Migrations lists all migrations with what each would do. Nothing is written.
func (p *Project) Migrations() ([]MigrationState, error) {
	s, err := p.Store.Load()
	if err != nil {
		return nil, err
	}
	applied, err := p.appliedMigrations()
	if err != nil {
		return nil, err
	}
	in := migrate.MigrationInput{Snapshot: s, Files: map[string][]byte{}}
	for _, name := range migrate.MigrationFiles {
		if text, err := p.Read(name); err == nil && text != nil {
			in.Files[name] = text
		}
	}
	var all []MigrationState
	for _, m := range migrate.Migrations() {
		state := MigrationState{Migration: m, MigrationPlan: m.Plan(in)}
		state.Does, state.Keeps = append([]string{}, state.Does...), append([]string{}, state.Keeps...)
		for _, a := range applied.Applied {
			if a.Name == m.Name {
				state.Applied = a.At
			}
		}
		all = append(all, state)
	}
	return all, nil
}

// Migrate carries a migration out, and records it. Files that it changes are
// copied into the returned folder before; empty: none was there. Where the
// process ends before the record, the next run finds nothing left to do.
func (p *Project) Migrate(ctx context.Context, m MigrationState) (backup string, err error) {
	if err := p.busy(); err != nil {
		return "", err
	}
	now := p.Now().UTC().Truncate(time.Second)
	if len(m.Changes) > 0 {
		if backup, err = p.keepBefore(m, now); err != nil {
			return "", err
		}
		if err := p.Store.Apply(store.Transaction{Changes: m.Changes}); err != nil {
			return "", err
		}
	}
	p.Freshen(ctx)
	applied, err := p.appliedMigrations()
	if err != nil {
		return backup, err
	}
	applied.Applied = append(applied.Applied, appliedMigration{Name: m.Name, At: now, Did: len(m.Does)})
	data, err := json.MarshalIndent(applied, "", "  ")
	if err != nil {
		return backup, err
	}
	return backup, fsx.WriteFile(p.FS, p.migrationsFile(), append(data, '\n'))
}

// keepBefore copies the files that a migration is about to change.
func (p *Project) keepBefore(m MigrationState, now time.Time) (string, error) {
	folder := filepath.Join(p.Store.Places.Shared, "before-"+m.Name+"-"+now.Format("20060102-150405"))
	for _, c := range m.Changes {
		if c.Before == nil {
			continue
		}
		name := filepath.Join(folder, strings.ReplaceAll(c.Path, "/", "_"))
		if err := fsx.WriteFile(p.FS, name, c.Before); err != nil {
			return "", err
		}
	}
	return folder, nil
}
