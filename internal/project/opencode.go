package project

import (
	"bytes"
	"database/sql"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	_ "modernc.org/sqlite" // the driver of OpenCode's database

	"github.com/lessons-cli/lessons/internal/agent"
	"github.com/lessons-cli/lessons/migrate"
	"github.com/lessons-cli/lessons/scan"
)

// OpenCode keeps a session in many small files or in a database. A scan reads
// it in the form in which the client exports it, made piece by piece while it
// is read.

// export is a session in the form of `opencode export`. It is read from its
// beginning, as often as wanted.
type export struct {
	pieces iter.Seq2[[]byte, error]
	next   func() ([]byte, error, bool)
	stop   func()
	rest   []byte
	close  func() error
}

func newExport(pieces iter.Seq2[[]byte, error], closing func() error) *export {
	e := &export{pieces: pieces, close: closing}
	e.rewind()
	return e
}

func (e *export) rewind() {
	if e.stop != nil {
		e.stop()
	}
	e.next, e.stop = iter.Pull2(e.pieces)
	e.rest = nil
}

// Read implements [io.Reader].
func (e *export) Read(p []byte) (int, error) {
	for len(e.rest) == 0 {
		piece, err, ok := e.next()
		if !ok {
			return 0, io.EOF
		}
		if err != nil {
			return 0, err
		}
		e.rest = piece
	}
	n := copy(p, e.rest)
	e.rest = e.rest[n:]
	return n, nil
}

// Seek implements [io.Seeker], for the beginning alone.
func (e *export) Seek(offset int64, whence int) (int64, error) {
	if offset != 0 || whence != io.SeekStart {
		return 0, errors.New("a session that is put together can only be read from its beginning")
	}
	e.rewind()
	return 0, nil
}

// Close implements [io.Closer].
func (e *export) Close() error {
	e.stop()
	return e.close()
}

// exported puts a session's pieces together: what it says about itself, then
// each message with its parts. A piece that is no JSON object, because it is
// being written, is left out.
func exported(info []byte, messages iter.Seq2[storedMessage, error]) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		if !yield(slices.Concat([]byte(`{"info":`), info, []byte(`,"messages":[`)), nil) {
			return
		}
		comma := ""
		for m, err := range messages {
			if err != nil {
				yield(nil, err)
				return
			}
			if !isObject(m.info) {
				continue
			}
			m.parts = slices.DeleteFunc(m.parts, func(p []byte) bool { return !isObject(p) })
			piece := slices.Concat([]byte(comma+`{"info":`), m.info, []byte(`,"parts":[`), bytes.Join(m.parts, []byte(",")), []byte("]}"))
			comma = ","
			if !yield(piece, nil) {
				return
			}
		}
		yield([]byte("]}\n"), nil)
	}
}

type storedMessage struct {
	info  []byte
	parts [][]byte
}

func isObject(b []byte) bool {
	b = bytes.TrimSpace(b)
	return len(b) > 0 && b[0] == '{' && json.Valid(b)
}

// maxStored bounds one stored file: what is longer holds a picture.
const maxStored = 8 << 20

// storageOf returns the folder that a stored session's file belongs to. It
// holds session/<project>/<session>.json, message/<session>/<message>.json and
// part/<message>/<part>.json.
func storageOf(name string) (string, bool) {
	session := filepath.Dir(filepath.Dir(name))
	if filepath.Base(session) != "session" || filepath.Ext(name) != ".json" {
		return "", false
	}
	storage := filepath.Dir(session)
	return storage, isStorage(storage)
}

func isStorage(dir string) bool {
	info, err := os.Stat(filepath.Join(dir, "message"))
	if err != nil || !info.IsDir() {
		return false
	}
	info, err = os.Stat(filepath.Join(dir, "session"))
	return err == nil && info.IsDir()
}

