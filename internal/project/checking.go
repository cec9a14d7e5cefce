package project

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/aymanbagabas/go-udiff"

	"github.com/lessons-cli/lessons/internal/agent"
	"github.com/lessons-cli/lessons/internal/check"
	"github.com/lessons-cli/lessons/internal/fsx"
	"github.com/lessons-cli/lessons/internal/gitstate"
	"github.com/lessons-cli/lessons/internal/inject/compile"
	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/internal/plain"
	"github.com/lessons-cli/lessons/internal/provenance"
	"github.com/lessons-cli/lessons/internal/resolve"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/config"
	"github.com/lessons-cli/lessons/knowledge/lesson"
	"github.com/lessons-cli/lessons/knowledge/manifest"
	"github.com/lessons-cli/lessons/knowledge/merge"
	"github.com/lessons-cli/lessons/knowledge/store"
	"github.com/lessons-cli/lessons/reconcile"
	"github.com/lessons-cli/lessons/scan"
)

// CheckInput reads everything that check looks at. With a base, such as
// origin/main, what HEAD adds to it is read too: added lines and commit messages.
func (p *Project) CheckInput(ctx context.Context, base string) (check.Input, error) {
	s, err := p.Store.Load()
	if err != nil {
		return check.Input{}, err
	}
	in := check.Input{Snapshot: s, Fires: fires, Files: p.ownFiles(), AgentSettings: agentSettings(), Attributes: merge.Attributes(), IsTag: scan.IsTag}
	in.There = func(path string) bool { return p.describe(path) != nil }
	in.Personal, _ = p.UserLessons()
	if in.Citing, err = p.citingFiles(ctx, s); err != nil {
		return in, err
	}
	_, problems := compile.Compile(provenance.Parted(s.Lessons, nil), compile.Options{Config: s.Config, Today: p.Now().UTC().Format(time.DateOnly)})
	in.Further = append(append(in.Further, problems...), slices.Concat(p.overdue(ctx, s.Lessons), config.Unknown(ConfigPath, s.ConfigData))...)
	if base != "" {
		if err := p.added(ctx, &in, base); err != nil {
			return in, err
		}
	}
	gone, err := p.Stale(ctx, s)
	if err != nil {
		return in, err
	}
	for _, f := range gone {
		in.Further = append(in.Further, knowledge.Problem{Path: f.Path, Line: f.Line, Rule: "stale-reference", Text: f.Text()})
	}
	published, err := p.PublishedProblems(ctx, s)
	if err != nil {
		return in, err
	}
	in.Further = append(in.Further, published...)
	report, err := p.askGit(ctx, s, true)
	if err != nil {
		return in, nil // the snapshot's problems say why nothing could be decided
	}
	for _, item := range report.Items {
		if item.Answer == reconcile.Skipped && item.NeverHere() {
			in.Further = append(in.Further, knowledge.Problem{
				Path: item.Path, Rule: "row-without-file",
				Text: "the manifest registers it, but it was never committed; git add it, or lessons reconcile --write",
			})
		}
	}
	return in, nil
}

// citingFiles are the texts outside of the artifact folders in which something like an
// entry's number stands, where there are entries.
func (p *Project) citingFiles(ctx context.Context, s *store.Snapshot) (map[string]string, error) {
	if p.Git == nil || len(s.Decisions)+len(s.Pitfalls) == 0 {
		return nil, nil
	}
	paths, err := p.Git.Search(ctx, []string{"ADR-", "PF-"})
	if err != nil && !errors.Is(err, gitstate.ErrNoHistory) {
		return nil, err
	}
	texts := map[string]string{}
	for _, path := range paths {
		if text, err := p.Read(path); err == nil && !knowledge.InFolders(path) {
			texts[path] = string(text)
		}
	}
	return texts, nil
}

// ownFolders hold what only lessons writes.
var ownFolders = []string{lessonsFolder, ".memory"}

// ownFiles are the texts in lessons' own folders, whatever they are.
func (p *Project) ownFiles() map[string]string {
	files := map[string]string{}
	for _, folder := range ownFolders {
		_ = fs.WalkDir(os.DirFS(p.Root), folder, func(path string, d fs.DirEntry, err error) error {
			if err != nil || !d.Type().IsRegular() {
				return nil // what cannot be read is a problem of its own
			}
			if data, err := fsx.ReadBelow(p.FS, p.Root, path, maxOwnFile); err == nil && utf8.Valid(data) {
				files[path] = string(data)
			}
			return nil
		})
	}
	return files
}

