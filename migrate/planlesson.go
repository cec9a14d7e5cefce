package migrate

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/oklog/ulid/v2"

	"github.com/lessons-cli/lessons/internal/inject/compile"
	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/artifact"
	"github.com/lessons-cli/lessons/knowledge/config"
	"github.com/lessons-cli/lessons/knowledge/entry"
	"github.com/lessons-cli/lessons/knowledge/lesson"
	"github.com/lessons-cli/lessons/knowledge/manifest"
	"github.com/lessons-cli/lessons/knowledge/prose"
	"github.com/lessons-cli/lessons/knowledge/store"
)

// lesson plans a lesson file.
func (p *planner) lesson(a *admission) {
	l := *a.Lesson
	l.Title, l.Source = a.Title, a.id
	l.Confidence = cmp.Or(l.Confidence, 0.5)
	l.ID = lessonID(a)
	l.Path = p.freePath(l.Title, l.ID)
	if l.Created == "" && !a.Date.IsZero() {
		l.Created = a.Date.UTC().Format(time.DateOnly)
	}
	l.Unknown = append(l.Unknown, lesson.UnknownKey{Name: keyImported, YAML: keyImported + ": " + quoted(a.Source.String())})
	problem, fix := p.refs.rewrite(p.clean(a.Problem), a.Source), p.refs.rewrite(p.clean(a.Fix), a.Source)
	layOut(&l, problem, fix, p.refs.rewrite(p.clean(a.Why), a.Source))
	guard := l.Action == lesson.ActionDeny || l.Action == lesson.ActionAsk || l.Action == lesson.ActionRewrite
	switch {
	case guard && l.Status == lesson.Active:
		l.Status = lesson.Draft
		p.note(a, "a guard: it is a draft until you promote it")
	case l.Status == lesson.Active:
		p.drafted(a, &l)
	}
	if l.Status == lesson.Active && !compile.Brought(&l) {
		l.Status = lesson.Draft
		p.note(a, "a draft: it names no call. Name one, make it a requirement, or give it priority 9 or more: with those sessions start")
	}
	text := l.Format()
	if _, err := lesson.Parse(l.Path, text); err != nil {
		p.refuse(a, "its lesson could not be read back: "+err.Error())
		return
	}
	if _, problems := compile.Trigger(&l.Triggers); len(problems) > 0 {
		p.refuse(a, "its trigger cannot be used: "+problems[0].Text)
		return
	}
	p.firing(&l)
	p.taken[strings.ToLower(l.Path)] = true
	if guard {
		p.plan.Untrusted = append(p.plan.Untrusted, l.Path)
	}
	p.plan.Changes = append(p.plan.Changes, store.Change{Path: l.Path, After: text})
	p.plan.Items[a.item].Status = l.Status
	p.register(a, l.Path, "", text)
}

// drafted makes a draft of a lesson that would contradict another one: two that
// fire on the same calls and advise something else are for a person to settle.
func (p *planner) drafted(a *admission, l *lesson.Lesson) {
	if other := p.fires[lesson.CanonicalTrigger(&l.Triggers)]; other != nil {
		l.Status = lesson.Draft
		p.note(a, "a draft: it fires on the same calls as %s", other.Path)
	}
}

// firing remembers on which calls a lesson fires.
func (p *planner) firing(l *lesson.Lesson) {
	if key := lesson.CanonicalTrigger(&l.Triggers); key != "" && l.Status == lesson.Active && l.SupersededBy == "" {
		p.fires[key] = l
	}
}

// lessonID is the other tool's where it is a ULID, else one of the date and the
// thing's id. Of a thing that was divided in two only one could keep it.
func lessonID(a *admission) string {
	if id, err := ulid.ParseStrict(a.Source.ID); err == nil {
		return id.String()
	}
	var id ulid.ULID
	if ms := a.Date.UnixMilli(); !a.Date.IsZero() && ms > 0 {
		_ = id.SetTime(uint64(ms)) // fails only far in the future
	}
	sum := sha256.Sum256([]byte(a.id))
	_ = id.SetEntropy(sum[:10]) // fails only for another length
	return id.String()
}

// freePath is the slug of the title and the last characters of the id, as many
// as it takes.
func (p *planner) freePath(title, id string) string {
	id = strings.ToLower(id)
	for n := 4; ; n++ {
		path := ".lessons/" + prose.Slug(title) + "-" + id[len(id)-min(n, len(id)):]
		if n > len(id) {
			path += fmt.Sprintf("-%d", n-len(id))
		}
		if path += ".md"; !p.taken[strings.ToLower(path)] {
			return path
		}
	}
}

