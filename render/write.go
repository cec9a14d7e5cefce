package render

import (
	"fmt"
	"strings"
	"time"

	"github.com/lessons-cli/lessons/internal/inject/compile"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/artifact"
	"github.com/lessons-cli/lessons/knowledge/entry"
	"github.com/lessons-cli/lessons/knowledge/lesson"
	"github.com/lessons-cli/lessons/knowledge/manifest"
	"github.com/lessons-cli/lessons/knowledge/observe"
	"github.com/lessons-cli/lessons/knowledge/prose"
	"github.com/lessons-cli/lessons/knowledge/verdict"
)

// write plans an artifact that is not there yet.
func (p *planner) write(m material, kind knowledge.Kind) (string, outcome) {
	row := p.newRow(m, kind)
	var text []byte
	switch kind {
	case knowledge.KindLesson:
		if lesson.CanonicalTrigger(m.trigger) == "" && !m.o.Instructs() {
			p.skip(m.o, "its trigger can never match")
			return "", refused
		}
		l := p.newLesson(m)
		if p.options.History[l.ID].State == compile.Shadow {
			p.skip(m.o, p.options.History[l.ID].Why)
			return "", refused
		}
		l.Returned = p.removal(m.o, kind)
		if l.Returned != "" || !p.requested(m.o) && p.contradicted(l) {
			l.Status = lesson.Draft
		}
		noteSaid(&row, l)
		row.Path = p.freePath(p.nameID(l.ID, l.Returned), 4, func(suffix string) string {
			return lessonFolder + "/" + withSuffix(prose.Slug(l.Title), suffix) + ".md"
		})
		l.Path, text = row.Path, l.Format()
		if _, err := lesson.Parse(l.Path, text); err != nil {
			p.skip(m.o, "its lesson could not be read back: "+err.Error())
			return "", refused
		}
		p.lessons[l.Path] = l
		p.known.lesson(l)
	case knowledge.KindCommand:
		row.Path = p.freePath(p.nameID(m.o.ID, ""), p.least(), func(suffix string) string {
			return commandFolder + "/" + withSuffix(prose.Slug(m.title), suffix) + ".md"
		})
		text = formatCommand(m)
	case knowledge.KindSkill:
		row.Path = skillPath(skillFolder, p.freeSkill(m.o.ID, prose.Slug(m.title)))
		text = formatSkill(m, skillName(row.Path))
	case knowledge.KindADR, knowledge.KindPF:
		shelf := p.shelves[kind]
		m.returned = p.removal(m.o, kind)
		e := formatEntry(m, kind, shelf.next, p.status(m, kind))
		if e.Active() {
			p.markCrowded(m.o, shelf)
		} else {
			row.Status = e.Status()
		}
		if p.options.Hook && shelf.layout != entry.LayoutFiles {
			shelf.wait(e)
			p.plan.Waiting = append(p.plan.Waiting, e)
			return "", waiting
		}
		row.Anchor = e.ID()
		suffix := ""
		if p.options.Hook {
			suffix = knowledge.CloneSuffix(m.o.ID, p.options.CloneKey)
		}
		var ok bool
		if row.Path, text, ok = shelf.add(e, suffix, p.files); !ok {
			p.skip(m.o, row.Path+" is in the way")
			return "", refused
		}
		e.Path = row.Path
		p.known.entry(e)
	}
	if row.Anchor == "" {
		p.files.write(row.Path, text)
		p.known.title(kind, m.title, row.Path)
	}
	p.register(m, kind, row, text)
	return row.Place(), written
}

// newRow is the row of an artifact about to be written, without its place.
func (p *planner) newRow(m material, kind knowledge.Kind) manifest.Row {
	at := m.seen.Last
	if at.IsZero() {
		at = m.o.LastSeen.UTC().Truncate(time.Second)
	}
	return manifest.Row{
		ObservationID: m.o.ID, Type: knowledge.RowType(kind), RenderedAt: at,
		N: max(m.seen.Sessions, 1), ContentKey: observe.ContentKey(m.o), Title: m.title,
	}
}

// register puts a written artifact into the manifest. One that people had
// removed comes back as something to review.
func (p *planner) register(m material, kind knowledge.Kind, row manifest.Row, text []byte) {
	if removal := p.removal(m.o, kind); removal != "" {
		m.o.NeedsReview = true
		p.notice(fmt.Sprintf("%s was %s, and is back on twice the evidence: review it", row.Place(), removal))
	}
	row.ContentHash = knowledge.ContentHash(text)
	if kind == knowledge.KindSkill {
		row.Copies = p.publishFirst(row.Path, text)
	}
	p.manifest.PutRow(row)
	p.plan.Rows = append(p.plan.Rows, row)
	p.rendered(row.Place())
}

// removal names the latest removal after which an artifact comes back of itself, or is
// empty.
func (p *planner) removal(o *observe.Observation, kind knowledge.Kind) string {
	if p.requested(o) || p.undone(o, kind) || verdict.Rejected(o, p.old, p.ledger, kind) != verdict.Returned {
		return ""
	}
	return verdict.LastRemoval(o, p.old, p.ledger, kind)
}

// nameID is what names of new files end in the last characters of. What came back has
// another name than what was removed: whoever reverts the removal finds that one free.
func (p *planner) nameID(id, returned string) string {
	switch {
	case returned != "":
		return knowledge.Digest("", 16, id, p.options.CloneKey, returned)
	case p.options.CloneKey != "":
		return knowledge.Digest("", 16, id, p.options.CloneKey)
	}
	return id
}

// least is how many of them a name has that a person would give no such end.
func (p *planner) least() int {
	if p.options.Hook {
		return 4
	}
	return 0
}

