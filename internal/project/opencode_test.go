package project

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lessons-cli/lessons/internal/agent"
	"github.com/lessons-cli/lessons/scan"
	"github.com/lessons-cli/lessons/scan/transcript"
)

// exportsOf are recorded sessions as the client exports them.
var exportsOf = map[string]string{
	"ses_0000000000000001": "../../scan/transcript/testdata/opencode/with-subtask.json",
	"ses_0000000000000002": "../../scan/transcript/testdata/opencode/subtask.json",
}

// eventsOf reads a session to the end.
func eventsOf(t *testing.T, name string, r io.Reader) []string {
	t.Helper()
	var all []string
	_, err := transcript.Read(name, r, transcript.Options{}, func(e transcript.Event) error {
		all = append(all, fmt.Sprintf("%d %s %s %s %s %s %d %q %s %s", e.Line, e.Kind, e.Session, e.Agent, e.Tool, e.Outcome, e.Exit, e.Text, e.Input, e.Time.UTC().Format(time.RFC3339)))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func exportedEvents(t *testing.T, id string) []string {
	t.Helper()
	f, err := os.Open(exportsOf[id])
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	return eventsOf(t, "x.json", f)
}

// sameAsExport reads each file twice, as a scan does.
func sameAsExport(t *testing.T, files []scan.File, id func(scan.File) string) {
	t.Helper()
	if len(files) != len(exportsOf) {
		t.Fatalf("%d sessions, want %d", len(files), len(exportsOf))
	}
	for _, file := range files {
		f, info, err := file.Open()
		if err != nil {
			t.Fatal(err)
		}
		if stat, err := file.Stat(); err != nil || stat != info || info.ModTime.IsZero() || info.Size == 0 {
			t.Errorf("%s: stat %+v, %v, opened %+v", file.Path, stat, err, info)
		}
		want := exportedEvents(t, id(file))
		for range 2 {
			if _, err := f.Seek(0, io.SeekStart); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, eventsOf(t, file.Path, f)); diff != "" {
				t.Errorf("%s: %s", file.Path, diff)
			}
		}
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	}
}

// database makes a database of the recorded rows, in the mode in which the
// client keeps it, and returns the writer.
func madeDatabase(t *testing.T, name string) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+filepath.ToSlash(name)+"?_pragma=journal_mode(WAL)")
	if err != nil {
		t.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	for _, statement := range []string{
		"create table session (id text primary key, project_id text, parent_id text, directory text not null, version text not null, time_updated integer not null)",
		"create table message (id text primary key, session_id text not null, time_created integer not null, time_updated integer not null, data text not null)",
		"create table part (id text primary key, message_id text not null, session_id text not null, time_created integer not null, time_updated integer not null, data text not null)",
		"create index message_session_time_created_id_idx on message (session_id, time_created, id)",
		"create index part_message_id_id_idx on part (message_id, id)",
		"create index part_session_idx on part (session_id)",
	} {
		if _, err := db.Exec(statement); err != nil {
			t.Fatal(err)
		}
	}
	data, err := os.ReadFile("testdata/opencode/rows.json")
	if err != nil {
		t.Fatal(err)
	}
	var rows map[string][]map[string]any
	if err := json.Unmarshal(data, &rows); err != nil {
		t.Fatal(err)
	}
	for table, columns := range map[string][]string{
		"session": {"id", "project_id", "parent_id", "directory", "version", "time_updated"},
		"message": {"id", "session_id", "time_created", "time_updated", "data"},
		"part":    {"id", "message_id", "session_id", "time_created", "time_updated", "data"},
	} {
		for _, row := range rows[table] {
			var values []any
			for _, c := range columns {
				v := row[c]
				if n, ok := v.(float64); ok {
					v = int64(n)
				}
				values = append(values, v)
			}
			if _, err := db.Exec("insert into "+table+" ("+strings.Join(columns, ",")+") values (?"+strings.Repeat(",?", len(columns)-1)+")", values...); err != nil {
				t.Fatal(err)
			}
		}
	}
	return db
}

// folder is what lies in a folder, byte by byte. The shared memory beside a
// database holds its readers' locks and may change.
func folder(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		data, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		if all[e.Name()] = string(data); strings.HasSuffix(e.Name(), "-shm") {
			all[e.Name()] = fmt.Sprint(len(data))
		}
	}
	return all
}

