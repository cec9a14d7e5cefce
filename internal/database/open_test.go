package database

import (
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

func opened(t *testing.T, name string) *DB {
	t.Helper()
	db, err := Open(name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db
}

func keep(t *testing.T, db *DB, what string) {
	t.Helper()
	err := db.Write(func(tx *sql.Tx) error {
		_, err := tx.Exec(`insert into done values (?, '')`, what)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func kept(t *testing.T, db *DB) (n int) {
	t.Helper()
	if err := db.QueryRow(`select count(*) from done`).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

func TestADatabaseIsMadeAndFoundAgain(t *testing.T) {
	name := filepath.Join(t.TempDir(), "sub", "x.db")
	db := opened(t, name)
	keep(t, db, "a")
	_ = db.Close()
	if db = opened(t, name); kept(t, db) != 1 || db.Note != "" || db.ReadOnly {
		t.Errorf("got %d rows, note %q", kept(t, db), db.Note)
	}
}

func TestADatabaseOfAnOlderVersionIsMigrated(t *testing.T) {
	name := filepath.Join(t.TempDir(), "x.db")
	db := opened(t, name)
	keep(t, db, "a")
	_ = db.Close()
	defer func(before []string) { schema = before }(schema)
	schema = append(schema[:len(schema):len(schema)], `alter table done add column more text; insert into done (what, at) values ('b', '')`)
	if db = opened(t, name); kept(t, db) != 2 {
		t.Errorf("got %d rows", kept(t, db))
	}
	_ = db.Close()
	if db = opened(t, name); kept(t, db) != 2 {
		t.Errorf("the step ran again: %d rows", kept(t, db))
	}
}

func TestADatabaseOfANewerVersionIsOnlyRead(t *testing.T) {
	name := filepath.Join(t.TempDir(), "x.db")
	db := opened(t, name)
	keep(t, db, "a")
	if _, err := db.Exec(fmt.Sprintf(`pragma user_version = %d`, len(schema)+1)); err != nil {
		t.Fatal(err)
	}
	_ = db.Close()
	db = opened(t, name)
	if kept(t, db) != 1 || !db.ReadOnly || !strings.Contains(db.Note, "newer") {
		t.Errorf("got %d rows, note %q", kept(t, db), db.Note)
	}
	if err := db.Write(func(*sql.Tx) error { return nil }); !errors.Is(err, ErrReadOnly) {
		t.Errorf("got %v", err)
	}
}

func TestADamagedDatabaseIsSetAside(t *testing.T) {
	for _, damage := range []func(name string) error{
		func(name string) error {
			return os.WriteFile(name, []byte(strings.Repeat("no database ", 1000)), 0o644)
		},
		func(name string) error { return os.Truncate(name, 5000) },
		func(name string) error {
			data, err := os.ReadFile(name)
			if err == nil {
				copy(data[4096:], strings.Repeat("\xff", len(data)-4096))
				err = os.WriteFile(name, data, 0o644)
			}
			return err
		},
	} {
		name := filepath.Join(t.TempDir(), "x.db")
		db := opened(t, name)
		keep(t, db, "a")
		_ = db.Close()
		if err := damage(name); err != nil {
			t.Fatal(err)
		}
		db = opened(t, name)
		keep(t, db, "b")
		if kept(t, db) != 1 || !strings.Contains(db.Note, "x.db.damaged") || strings.Contains(db.Note, "\n") {
			t.Errorf("got %d rows, note %q", kept(t, db), db.Note)
		}
		if !IsFile(name + ".damaged") {
			t.Error("the damaged file is gone")
		}
	}
}

func TestManyOpenAtOnce(t *testing.T) {
	name := filepath.Join(t.TempDir(), "x.db")
	var wg sync.WaitGroup
	for i := range 16 {
		wg.Go(func() {
			db, err := Open(name)
			if err != nil {
				t.Error(err)
				return
			}
			defer db.Close()
			err = db.Write(func(tx *sql.Tx) error {
				_, err := tx.Exec(`insert into done values (?, '')`, i)
				return err
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if n := kept(t, opened(t, name)); n != 16 {
		t.Errorf("got %d rows", n)
	}
}
