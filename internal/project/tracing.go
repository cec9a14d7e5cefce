package project

import (
	"cmp"
	"context"
	"path"
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/internal/history"
	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/internal/stale"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/artifact"
	"github.com/lessons-cli/lessons/knowledge/catalog"
	"github.com/lessons-cli/lessons/knowledge/entry"
	"github.com/lessons-cli/lessons/knowledge/lesson"
	"github.com/lessons-cli/lessons/knowledge/manifest"
	"github.com/lessons-cli/lessons/knowledge/observe"
	"github.com/lessons-cli/lessons/knowledge/store"
	"github.com/lessons-cli/lessons/knowledge/verdict"
)

// Trace is where an artifact came from, and what became of it.
type Trace struct {
	ID          string               `json:"id"`
	Title       string               `json:"title"`
	Status      string               `json:"status,omitempty"`
	Path        string               `json:"path"`
	Line        int                  `json:"line,omitempty"`
	Gone        bool                 `json:"gone,omitempty"` // not in the work tree
	Formerly    []string             `json:"formerly,omitempty"`
	Observation string               `json:"observation,omitempty"`
	Seen        string               `json:"seen,omitempty"` // as the artifact carries it
	Quotes      []string             `json:"quotes,omitempty"`
	Evidence    *observe.Observation `json:"evidence,omitempty"` // where this clone has it
	Events      []history.Event      `json:"events"`             // oldest first
	Verdict     *manifest.Tombstone  `json:"verdict,omitempty"`
	Stale       []stale.Finding      `json:"mayBeStale,omitempty"`
	Local       string               `json:"local,omitempty"` // what the work tree says beyond the last commit

	artifact artifact.Artifact
	row      *manifest.Row
}

// Trace follows an artifact that a person named: an entry's number now or
// formerly, a lesson's file, a path, an observation. One that is gone is found by
// the name that it had.
func (p *Project) Trace(ctx context.Context, s *store.Snapshot, name string) (*Trace, error) {
	a, here := named(s, name)
	if !here {
		var err error
		if a, err = p.findRemoved(ctx, s, name); err != nil {
			return nil, err
		}
	}
	t := &Trace{
		ID: cmp.Or(a.Anchor, a.Path), Title: a.Title, Status: a.Status, Path: a.Path, Line: a.Line, Gone: !here,
		Observation: a.Source, artifact: a,
	}
	if t.Gone {
		t.artifact.Text = nil
	}
	t.Evidence = s.Log.Get(a.Source)
	t.readEvidence(s)
	key := knowledge.Key{Observation: a.Source, Kind: a.Kind}
	if row, ok := s.Manifest.Row(key); ok {
		t.row = &row
	}
	if tomb, ok := s.Manifest.Tombstone(key); ok {
		t.Verdict = &tomb
	}
	if p.Git == nil {
		return t, nil
	}
	events, err := history.Follow(ctx, p.Git, history.TargetOf(a))
	if err != nil {
		return nil, err
	}
	t.Events = append([]history.Event{}, events...)
	gone, err := p.Stale(ctx, s)
	if err != nil {
		return nil, err
	}
	t.Stale = lists.Filter(gone, func(f stale.Finding) bool { return f.Path == t.Path && f.Anchor == t.artifact.Anchor })
	t.Local = t.uncommitted()
	return t, nil
}

// named is the artifact that a person means: an entry by its number, or by one
// that it had, else what lists call an item.
func named(s *store.Snapshot, name string) (artifact.Artifact, bool) {
	item, err := catalog.Find(catalog.Named(s, verdict.View{}, name), name)
	for _, a := range s.Artifacts {
		switch {
		case err == nil && a.Path == item.Path && (a.Anchor == "" || a.Anchor == item.ID),
			err == nil && item.Kind == catalog.KindObservation && item.Rendered(a.Source):
			return a, true
		}
	}
	for _, e := range s.Entries() {
		if slices.Contains(e.Formerly(), strings.ToUpper(name)) {
			return artifact.OfEntry(e), true
		}
	}
	return artifact.Artifact{}, false
}

// readEvidence fills in the evidence that the artifact itself carries.
func (t *Trace) readEvidence(s *store.Snapshot) {
	for _, e := range s.Entries() {
		if e.Path != t.Path || e.ID() != t.artifact.Anchor {
			continue
		}
		t.Formerly, t.Seen = e.Formerly(), e.Field(entry.FieldSeen)
		if seen, ok := lesson.ParseSeen(t.Seen); ok {
			t.Seen = seen.String()
		}
		for _, f := range e.Fields {
			if f.Name == entry.FieldQuote {
				t.Quotes = append(t.Quotes, f.Value)
			}
		}
	}
	for _, l := range s.Lessons {
		if l.Path == t.Path {
			t.Quotes = l.Quotes
			if l.Seen.Sessions > 0 {
				t.Seen = l.Seen.String()
			}
		}
	}
}

