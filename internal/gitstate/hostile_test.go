package gitstate

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lessons-cli/lessons/internal/test/gittest"
)

// hostile is a repository whose configuration names a program wherever git
// takes one. The program leaves a trace. The oldest blob is missing, as in a
// partial clone, so that reading it would have to fetch.
func hostile(t *testing.T) (g *gittest.Repo, ran func() string, missing string) {
	t.Helper()
	g = plain(t)
	sign(t, g)
	trace := filepath.Join(t.TempDir(), "trace")
	script := filepath.Join(t.TempDir(), "evil")
	text := "#!/bin/sh\necho \"$0 $*\" >> '" + trace + "'\nexit 1\n"
	if err := os.WriteFile(script, []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
	hooks := filepath.Join(t.TempDir(), "hooks")
	for _, hook := range []string{
		"pre-commit", "post-checkout", "post-index-change", "fsmonitor-watchman", "reference-transaction",
		"post-merge", "pre-auto-gc", "p4-changelist", "proc-receive",
	} {
		for _, dir := range []string{hooks, g.Path(".git/hooks")} {
			if err := errors.Join(os.MkdirAll(dir, 0o755), os.WriteFile(filepath.Join(dir, hook), []byte(text), 0o755)); err != nil {
				t.Fatal(err)
			}
		}
	}
	g.Write(".gitattributes", "* filter=evil diff=evil merge=evil\n")
	g.Write(lesson, "# changed in the work tree\n")
	config := fmt.Sprintf(`
[core]
	fsmonitor = %[1]s
	pager = %[1]s
	editor = %[1]s
	hooksPath = %[2]s
	sshCommand = %[1]s
	askPass = %[1]s
	alternateRefsCommand = %[1]s
	gitProxy = %[1]s
	untrackedCache = true
[pager]
	log = %[1]s
	diff-tree = %[1]s
	ls-files = true
[diff]
	external = %[1]s
	orderFile = /nowhere
	relative = true
	renames = false
[diff "evil"]
	command = %[1]s
	textconv = %[1]s
[filter "evil"]
	clean = %[1]s
	smudge = %[1]s
	process = %[1]s
	required = true
[merge "evil"]
	driver = %[1]s
[alias]
	log = !%[1]s
	ls-files = !%[1]s
	cat-file = !%[1]s
	rev-parse = !%[1]s
[gpg]
	program = %[1]s
[log]
	showSignature = true
	follow = true
	showRoot = false
	diffMerges = combined
	date = format:%%n:evil
[format]
	pretty = oneline
[color]
	ui = always
[credential]
	helper = !%[1]s
[uploadpack]
	packObjectsHook = %[1]s
[protocol]
	allow = always
[protocol "ext"]
	allow = always
[protocol "file"]
	allow = always
[remote "origin"]
	url = ext::%[1]s
	promisor = true
	partialCloneFilter = blob:none
	uploadpack = %[1]s
	vcs = ext
[extensions]
	partialClone = origin
[gc]
	auto = 1
[maintenance]
	auto = true
`, script, hooks)
	missing = g.Git("rev-parse", "HEAD~1:"+oldOne)
	if err := os.Remove(loose(g, missing)); err != nil {
		t.Fatal(err)
	}
	g.Write(".git/config", g.Read(".git/config")+config)
	g.Git("config", "core.repositoryFormatVersion", "1")
	if err := os.Remove(trace); err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	return g, func() string {
		b, _ := os.ReadFile(trace)
		os.Remove(trace)
		return string(b)
	}, missing
}

// sign puts what looks like a signature on HEAD's commit.
func sign(t *testing.T, g *gittest.Repo) {
	t.Helper()
	head, message, _ := strings.Cut(g.Git("cat-file", "commit", "HEAD"), "\n\n")
	armor := "-----BEGIN PGP SIGNATURE-----\n \n AAAA\n -----END PGP SIGNATURE-----"
	oid, err := g.Pipe(head+"\ngpgsig "+armor+"\n\n"+message+"\n", "hash-object", "-t", "commit", "-w", "--stdin")
	if err != nil {
		t.Fatal(err)
	}
	g.Git("reset", "-q", "--soft", oid)
}

// TestHostileConfigurationRunsNothing asks every question of a hostile
// repository. That git itself would run the programs is checked first: else
// the test proves nothing.
func TestHostileConfigurationRunsNothing(t *testing.T) {
	g, ran, missing := hostile(t)
	for _, args := range [][]string{
		{"status"}, {"diff"}, {"log", "-1"}, {"cat-file", "-p", missing}, {"add", lesson},
	} {
		out, err := g.TryGit(args...)
		if ran() == "" {
			t.Errorf("git %s runs nothing: the fixture is harmless\n%s %v", args, out, err)
		}
	}
	older := lazyGit(t)
	for _, a := range append([]adapter{{"older git", func(ctx context.Context, dir string) (Repository, error) {
		return openWith(ctx, dir, older)
	}, true}}, adapters...) {
		r := opened(t, a, g.Path("src"))
		if a.history {
			if _, err := r.(*execRepo).program.revParse(t.Context(), g.Path("src")); err != nil {
				t.Error(err)
			}
			r.(*execRepo).program.place(r.Location())
		}
		for name, ask := range questions(r, missing) {
			err := ask(t.Context())
			if trace := ran(); trace != "" {
				t.Errorf("%s: %s ran a program:\n%s", a.name, name, trace)
			}
			if err != nil && !(errors.Is(err, ErrNoHistory) && !a.history) {
				t.Errorf("%s: %s: %v", a.name, name, err)
			}
		}
	}
}

// questions are all that a repository can be asked.
func questions(r Repository, missing string) map[string]func(context.Context) error {
	object := func(names ...string) func(context.Context) error {
		return func(ctx context.Context) error { _, err := r.Objects(ctx, names, true); return err }
	}
	return map[string]func(context.Context) error{
		"head":          func(ctx context.Context) error { _, err := r.Head(ctx); return err },
		"operation":     func(context.Context) error { _, err := r.Operation(); return err },
		"contents":      object("HEAD:"+lesson, ":0:"+manifest),
		"missing blobs": object(missing, missing),
		"index":         func(ctx context.Context) error { _, err := r.Index(ctx, nil); return err },
		"staged":        func(ctx context.Context) error { _, err := r.Staged(ctx); return err },
		"log":           func(ctx context.Context) error { _, err := r.Log(ctx, Walk{Paths: lessons}); return err },
		"log of all":    func(ctx context.Context) error { _, err := r.Log(ctx, Walk{All: true, Reflog: true}); return err },
		"reflog":        func(ctx context.Context) error { _, err := r.Log(ctx, Walk{Reflog: true}); return err },
		"renames": func(ctx context.Context) error {
			head, err := r.Head(ctx)
			if err == nil {
				_, err = r.Renames(ctx, []string{head})
			}
			return err
		},
		"ignored": func(ctx context.Context) error { _, err := r.Ignored(ctx, []string{lesson}); return err },
		"reach": func(ctx context.Context) error {
			head, err := r.Head(ctx)
			if err == nil {
				_, err = r.Reach(ctx, []string{head})
			}
			return err
		},
		"search": func(ctx context.Context) error { _, err := r.Search(ctx, []string{"text"}); return err },
		"words": func(ctx context.Context) error {
			if s, ok := r.(Program); ok {
				_, err := s.Words(ctx, "HEAD", []string{"text"})
				return err
			}
			return nil
		},
		"branches": func(ctx context.Context) error {
			if s, ok := r.(Program); ok {
				_, err := s.Branches(ctx)
				return err
			}
			return nil
		},
		"compare": func(ctx context.Context) error {
			if s, ok := r.(Program); ok {
				_, err := s.Compare(ctx, "HEAD")
				return err
			}
			return nil
		},
		"configuration": func(ctx context.Context) error {
			if s, ok := r.(Program); ok {
				_, err := s.LocalConfig(ctx)
				return err
			}
			return nil
		},
		"removals": func(ctx context.Context) error { _, err := r.Log(ctx, Walk{Removals: true}); return err },
		"digest":   func(ctx context.Context) error { _, err := r.RefsDigest(ctx); return err },
		"stamp":    func(context.Context) error { _, err := r.IndexStamp(); return err },
	}
}

// TestConfigurationDoesNotChangeTheAnswers compares a repository with and
// without settings that change what git prints.
func TestConfigurationDoesNotChangeTheAnswers(t *testing.T) {
	build := func() *gittest.Repo {
		g := plain(t)
		g.Git("mv", lesson, "moved.md")
		g.Commit("moved")
		g.Git("checkout", "-q", "-b", "side", "HEAD~1")
		g.Remove(lesson)
		g.Commit("removed")
		g.Git("checkout", "-q", "main")
		g.Git("merge", "-q", "--no-ff", "-s", "ours", "--no-edit", "side")
		g.Git("mv", "moved.md", ".lessons/back.md")
		return g
	}
	answers := func(g *gittest.Repo) string {
		r := openExec(t, g.Path("src"))
		commits, err := r.Log(t.Context(), Walk{Paths: []string{oldOne}})
		all, err2 := r.Log(t.Context(), Walk{All: true})
		moved, err6 := r.Log(t.Context(), Walk{Paths: []string{"moved.md"}})
		renames, err3 := r.Renames(t.Context(), []string{g.Git("rev-parse", "HEAD^1"), g.Head()})
		staged, err4 := r.Staged(t.Context())
		index, err5 := r.Index(t.Context(), lessons)
		if err := errors.Join(err, err2, err3, err4, err5, err6); err != nil {
			t.Fatal(err)
		}
		return fmt.Sprint(commits, all, moved, renames, staged, index)
	}
	quiet, loud := build(), build()
	loud.Git("config", "log.showRoot", "false")
	for _, setting := range []string{
		"log.follow=true", "log.diffMerges=combined", "log.decorate=full", "log.date=relative", "format.pretty=fuller",
		"diff.renames=copies", "diff.relative=true", "diff.noprefix=true", "diff.orderFile=/nowhere", "diff.wsErrorHighlight=all",
		"color.ui=always", "color.diff=always", "core.quotePath=true", "core.abbrev=7", "i18n.logOutputEncoding=UTF-16",
		"diff.ignoreSubmodules=all", "core.precomposeUnicode=true", "notes.displayRef=refs/notes/*", "log.abbrevCommit=true",
	} {
		name, value, _ := strings.Cut(setting, "=")
		loud.Git("config", name, value)
	}
	if a, b := answers(quiet), answers(loud); a != b {
		t.Errorf("without settings:\n%s\nwith:\n%s", a, b)
	}
}
