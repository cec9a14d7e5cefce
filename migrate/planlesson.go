package migrate

import (
	"crypto/sha256"
	"fmt"
	"strings"
	"time"

	"github.com/oklog/ulid/v2"

	"github.com/lessons-cli/lessons/internal/inject/compile"
	"github.com/lessons-cli/lessons/knowledge/lesson"
	"github.com/lessons-cli/lessons/knowledge/prose"
	"github.com/lessons-cli/lessons/knowledge/store"
)

// lesson plans a lesson file.
func (p *planner) lesson(a *admission) {
	l := *a.Lesson
	l.Title, l.Source = a.Title, a.id
	if l.Confidence == 0 {
		l.Confidence = 0.5
	}
	l.ID = lessonID(a)
	l.Path = p.freePath(l.Title, l.ID)
	if l.Created == "" && !a.Date.IsZero() {
		l.Created = a.Date.UTC().Format(time.DateOnly)
	}
	l.Unknown = append(l.Unknown, lesson.UnknownKey{Name: keyImported, YAML: keyImported + ": " + quoted(a.Source.String())})
	problem, fix := p.refs.rewrite(p.clean(a.Problem), a.Source), p.refs.rewrite(p.clean(a.Fix), a.Source)
	if layOut(&l, problem, fix); l.Title != a.Title {
		l.Body = plainStart(a.Title) + "\n\n" + l.Body
	}
	guard := l.Action == lesson.ActionDeny || l.Action == lesson.ActionAsk || l.Action == lesson.ActionRewrite
	switch {
	case guard && l.Status == lesson.Active:
		l.Status = lesson.Draft
		p.note(a, "a guard: it is a draft until you promote it")
	case l.Status == lesson.Active:
		p.drafted(a, &l)
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
// as it takes (rulings 3).
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

// layOut writes the body: what goes wrong, and a line with the fix of which an
// agent sees as much as fits. What is longer stands whole below it.
func layOut(l *lesson.Lesson, problem, fix string) {
	var paragraphs []string
	if problem != "" && problem != l.Title {
		paragraphs = append(paragraphs, plainStart(problem))
	}
	switch {
	case fix != "":
		short := fixLine(l, fix)
		paragraphs = append(paragraphs, short)
		if short != "**Fix**: "+fix {
			paragraphs = append(paragraphs, "**In full**: "+fix)
		}
	case len(paragraphs) == 0:
		return
	case !shownWith(l, paragraphs[0]):
		paragraphs = append(paragraphs, fixLine(l, problem))
	}
	l.Body = strings.Join(paragraphs, "\n\n") + "\n"
}

// shownWith says whether an agent sees more than the title of a lesson with that
// body.
func shownWith(l *lesson.Lesson, body string) bool {
	with, without := *l, *l
	with.Body, without.Body = body, ""
	return with.Shown() != without.Shown()
}

// fits says whether a line is shown of a lesson whose body is too long for it.
func fits(l *lesson.Lesson, line string) bool {
	return shownWith(l, strings.Repeat("x", 700)+"\n\n"+line)
}

// fixLine is the line with as many sentences of the fix as an agent can be shown,
// or with where to read it. The title is shortened where not even that fits.
func fixLine(l *lesson.Lesson, fix string) string {
	if line := "**Fix**: " + fix; fits(l, line) {
		return line
	}
	best := ""
	for at := range len(fix) {
		if (fix[at] == '.' || fix[at] == ';') && at+1 < len(fix) && fix[at+1] == ' ' && strings.Count(fix[:at], "`")%2 == 0 {
			if line := "**Fix**: " + fix[:at+1]; fits(l, line) {
				best = line
			}
		}
	}
	if best != "" {
		return best
	}
	line := "**Fix**: read " + l.Path
	trial := *l
	for words := strings.Fields(l.Title); len(words) > 3 && !fits(&trial, line); {
		words = words[:len(words)-1]
		trial.Title = strings.Join(words, " ") + " …"
	}
	if fits(&trial, line) {
		l.Title = trial.Title
	}
	return line
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
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(oneLine(text)) + `"`
}
