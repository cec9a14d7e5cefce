package project

import (
	"bytes"
	"database/sql"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/lessons-cli/lessons/internal/database"
	"github.com/lessons-cli/lessons/migrate"
)

// databaseRows reads tables of another tool's SQLite database as the JSON of
// [migrate.Tables]. Tables that are not there are left out; binary columns too.
// The database is opened as OpenCode's is: for reading, without a trace.
func databaseRows(name string, tables []string) ([]byte, error) {
	db, err := database.Read(name)
	if err != nil {
		return nil, err
	}
	defer db.Close()
	out := migrate.Tables{Tables: map[string][]map[string]any{}}
	present, err := database.Texts(db, `select name from sqlite_master where type = ? order by name`, "table")
	if err != nil {
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
