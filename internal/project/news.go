package project

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/internal/fsx"
	"github.com/lessons-cli/lessons/internal/provenance"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/entry"
	"github.com/lessons-cli/lessons/knowledge/lesson"
	"github.com/lessons-cli/lessons/knowledge/manifest"
	"github.com/lessons-cli/lessons/knowledge/prose"
	"github.com/lessons-cli/lessons/knowledge/store"
)

// news says once what was rendered since the person last looked, what holds by now
// and waits for a person's render, and what of others waits for their trust. met are the
// lessons as agents meet them. The names are to be announced; nil says that nothing is new.
func (p *Project) news(ctx context.Context, s *store.Snapshot, met []*lesson.Lesson, waits string) (message string, names []string) {
	known, first := p.announced()
	var titles, others, waiting, back, theirs []string
	note := func(to *[]string, name, title string) {
		names = append(names, name)
		if !known[name] {
			*to = append(*to, title)
		}
	}
	returned := comebacks(s)
	rows := p.gate(ctx).rendered(s)
	for _, r := range rows.Unreviewed() {
		note(&others, rowName(r), provenance.Mark+r.Title)
	}
	for _, r := range rows.Trusted() {
		if removal := returned[rowName(r)]; removal != "" {
			note(&back, rowName(r)+" "+removal, r.Title+" ("+removal+")")
			known[rowName(r)] = true
		}
		note(&titles, rowName(r), r.Title)
	}
	for _, e := range s.Waiting {
		note(&waiting, rowName(manifest.Row{ObservationID: e.Source, Type: knowledge.RowType(e.Kind)}), e.Title)
	}
	holds := raised(s, met, p.gate(ctx).decided(s).Trusted())
	for _, name := range sortedKeys(holds) {
		note(&waiting, name, holds[name])
	}
	if waits != "" {
		note(&theirs, "trust "+waits, waits)
	}
	if !first && len(titles)+len(others)+len(waiting)+len(back)+len(theirs) == 0 {
		return "", nil
	}
	if first {
		titles, others, waiting, back = nil, nil, nil, nil // of a fresh clone everything is old news
	}
	var parts []string
	if n := len(titles) + len(others); n > 0 {
		parts = append(parts, "lessons: "+prose.Counted(n, "new item")+" since you last looked: "+firstOf(titles, others...)+
			"\nReview with git diff or lessons list; commit what you keep, delete what you do not want.")
	}
	if len(back) > 0 {
		parts = append(parts, "lessons: "+prose.Counted(len(back), "item")+" back as a draft, on twice the evidence that there was when it was removed: "+firstOf(back)+
			"\nlessons promote ID brings it into force; until then no agent is told of it.")
	}
	if len(waiting) > 0 {
		parts = append(parts, "lessons: "+prose.Counted(len(waiting), "item")+" in force that no file says yet: "+firstOf(waiting)+
			"\nlessons render writes what waits; hooks leave files alone that git tracks.")
	}
	for _, waits := range theirs {
		parts = append(parts, "lessons: "+waits+" of others: told to agents as unreviewed, and stopping nothing, until you trust them (lessons trust)")
	}
	return strings.Join(parts, "\n"), append([]string{}, names...)
}

// comebacks are the removals after which something is back that waits for a person, by
// the names of its rows.
func comebacks(s *store.Snapshot) map[string]string {
	removals := map[string]string{}
	for _, l := range s.Lessons {
		if l.Status == lesson.Draft {
			removals[rowName(manifest.Row{ObservationID: l.Source, Type: string(knowledge.KindLesson)})] = l.Returned
		}
	}
	for _, e := range s.Entries() {
		if entry.IsProposed(e.Status()) {
			removals[rowName(manifest.Row{ObservationID: e.Source, Type: knowledge.RowType(e.Kind)})] = e.Field(entry.FieldReturned)
		}
	}
	return removals
}

// raised are the titles of what holds by its evidence and does not say so in its file,
// by the name under which that is announced.
func raised(s *store.Snapshot, met []*lesson.Lesson, decisions []entry.Entry) map[string]string {
	titles := map[string]string{}
	written := map[string]string{}
	for _, l := range s.Lessons {
		written[l.ID] = cmp.Or(written[l.ID], l.Status)
	}
	for _, l := range met {
		if l.Status == lesson.Active && written[l.ID] == lesson.Draft {
			titles["holds "+l.ID] = l.Title
		}
	}
	stands := map[string]bool{}
	for _, e := range s.Decisions {
		stands[e.Source] = stands[e.Source] || !entry.IsProposed(e.Status())
	}
	for _, e := range decisions {
		if e.Source != "" && e.Active() && !stands[e.Source] {
			titles["holds "+e.Source] = e.Title
		}
	}
	return titles
}

// firstOf names the first few of many, and behind them the first of those that nobody here
// reviewed.
func firstOf(titles []string, unreviewed ...string) string {
	const room = 3
	shown := titles[:min(room, len(titles))]
	theirs := min(provenance.Share(room), len(unreviewed), room-len(shown))
	shown = slices.Concat(shown, unreviewed[:theirs])
	if len(titles)+len(unreviewed) > len(shown) {
		return strings.Join(shown, "; ") + ", …"
	}
	return strings.Join(shown, "; ")
}

func rowName(r manifest.Row) string { return r.ObservationID + " " + r.Type }

func (p *Project) announcedPath() string { return p.local("told") }

// announced is the set of names of what the person at this work tree knows; first is
// true when nobody was ever told of anything.
func (p *Project) announced() (names map[string]bool, first bool) {
	names = map[string]bool{}
	data, err := p.FS.ReadFile(p.announcedPath())
	for line := range strings.Lines(string(data)) {
		names[strings.TrimSpace(line)] = true
	}
	return names, err != nil
}

// announce remembers what the person knows by now, too. That it may fail costs a repeated
// message only.
func (p *Project) announce(names []string) {
	known, _ := p.announced()
	for _, name := range names {
		known[name] = true
	}
	_ = fsx.WriteFile(p.FS, p.announcedPath(), []byte(strings.Join(sortedKeys(known), "\n")+"\n"))
}
