package render

import (
	"bytes"
	"reflect"
	"slices"

	"github.com/lessons-cli/lessons/internal/inject/compile"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/lesson"
	"github.com/lessons-cli/lessons/knowledge/manifest"
	"github.com/lessons-cli/lessons/knowledge/observe"
)

// refresh turns a draft that nobody edited into an active lesson once the
// evidence suffices, and makes an unedited lesson critical whose mistake was made
// again in spite of it. Where a person sees it, a lesson's file is told of the sessions
// that contradict it. Nothing else that stands is ever rendered again. Where a
// crash came behind that, it brings the row up to date with the text.
func (p *planner) refresh(m material, row manifest.Row) {
	text, ok := p.files.read(row.Path)
	if !ok || !p.mayChange(row.Path) {
		return
	}
	current, err := lesson.Parse(row.Path, text)
	if err != nil || current.Returned != "" {
		return
	}
	m.seen = m.seen.Join(current.Seen)
	next := current.Renewed(p.formatLesson(m))
	next.ID, next.Path = current.ID, row.Path
	contradicted := !p.options.Hook && len(next.Seen.Against) > len(current.Seen.Against)
	if (next.Status != lesson.Active || current.Status == lesson.Draft && p.contradicted(next)) && !contradicted {
		return
	}
	changed := next.Format()
	unedited := knowledge.SameHash(row.ContentHash, text) || row.Words == current.WordsHash() && row.Status == current.Status && row.Priority == current.Priority
	finished := !unedited && knowledge.ContentHash(changed) == knowledge.ContentHash(text)
	if !finished && (!unedited || current.Status != lesson.Draft && !becomesCritical(current, next, m) && !contradicted || !p.asRendered(current, m)) {
		return
	}
	now := p.newRow(m, knowledge.KindLesson)
	now.ObservationID, now.Path = row.ObservationID, row.Path
	noteSaid(&now, next)
	if finished {
		now.ContentHash = knowledge.ContentHash(changed)
		p.manifest.PutRow(now)
		return
	}
	if bytes.Contains(text, []byte("\r\n")) {
		changed = bytes.ReplaceAll(changed, []byte("\n"), []byte("\r\n"))
	}
	p.files.write(row.Path, changed)
	p.lessons[row.Path] = next
	p.register(m, knowledge.KindLesson, now, changed)
}

// contradicted says whether a lesson contradicts an active one: a person decides then.
func (p *planner) contradicted(l *lesson.Lesson) bool {
	for _, other := range p.lessons {
		if other.ID != l.ID && other.Status == lesson.Active && other.SupersededBy == "" && l.Status == lesson.Active && compile.Contradicts(l, other) != "" {
			return true
		}
	}
	return false
}

// becomesCritical says whether a lesson that did not help becomes critical.
func becomesCritical(current, next *lesson.Lesson, m material) bool {
	return slices.Contains(m.o.Marks, observe.MarkRepeated) && current.Status == lesson.Active &&
		lesson.LevelOf(next.Priority) == lesson.Critical && lesson.LevelOf(current.Priority) != lesson.Critical
}

// asRendered says whether a lesson stands as it was rendered: in the words that are
// to be rendered now, or in those that were found, before a model phrased them.
func (p *planner) asRendered(current *lesson.Lesson, m material) bool {
	return sameWords(current, p.formatLesson(m)) || sameWords(current, p.formatLesson(prepare(m.o)))
}

// sameWords says whether two lessons differ only in what more evidence changes.
// A row that was rebuilt after a crash has the hash of the text as it was found,
// so the hash alone does not prove that nobody edited it.
func sameWords(a, b *lesson.Lesson) bool { return reflect.DeepEqual(a.Words(), b.Words()) }

// shareEvidence adds the evidence of a duplicate to the observation that was rendered, and looks at that one again.
func (p *planner) shareEvidence(from *observe.Observation, id string) {
	to := p.log.Get(id)
	if to == nil || to.ID == from.ID || to.Type != from.Type {
		return
	}
	before := to.Clone()
	observe.Share(to, from)
	observe.Promote(to, p.config.Thresholds)
	if !reflect.DeepEqual(before, to) {
		p.store(to)
		p.again = append(p.again, to)
	}
}
