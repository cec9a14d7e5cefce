package project

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"time"

	"github.com/lessons-cli/lessons/internal/fsx"
	"github.com/lessons-cli/lessons/internal/gitstate"
	"github.com/lessons-cli/lessons/internal/inject"
	"github.com/lessons-cli/lessons/internal/inject/compile"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/artifact"
	"github.com/lessons-cli/lessons/knowledge/observe"
	"github.com/lessons-cli/lessons/knowledge/store"
)

const lessonsFolder = ".lessons"

// maxIndex is how large an index is believed to be, in bytes.
const maxIndex = 256 << 20

// indexPath is the compiled index of this work tree's lessons.
func (p *Project) indexPath() string { return p.local("index") }

// Compile makes the index that hooks read, and returns what keeps a lesson from
// ever being shown.
func (p *Project) Compile(ctx context.Context) ([]knowledge.Problem, error) {
	fingerprint, err := p.fingerprint() // before the lessons are read: see [compile.Options]
	if err != nil {
		return nil, err
	}
	stamp := p.stamp()
	s, err := p.Store.Load()
	if err != nil {
		return nil, err
	}
	lessons, _, theirs := p.Holding(ctx, s)
	evidence, trouble, err := p.Evidence(s, lessons.All())
	if err != nil {
		return nil, err
	}
	options := p.compileOptions(ctx, s, "")
	options.History = evidence.history
	options.Notices = evidence.Notices(lessons.Trusted(), evidence.unwanted(s))
	_, options.Config.Ask = p.Asking(s)
	options.Fingerprint, options.Stamp = fingerprint, stamp
	data, problems := compile.Compile(lessons, options)
	problems = slices.Concat(s.Problems, trouble, theirs, problems)
	p.sweep()
	p.clearIndex()
	return problems, fsx.WriteFile(p.FS, p.indexPath(), data)
}

// clearIndex moves a folder away from where the index belongs: no file replaces it.
func (p *Project) clearIndex() {
	info, err := p.FS.Lstat(p.indexPath())
	if err != nil || !info.IsDir() || p.FS.Remove(p.indexPath()) == nil {
		return
	}
	_ = p.FS.Rename(p.indexPath(), p.indexPath()+p.Now().UTC().Format("-20060102T150405"))
}

// sweep removes what sessions left that ended long ago. It may fail: the next
// one does it.
func (p *Project) sweep() {
	if p.takeRecords() != nil {
		return // what was not taken over must not go
	}
	_, _ = inject.Sweep(p.sessionPlaces(), p.Now().Add(-sessionsKept), sessionsSwept)
}

// sessionPlaces are where hooks leave what they remember of sessions here.
func (p *Project) sessionPlaces() inject.Places {
	return inject.PlacesOf(filepath.Dir(p.Store.Places.Local), p.Env)
}

// How long the traces of a session are kept, and how many sessions one run
// removes.
const (
	sessionsKept  = 7 * 24 * time.Hour
	sessionsSwept = 100
)

// compileOptions are what an index depends on besides the lessons. Without a name
// of a way of ranking the setting scoringMode holds.
func (p *Project) compileOptions(ctx context.Context, s *store.Snapshot, scoring string) compile.Options {
	gone := p.staleAmong(s.Artifacts)
	flow, _ := p.Flow()
	return compile.Options{
		CallsBeforeEdit: flow.CallsBeforeEdit,
		Stale:           func(path string) bool { return gone[path] != "" },
		Config:          s.Config, Scoring: inject.ScoringNamed(cmp.Or(scoring, s.Config.ScoringMode)),
		Today: p.Now().UTC().Format(time.DateOnly), Languages: compile.Languages(p.FS, p.Root),
		Reached:      func(tag string) bool { return p.reached(ctx, tag) },
		SelfReported: declared(s.Log),
		Skill: func(tool string) string {
			row, ok := s.Manifest.Row(knowledge.Key{Observation: "tool_" + tool, Kind: knowledge.KindSkill})
			at := slices.IndexFunc(s.Artifacts, func(a artifact.Artifact) bool { return a.Path == row.Path })
			if !ok || at < 0 || !p.gate(ctx).skill(row.Path, s.Artifacts[at].Text) {
				return ""
			}
			return row.Path
		},
	}
}

// describe is what the file system says of a path; nil when it is not there.
func (p *Project) describe(path string) fs.FileInfo {
	info, err := p.FS.Lstat(p.absolute(path))
	if err != nil {
		return nil
	}
	return info
}

// reached says whether a tag is an ancestor of HEAD.
func (p *Project) reached(ctx context.Context, tag string) bool {
	if p.Git == nil {
		return false
	}
	found, err := p.Git.Objects(ctx, []string{"refs/tags/" + tag + "^{commit}"}, false)
	if err != nil || len(found) != 1 || found[0].Missing {
		return false
	}
	reach, err := p.Git.Reach(ctx, []string{found[0].OID})
	return err == nil && reach[found[0].OID] == gitstate.BehindHead
}

// declared says whether an agent reported an observation itself or a person
// wrote it down.
func declared(log *observe.Log) func(id string) bool {
	return func(id string) bool {
		o := log.Get(id)
		if o == nil {
			return false
		}
		switch o.Origin {
		case observe.OriginSelfReport, observe.OriginManual:
			return true
		}
		return slices.Contains(o.Marks, observe.MarkSelfReport) || slices.Contains(o.Marks, observe.MarkManual)
	}
}

// Freshen compiles the index when lessons changed since, or when a lesson began
// or ended meanwhile. That it fails costs lessons at tool calls, nothing else.
func (p *Project) Freshen(ctx context.Context) {
	if !p.indexIsFresh() {
		_, _ = p.Compile(ctx)
	}
}

// recompile makes the index anew after a scan: what hooks tell follows from the calls and
// observations. Where there is none, no hook has asked yet; the first one has it made.
func (p *Project) recompile(ctx context.Context, learned bool) {
	if _, err := p.FS.Lstat(p.indexPath()); err != nil {
		return
	}
	if learned {
		_, _ = p.Compile(ctx)
	} else {
		p.Freshen(ctx)
	}
}

// Index reads the compiled index.
func (p *Project) Index() (*inject.Index, error) {
	data, err := fsx.ReadBelow(p.FS, p.Store.Places.Local, filepath.Base(p.indexPath()), maxIndex)
	if err != nil {
		return nil, err
	}
	return inject.Open(data)
}

func (p *Project) indexIsFresh() bool {
	index, err := p.Index()
	if err != nil {
		return false
	}
	now, err := p.fingerprint()
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return false
	}
	h := index.Header
	return h.Fingerprint == now && h.Stamp == p.stamp() &&
		(h.Until == "" || p.Now().UTC().Format(time.DateOnly) < h.Until)
}
