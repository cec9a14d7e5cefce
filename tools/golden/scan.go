package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/txtar"
)

// source is a folder of sessions in the scratch directory.
type source struct {
	name  string
	files []string // slash-separated, below the folder
}

// scanSessions scans every session by itself and then all of a source together.
func scanSessions(o options, m *machine, out *output, work *pool) error {
	own, err := m.in("scan/repository")
	if err != nil {
		return err
	}
	if err := ownSessions(o.repo, own.path("sessions")); err != nil {
		return err
	}
	if err := scanSource("repository", own, out, work); err != nil {
		return err
	}
	for _, folder := range o.sessions {
		name := nameOf(folder)
		other, err := m.in("scan/" + name)
		if err != nil {
			return err
		}
		if err := os.CopyFS(other.path("sessions"), os.DirFS(folder)); err != nil {
			return err
		}
		if err := scanSource(name, other, out, work); err != nil {
			return err
		}
	}
	return nil
}

func scanSource(name string, m *machine, out *output, work *pool) error {
	if err := m.must(".", "git", "init", "-q", "--template=", "--initial-branch=main", "repo"); err != nil {
		return err
	}
	s := source{name: name}
	err := fs.WalkDir(os.DirFS(m.path("sessions")), ".", func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && (strings.HasSuffix(path, ".jsonl") || strings.HasSuffix(path, ".json")) {
			s.files = append(s.files, path)
		}
		return err
	})
	if err != nil {
		return err
	}
	for _, file := range s.files {
		work.do(func() error {
			said := m.run("repo", "", "lessons", "scan", "--json", "--dry-run", "--foreign", m.path("sessions/"+file))
			return out.write("scan/"+name+"/"+file+".txt", said)
		})
	}
	work.do(func() error { return s.scanTogether(m, out) })
	return nil
}

// scanTogether scans all sessions into one repository, and renders what is ready.
// Where a scan of all crashes, there is no log, and that is what is written down.
func (s source) scanTogether(m *machine, out *output) error {
	all, err := m.in("together")
	if err != nil {
		return err
	}
	if err := all.must(".", "git", "init", "-q", "--template=", "--initial-branch=main", "repo"); err != nil {
		return err
	}
	said := all.run("repo", "", "lessons", "scan", "--foreign", m.path("sessions"))
	if err := out.write("log/"+s.name+"/scan.txt", said); err != nil {
		return err
	}
	log, err := os.ReadFile(all.path("repo/.git/lessons/learning-log.jsonl"))
	if err != nil {
		log = []byte("no log\n")
	}
	if err := out.write("log/"+s.name+"/learning-log.jsonl", m.mask(string(log))); err != nil {
		return err
	}
	for file, args := range map[string][]string{
		"again.txt":        {"scan", "--all", "--foreign", "--json", m.path("sessions")},
		"observations.txt": {"list", "--observations", "--json"},
		"compliance.txt":   {"scan", "--compliance", "--json", "--foreign", m.path("sessions")},
	} {
		if err := out.write("log/"+s.name+"/"+file, all.run("repo", "", "lessons", args...)); err != nil {
			return err
		}
	}
	for _, layout := range []string{"book", "files"} {
		r, err := m.in("rendered-" + layout)
		if err != nil {
			return err
		}
		if err := writeFile(r.path("log.jsonl"), string(log)); err != nil {
			return err
		}
		if err := out.writeParts("render/"+s.name+"-"+layout, r.playText(mustRead(renderScript), layout)); err != nil {
			return err
		}
	}
	return nil
}

// ownSessions gathers the sessions of the repository's tests: files in folders
// called testdata, members of test scripts, and sessions made from the tables of
// dialogues. A name says nothing of the package, so that a package may move.
func ownSessions(repo, to string) error {
	return filepath.WalkDir(repo, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		slash := filepath.ToSlash(name)
		if d.IsDir() {
			if base := d.Name(); base == ".git" || base == "payloads" || base == "golden" || base == "bin" {
				return filepath.SkipDir
			}
			return nil
		}
		at := strings.LastIndex("/"+slash, "/testdata/")
		if at < 0 {
			return nil
		}
		below := slash[at+len("testdata/"):]
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		switch ext := filepath.Ext(name); {
		case ext == ".jsonl" || ext == ".json" && strings.HasPrefix(below, "opencode/"):
			return writeFile(filepath.Join(to, "files", below), string(data))
		case ext == ".txtar":
			return scriptSessions(filepath.Join(to, "scripts", strings.TrimSuffix(filepath.Base(name), ext)), data)
		case ext == ".txt" && slices.Contains(tables, strings.TrimSuffix(filepath.Base(name), "-heldout.txt")+".txt"),
			ext == ".txt" && slices.Contains(tables, filepath.Base(name)):
			return tableSessions(filepath.Join(to, "tables", strings.TrimSuffix(filepath.Base(name), ext)), string(data))
		case ext == ".txt" && filepath.Base(filepath.Dir(name)) == "pairs":
			return pairSessions(filepath.Join(to, "pairs", strings.TrimSuffix(filepath.Base(name), ext)), string(data))
		}
		return nil
	})
}

func scriptSessions(to string, archive []byte) error {
	for _, f := range txtar.Parse(archive).Files {
		if ext := filepath.Ext(f.Name); ext != ".jsonl" && ext != ".json" {
			continue
		}
		text := strings.ReplaceAll(string(f.Data), "@DIR@", "/home/dev/project")
		if err := writeFile(filepath.Join(to, filepath.Base(f.Name)), text); err != nil {
			return err
		}
	}
	return nil
}