func TestDatabaseReadsAsItsExport(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "opencode.db")
	id := func(f scan.File) string { return f.Path[strings.LastIndexByte(f.Path, '#')+1:] }
	read := func(t *testing.T) {
		t.Helper()
		before := folder(t, dir)
		files, err := databaseSessions(name, "/home/dev/project")
		if err != nil {
			t.Fatal(err)
		}
		sameAsExport(t, files, id)
		if diff := cmp.Diff(before, folder(t, dir)); diff != "" {
			t.Errorf("reading left a trace: %d files before, %d after", len(before), len(folder(t, dir)))
		}
	}
	writer := madeDatabase(t, name)
	t.Run("while the agent runs", func(t *testing.T) {
		if _, ok := folder(t, dir)["opencode.db-wal"]; !ok {
			t.Fatal("no log of changes beside the database")
		}
		read(t)
	})
	t.Run("the agent writes while it is read", func(t *testing.T) {
		files, err := databaseSessions(name, "")
		if err != nil {
			t.Fatal(err)
		}
		f, _, err := files[0].Open()
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if _, err := io.CopyN(io.Discard, f, 10); err != nil {
			t.Fatal(err)
		}
		if _, err := writer.Exec("update session set time_updated = time_updated + 1"); err != nil {
			t.Errorf("the agent was held up: %v", err)
		}
	})
	if err := writer.Close(); err != nil {
		t.Fatal(err)
	}
	t.Run("when the agent is gone", func(t *testing.T) {
		if names := folder(t, dir); len(names) != 1 {
			t.Fatalf("%d files", len(names))
		}
		read(t)
	})
	t.Run("in a folder that nobody may write to", func(t *testing.T) {
		if err := os.Chmod(dir, 0o555); err != nil {
			t.Fatal(err)
		}
		defer os.Chmod(dir, 0o755) //nolint:errcheck // the folder goes away
		read(t)
	})
	files, err := databaseSessions(name, "/home/dev/other")
	if err != nil || len(files) != 0 {
		t.Errorf("%d sessions of another repository, %v", len(files), err)
	}
}

func TestBrokenDatabasesAreProblems(t *testing.T) {
	dir := t.TempDir()
	for name, content := range map[string]string{"empty.db": "", "text.db": "not a database at all, whatever its name says"} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := databaseSessions(path, ""); err == nil {
			t.Errorf("%s: no error", name)
		}
		if names := folder(t, dir); len(names) > 2 {
			t.Errorf("reading made files: %d", len(names))
		}
	}
	if files, err := databaseSessions(filepath.Join(dir, "missing.db"), ""); err != nil || files != nil {
		t.Errorf("a database that is not there: %v, %v", files, err)
	}
}

// storage makes a storage folder of the recorded exports.
func storage(t *testing.T, dir string) {
	t.Helper()
	write := func(data []byte, name ...string) {
		path := filepath.Join(append([]string{dir}, name...)...)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for id, path := range exportsOf {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var session struct {
			Info     json.RawMessage
			Messages []struct {
				Info  json.RawMessage
				Parts []json.RawMessage
			}
		}
		if err := json.Unmarshal(data, &session); err != nil {
			t.Fatal(err)
		}
		write(session.Info, "session", "project", id+".json")
		for _, m := range session.Messages {
			message := idOf(m.Info, "")
			write(m.Info, "message", id, message+".json")
			for _, p := range m.Parts {
				write(p, "part", message, idOf(p, "")+".json")
			}
		}
	}
}

func TestStorageReadsAsItsExport(t *testing.T) {
	home := t.TempDir()
	dir := filepath.Join(home, "storage")
	storage(t, dir)
	names, err := agent.OpenCode.Sessions(os.DirFS(home), "/home/dev/project")
	if err != nil || len(names) != 2 {
		t.Fatalf("%q, %v", names, err)
	}
	var files []scan.File
	for _, name := range names {
		found, err := sessionsIn(filepath.Join(home, name), "/home/dev/project")
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, found...)
	}
	id := func(f scan.File) string { return sessionID(f.Path) }
	sameAsExport(t, files, id)

	t.Run("a folder stands for its sessions", func(t *testing.T) {
		files, problems, err := NamedFiles([]string{home})
		if err != nil || len(problems) != 0 {
			t.Fatal(problems, err)
		}
		sameAsExport(t, files, id)
	})
	t.Run("a piece that is being written is left out", func(t *testing.T) {
		part := filepath.Join(dir, "part", "msg_0000000000000002", "prt_0000000000000004.json")
		if err := os.WriteFile(part, []byte(`{"id":"prt_`), 0o644); err != nil {
			t.Fatal(err)
		}
		i := slices.IndexFunc(files, func(f scan.File) bool { return id(f) == "ses_0000000000000001" })
		f, _, err := files[i].Open()
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if got, want := eventsOf(t, "x.json", f), exportedEvents(t, "ses_0000000000000001"); len(got) != len(want)-2 {
			t.Errorf("%d events, want %d", len(got), len(want)-2)
		}
	})
	t.Run("an id that leads elsewhere is not followed", func(t *testing.T) {
		if got := idOf([]byte(`{"id":"../../secret"}`), "own"); got != "own" {
			t.Errorf("%q", got)
		}
	})
	t.Run("new parts of the last message are noticed", func(t *testing.T) {
		before, err := files[0].Stat()
		if err != nil {
			t.Fatal(err)
		}
		later := before.ModTime.Add(time.Hour)
		last := filepath.Join(dir, "message", id(files[0]))
		entries, err := os.ReadDir(last)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(filepath.Join(dir, "part", sessionID(entries[len(entries)-1].Name())), later, later); err != nil {
			t.Fatal(err)
		}
		if after, err := files[0].Stat(); err != nil || after == before {
			t.Errorf("before %+v, after %+v, %v", before, after, err)
		}
	})
}
