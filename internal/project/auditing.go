package project

import (
	"context"
	"errors"
	"unicode/utf8"

	"github.com/lessons-cli/lessons/internal/audit"
	"github.com/lessons-cli/lessons/internal/fsx"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/instructions"
)

// Audit is what agents are told, held against the repository.
type Audit struct {
	Findings []knowledge.Problem
	Costs    []audit.Cost
}

// maxAudited is how large a file is that an audit reads, in bytes.
const maxAudited = 1 << 20

// Audit reads the files that git tracks as they lie in the work tree.
func (p *Project) Audit(ctx context.Context) (Audit, error) {
	if p.Git == nil {
		return Audit{}, errors.New("an audit needs a git repository: git init")
	}
	s, err := p.Store.Load()
	if err != nil {
		return Audit{}, err
	}
	entries, err := p.Git.Index(ctx, nil)
	if err != nil {
		return Audit{}, err
	}
	in := audit.Input{Artifacts: current(s), Repository: map[string]string{}}
	in.Ignored = func(paths []string) map[string]bool {
		ignored, _ := p.Git.Ignored(ctx, paths) // where nobody can tell, nothing is
		return ignored
	}
	for _, e := range entries {
		data, err := fsx.ReadBelow(p.FS, p.Root, e.Path, maxAudited)
		if err != nil || !utf8.Valid(data) {
			data = nil
		}
		in.Repository[e.Path] = string(data)
		if _, told := instructions.KindOf(e.Path); told && len(data) > 0 {
			in.Files = append(in.Files, audit.Source{File: instructions.Read(e.Path, data), Bytes: len(data)})
		}
	}
	return Audit{audit.Run(in), audit.Costs(in.Files)}, nil
}
