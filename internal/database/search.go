package database

import (
	"database/sql"
	"errors"
	"strings"
)

// Search ranks texts by how well they fit some words, the best first: SQLite's full text
// search with BM25, in a database of its own that lies in memory, so nothing has to be kept
// in step. A word also finds what begins with it. It returns places in texts.
func Search(texts []string, words []string) (places []int, err error) {
	var terms []string
	for _, w := range words {
		if w = strings.TrimSpace(w); w != "" {
			terms = append(terms, `"`+strings.ReplaceAll(w, `"`, `""`)+`"*`)
		}
	}
	if len(terms) == 0 || len(texts) == 0 {
		return nil, nil
	}
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	db.SetMaxOpenConns(1) // every connection has a memory of its own
	if _, err := db.Exec(`create virtual table texts using fts5(text, tokenize = 'porter unicode61')`); err != nil {
		return nil, err
	}
	err = Write(db, func(tx *sql.Tx) error {
		insert, err := tx.Prepare(`insert into texts(rowid, text) values (?, ?)`)
		if err != nil {
			return err
		}
		defer insert.Close()
		for i, text := range texts {
			if _, err := insert.Exec(i+1, text); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	err = Each(db, `select rowid from texts where texts match ? order by bm25(texts), rowid`, func(row func(...any) error) error {
		var id int
		err := row(&id)
		places = append(places, id-1)
		return err
	}, strings.Join(terms, " OR "))
	return places, err
}
