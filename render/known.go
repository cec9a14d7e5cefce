package render

import (
	"cmp"
	"maps"
	"slices"

	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/entry"
	"github.com/lessons-cli/lessons/knowledge/lesson"
	"github.com/lessons-cli/lessons/knowledge/manifest"
	"github.com/lessons-cli/lessons/knowledge/observe"
	"github.com/lessons-cli/lessons/knowledge/prose"
	"github.com/lessons-cli/lessons/knowledge/store"
	"github.com/lessons-cli/lessons/knowledge/verdict"
)

// known is what the repository says already, by which duplicates are found.
type known struct {
	titles map[titled]string // kind and normalised title → place
	issues map[string]string // area and issue of pitfalls → place
	fixes  map[string]string // canonical trigger and fix of lessons → path
	says   map[string]string // place of an entry → what it decides, or what is wrong
}

func compareKeys(a, b knowledge.Key) int {
	return cmp.Or(cmp.Compare(a.Observation, b.Observation), cmp.Compare(a.Kind, b.Kind))
}

type titled struct {
	kind  knowledge.Kind
	title string
}

func readKnown(p *planner) known {
	k := known{titles: map[titled]string{}, issues: map[string]string{}, fixes: map[string]string{}, says: map[string]string{}}
	for _, s := range p.shelves {
		for _, e := range s.entries {
			k.entry(e)
		}
	}
	for _, path := range slices.Sorted(maps.Keys(p.lessons)) {
		k.lesson(p.lessons[path])
	}
	for _, key := range slices.SortedFunc(maps.Keys(p.marked), compareKeys) {
		for _, a := range p.marked[key] {
			k.title(a.Kind, a.Title, a.Path)
		}
	}
	for _, r := range p.manifest.Rows {
		if !p.options.View.Absent(r.Key()) && r.Anchor == "" {
			k.title(r.Key().Kind, r.Title, r.Path)
		}
	}
	return k
}

func (k known) title(kind knowledge.Kind, title, place string) {
	if t := (titled{kind, prose.NormaliseTitle(title)}); t.title != "" && k.titles[t] == "" {
		k.titles[t] = place
	}
}

func (k known) entry(e entry.Entry) {
	place := e.Place()
	k.title(e.Kind, e.Title, place)
	k.says[place] = cmp.Or(e.Field(entry.FieldDecision), e.Field(entry.FieldIssue))
	if key := issueKey(e.Field(entry.FieldArea), e.Field(entry.FieldIssue)); e.Kind == knowledge.KindPF && key != "" && k.issues[key] == "" {
		k.issues[key] = place
	}
}

// issueKey identifies a pitfall by area and issue; without both it has none.
func issueKey(area, issue string) string {
	area, issue = prose.NormaliseTitle(area), prose.NormaliseTitle(issue)
	if area == "" || issue == "" {
		return ""
	}
	return area + "\x00" + issue
}

func (k known) lesson(l *lesson.Lesson) {
	if key := fixKey(&l.Triggers, l.Fix()); key != "" && k.fixes[key] == "" {
		k.fixes[key] = l.Path
	}
	k.title(knowledge.KindLesson, l.Title, l.Path)
}

// fixKey identifies a lesson by trigger and fix.
func fixKey(t *lesson.Trigger, fix string) string {
	trigger, fix := lesson.CanonicalTrigger(t), observe.NormaliseFix(fix)
	if trigger == "" || fix == "" {
		return ""
	}
	return trigger + "\x00" + fix
}

// Stands returns the place of an artifact that says the same as an observation, whatever
// it came from.
func Stands(s *store.Snapshot, o Options, of *observe.Observation) string {
	kind := mainKind(of)
	if asksForLesson(of) {
		kind = knowledge.KindLesson
	}
	p := newPlanner(s, o)
	path, _ := p.known.find(prepare(of).phrased(), kind, p.manifest, o.View)
	return path
}

// find returns the place of an artifact that says the same, and the id of the
// observation that it came from if it is registered.
func (k known) find(m material, kind knowledge.Kind, rows *manifest.Manifest, view verdict.View) (place, id string) {
	keys := observe.ContentKeys(m.o)
	for _, r := range rows.Rows {
		if r.Key().Kind == kind && r.ContentKey != "" && slices.Contains(keys, r.ContentKey) && !view.Absent(r.Key()) && !slices.Contains(m.o.Names(), r.ObservationID) {
			return r.Place(), r.ObservationID
		}
	}
	found := ""
	switch kind {
	case knowledge.KindLesson:
		found = k.fixes[fixKey(m.trigger, m.fix)]
	case knowledge.KindPF:
		found = k.issues[issueKey(m.area(), m.issue())]
	}
	if found == "" && (kind != knowledge.KindLesson || m.o.Instructs()) {
		found = k.titles[titled{kind, prose.NormaliseTitle(m.title)}]
	}
	if found == "" {
		return "", ""
	}
	for _, r := range rows.Rows {
		if r.Place() == found {
			return found, r.ObservationID
		}
	}
	return found, ""
}