// layOut writes the body: what goes wrong, what to do, and why.
func layOut(l *lesson.Lesson, problem, fix, why string) {
	var paragraphs []string
	if problem != "" && problem != l.Title {
		paragraphs = append(paragraphs, plainStart(problem))
	}
	if fix != "" {
		paragraphs = append(paragraphs, "**Fix**: "+fix)
	}
	if why != "" {
		paragraphs = append(paragraphs, "**Why**: "+why)
	}
	if len(paragraphs) > 0 {
		l.Body = strings.Join(paragraphs, "\n\n") + "\n"
	}
}

// plainStart keeps the first word of a paragraph from making it something else.
func plainStart(text string) string {
	if text != "" && strings.ContainsRune("#>-*+=`~|<[", rune(text[0])) && !strings.HasPrefix(text, "**") && text[0] != '`' {
		return `\` + text
	}
	return text
}

// quoted is a text as YAML reads it between double quotes.
func quoted(text string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(prose.OneLine(text)) + `"`
}

// shelf is where the entries of one kind stand.
type shelf struct {
	kind    knowledge.Kind
	next    int
	active  int
	broken  string // why nothing can be added
	files   bool   // layout files
	book    []byte // as it was read
	entries []entry.Entry
	added   int // active ones
}

func readShelves(s *store.Snapshot, used map[knowledge.Kind]int) map[knowledge.Kind]*shelf {
	shelves := map[knowledge.Kind]*shelf{}
	for kind, entries := range map[knowledge.Kind][]entry.Entry{knowledge.KindADR: s.Decisions, knowledge.KindPF: s.Pitfalls} {
		sh := &shelf{kind: kind, files: s.Config.Layout == entry.LayoutFiles}
		sh.next = 1 + max(entry.MaxNumber(kind, entries, numbersHere(s.Manifest, kind)...), used[kind])
		sh.active = entry.CountActive(entries)
		if !sh.files {
			sh.book, sh.broken = s.Before(entry.BookPath(kind)), s.BookFault(kind)
		}
		shelves[kind] = sh
	}
	return shelves
}

// numbersHere are the numbers that were given out in this tool's own files. Rows
// of an earlier tool may number the entries of a book in another place, which keep
// their numbers when they come in.
func numbersHere(m *manifest.Manifest, kind knowledge.Kind) []string {
	here := m.Clone()
	here.Rows = slices.DeleteFunc(here.Rows, func(r manifest.Row) bool {
		return r.Path != entry.BookPath(kind) && path.Dir(r.Path) != entry.Dir(kind)
	})
	return here.Anchors(kind)
}

// changes are the files of the entries that were added.
func (sh *shelf) changes(s *store.Snapshot) []store.Change {
	if len(sh.entries) == 0 {
		return nil
	}
	if !sh.files {
		path := entry.BookPath(sh.kind)
		book, _ := entry.ParseBook(path, sh.book)
		return []store.Change{{Path: path, Before: sh.book, After: book.Append(sh.entries...)}}
	}
	return lists.Map(sh.entries, func(e entry.Entry) store.Change {
		return store.Change{Path: e.Path, Before: s.Before(e.Path), After: entry.Format(e)}
	})
}

// crowded says what more active entries than the ceiling mean. Nothing is left
// out of an import for it.
func (sh *shelf) crowded(c config.Config) string {
	noun, now := entry.Noun(sh.kind), sh.active+sh.added
	switch {
	case sh.added == 0 || c.SoftStart <= 0 || now < c.SoftStart:
		return ""
	case c.Ceiling > 0 && now >= c.Ceiling:
		return fmt.Sprintf("%d active %s: all were imported, but render adds no more beyond %d. lessons deprecate what no longer holds, or raise it: lessons config ceiling %d", now, noun, c.Ceiling, now+50)
	}
	return fmt.Sprintf("%d active %s: an index this long is read less; lessons deprecate what no longer holds", now, noun)
}

// entry plans an ADR or PF entry.
func (p *planner) entry(a *admission) {
	e := entry.Entry{Kind: a.Kind, Number: a.number, Title: a.Title, Source: a.id}
	add := func(name, value string) {
		if value = p.clean(p.refs.rewrite(value, a.Source)); value != "" {
			e.Fields = append(e.Fields, entry.Field{Name: name, Value: value})
		}
	}
	e.Title = p.refs.rewrite(e.Title, a.Source)
	if !a.Date.IsZero() {
		add(entry.FieldDate, a.Date.UTC().Format(time.DateOnly))
	}
	if a.Kind == knowledge.KindADR {
		add(entry.FieldStatus, a.Status)
	}
	for _, f := range a.Fields {
		add(f.Name, f.Value)
	}
	if a.Kind == knowledge.KindPF {
		add(entry.FieldStatus, a.Status)
	}
	e.Fields = append(e.Fields, entry.Field{Name: fieldImported, Value: prose.OneLine(a.Source.String())})
	shelf := p.shelves[a.Kind]
	e.Path = entry.BookPath(a.Kind)
	if shelf.files {
		e.Path = entry.Path(e)
	}
	shelf.entries = append(shelf.entries, e)
	if e.Active() {
		shelf.added++
	}
	p.plan.Items[a.item].Status = e.Status()
	p.register(a, e.Path, e.ID(), entry.Format(e))
}

// Folders of files that come from elsewhere. Skills are published to the agents
// from theirs.
const (
	skillFolder   = ".lessons/skills"
	commandFolder = ".claude/commands/imported"
)

// file plans a skill or a slash command. One that lies where agents read it stays
// as it is and gets a row; one from elsewhere is copied.
func (p *planner) file(a *admission) {
	if path := a.Source.Path; inPlace(a.Kind, path) {
		i := slices.IndexFunc(p.s.Artifacts, func(a artifact.Artifact) bool { return a.Path == path })
		if i < 0 {
			p.refuse(a, "another file of this name is here: import it from outside of the repository")
			return
		}
		p.register(a, path, "", p.s.Artifacts[i].Text)
		return
	}
	text := []byte(p.options.Clean(string(a.File)))
	if !bytes.Equal(text, a.File) {
		p.note(a, "secrets or names were taken out")
	}
	text = marked(text, a.id)
	path := p.freeFile(a.Kind, prose.Slug(a.Name))
	p.taken[strings.ToLower(path)] = true
	p.plan.Changes = append(p.plan.Changes, store.Change{Path: path, After: text})
	p.register(a, path, "", text)
}

// inPlace says whether a path is one of those that agents read.
func inPlace(kind knowledge.Kind, path string) bool {
	folders := []string{".claude/commands/", ".agents/commands/"}
	if kind == knowledge.KindSkill {
		folders = []string{skillFolder + "/", ".claude/skills/", ".agents/skills/"}
	}
	return slices.ContainsFunc(folders, func(folder string) bool { return strings.HasPrefix(path, folder) })
}

func (p *planner) freeFile(kind knowledge.Kind, slug string) string {
	for n := 1; ; n++ {
		name := slug
		if n > 1 {
			name = fmt.Sprintf("%s-%d", slug, n)
		}
		paths := []string{commandFolder + "/" + name + ".md"}
		if kind == knowledge.KindSkill { // no agent has a skill of that name: its copies go there
			paths = []string{skillFolder + "/" + name + "/SKILL.md", ".claude/skills/" + name + "/SKILL.md", ".agents/skills/" + name + "/SKILL.md"}
		}
		if !slices.ContainsFunc(paths, func(path string) bool { return p.taken[strings.ToLower(path)] }) {
			return paths[0]
		}
	}
}

// marked puts the id as a comment below the front matter's keys, or in front
// matter of its own. Comments are read by no agent.
func marked(text []byte, id string) []byte {
	line := "# source: " + knowledge.Marker(id)
	if end := matterEnd(text); end > 0 {
		return append(append(append([]byte{}, text[:end]...), line+"\n"...), text[end:]...)
	}
	return append([]byte("---\n"+line+"\n---\n\n"), text...)
}

// matterEnd is where the line --- stands that ends front matter; 0: there is none.
func matterEnd(text []byte) int {
	if !beginsMatter(text) {
		return 0
	}
	at := bytes.IndexByte(text, '\n') + 1
	for line := range bytes.Lines(text[at:]) {
		if string(bytes.TrimRight(line, " \t\r\n")) == "---" {
			return at
		}
		at += len(line)
	}
	return 0
}

func beginsMatter(text []byte) bool {
	return bytes.HasPrefix(text, []byte("---\n")) || bytes.HasPrefix(text, []byte("---\r\n"))
}
