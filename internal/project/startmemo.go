package project

import (
	"context"
	"encoding/json"
	"path"
	"path/filepath"
	"slices"
	"time"

	"github.com/lessons-cli/lessons/internal/fsx"
	"github.com/lessons-cli/lessons/internal/hook"
	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/entry"
	"github.com/lessons-cli/lessons/knowledge/manifest"
	"github.com/lessons-cli/lessons/knowledge/store"
)

// startMemo is the memo that hooks answer a session's start from while nothing changes, begun
// before what it tells is found out.
type startMemo struct {
	p     *Project
	began time.Time
	own   uint64 // the state of lessons' own files
}

func (p *Project) startMemo() startMemo {
	own, _ := hook.StampOf(p.ownPlaces())
	return startMemo{p, p.Now(), own}
}

// keep writes the memo of what is told at the start of a session and of a sub-agent, where all that people changed lies back long enough to
// be seen by its time, and nothing else changed meanwhile. Without it the next start takes longer.
func (m startMemo) keep(s *store.Snapshot, parts startParts) {
	people, own := m.p.peoplesPlaces(s, parts), m.p.ownPlaces()
	_, newest := hook.StampOf(people)
	now, _ := hook.StampOf(own)
	name := hook.StartMemoPath(m.p.Location.GitDir)
	_, flow := m.p.Flow() // it tells each session something of its own
	if flow || m.p.Git == nil || m.began.Sub(newest) < settled || now != m.own || filepath.Dir(name) != m.p.Store.Places.Local {
		return
	}
	memo := hook.StartMemo{
		Session: parts.told(), Subagent: parts.forSubagent().told(),
		User: m.p.userFolder(), Until: m.began.UTC().AddDate(0, 0, 1).Format(time.DateOnly), Places: append(people, own...),
	}
	memo.Stamp, _ = hook.StampOf(memo.Places)
	if data, err := json.Marshal(memo); err == nil {
		_ = fsx.WriteFile(m.p.FS, name, data)
	}
}

// ownPlaces are lessons' own files.
func (p *Project) ownPlaces() []string {
	own := []string{p.Program, p.trustPath(), p.indexPath(), p.announcedPath(), p.staleMemoPath(), p.flowPath(), p.local("waiting")}
	return append(own, p.Store.Files()...)
}

// toldEntries is more than an index tells of a kind at a start; it has the newest.
const toldEntries = 200

// peoplesPlaces are git's files, the folders of artifacts, and the files of those that are told.
// Whoever adds, removes or replaces a file changes its folder. What is edited in place and not
// told counts when the index is made anew, beside the start.
func (p *Project) peoplesPlaces(s *store.Snapshot, parts startParts) []string {
	inTree := map[string]bool{
		lessonsFolder: true, ConfigPath: true, ".memory": true, manifest.Path: true, manifest.Folder: true,
		entry.Dir(knowledge.KindADR): true, entry.Dir(knowledge.KindPF): true,
	}
	for _, a := range s.Artifacts {
		inTree[path.Dir(a.Path)] = true
	}
	for _, all := range [][]entry.Entry{s.Decisions, s.Pitfalls} {
		for _, e := range all[max(0, len(all)-toldEntries):] {
			inTree[e.Path] = true
		}
	}
	places := lists.Map(sortedKeys(inTree), p.absolute)
	for _, l := range slices.Concat(parts.Critical, parts.Statements) {
		places = append(places, p.absolute(l.Path), p.userPath(l.Path)) // one of them
	}
	places = append(places, p.userFolder(), filepath.Join(p.ConfigHome(), "config.json"))
	for _, name := range []string{"HEAD", "index", "logs/HEAD", "MERGE_HEAD"} {
		places = append(places, filepath.Join(p.Location.GitDir, name))
	}
	for _, name := range []string{"config", "packed-refs", "refs/tags"} {
		places = append(places, filepath.Join(p.Location.CommonDir, name))
	}
	return places
}

// RememberStart makes the memo where the next session would be told nothing new: a scan in the
// background does that, so that the session need not.
func (p *Project) RememberStart(ctx context.Context) {
	s, err := p.Store.Load()
	if err != nil {
		return
	}
	p.Freshen(ctx)
	memo := p.startMemo()
	parts, lessons := p.startParts(ctx, s)
	if _, names := p.news(ctx, s, lessons, parts.Unreviewed.Others.String()); names == nil && len(parts.Notes) == 0 {
		memo.keep(s, parts)
	}
}