// storedSession is a session that is kept in many files, by the file that
// describes it.
func storedSession(name, storage string) scan.File {
	stat := func() (scan.FileInfo, error) {
		info, err := os.Stat(name)
		if err != nil {
			return scan.FileInfo{}, err
		}
		seen := fileInfo(info)
		seen.ModTime = newest(seen.ModTime, filepath.Join(storage, "message", sessionID(name)), filepath.Join(storage, "part"))
		return seen, nil
	}
	return scan.File{Path: name, Stat: stat, Open: func() (io.ReadSeekCloser, scan.FileInfo, error) {
		info, err := stat()
		if err != nil {
			return nil, info, err
		}
		about, err := readStored(name)
		if err != nil {
			return nil, info, err
		}
		if !isObject(about) {
			return nil, info, &fs.PathError{Op: "read", Path: name, Err: errors.New("not a JSON object")}
		}
		messages := storedMessages(storage, idOf(about, sessionID(name)))
		return newExport(exported(about, messages), func() error { return nil }), info, nil
	}}
}

// sessionID is the id that a file's name tells.
func sessionID(name string) string { return strings.TrimSuffix(filepath.Base(name), ".json") }

// newest returns when a session was last written to: the newest of its own file,
// its folder of messages, its last message and that one's parts. The files
// before them do not change any more.
func newest(at time.Time, messages, parts string) time.Time {
	look := func(name string) {
		if info, err := os.Stat(name); err == nil && info.ModTime().After(at) {
			at = info.ModTime()
		}
	}
	look(messages)
	entries, err := os.ReadDir(messages)
	if err != nil || len(entries) == 0 {
		return at
	}
	last := entries[len(entries)-1].Name()
	look(filepath.Join(messages, last))
	look(filepath.Join(parts, sessionID(last)))
	return at
}

// readStored reads one small file, and nothing but a file.
func readStored(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || info.Size() > maxStored {
		return nil, nil
	}
	return io.ReadAll(io.LimitReader(f, maxStored))
}

