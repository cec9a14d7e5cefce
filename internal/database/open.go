// Package database opens SQLite databases: other programs' for reading, and the one of
// lessons, which holds what is asked of the call log by query. That one is made of the
// call log, so it may be deleted at any time.
package database

import (
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"github.com/lessons-cli/lessons/internal/fsx"
)

// DB is the database of lessons.
type DB struct {
	*sql.DB
	Note     string // what happened to the file, in one line; empty: nothing
	ReadOnly bool   // a newer lessons wrote it
}

// ErrReadOnly says that a newer lessons wrote the database.
var ErrReadOnly = errors.New("the database was written by a newer lessons: it is only read")

// wait is how long a process waits for another one that writes.
const wait = 10 * time.Second

// Open opens the database, makes it where it is missing, and brings its schema up to date.
// A damaged file is set aside, and a new one takes its place. In processes that do so at
// once, one of them does it.
func Open(name string) (*DB, error) {
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return nil, err
	}
	unlock, err := fsx.OS{}.Lock(name+".lock", wait)
	if err != nil {
		return nil, err
	}
	defer func() { _ = unlock() }()
	db, err := open(name)
	if !damaged(err) {
		return db, err
	}
	aside := name + ".damaged"
	if renamed := os.Rename(name, aside); renamed != nil {
		return nil, errors.Join(err, renamed)
	}
	_, _ = os.Remove(name+"-wal"), os.Remove(name+"-shm")
	db, err2 := open(name)
	if err2 != nil {
		return nil, err2
	}
	db.Note = fmt.Sprintf("%s was damaged (%v): it is kept as %s, and made anew from the call log", filepath.Base(name), err, filepath.Base(aside))
	return db, nil
}

// open opens a database that may be damaged.
func open(name string) (*DB, error) {
	db, err := connect(name, "_txlock=immediate", "_pragma=busy_timeout(10000)", "_pragma=journal_mode(wal)", "_pragma=synchronous(normal)", "_pragma=trusted_schema(0)")
	if err != nil {
		return nil, err
	}
	version, err := check(db)
	switch {
	case err != nil:
	case version > len(schema):
		_ = db.Close()
		db, err = Read(name)
		return &DB{DB: db, Note: filepath.Base(name) + " was written by a newer lessons: it is only read", ReadOnly: true}, err
	default:
		err = migrate(db, version)
	}
	if err != nil {
		_ = db.Close()
		return nil, err
	}
	return &DB{DB: db}, nil
}

// check says which version of the schema the database has, and whether it is whole.
func check(db *sql.DB) (version int, err error) {
	if err := db.QueryRow(`pragma user_version`).Scan(&version); err != nil {
		return 0, err
	}
	var found string
	if err := db.QueryRow(`pragma quick_check(1)`).Scan(&found); err != nil {
		return 0, err
	}
	if found != "ok" {
		return 0, &damage{found}
	}
	return version, nil
}

// damage is what SQLite's own check found.
type damage struct{ found string }

func (d *damage) Error() string { return strings.Join(strings.Fields(d.found), " ") }

// damaged says whether an error means that the file is no database any more.
func damaged(err error) bool {
	if e, ok := errors.AsType[*sqlite.Error](err); ok {
		code := e.Code() & 0xff
		return code == sqlite3.SQLITE_CORRUPT || code == sqlite3.SQLITE_NOTADB
	}
	_, found := errors.AsType[*damage](err)
	return found
}

// migrate runs the steps of the schema that a database lacks, each in a transaction.
func migrate(db *sql.DB, version int) error {
	for n := version; n < len(schema); n++ {
		err := Write(db, func(tx *sql.Tx) error {
			if _, err := tx.Exec(schema[n]); err != nil {
				return err
			}
			_, err := tx.Exec(fmt.Sprintf(`pragma user_version = %d`, n+1))
			return err
		})
		if err != nil {
			return fmt.Errorf("schema version %d: %w", n+1, err)
		}
	}
	return nil
}

// Write changes a database in one transaction.
func (d *DB) Write(change func(*sql.Tx) error) error {
	if d.ReadOnly {
		return ErrReadOnly
	}
	return Write(d.DB, change)
}

// Write changes a database in one transaction.
func Write(db *sql.DB, change func(*sql.Tx) error) error {
	tx, err := db.Begin()
	if err != nil {
		return err
	}
	if err := change(tx); err != nil {
		return errors.Join(err, tx.Rollback())
	}
	return tx.Commit()
}

// Read opens another program's database for reading, in a way that leaves no
// trace and that the program cannot notice. While it runs, its log of
// changes lies beside the database and is read too. Without one the file is
// taken as it is: SQLite would else make such a log itself.
func Read(name string) (*sql.DB, error) {
	options := []string{"mode=ro", "_pragma=busy_timeout(1000)", "_pragma=query_only(1)"}
	if !IsFile(name+"-wal") || !IsFile(name+"-shm") {
		options = append(options, "immutable=1")
	}
	return connect(name, options...)
}

// IsFile says whether a regular file has the name.
func IsFile(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.Mode().IsRegular()
}

// connect opens a file with options of SQLite and of its driver.
func connect(name string, options ...string) (*sql.DB, error) {
	path := filepath.ToSlash(name)
	if path != "" && path[0] != '/' {
		path = "/" + path // a drive letter
	}
	db, err := sql.Open("sqlite", (&url.URL{Scheme: "file", Path: path, RawQuery: strings.Join(options, "&")}).String())
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	return db, nil
}

// queryable is a database or a transaction.
type queryable interface {
	Query(query string, args ...any) (*sql.Rows, error)
}

// Each calls f for the rows of a query.
func Each(db queryable, query string, f func(row func(...any) error) error, args ...any) error {
	rows, err := db.Query(query, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := f(rows.Scan); err != nil {
			return err
		}
	}
	return rows.Err()
}

// Texts returns the texts that a query for one column finds.
func Texts(db queryable, query string, args ...any) ([]string, error) {
	var all []string
	err := Each(db, query, func(row func(...any) error) error {
		var text string
		err := row(&text)
		all = append(all, text)
		return err
	}, args...)
	return all, err
}
