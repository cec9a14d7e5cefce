package reconcile

import (
	"fmt"
	"strings"

	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/artifact"
	"github.com/lessons-cli/lessons/knowledge/manifest"
	"github.com/lessons-cli/lessons/knowledge/observe"
)

// orphan is step 5: a marker without a row. One artifact is healed, with the
// hash of its text as it stands, so that an edit made meanwhile stays
// authoritative. It is a pure function.
func orphan(key knowledge.Key, found []artifact.Artifact, o *observe.Observation) Item {
	source, copies := original(found)
	if source == nil {
		item := newItem(rebuilt(key, found[0], nil, o), Ambiguous, fmt.Sprintf("no row, and its marker stands in %d places", len(found)), "F3")
		item.Candidates = places(found)
		return item
	}
	reason := "its row was not committed"
	if o != nil && o.Status == observe.Ready {
		reason = "rendering was interrupted before its row"
	}
	item := newItem(rebuilt(key, *source, copies, o), Healed, reason, "F3")
	item.artifact, item.noRow = source, true
	return item
}

// skillHome is where skills are rendered; the agents' folders hold published
// copies (rulings 11).
const skillHome = ".lessons/skills/"

// original tells a single artifact from its published copies.
func original(found []artifact.Artifact) (source *artifact.Artifact, copies []string) {
	if len(found) == 1 {
		return &found[0], nil
	}
	for i, a := range found {
		switch {
		case a.Kind != knowledge.KindSkill:
			return nil, nil
		case strings.HasPrefix(a.Path, skillHome) && source == nil:
			source = &found[i]
		case strings.HasPrefix(a.Path, skillHome):
			return nil, nil
		default:
			copies = append(copies, a.Path)
		}
	}
	return source, copies
}

// rebuilt makes the row of an artifact that has none.
func rebuilt(key knowledge.Key, a artifact.Artifact, copies []string, o *observe.Observation) manifest.Row {
	row := manifest.Row{
		ObservationID: key.Observation, Type: knowledge.RowType(key.Kind), Path: a.Path, Anchor: a.Anchor,
		ContentHash: knowledge.ContentHash(a.Text), Copies: copies, Rev: 1, Title: a.Title,
	}
	if o != nil {
		row.RenderedAt, row.N = o.LastSeen.UTC(), o.Observations
	}
	return row
}