// idOf is an object's own id; its file's name is the id where it has none.
func idOf(object []byte, name string) string {
	var o struct{ ID string }
	if json.Unmarshal(object, &o) != nil || o.ID == "" || !filepath.IsLocal(o.ID) || strings.ContainsAny(o.ID, `/\`) {
		return name
	}
	return o.ID
}

// storedMessages reads a session's messages in the order of their time.
func storedMessages(storage, session string) iter.Seq2[storedMessage, error] {
	return func(yield func(storedMessage, error) bool) {
		dir := filepath.Join(storage, "message", session)
		names, err := namesIn(dir)
		if err != nil {
			yield(storedMessage{}, err)
			return
		}
		type found struct {
			name    string
			created float64
		}
		var all []found
		for _, name := range names {
			var o struct{ Time struct{ Created float64 } }
			info, err := readStored(filepath.Join(dir, name))
			if err != nil || json.Unmarshal(info, &o) != nil && !isObject(info) {
				continue
			}
			all = append(all, found{name, o.Time.Created})
		}
		slices.SortStableFunc(all, func(a, b found) int {
			switch {
			case a.created < b.created:
				return -1
			case a.created > b.created:
				return 1
			}
			return 0
		})
		for _, f := range all {
			info, err := readStored(filepath.Join(dir, f.name))
			if err != nil {
				continue
			}
			if !yield(storedMessage{info: info, parts: storedParts(storage, idOf(info, sessionID(f.name)))}, nil) {
				return
			}
		}
	}
}

func storedParts(storage, message string) [][]byte {
	dir := filepath.Join(storage, "part", message)
	names, err := namesIn(dir)
	if err != nil {
		return nil // a message without parts, or not yet
	}
	var parts [][]byte
	size := 0
	for _, name := range names {
		part, err := readStored(filepath.Join(dir, name))
		if size += len(part); err == nil && size <= maxStored {
			parts = append(parts, part)
		}
	}
	return parts
}

// namesIn lists the JSON files of a folder by name, which is their order in time.
func namesIn(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var names []string
	for _, e := range entries {
		if e.Type().IsRegular() && filepath.Ext(e.Name()) == ".json" {
			names = append(names, e.Name())
		}
	}
	return names, err
}

// openSessions opens OpenCode's database for reading, in a way that leaves no
// trace and that the agent cannot notice. While the agent runs, its log of
// changes lies beside the database and is read too. Without one the file is
// taken as it is: SQLite would else make such a log itself.
func openSessions(name string) (*sql.DB, error) {
	query := "mode=ro&_pragma=busy_timeout(1000)&_pragma=query_only(1)"
	if !isFile(name+"-wal") || !isFile(name+"-shm") {
		query += "&immutable=1"
	}
	path := filepath.ToSlash(name)
	if path != "" && path[0] != '/' {
		path = "/" + path // a drive letter
	}
	db, err := sql.Open("sqlite", (&url.URL{Scheme: "file", Path: path, RawQuery: query}).String())
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	return db, nil
}

func isFile(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.Mode().IsRegular()
}

// databaseSessions lists the sessions in OpenCode's database: those of a
// repository, or all where root is empty.
func databaseSessions(name, root string) ([]scan.File, error) {
	if !isFile(name) {
		return nil, nil
	}
	db, err := openSessions(name)
	if err != nil {
		return nil, err
	}
	defer db.Close()
	rows, err := db.Query(`select s.id, s.directory, max(s.time_updated, coalesce((select max(m.time_updated) from message m where m.session_id = s.id), 0)),
		(select count(*) from part p where p.session_id = s.id) from session s order by s.id`)
	if err != nil {
		return nil, fmt.Errorf("sessions of OpenCode: %w", err)
	}
	defer rows.Close()
	var files []scan.File
	for rows.Next() {
		var id, directory string
		var updated, parts int64
		if err := rows.Scan(&id, &directory, &updated, &parts); err != nil {
			return nil, fmt.Errorf("sessions of OpenCode: %w", err)
		}
		if root == "" || agent.Inside(filepath.ToSlash(directory), root) {
			files = append(files, databaseSession(name, id, scan.FileInfo{Size: parts + 1, ModTime: time.UnixMilli(updated), ID: id}))
		}
	}
	return files, rows.Err()
}

// databaseSession is one session in the database, by the database's path and
// its own id.
func databaseSession(name, id string, info scan.FileInfo) scan.File {
	return scan.File{
		Path: name + "#" + id,
		Stat: func() (scan.FileInfo, error) { return info, nil },
		Open: func() (io.ReadSeekCloser, scan.FileInfo, error) {
			db, err := openSessions(name)
			if err != nil {
				return nil, info, err
			}
			about, err := aboutSession(db, id)
			if err != nil {
				db.Close()
				return nil, info, err
			}
			return newExport(exported(about, databaseMessages(db, id)), db.Close), info, nil
		},
	}
}

func aboutSession(db *sql.DB, id string) ([]byte, error) {
	var about struct {
		ID        string `json:"id"`
		ParentID  string `json:"parentID,omitempty"`
		Directory string `json:"directory"`
		Version   string `json:"version"`
	}
	var parent, version sql.NullString
	err := db.QueryRow(`select id, parent_id, directory, version from session where id = ?`, id).Scan(&about.ID, &parent, &about.Directory, &version)
	if err != nil {
		return nil, err
	}
	about.ParentID, about.Version = parent.String, version.String
	return json.Marshal(about)
}

// databaseMessages reads a session's messages in the order of their time. The
// ids stand in columns of their own.
func databaseMessages(db *sql.DB, session string) iter.Seq2[storedMessage, error] {
	return func(yield func(storedMessage, error) bool) {
		var ids []string
		err := each(db, `select id from message where session_id = ? order by time_created, id`, session, func(row func(...any) error) error {
			var id string
			err := row(&id)
			ids = append(ids, id)
			return err
		})
		for _, id := range ids {
			var m storedMessage
			if err == nil {
				m, err = databaseMessage(db, id)
			}
			if !yield(m, err) || err != nil {
				return
			}
		}
		if err != nil {
			yield(storedMessage{}, err)
		}
	}
}

func databaseMessage(db *sql.DB, id string) (storedMessage, error) {
	var data []byte
	if err := db.QueryRow(`select data from message where id = ?`, id).Scan(&data); err != nil {
		return storedMessage{}, err
	}
	m := storedMessage{info: withID(data, id)}
	size := 0
	err := each(db, `select id, case when length(data) <= 8388608 then data else '' end from part where message_id = ? order by id`, id, func(row func(...any) error) error {
		var part string
		var data []byte
		if err := row(&part, &data); err != nil {
			return err
		}
		if size += len(data); size <= maxStored {
			m.parts = append(m.parts, withID(data, part))
		}
		return nil
	})
	return m, err
}

// withID puts an id into an object that lacks it.
func withID(object []byte, id string) []byte {
	inner, ok := bytes.CutPrefix(bytes.TrimSpace(object), []byte("{"))
	if !ok {
		return nil
	}
	name, err := json.Marshal(id)
	if err != nil {
		return nil
	}
	if bytes.HasPrefix(bytes.TrimSpace(inner), []byte("}")) {
		return slices.Concat([]byte(`{"id":`), name, []byte("}"))
	}
	return slices.Concat([]byte(`{"id":`), name, []byte(","), inner)
}

// each calls f for the rows of a query.
func each(db *sql.DB, query, arg string, f func(row func(...any) error) error) error {
	rows, err := db.Query(query, arg)
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

// databaseRows reads tables of another tool's SQLite database as the JSON of
// [migrate.Tables]. Tables that are not there are left out; binary columns too.
// The database is opened as OpenCode's is: for reading, without a trace.
func databaseRows(name string, tables []string) ([]byte, error) {
	db, err := openSessions(name)
	if err != nil {
		return nil, err
	}
	defer db.Close()
	out := migrate.Tables{Tables: map[string][]map[string]any{}}
	var present []string
	if err := each(db, `select name from sqlite_master where type = ? order by name`, "table", func(row func(...any) error) error {
		var table string
		err := row(&table)
		present = append(present, table)
		return err
	}); err != nil {
		return nil, fmt.Errorf("the database cannot be read: %w", err)
	}
	for _, table := range tables {
		for _, have := range present {
			if strings.EqualFold(have, table) {
				if out.Tables[table], err = tableRows(db, have); err != nil {
					return nil, fmt.Errorf("table %s: %w", have, err)
				}
			}
		}
	}
	if len(out.Tables) == 0 {
		return nil, fmt.Errorf("the database has no table %s", strings.Join(tables, " or "))
	}
	return json.Marshal(out)
}

// databaseSize is how long a database's file is by its own header (SQLite file
// format, 1.3): the page size at 16, the pages at 28, which hold where 24 and 92
// are the same. 0: it does not say.
func databaseSize(head []byte) int64 {
	if len(head) < 100 {
		return 100
	}
	if !bytes.Equal(head[24:28], head[92:96]) {
		return 0
	}
	page := int64(binary.BigEndian.Uint16(head[16:]))
	if page == 1 {
		page = 65536
	}
	return page * int64(binary.BigEndian.Uint32(head[28:]))
}

func tableRows(db *sql.DB, table string) ([]map[string]any, error) {
	rows, err := db.Query(`select * from "` + strings.ReplaceAll(table, `"`, `""`) + `"`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		return nil, err
	}
	all := []map[string]any{}
	for rows.Next() {
		values, into := make([]any, len(columns)), make([]any, len(columns))
		for i := range values {
			into[i] = &values[i]
		}
		if err := rows.Scan(into...); err != nil {
			return nil, err
		}
		row := map[string]any{}
		for i, column := range columns {
			if data, ok := values[i].([]byte); ok {
				if !utf8.Valid(data) {
					continue // an embedding, or the like
				}
				values[i] = string(data)
			}
			row[column] = values[i]
		}
		all = append(all, row)
	}
	return all, rows.Err()
}
