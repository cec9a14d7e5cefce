package project

import (
	"bytes"
	"database/sql"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"path/filepath"
	"slices"
	"time"

	"github.com/lessons-cli/lessons/internal/agent"
	"github.com/lessons-cli/lessons/internal/database"
	"github.com/lessons-cli/lessons/scan"
)

// databaseSessions lists the sessions in OpenCode's database: those of a
// repository, or all where root is empty.
func databaseSessions(name, root string) ([]scan.File, error) {
	if !database.IsFile(name) {
		return nil, nil
	}
	db, err := database.Read(name)
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
			db, err := database.Read(name)
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
		ids, err := database.Texts(db, `select id from message where session_id = ? order by time_created, id`, session)
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
	err := database.Each(db, `select id, case when length(data) <= 8388608 then data else '' end from part where message_id = ? order by id`, func(row func(...any) error) error {
		var part string
		var data []byte
		if err := row(&part, &data); err != nil {
			return err
		}
		if size += len(data); size <= maxStored {
			m.parts = append(m.parts, withID(data, part))
		}
		return nil
	}, id)
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