// findRemoved is the artifact that had a name, when nothing has it any more: the entry
// that history knows under it, else what the manifest remembers.
func (p *Project) findRemoved(ctx context.Context, s *store.Snapshot, name string) (artifact.Artifact, error) {
	if p.Git != nil {
		a, ok, err := history.Named(ctx, p.Git, strings.ToUpper(name))
		if err != nil || ok {
			return a, err
		}
	}
	if a, ok := remembered(s, name); ok {
		return a, nil
	}
	return artifact.Artifact{}, &catalog.NotFoundError{Name: name}
}

// remembered is the artifact that a tombstone or a row without a file remembers.
func remembered(s *store.Snapshot, name string) (artifact.Artifact, bool) {
	rows := slices.Clone(s.Manifest.Rows)
	rows = append(rows, lists.Map(s.Manifest.Tombstones, func(t manifest.Tombstone) manifest.Row { return t.Row })...)
	for _, r := range rows {
		file := strings.TrimSuffix(path.Base(r.Path), ".md")
		if r.Anchor == name && name != "" || r.Path == name || file == strings.TrimSuffix(name, ".md") || r.ObservationID == name || slices.Contains(r.Formerly, name) {
			return artifact.Artifact{Kind: r.Key().Kind, Source: r.ObservationID, Path: r.Path, Anchor: r.Anchor, Title: r.Title}, true
		}
	}
	return artifact.Artifact{}, false
}

// uncommitted says how the work tree differs from the last commit.
func (t *Trace) uncommitted() string {
	last := ""
	if n := len(t.Events); n > 0 && !slices.Contains(t.Events[n-1].Changes, history.Removed) {
		last = t.Events[n-1].Text
	}
	switch {
	case t.Gone && last != "":
		return "removed, not committed"
	case !t.Gone && last == "":
		return "not committed yet"
	case !t.Gone && !sameText(last, string(t.artifact.Text)):
		return "changed, not committed"
	}
	return ""
}

func sameText(a, b string) bool {
	return string(knowledge.NormaliseLines([]byte(a))) == string(knowledge.NormaliseLines([]byte(b)))
}

// Versions are three texts of an artifact: as the tool rendered it, as HEAD has
// it, and as it is. A version that nobody has any more is empty.
type Versions struct{ Rendered, Committed, Current string }

// Versions gives the texts that diff compares. The rendered one is looked for by
// its hash in the artifact's history: it is where the tool's text was committed.
func (t *Trace) Versions() Versions {
	v := Versions{Current: string(t.artifact.Text)}
	for _, e := range t.Events {
		if slices.Contains(e.Changes, history.Removed) {
			v.Committed = ""
			continue
		}
		v.Committed = e.Text
		if t.row != nil && knowledge.SameHash(t.row.ContentHash, []byte(e.Text)) {
			v.Rendered = e.Text
		}
	}
	if t.row != nil && knowledge.SameHash(t.row.ContentHash, t.artifact.Text) {
		v.Rendered = v.Current
	}
	return v
}

// Chronicle follows everything that is there or has a tombstone.
func (p *Project) Chronicle(ctx context.Context, s *store.Snapshot) ([]*Trace, error) {
	var all []*Trace
	if p.Git == nil {
		return nil, nil
	}
	artifacts := slices.Clone(s.Artifacts)
	for _, t := range s.Manifest.Tombstones {
		artifacts = append(artifacts, artifact.Artifact{Kind: t.Key().Kind, Source: t.ObservationID, Path: t.Path, Anchor: t.Anchor, Title: t.Title})
	}
	followed := map[history.Target]bool{}
	var targets []history.Target
	for _, a := range artifacts {
		target := history.TargetOf(a)
		if target.Source != "" {
			target.Title, target.Path = "", ""
		}
		if !followed[target] {
			followed[target] = true
			targets = append(targets, target)
			all = append(all, &Trace{ID: cmp.Or(a.Anchor, a.Path), Title: a.Title, Path: a.Path, Observation: a.Source})
		}
	}
	events, err := history.FollowAll(ctx, p.Git, targets)
	for i := range events {
		all[i].Events = events[i]
	}
	return all, err
}
