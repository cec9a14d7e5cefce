package project

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"path/filepath"

	"github.com/lessons-cli/lessons/internal/fsx"
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
	Head     string          `json:"head"`
	Texts    string          `json:"texts"` // hash over the artifacts
	Findings []stale.Finding `json:"findings"`
}

// Stale lists what knowledge names and the repository no longer has. Without the
// git program nothing is known, and nothing is stale.
func (p *Project) Stale(ctx context.Context, s *store.Snapshot) ([]stale.Finding, error) {
	repo, ok := p.Git.(stale.Repository)
	if !ok {
		return nil, nil
	}
	head, err := p.Git.Head(ctx)
	if err != nil || head == "" {
		return nil, err
	}
	now := staleMemo{Head: head, Texts: digestOf(s.Artifacts)}
	name := filepath.Join(p.Store.Places.Local, "stale.json")
	var last staleMemo
	if data, err := p.FS.ReadFile(name); err == nil && json.Unmarshal(data, &last) == nil && last.Head == now.Head && last.Texts == now.Texts {
		return last.Findings, nil
	}
	if now.Findings, err = stale.Find(ctx, repo, current(s)); err != nil {
		return nil, err
	}
	if data, err := json.Marshal(now); err == nil {
		_ = fsx.WriteFile(p.FS, name, data) // a memo that cannot be kept only costs time
	}
	return now.Findings, nil
}

// current are the artifacts that still say something: entries that were retired
// and lessons that were put away may name what is gone.
func current(s *store.Snapshot) []artifact.Artifact {
	var kept []artifact.Artifact
	for _, a := range s.Artifacts {
		if a.Anchor != "" && !entry.IsActive(a.Status) || a.Kind == knowledge.KindLesson && a.Status == lesson.Archived {
			continue
		}
		kept = append(kept, a)
	}
	return kept
}

func digestOf(artifacts []artifact.Artifact) string {
	sum := sha256.New()
	for _, a := range artifacts {
		fmt.Fprintf(sum, "%s\x00%s\x00%d\x00%s\x00%s\x00", a.Path, a.Anchor, a.Line, a.Status, a.Hash)
	}
	return hex.EncodeToString(sum.Sum(nil)[:16])
}
