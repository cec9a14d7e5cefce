package migrate

import (
	"fmt"
	"strings"

	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/entry"
	"github.com/lessons-cli/lessons/knowledge/store"
	"github.com/lessons-cli/lessons/knowledge/verdict"
)

// present is what the repository holds already, and what was removed from it.
type present struct {
	places  map[knowledge.Key]string // of rows and markers
	removed map[knowledge.Key]bool
	logged  map[string]bool   // ids in the log
	sources map[string]string // place by provenance
}

func readPresent(s *store.Snapshot) present {
	p := present{places: map[knowledge.Key]string{}, removed: map[knowledge.Key]bool{}, logged: map[string]bool{}, sources: map[string]string{}}
	for _, r := range s.Manifest.Rows {
		p.places[r.Key()] = placeOf(r.Path, r.Anchor)
	}
	for _, a := range s.Artifacts {
		if a.Source != "" {
			p.places[knowledge.Key{Observation: a.Source, Kind: a.Kind}] = placeOf(a.Path, a.Anchor)
		}
	}
	for _, t := range s.Manifest.Tombstones {
		p.removed[t.Key()] = true
	}
	for key, verdicts := range verdict.Open(s.Ledger) {
		p.removed[key] = p.removed[key] || len(verdicts) > 0
	}
	if s.Log != nil {
		for _, o := range s.Log.Observations() {
			p.logged[o.ID] = true
		}
	}
	for _, list := range [][]entry.Entry{s.Decisions, s.Pitfalls} {
		for _, e := range list {
			if from := e.Field(fieldImported); from != "" {
				p.sources[from] = placeOf(e.Path, e.ID())
			}
		}
	}
	for _, l := range s.Lessons {
		for _, u := range l.Unknown {
			if from, ok := strings.CutPrefix(u.YAML, keyImported+": "); ok && u.Name == keyImported {
				p.sources[strings.Trim(strings.TrimSpace(from), `"'`)] = l.Path
			}
		}
	}
	return p
}

func placeOf(path, anchor string) string {
	if anchor == "" {
		return path
	}
	return path + "#" + anchor
}

// find says whether a thing is here or was removed; no outcome: neither.
func (p present) find(key knowledge.Key, t Thing) (place string, outcome Outcome, reason string) {
	place, here := p.places[key]
	switch {
	case p.removed[key]:
		return "", Removed, "people removed it; it does not come back by an import"
	case here && strings.HasPrefix(place, inThisImport):
		return "", Known, "it says the same as " + strings.TrimPrefix(place, inThisImport)
	case here:
		return place, Known, "imported before"
	case key.Kind == "" && p.logged[key.Observation]:
		return "", Known, "imported before"
	}
	if place := p.sources[t.Source.String()]; place != "" && !strings.HasPrefix(place, inThisImport) {
		return place, Known, fmt.Sprintf("imported before as %s, and changed at its source since: that stays yours to take over", place)
	}
	return "", "", ""
}

// inThisImport marks the place of a thing that this import is about to write.
const inThisImport = "\x00"

func (p present) add(key knowledge.Key, t Thing) { p.places[key] = inThisImport + t.Source.Place() }
