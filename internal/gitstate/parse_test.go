package gitstate

import (
	"bytes"
	"fmt"
	"path"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lessons-cli/lessons/internal/gitstate/gitdir"
)

var (
	oidA = strings.Repeat("a", 40)
	oidB = strings.Repeat("b", 64)
)

const (
	logSeed = "\x01" + "OID\x00PARENT\x00A <a@b>\x001700000000\x00Say it\x00" +
		"\n:100644 000000 OID ZERO D\x00a\x00:100644 100644 OID OID R087\x00old\x00\xffnew\n\x00" +
		"\x01OID\x00\x00 <>\x00\x00\x00"
	indexSeed = "H 100644 OID 0\ta b\x00s 160000 OID 0\tü\x00M 100644 OID 3\t\tx\x00"
)

func seeded(s string) []byte {
	return []byte(strings.NewReplacer("OID", oidA, "PARENT", oidB+" "+oidA, "ZERO", strings.Repeat("0", 40)).Replace(s))
}

func TestParseLog(t *testing.T) {
	commits, err := parseLog(seeded(logSeed))
	if err != nil {
		t.Fatal(err)
	}
	if len(commits) != 2 || len(commits[0].Changes) != 2 || len(commits[0].Parents) != 2 {
		t.Fatalf("%+v", commits)
	}
	if c := commits[0].Changes[1]; c.Status != "R" || c.OldPath != "old" || c.Path != "\xffnew\n" {
		t.Errorf("rename: %+v", c)
	}
	if c := commits[1]; !c.Time.IsZero() || c.Author != " <>" || len(c.Parents) > 0 {
		t.Errorf("a commit without a date: %+v", c)
	}
}

func TestParsersRefuseWhatTheyDoNotKnow(t *testing.T) {
	log := func(b []byte) error { _, err := parseLog(b); return err }
	changes := func(b []byte) error { _, err := parseChanges(b); return err }
	index := func(b []byte) error { _, err := parseIndex(b); return err }
	cases := []struct {
		name  string
		parse func([]byte) error
		text  string
	}{
		{"log: cut off in a commit", log, "\x01OID\x00PARENT\x00A"},
		{"log: cut off in a path", log, "\x01OID\x00\x00A\x001\x00s\x00\n:100644 100644 OID OID M\x00pa"},
		{"log: cut off before a path", log, "\x01OID\x00\x00A\x001\x00s\x00\n:100644 100644 OID OID R100\x00old\x00"},
		{"log: a change before any commit", log, ":100644 100644 OID OID M\x00path\x00"},
		{"log: a short id", log, "\x01abc\x00\x00A\x001\x00s\x00"},
		{"log: neither", log, "commit OID\x00"},
		{"log: combined diff", log, "\x01OID\x00\x00A\x001\x00s\x00\n::100644 100644 100644 OID OID OID MM\x00path\x00"},
		{"changes: abbreviated ids", changes, ":100644 100644 abc def M\x00path\x00"},
		{"changes: no status", changes, ":100644 100644 OID OID \x00path\x00"},
		{"changes: no path", changes, ":100644 100644 OID OID M\x00"},
		{"index: no tag", index, "100644 OID 0\tpath\x00"},
		{"index: no tab", index, "H 100644 OID 0 path\x00"},
		{"index: stage", index, "H 100644 OID 4\tpath\x00"},
		{"index: cut off", index, "H 100644 OID 0\tpath"},
	}
	for _, c := range cases {
		if err := c.parse(seeded(c.text)); err == nil {
			t.Errorf("%s: accepted", c.name)
		} else if len(err.Error()) > 300 || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %q", c.name, err)
		}
	}
}

func TestParseHeader(t *testing.T) {
	cases := []struct {
		line, name string
		want       Object
		size       int64
		bad        bool
	}{
		{line: "OID blob 12", name: "HEAD:a b", want: Object{Name: "HEAD:a b", OID: oidA, Type: "blob"}, size: 12},
		{line: "HEAD:a missing b missing", name: "HEAD:a missing b", want: Object{Name: "HEAD:a missing b", Missing: true}},
		{line: "abc ambiguous", name: "abc", want: Object{Name: "abc", Missing: true}},
		{line: "OID submodule", name: "HEAD:sub", want: Object{Name: "HEAD:sub", Missing: true}},
		{line: "other missing", name: "HEAD:a", bad: true},
		{line: "OID blob -1", name: "x", bad: true},
		{line: "OID blob", name: "x", bad: true},
		{line: "OID thing 1", name: "x", bad: true},
		{line: "", name: "x", bad: true},
	}
	for _, c := range cases {
		var o Object
		size, err := parseHeader(string(seeded(c.line)), c.name, &o)
		if (err != nil) != c.bad || size != c.size {
			t.Errorf("%q: size %d, %v", c.line, size, err)
		}
		if diff := cmp.Diff(c.want, o); !c.bad && diff != "" {
			t.Errorf("%q (-want +got):\n%s", c.line, diff)
		}
	}
}

