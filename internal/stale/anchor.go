package stale

import (
	"context"
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/internal/gitstate"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/artifact"
	"github.com/lessons-cli/lessons/knowledge/entry"
	"github.com/lessons-cli/lessons/knowledge/prose"
)

// commitsAtOnce bounds how many versions of the books are in memory.
const commitsAtOnce = 50

// lastChanges says for each artifact which commit last changed its text; empty
// when it is in none, or differs from the last one.
func lastChanges(ctx context.Context, repo gitstate.Repository, artifacts []artifact.Artifact) ([]string, error) {
	commits, err := repo.Log(ctx, gitstate.Walk{Paths: knowledge.Folders})
	if err != nil {
		return nil, err
	}
	w := walk{repo: repo, last: make([]string, len(artifacts)), open: map[int]bool{}, texts: map[string]string{}}
	for i, a := range artifacts {
		w.targets = append(w.targets, target{path: a.Path, sign: signOf(a), whole: a.Anchor == ""})
		w.open[i] = true
	}
	for chunk := range slices.Chunk(commits, commitsAtOnce) {
		if len(w.open) == 0 {
			break
		}
		if err := w.step(ctx, chunk); err != nil {
			return nil, err
		}
	}
	return w.last, nil
}

// target is an artifact as it is looked for in old versions.
type target struct {
	path  string
	sign  string // what only its section holds
	whole bool   // the file is the artifact
}

// signOf is what tells an entry's section from the others.
func signOf(a artifact.Artifact) string {
	if a.Source != "" {
		return knowledge.Marker(a.Source)
	}
	return "## " + a.Anchor
}

// walk goes back in history until every artifact's last change is found.
type walk struct {
	repo    gitstate.Repository
	targets []target
	last    []string
	open    map[int]bool      // targets whose change is not found yet
	texts   map[string]string // blobs of the books in the chunk
}

func (w *walk) step(ctx context.Context, commits []gitstate.Commit) error {
	if err := w.read(ctx, commits); err != nil {
		return err
	}
	for _, c := range commits {
		if len(c.Parents) > 1 {
			continue // what a merge brings together came with other commits
		}
		for i := range w.open {
			if w.changed(c, w.targets[i]) {
				w.last[i] = c.OID
				delete(w.open, i)
			}
		}
	}
	return nil
}

// read gets the versions of files that hold several entries.
func (w *walk) read(ctx context.Context, commits []gitstate.Commit) error {
	clear(w.texts)
	books := func(path, _ string) bool { return strings.HasPrefix(path, entry.Folder+"/") }
	return gitstate.EachVersion(ctx, w.repo, commits, books, func(_ string, o gitstate.Object) error {
		w.texts[o.Name] = "\n" + string(knowledge.NormaliseLines(o.Data)) + "\n## "
		return nil
	})
}

// changed says whether a commit changed a target's text.
func (w *walk) changed(c gitstate.Commit, t target) bool {
	before, after := "", ""
	for _, change := range c.Changes {
		switch {
		case t.whole:
			if change.Path == t.path {
				return true
			}
		default:
			if s := section(w.texts[change.OldOID], t.sign); s != "" {
				before = s
			}
			if s := section(w.texts[change.NewOID], t.sign); s != "" {
				after = s
			}
		}
	}
	return !t.whole && before != after
}

// section is the part of a book from one heading to the next that holds a sign.
func section(text, sign string) string {
	at := strings.Index(text, sign)
	for at >= 0 && at+len(sign) < len(text) && prose.IsNameByte(text[at+len(sign)]) {
		next := strings.Index(text[at+1:], sign) // a longer id begins like this one
		if next < 0 {
			return ""
		}
		at += 1 + next
	}
	if at < 0 {
		return ""
	}
	start := strings.LastIndex(text[:at+3], "\n## ")
	if start < 0 {
		return ""
	}
	return strings.TrimSpace(text[start : at+strings.Index(text[at:], "\n## ")])
}
