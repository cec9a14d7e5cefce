package project

import (
	"context"

	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/scan"
)

// MeasureCompliance says how far agents report their mistakes, in the sessions
// of this repository or in named files, whoever's they are. It stores nothing.
func (p *Project) MeasureCompliance(ctx context.Context, o ScanOptions) (scan.Compliance, []knowledge.Problem, error) {
	files, problems, err := p.Sessions(o)
	if err != nil {
		return scan.Compliance{}, nil, err
	}
	s, err := p.Store.Load()
	if err != nil {
		return scan.Compliance{}, problems, err
	}
	marks := p.readMarks(true)
	defer marks.end(false)
	measured, more, err := scan.MeasureCompliance(ctx, scan.Input{
		Files: files, State: p.scanState(o), Version: p.Version, Marker: marks, Redactor: p.Redactor(), Root: p.Root, Foreign: o.Foreign || len(o.Paths) > 0, Config: s.Config, Progress: o.Progress,
	})
	return measured, append(problems, more...), err
}

// MeasureFiles is the same of named files where there is no repository.
func MeasureFiles(ctx context.Context, m Machine, o ScanOptions) (scan.Compliance, []knowledge.Problem, error) {
	files, problems, err := NamedFiles(o.Paths)
	if err != nil {
		return scan.Compliance{}, nil, err
	}
	measured, more, err := scan.MeasureCompliance(ctx, scan.Input{Files: files, Redactor: m.Redactor(), Foreign: true, Progress: o.Progress})
	return measured, append(problems, more...), err
}
