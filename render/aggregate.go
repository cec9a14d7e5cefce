package render

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/artifact"
	"github.com/lessons-cli/lessons/knowledge/lesson"
	"github.com/lessons-cli/lessons/knowledge/manifest"
	"github.com/lessons-cli/lessons/knowledge/verdict"
)

// aggregate renders one skill for each tool that enough active lessons are
// about (PRD section 13, rulings 12). Such a skill has no observation; its id is
// tool_<name>.
func (p *planner) aggregate() {
	if p.config.AggregateAt <= 0 || len(p.options.Only) > 0 {
		return
	}
	tools := p.lessonsByTool()
	for _, tool := range slices.Sorted(maps.Keys(tools)) {
		p.toolSkill(tool, tools[tool])
	}
}

// lessonsByTool groups the active lessons that this person stands for by their
// tool:<name> tags, most important first.
func (p *planner) lessonsByTool() map[string][]*lesson.Lesson {
	tools := map[string][]*lesson.Lesson{}
	for _, path := range slices.Sorted(maps.Keys(p.lessons)) {
		l := p.lessons[path]
		if l.Status != lesson.Active || l.SupersededBy != "" || !p.trusted(path) {
			continue
		}
		for _, tool := range l.ToolTags() {
			tools[tool] = append(tools[tool], l)
		}
	}
	for _, lessons := range tools {
		slices.SortStableFunc(lessons, func(a, b *lesson.Lesson) int {
			return cmp.Or(cmp.Compare(b.Priority, a.Priority), cmp.Compare(a.ID, b.ID), cmp.Compare(a.Path, b.Path))
		})
	}
	return tools
}

// trusted says whether this person stands for a lesson as it was before the plan.
func (p *planner) trusted(path string) bool {
	text, ok := p.files.before[path]
	return !ok || p.stands(path, text)
}

// toolSkill writes the skill of a tool, or renders it anew while its text is
// ours. After an edit it is the person's; after a deletion it comes back only on
// as many newer lessons as it took at first.
func (p *planner) toolSkill(tool string, lessons []*lesson.Lesson) {
	key := knowledge.Key{Observation: "tool_" + tool, Kind: knowledge.KindSkill}
	found := p.marked[key]
	if slices.Contains(p.options.Rebuilt, key) && len(found) > 0 {
		p.manifest.DropRow(key)
	}
	row, registered := p.manifest.Row(key)
	switch {
	case registered && !p.gone(row):
		p.renew(row, tool, lessons)
	case len(found) > 0:
		if a, ok := soleSource(found); ok {
			p.adoptToolSkill(key, tool, lessons, a)
		}
	case p.files.obstacle(skillFolder) != "": // waits until there is a place for it
	case len(lessons) >= p.config.AggregateAt+p.rejectedAt(key, row):
		name := p.freeSkill(key.Observation, "cli-intel-"+tool)
		text := formatToolSkill(tool, name, lessons)
		row := toolRow(key, skillPath(skillFolder, name), tool, lessons)
		row.ContentHash = knowledge.ContentHash(text)
		p.files.write(row.Path, text)
		row.Copies = p.publishFirst(row.Path, text)
		p.manifest.PutRow(row)
		p.rendered(row.Path)
	}
}

// rejectedAt is the number of lessons that a removed tool skill was made from,
// as rows, tombstones and open verdicts say; 0 if nobody removed one.
func (p *planner) rejectedAt(key knowledge.Key, row manifest.Row) int {
	n := row.N
	if t, ok := p.old.Tombstone(key); ok {
		n = max(n, t.N)
	}
	for _, v := range verdict.Open(p.ledger)[key] {
		n = max(n, v.N, p.config.AggregateAt)
	}
	return n
}

func toolRow(key knowledge.Key, path, tool string, lessons []*lesson.Lesson) manifest.Row {
	row := manifest.Row{
		ObservationID: key.Observation, Type: knowledge.RowType(key.Kind), Path: path,
		N: len(lessons), Title: toolTitle(tool),
	}
	for _, l := range lessons {
		if at := lastSeen(l); at.After(row.RenderedAt) {
			row.RenderedAt = at
		}
	}
	return row
}

// lastSeen is when a lesson was last met, to the day: the time of day is not in
// its file.
func lastSeen(l *lesson.Lesson) time.Time {
	at := l.Seen.Last.UTC().Truncate(24 * time.Hour)
	if created, err := time.Parse(time.DateOnly, l.Created); err == nil && created.After(at) {
		return created
	}
	return at
}

// renew renders a tool skill again when its lessons changed and nobody edited
// it, neither here nor where nobody reviewed it. Its digest proves that also where a crash left the row behind the text.
func (p *planner) renew(row manifest.Row, tool string, lessons []*lesson.Lesson) {
	text, ok := p.files.read(row.Path)
	if !ok || !untouched(text) || !p.stands(row.Path, text) || !p.mayChange(row.Path) {
		return
	}
	next := formatToolSkill(tool, skillName(row.Path), lessons)
	renewed := toolRow(row.Key(), row.Path, tool, lessons)
	renewed.ContentHash, renewed.Copies = knowledge.ContentHash(next), row.Copies
	if knowledge.ContentHash(text) != renewed.ContentHash {
		p.files.write(row.Path, next)
		p.rendered(row.Path)
	}
	if row.ContentHash != renewed.ContentHash {
		p.manifest.PutRow(renewed)
	}
}

// adoptToolSkill registers a tool skill that a crash left without a row.
func (p *planner) adoptToolSkill(key knowledge.Key, tool string, lessons []*lesson.Lesson, a artifact.Artifact) {
	a.Path = p.sourceOf(a)
	row := toolRow(key, a.Path, tool, lessons)
	row.ContentHash = knowledge.ContentHash(a.Text)
	if !untouched(a.Text) {
		row.ContentHash = knowledge.ContentHash(formatToolSkill(tool, skillName(a.Path), lessons))
		row.Published = knowledge.ContentHash(a.Text)
	}
	row.Copies = p.publishFirst(a.Path, a.Text)
	p.manifest.PutRow(row)
	p.renew(row, tool, lessons)
}

func toolTitle(tool string) string { return tool + ": known mistakes" }

// formatToolSkill writes what all lessons about a tool say.
func formatToolSkill(tool, name string, lessons []*lesson.Lesson) []byte {
	var b strings.Builder
	description := fmt.Sprintf("What goes wrong with %s in this repository, and what to do instead. Read it before running %s.", tool, tool)
	fmt.Fprintf(&b, "---\nname: %s\ndescription: %s\n", name, quoted(inert(description)))
	fmt.Fprintf(&b, "metadata:\n  source: self-learning:tool_%s\n  lessons: %s\n---\n\n# %s\n", tool, quoted(fmt.Sprint(len(lessons))), inert(toolTitle(tool)))
	for _, l := range lessons {
		fmt.Fprintf(&b, "\n## %s\n", inert(l.Title))
		if body := inertBlock(l.Body); body != "" {
			fmt.Fprintf(&b, "\n%s\n", body)
		}
	}
	return sealed([]byte(b.String()))
}