// mayChange says whether the plan may change a file that is there.
func (p *planner) mayChange(path string) bool {
	return !p.options.Hook || p.options.Tracked == nil || !p.options.Tracked(path)
}

// freePath finds a path that nothing else has: path makes one from the last
// characters of an id, at least so many of them.
func (p *planner) freePath(id string, least int, path func(suffix string) string) string {
	id = strings.ToLower(strings.Trim(prose.Slug(id), "-"))
	for n := least; ; n = max(n+2, 4) {
		suffix := id
		switch {
		case n <= len(id):
			suffix = strings.Trim(id[len(id)-n:], "-")
		default:
			suffix = fmt.Sprintf("%s-%d", id, n-len(id))
		}
		if candidate := path(suffix); p.files.free(candidate) {
			return candidate
		}
	}
}

// freeSkill finds a name that no skill has, here or where skills are published.
func (p *planner) freeSkill(id, slug string) string {
	path := p.freePath(p.nameID(id, ""), p.least(), func(suffix string) string {
		name := withSuffix(slug, suffix)
		for _, folder := range p.targets() {
			if p.files.obstacle(folder) != "" {
				continue // nothing is published there, whatever its name
			}
			if copied := skillPath(folder, name); !p.files.free(copied) {
				return copied // not free: the next one
			}
		}
		return skillPath(skillFolder, name)
	})
	return skillName(path)
}

func withSuffix(slug, suffix string) string {
	if suffix == "" {
		return slug
	}
	return slug + "-" + suffix
}

func formatEntry(m material, kind knowledge.Kind, number int, status string) entry.Entry {
	if kind == knowledge.KindPF {
		return formatPitfall(m, number, status)
	}
	return formatDecision(m, number, status)
}

// noteSaid notes what a person may change in a lesson as it is rendered.
func noteSaid(row *manifest.Row, l *lesson.Lesson) {
	row.Status, row.Priority, row.Words = l.Status, l.Priority, l.WordsHash()
}

// adopt registers an artifact that carries the observation's marker and has no
// row: a crash came between artifact and manifest. Its row gets the
// hash of what is rendered from the observation, so that a text which a person
// edited in the meantime is known as edited and stays.
func (p *planner) adopt(m material, kind knowledge.Kind, found []artifact.Artifact) (string, outcome) {
	a, ok := soleSource(found)
	if !ok {
		p.notice(fmt.Sprintf("self-learning:%s (%s) stands in %s and %s: delete one of them", m.o.ID, kind, found[0].Path, found[1].Path))
		return found[0].Path, standing
	}
	a.Path = p.sourceOf(a)
	row := p.newRow(m, kind)
	row.ObservationID, row.Path, row.Anchor = a.Source, a.Path, a.Anchor
	text := p.rerendered(m, kind, a)
	row.ContentHash = knowledge.ContentHash(text)
	if entry.IsProposed(a.Status) {
		row.Status = entry.StatusProposed
	}
	if l, err := lesson.Parse(a.Path, text); err == nil && kind == knowledge.KindLesson {
		noteSaid(&row, l)
	}
	if kind == knowledge.KindSkill {
		row.Copies = p.publishFirst(row.Path, a.Text)
		if hash := knowledge.ContentHash(a.Text); hash != row.ContentHash {
			row.Published = hash
		}
	}
	p.manifest.PutRow(row)
	return row.Place(), standing
}

// soleSource returns the artifact if it is the only one, or the only skill that
// is a source: what lies in the agents' folders are copies then.
func soleSource(found []artifact.Artifact) (artifact.Artifact, bool) {
	var sources []artifact.Artifact
	copies := 0
	for _, a := range found {
		switch {
		case a.Kind == knowledge.KindSkill && strings.HasPrefix(a.Path, skillFolder+"/"):
			sources = append(sources, a)
		case publishedPath(a.Path) && a.Hash == found[0].Hash:
			copies++
		}
	}
	switch {
	case len(sources) == 1:
		return sources[0], true
	case len(found) == 1, copies == len(found):
		return found[0], true
	}
	return artifact.Artifact{}, false
}

// publishedPath says whether a path is one to which skills are published.
func publishedPath(path string) bool {
	return skillName(path) != "" && (strings.HasPrefix(path, claudeSkills+"/") || strings.HasPrefix(path, sharedSkills+"/"))
}

// sourceOf returns the path of a skill's source. Where a loss of power left only
// a published copy, the source is written again with its text.
func (p *planner) sourceOf(a artifact.Artifact) string {
	path := skillPath(skillFolder, skillName(a.Path))
	if p.options.Hook || a.Kind != knowledge.KindSkill || !publishedPath(a.Path) || !p.files.free(path) || !p.stands(path, a.Text) {
		return a.Path
	}
	p.files.write(path, a.Text)
	p.rendered(path)
	return path
}

// rerendered is the text that the observation gives at the place of an artifact.
func (p *planner) rerendered(m material, kind knowledge.Kind, a artifact.Artifact) []byte {
	switch kind {
	case knowledge.KindLesson:
		next := p.newLesson(m)
		if current := p.lessons[a.Path]; current != nil && sameWords(current, next) {
			return a.Text // rendered from less evidence
		}
		return next.Format()
	case knowledge.KindCommand:
		return formatCommand(m)
	case knowledge.KindSkill:
		return formatSkill(m, skillName(a.Path))
	}
	_, number, _ := entry.ParseID(a.Anchor)
	status := p.status(m, kind)
	if entry.IsProposed(a.Status) {
		status = entry.StatusProposed
	}
	return entry.Format(formatEntry(m, kind, number, status))
}
