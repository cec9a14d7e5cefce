package reconcile

import (
	"bytes"
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/internal/gitstate"
	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/manifest"
	"github.com/lessons-cli/lessons/knowledge/observe"
)

// awayObservations is step 6: observations that the log says were rendered although
// neither a row, a tombstone nor an artifact of them is here.
func awayObservations(log *observe.Log, m *manifest.Manifest, w *workTree) []*observe.Observation {
	if log == nil {
		return nil
	}
	known := lists.SetOf(m.Rows, func(r manifest.Row) string { return r.ObservationID })
	for _, t := range m.Tombstones {
		known[t.ObservationID] = true
	}
	for key := range w.byKey {
		known[key.Observation] = true
	}
	rendered := func(h observe.Head) bool {
		return h.Status == observe.Created || h.Rendered && h.Status != observe.Deprecated
	}
	var away []*observe.Observation
	for o := range log.Where(rendered) {
		if !slices.ContainsFunc(o.Names(), func(id string) bool { return known[id] }) {
			away = append(away, o)
		}
	}
	return away
}

// noRow is the answer about an observation that was rendered somewhere else.
func noRow(o *observe.Observation, reason string, facts ...string) Item {
	return newItem(manifest.Row{
		ObservationID: o.ID, Type: rowTypeAt(o.ArtifactPath, o.Type), Path: o.ArtifactPath, N: o.Observations,
	}, NoRow, reason, facts...)
}

// rowTypeAt tells the type of a row that is not here from where its artifact
// was rendered: one observation may have artifacts of several kinds.
func rowTypeAt(path string, t knowledge.Type) string {
	switch {
	case strings.HasPrefix(path, skillHome):
		return string(knowledge.Procedural)
	case strings.HasPrefix(path, ".lessons/"):
		return string(knowledge.KindLesson)
	}
	return string(t)
}

// awayRows looks for the rows of observations that are away in the newest version of the
// manifest that had them: a row that was removed by hand does not hide a
// deletion.
func (f *facts) awayRows(away []*observe.Observation) (map[string][]manifest.Row, error) {
	found := map[string][]manifest.Row{}
	commits, err := f.walk(gitstate.Walk{Paths: []string{manifest.Path, manifest.Folder}})
	if err != nil {
		return nil, err
	}
	changes := lists.Flat(commits, func(c gitstate.Commit) []gitstate.Change { return c.Changes })
	versions := lists.Filter(changes, func(ch gitstate.Change) bool { return isManifest(ch.Path) })
	open := slices.Clone(away)
	for chunk := range slices.Chunk(versions, round) {
		var ids []string
		for _, v := range chunk {
			ids = append(ids, v.NewOID, v.OldOID)
		}
		if err := f.load(f.historyContext(), ids); err != nil {
			return nil, err
		}
		for _, id := range ids {
			open = slices.DeleteFunc(open, func(o *observe.Observation) bool {
				rows := f.rowsIn(id, o)
				if len(rows) > 0 {
					found[o.ID] = rows
				}
				return len(rows) > 0
			})
		}
		if len(open) == 0 {
			break
		}
	}
	return found, nil
}

// rowsIn returns the rows (and the rows of tombstones) that a version of the
// manifest has of an observation.
func (f *facts) rowsIn(id string, o *observe.Observation) []manifest.Row {
	b := f.blobs[id]
	has := func(name string) bool { return bytes.Contains(b.data, []byte(name)) }
	if !slices.ContainsFunc(o.Names(), has) {
		return nil
	}
	m, _ := manifest.Parse(manifest.Path, b.data)
	if m == nil {
		return nil
	}
	rows := lists.Filter(m.Rows, func(r manifest.Row) bool { return slices.Contains(o.Names(), r.ObservationID) })
	for _, t := range m.Tombstones {
		if slices.Contains(o.Names(), t.ObservationID) {
			rows = append(rows, t.Row)
		}
	}
	return rows
}