// maxOwnFile is how large a file is that is looked at for secrets, in bytes.
const maxOwnFile = 1 << 20

func fires(l *lesson.Lesson, command string) bool {
	on, _ := compile.Matcher(&l.Triggers)
	return on(command)
}

// ErrNoComparison: without the git program nobody can tell what a change adds.
var ErrNoComparison = errors.New("comparing with a base needs the git program")

// added reads what HEAD adds to a base.
func (p *Project) added(ctx context.Context, in *check.Input, base string) error {
	git, ok := p.Git.(gitstate.Program)
	if !ok {
		return ErrNoComparison
	}
	c, err := git.Compare(ctx, base)
	if err != nil {
		return err
	}
	in.Messages = lists.Map(c.Messages, func(m gitstate.Message) check.Message { return check.Message{Commit: m.OID, Text: m.Text} })
	for _, change := range c.Changes {
		switch change.NewMode {
		case "120000":
			in.Links = append(in.Links, change.Path)
			continue
		case "160000":
			continue
		}
		texts, err := p.textsOf(ctx, change)
		if err != nil {
			return err
		}
		old, text := texts[0], texts[1]
		in.Added = append(in.Added, check.Added{
			Path: change.Path, Text: text, Before: old, Lines: addedLines(string(old), string(text)), Own: knowledge.InFolders(change.Path),
		})
	}
	return nil
}

// agentSettings are the files that say what agents run in a repository.
func agentSettings() []string {
	files := []string{".mcp.json"}
	return append(files, lists.Flat(agent.All, (*agent.Client).SettingsFiles)...)
}

// textsOf are the texts of a file before and after a change; nil: there was none.
func (p *Project) textsOf(ctx context.Context, change gitstate.Change) (texts [2][]byte, err error) {
	for i, oid := range []string{change.OldOID, change.NewOID} {
		if gitstate.IsZero(oid) {
			continue
		}
		objects, err := p.Git.Objects(ctx, []string{oid}, true)
		if err != nil {
			return texts, err
		}
		texts[i] = append([]byte{}, objects[0].Data...)
	}
	return texts, nil
}

// addedLines are the numbers of the lines in after that before has not.
func addedLines(before, after string) map[int]bool {
	lines := map[int]bool{}
	if strings.IndexByte(after, 0) >= 0 {
		return lines // no text
	}
	unified, err := udiff.ToUnifiedDiff("", "", before, udiff.Lines(before, after), 0)
	if err != nil {
		return lines
	}
	for _, hunk := range unified.Hunks {
		line := hunk.ToLine
		for _, l := range hunk.Lines {
			switch l.Kind {
			case udiff.Insert:
				lines[line] = true
				line++
			case udiff.Equal:
				line++
			}
		}
	}
	return lines
}

// Fix repairs what is mechanical: merges that were left, numbers, rows that are
// missing, characters that nobody can see, the form of the manifest. It returns
// what it did, in words.
func (p *Project) Fix(ctx context.Context) ([]string, error) {
	var done []string
	r, err := p.Resolve(ctx, ResolveOptions{})
	if err != nil {
		return nil, err
	}
	done = append(done, lists.Map(r.Repaired, func(path string) string { return "merged " + path })...)
	done = append(done, lists.Map(r.Renumbered, func(n resolve.Renumbering) string { return "renumbered " + n.From + " -> " + n.To })...)
	if _, err := p.Reconcile(ctx, true); err != nil {
		return done, err
	}
	s, err := p.Store.Load()
	if err != nil {
		return done, err
	}
	changes := reformed(s)
	done = append(done, lists.Map(changes, func(c store.Change) string { return "cleaned " + c.Path })...)
	return done, p.Store.Apply(store.Transaction{Changes: changes})
}

// reformed are the files whose bytes can be mended without changing what they
// say.
func reformed(s *store.Snapshot) []store.Change {
	after := map[string][]byte{}
	for path, data := range s.ManifestTexts() {
		if !manifest.IsCanonical(path, data) {
			after[path] = manifest.Format(path, data)
		}
	}
	for _, a := range s.Artifacts {
		if data := s.Before(a.Path); data != nil && plain.Invisible(string(data)) >= 0 {
			after[a.Path] = []byte(plain.Visible(string(data)))
		}
	}
	return lists.Map(sortedKeys(after), func(path string) store.Change {
		return store.Change{Path: path, Before: s.Before(path), After: after[path]}
	})
}