func FuzzParseLog(f *testing.F) {
	f.Add(seeded(logSeed))
	f.Add([]byte("\x01\x00\x00\x00\x00"))
	f.Fuzz(func(t *testing.T, data []byte) {
		commits, err := parseLog(data)
		if err != nil {
			return
		}
		again, err := parseLog(encodeLog(commits))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(commits, again); diff != "" {
			t.Fatal(diff)
		}
		for _, c := range commits {
			if !gitdir.IsOID(c.OID) {
				t.Fatalf("id %q", c.OID)
			}
		}
	})
}

// encodeLog writes commits as git log does.
func encodeLog(commits []Commit) []byte {
	var b bytes.Buffer
	for _, c := range commits {
		stamp := ""
		if !c.Time.IsZero() {
			stamp = fmt.Sprint(c.Time.Unix())
		}
		fmt.Fprintf(&b, "\x01%s\x00%s\x00%s\x00%s\x00%s\x00", c.OID, strings.Join(c.Parents, " "), c.Author, stamp, c.Subject)
		for i, x := range c.Changes {
			if i == 0 {
				b.WriteByte('\n')
			}
			status := x.Status
			fmt.Fprintf(&b, ":%s %s %s %s %s\x00", x.OldMode, x.NewMode, x.OldOID, x.NewOID, status)
			if x.Status == "R" || x.Status == "C" {
				b.WriteString(x.OldPath + "\x00")
			}
			b.WriteString(x.Path + "\x00")
		}
	}
	return b.Bytes()
}

func FuzzParseIndex(f *testing.F) {
	f.Add(seeded(indexSeed))
	f.Fuzz(func(t *testing.T, data []byte) {
		entries, err := parseIndex(data)
		if err != nil {
			return
		}
		if n := bytes.Count(data, []byte{0}); len(entries) != n {
			t.Fatalf("%d entries in %d lines", len(entries), n)
		}
		for _, e := range entries {
			if !gitdir.IsOID(e.OID) || e.Stage < 0 || e.Stage > 3 || !bytes.Contains(data, []byte("\t"+e.Path+"\x00")) {
				t.Fatalf("%+v", e)
			}
		}
	})
}

func FuzzParseHeader(f *testing.F) {
	f.Add(oidA+" blob 12", "HEAD:x")
	f.Add("HEAD:x missing", "HEAD:x")
	f.Add("HEAD:x ambiguous", "HEAD:x")
	f.Fuzz(func(t *testing.T, line, name string) {
		var o Object
		size, err := parseHeader(line, name, &o)
		if err == nil && (size < 0 || o.Name != name || o.Missing == gitdir.IsOID(o.OID)) {
			t.Fatalf("%q to %q: %+v, %d", line, name, o, size)
		}
	})
}

func FuzzParseTree(f *testing.F) {
	f.Add([]byte("100644 a\x00" + strings.Repeat("x", 20) + "40000 dir\x00" + strings.Repeat("y", 20)))
	f.Fuzz(func(t *testing.T, data []byte) {
		files, ok := parseTree(data)
		for _, x := range files {
			if ok && (x.name == "" || len(x.mode) != 6 || !gitdir.IsOID(x.oid)) {
				t.Fatalf("%+v", x)
			}
		}
	})
}

func TestWithin(t *testing.T) {
	for _, c := range []struct {
		path, folder string
		want         bool
	}{
		{".lessons/a", ".lessons", true},
		{".lessons/a", ".lessons/", true},
		{".lessons", ".lessons", true},
		{".lessons.bak/a", ".lessons", false},
		{"x/.lessons/a", ".lessons", false},
		{path.Join("a", "b"), "a/b/c", false},
	} {
		if got := within(c.path, c.folder); got != c.want {
			t.Errorf("%q in %q: %v", c.path, c.folder, got)
		}
	}
}
