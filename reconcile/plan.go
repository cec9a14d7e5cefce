package reconcile

import (
	"github.com/lessons-cli/lessons/knowledge/manifest"
	"github.com/lessons-cli/lessons/knowledge/observe"
)

// PlanManifest is the manifest that a command which writes the work tree anyway
// should store: tombstones for committed removals, rows that follow moves, rows
// rebuilt or given back. It changes neither the report nor the manifest that is
// passed, which is the one of the work tree as it was read for the run; nil is
// an empty one. Every clone plans the same from the same commits.
func PlanManifest(r Report, m *manifest.Manifest) *manifest.Manifest {
	if r.base.from != "" && r.base.from != "work tree" {
		m = r.base.manifest // it was not there: the index or HEAD had it
	}
	if m == nil {
		m = &manifest.Manifest{}
	}
	planned := m.Clone()
	for _, item := range r.Items {
		if !item.lost {
			item.plan(planned)
		}
	}
	return planned
}

// WritesManifest says whether the planned manifest differs from what the work
// tree has. A manifest outside of a sparse checkout is never written.
func (r Report) WritesManifest(planned *manifest.Manifest) bool {
	switch r.base.from {
	case "work tree":
		return string(planned.Bytes()) != string(r.base.manifest.Bytes())
	case "":
		return len(planned.Rows)+len(planned.Tombstones) > 0
	}
	return !r.base.absent
}

// PlanLog is the log in which the observations of healed artifacts are created
// and no longer ready, where a rendering was interrupted; nil when none was.
func PlanLog(r Report, log *observe.Log) *observe.Log {
	if log == nil {
		return nil
	}
	var planned *observe.Log
	for _, item := range r.Items {
		o := log.Get(item.ObservationID)
		if item.Answer != Healed || o == nil || o.Status != observe.Ready {
			continue
		}
		if planned == nil {
			planned = log.Clone()
		}
		o.Status, o.ArtifactPath = observe.Created, item.Path
		planned.Put(o)
	}
	return planned
}

func (i Item) plan(m *manifest.Manifest) {
	switch {
	case i.tombstone != nil && i.artifact != nil && i.Answer != Skipped:
		m.PutRow(i.present(i.tombstone.Row))
	case i.Answer == Gone && i.How == HowCommitted:
		m.Bury(manifest.Tombstone{Row: i.row, Commit: i.Commit, By: i.By, At: i.At, How: HowCommitted})
	case i.Answer == Gone && i.How == HowUncommitted && !i.committed:
		m.DropRow(i.Key())
	case i.artifact == nil || i.Answer == Ambiguous || i.Answer == Skipped:
	default:
		row, has := m.Row(i.Key())
		if !has {
			row = i.row
		}
		if now := i.present(row); !has || now.Path != row.Path || now.Anchor != row.Anchor {
			m.PutRow(now)
		}
	}
}

// present is a row at the place where its artifact stands. Its hash stays that
// of the rendered text.
func (i Item) present(row manifest.Row) manifest.Row {
	row.Path, row.Anchor = i.artifact.Path, i.artifact.Anchor
	return row
}
