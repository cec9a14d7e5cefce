package project

import (
	"database/sql"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lessons-cli/lessons/migrate"
)

// TestImportsADatabase reads a database as agent-memory writes it, and leaves it
// and its folder as they are.
func TestImportsADatabase(t *testing.T) {
	name := filepath.Join(t.TempDir(), "memory.db")
	db, err := sql.Open("sqlite", "file:"+filepath.ToSlash(name))
	if err != nil {
		t.Fatal(err)
	}
	for _, statement := range []string{
		`create table knowledge (id text primary key, scope_type text not null, title text not null, category text, current_version_id text, is_active integer not null default 1, created_at text)`,
		`create table knowledge_versions (id text primary key, knowledge_id text, version_num integer, content text, confidence real, embedding blob)`,
		`create table tool_outcomes (id text primary key, tool_name text, outcome text, message text, created_at text)`,
		`insert into knowledge values ('k1', 'project', 'One database', 'decision', 'v1', 1, '2026-01-02 03:04:05')`,
		`insert into knowledge_versions values ('v1', 'k1', 1, 'There is one', 0.9, x'ff00fe')`,
		`insert into tool_outcomes values ('o1', 'Bash', 'failure', 'exit status 2', '2026-01-02T03:04:05.000Z')`,
	} {
		if _, err := db.Exec(statement); err != nil {
			t.Fatal(err)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	before, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	format, ok := migrate.Detect("memory.db", before[:min(len(before), migrate.HeadBytes)])
	if !ok || format.Name != "agent-memory" {
		t.Fatalf("it is taken for %q", format.Name)
	}
	data, err := importedBytes(found{name: name, shown: "memory.db", size: int64(len(before)), format: format})
	if err != nil {
		t.Fatal(err)
	}
	things, refused := format.Read("memory.db", data)
	var titles []string
	for _, thing := range things {
		titles = append(titles, thing.Title)
	}
	if got := strings.Join(titles, "; "); got != "One database; Bash fails: exit status 2" || len(refused) > 0 {
		t.Errorf("%s, refused %v", got, refused)
	}
	after, err := os.ReadFile(name)
	if err != nil || string(after) != string(before) {
		t.Errorf("the database was changed: %v", err)
	}
	if files, _ := os.ReadDir(filepath.Dir(name)); len(files) != 1 {
		t.Errorf("%d files beside it", len(files)-1)
	}
}
