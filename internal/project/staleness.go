package project

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/lessons-cli/lessons/internal/fsx"
	"github.com/lessons-cli/lessons/internal/gitstate"
	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/internal/stale"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/artifact"
	"github.com/lessons-cli/lessons/knowledge/entry"
	"github.com/lessons-cli/lessons/knowledge/lesson"
	"github.com/lessons-cli/lessons/knowledge/store"
)

// staleMemo remembers the last answer. History does not change behind a commit,
// so HEAD and the texts say whether it still holds. It may be lost.
type staleMemo struct {
	Head     string            `json:"head"`
	Texts    string            `json:"texts"`  // hash over the artifacts
	Hashes   map[string]string `json:"hashes"` // of the artifacts with findings, by their places
	Findings []stale.Finding   `json:"findings"`
}

func (p *Project) staleMemoPath() string { return p.local("stale.json") }

// lastStale is what [Project.Stale] found when it looked last, nothing where it never did.
func (p *Project) lastStale() (last staleMemo) {
	if data, err := p.FS.ReadFile(p.staleMemoPath()); err != nil || json.Unmarshal(data, &last) != nil {
		return staleMemo{}
	}
	return last
}

// Stale lists what knowledge names and the repository no longer has. Without the
// git program nothing is known, and nothing is stale. Hooks, which have no time to look,
// go by the last answer: where it is another one now, their index is made anew.
func (p *Project) Stale(ctx context.Context, s *store.Snapshot) ([]stale.Finding, error) {
	repo, ok := p.Git.(gitstate.Program)
	if !ok {
		return nil, nil
	}
	last := p.lastStale()
	due, now, err := p.staleIsDue(ctx, s, last)
	if err != nil || !due {
		return last.Findings, err
	}
	if now.Findings, err = stale.Find(ctx, repo, current(s)); err != nil {
		return nil, err
	}
	now.Hashes = map[string]string{}
	for _, a := range s.Artifacts {
		if slices.ContainsFunc(now.Findings, func(f stale.Finding) bool { return f.Place() == a.Place() }) {
			now.Hashes[a.Place()] = a.Hash
		}
	}
	if data, err := json.Marshal(now); err == nil {
		_ = fsx.WriteFile(p.FS, p.staleMemoPath(), data) // a memo that cannot be kept only costs time
	}
	if !maps.Equal(now.Hashes, last.Hashes) {
		p.recompile(ctx, true)
	}
	return now.Findings, nil
}

// staleIsDue says whether the last answer may not hold any more, and for which state the
// next one will.
func (p *Project) staleIsDue(ctx context.Context, s *store.Snapshot, last staleMemo) (bool, staleMemo, error) {
	if p.Git == nil {
		return false, staleMemo{}, nil
	}
	head, err := p.Git.Head(ctx)
	now := staleMemo{Head: head, Texts: digestOf(s.Artifacts)}
	return err == nil && head != "" && (last.Head != now.Head || last.Texts != now.Texts), now, err
}

// staleAmong says of artifacts that name what was gone at the last look, and did not change
// since, what that is, by their places.
func (p *Project) staleAmong(all []artifact.Artifact) map[string]string {
	last, why := p.lastStale(), map[string]string{}
	for _, f := range last.Findings {
		at := f.Place()
		if why[at] == "" && slices.ContainsFunc(all, func(a artifact.Artifact) bool { return a.Place() == at && a.Hash == last.Hashes[at] }) {
			why[at] = f.What()
		}
	}
	return why
}

// StaleHere is what artifacts name that is gone, by their places.
func (p *Project) StaleHere(ctx context.Context, s *store.Snapshot) map[string]string {
	_, _ = p.Stale(ctx, s) // what cannot be asked is not known
	return p.staleAmong(s.Artifacts)
}

// current are the artifacts that still say something: entries that were retired
// and lessons that were put away may name what is gone.
func current(s *store.Snapshot) []artifact.Artifact {
	return lists.Filter(s.Artifacts, func(a artifact.Artifact) bool {
		return (a.Anchor == "" || entry.IsActive(a.Status)) && (a.Kind != knowledge.KindLesson || a.Status != lesson.Archived)
	})
}

func digestOf(artifacts []artifact.Artifact) string {
	sum := sha256.New()
	for _, a := range artifacts {
		fmt.Fprintf(sum, "%s\x00%s\x00%d\x00%s\x00%s\x00", a.Path, a.Anchor, a.Line, a.Status, a.Hash)
	}
	return hex.EncodeToString(sum.Sum(nil)[:16])
}
