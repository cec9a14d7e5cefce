package migrate

import (
	"cmp"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/lessons-cli/lessons/internal/automata"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/entry"
	"github.com/lessons-cli/lessons/knowledge/frontmatter"
	"github.com/lessons-cli/lessons/knowledge/markdown"
	"github.com/lessons-cli/lessons/knowledge/prose"
)

// adr reads one decision record a file: Nygard's form, MADR 2 to 4, log4brains,
// and plain Markdown that has a status.
var adr = Format{
	Name: "adr", About: "decision records, one Markdown file each (adr-tools, MADR, log4brains, or any with a status)",
	Places: []string{"doc/adr", "docs/adr", "docs/adrs", "doc/adrs", "docs/decisions", "doc/decisions", "docs/architecture/decisions", "doc/architecture/decisions", "adr", "adrs"},
	Takes:  extension(".md", ".markdown"),
	Detect: looksLikeADR,
	read:   readADR,
}

// looksLikeADR: a name with a number or a date in a folder of decisions, or the
// sections that only decision records have.
func looksLikeADR(name string, head []byte) bool {
	dir := strings.ToLower(path.Dir(name))
	if adrName().MatchString(path.Base(name)) && (strings.Contains(dir, "adr") || strings.Contains(dir, "decision")) {
		return true
	}
	text := strings.ToLower("\n" + string(head))
	return strings.Contains(text, "\n## context") && strings.Contains(text, "\n## decision")
}

var (
	adrName      = automata.Lazily(`(?i)^(?:adr[-_ ]?)?(\d{8}|\d{1,5})[-_. ]`)
	templateName = automata.Lazily(`(?i)^(?:0+[-_])?(?:m?adr[-_])?template(?:[-_](?:bare|minimal|short|long|full|madr|adr))*\.\w+$`)
)

var adrTitle = automata.Lazily(`(?i)^(?:adr[-_ #]*)?(\d{1,5})\s*[.:)\x{2013}\x{2014}-]\s+|^adr[-_ #]*(\d{1,5})\s+`)

// adrSections is what a heading stands for, by its words in lower case.
var adrSections = map[string]string{
	"context": entry.FieldContext, "context and problem statement": entry.FieldContext, "context and problem": entry.FieldContext,
	"problem statement": entry.FieldContext, "problem": entry.FieldContext, "background": entry.FieldContext, "issue": entry.FieldContext,
	"summary": entry.FieldContext, "motivation": entry.FieldContext,
	"decision": entry.FieldDecision, "decision outcome": entry.FieldDecision, "outcome": entry.FieldDecision, "the decision": entry.FieldDecision,
	"because": entry.FieldBecause, "rationale": entry.FieldBecause, "justification": entry.FieldBecause,
	"consequences": entry.FieldConsequences, "positive consequences": entry.FieldConsequences, "negative consequences": entry.FieldConsequences,
	"implications": entry.FieldConsequences, "impact": entry.FieldConsequences,
	"status": entry.FieldStatus, "date": entry.FieldDate,
	"decision drivers": "Drivers", "drivers": "Drivers", "forces": "Drivers",
	"considered options": "Options", "options": "Options", "options considered": "Options", "alternatives": "Options", "considered alternatives": "Options", "alternatives considered": "Options",
	"links": "Links", "related": "Links", "references": "Links", "related decisions": "Links", "see also": "Links",
	"deciders": "Deciders", "decision makers": "Deciders", "decision-makers": "Deciders", "author": "Deciders", "authors": "Deciders",
	"consulted": "Consulted", "informed": "Informed", "tags": "Tags", "technical story": "Story", "more information": "More",
}

// adrOrder is the order of an entry's fields; others follow.
var adrOrder = []string{
	entry.FieldContext, "Drivers", "Options", entry.FieldDecision, entry.FieldBecause, entry.FieldConsequences,
	"Links", "Deciders", "Consulted", "Informed", "Tags", "Story", "More",
}

// record is a decision record being read.
type record struct {
	*file
	title  string
	number int
	values map[string]string
	others []string // names of fields that no table knows, in order
	dated  string
	line   int // of the title
}

func readADR(f *file) {
	if templateName().MatchString(f.base()) {
		if f.isText() {
			f.refuseAll(1, "it is a template of decision records, not one")
		}
		return
	}
	matter, ok := f.matter()
	if !ok {
		return
	}
	r := &record{file: f, values: map[string]string{}}
	r.matter(matter)
	r.sections(markdown.Sections(f.data[matter.Body:], matter.Line))
	if reason := r.refusal(); reason != "" {
		f.refuseAll(r.line, reason)
		return
	}
	f.add(r.thing())
}

func (r *record) matter(m frontmatter.Properties) {
	r.title = prose.OneLine(m.Text("title"))
	r.set(entry.FieldStatus, m.Text("status"))
	r.dated = m.Text("date", "decided", "created")
	for _, key := range []string{"deciders", "decision-makers", "decision_makers", "author", "authors", "consulted", "informed", "tags", "links"} {
		r.set(adrSections[strings.ReplaceAll(key, "_", "-")], m.Text(key))
	}
}

func (r *record) set(field, text string) {
	if text = strings.TrimSpace(text); text == "" {
		return
	}
	if old := r.values[field]; old != "" {
		if old == text {
			return
		}
		text = old + " " + text
	}
	r.values[field] = text
}

// sections goes through the document: the first heading of level 1 is the title,
// what a table knows is a field, and everything else is kept under its own name.
func (r *record) sections(all []markdown.Section) {
	current, main := "", ""
	for _, s := range all {
		known, ok := adrSections[sectionName(s.Title)]
		switch {
		case s.Level == 0:
			r.preamble(s.Text)
		case r.line == 0 && !ok:
			r.heading(s)
			r.preamble(s.Text)
		case ok:
			if s.Level <= 2 || main == "" {
				main = known
			}
			current = known
			text := flatten(s.Text)
			if known == entry.FieldConsequences && sectionName(s.Title) != "consequences" && text != "" {
				text = strings.TrimSpace(s.Title) + ": " + text
			}
			r.set(known, text)
		case s.Level > 2 && main != "":
			if current = main; flatten(s.Text) != "" || prose.OneLine(s.Title) != "" {
				r.set(current, strings.TrimSuffix(prose.OneLine(s.Title), ":")+": "+flatten(s.Text))
			}
		default:
			main = otherField(s.Title)
			current = main
			if r.values[main] == "" && flatten(s.Text) != "" {
				r.others = append(r.others, main)
			}
			r.set(main, flatten(s.Text))
		}
	}
}

func (r *record) heading(s markdown.Section) {
	r.line = s.Line
	title := flatten(s.Title)
	if m := adrTitle().FindStringSubmatch(title); m != nil {
		title = title[len(m[0]):]
		r.number, _ = strconv.Atoi(m[1] + m[2])
	}
	r.title = cmp.Or(r.title, strings.TrimSpace(title))
}

// sectionName is a heading as the table has it.
func sectionName(title string) string {
	title = commentPattern().ReplaceAllString(title, " ")
	title = strings.TrimFunc(title, func(c rune) bool { return !isLetter(c) })
	return strings.ToLower(strings.Join(strings.Fields(title), " "))
}

// otherField is the name of a field that the table does not know. Names that
// mean something in an entry are not given away.
func otherField(title string) string {
	name := strings.TrimSpace(strings.NewReplacer("*", "", ":", "", "`", "").Replace(flatten(title)))
	for _, taken := range []string{entry.FieldSource, entry.FieldFormerly, entry.FieldConflict, entry.FieldSeen, entry.FieldQuote, fieldImported} {
		if strings.EqualFold(name, taken) {
			return "Original " + strings.ToLower(name)
		}
	}
	return cmp.Or(name, "Note")
}

var labelLine = automata.Lazily(`^(?:[-*+]\s+)?[*_]{0,2}([A-Za-z][A-Za-z -]{2,24}?)[*_]{0,2}\s*:[*_]{0,2}\s*(.*)$`)

// preamble reads what stands between title and sections: lines such as
// "* Status: accepted", and an introduction.
func (r *record) preamble(text string) {
	var rest []string
	for line := range strings.Lines(commentPattern().ReplaceAllString(text, " ")) {
		m := labelLine().FindStringSubmatch(strings.TrimSpace(line))
		if m == nil {
			rest = append(rest, line)
			continue
		}
		switch field := adrSections[sectionName(m[1])]; {
		case field == entry.FieldDate && r.dated == "":
			r.dated = m[2]
		case field == entry.FieldDate:
		case field != "":
			r.set(field, m[2])
		default:
			rest = append(rest, line)
		}
	}
	r.set(entry.FieldContext, flatten(strings.Join(rest, "")))
}

func (r *record) refusal() string {
	status := r.values[entry.FieldStatus]
	_, known := entryStatus(firstStatus(status))
	switch {
	case r.title == "":
		return "it has no title: a decision record begins with a heading"
	case placeholder(r.title):
		return "it is a template of decision records, not one"
	case r.values[entry.FieldDecision] == "" && status == "":
		return "it has no status and no section for a decision: it is no decision record"
	case r.values[entry.FieldDecision] == "" && !known:
		return "it has no decision, and its status " + strconv.Quote(status) + " is none that is known"
	case r.values[entry.FieldDecision] == "" && r.values[entry.FieldContext] == "" && len(r.others) == 0:
		return "it has a status and nothing else"
	}
	return ""
}

// placeholder says whether a title is one that a template asks to fill in.
func placeholder(title string) bool {
	return len(title) > 2 && (title[0] == '[' && title[len(title)-1] == ']' || title[0] == '{' && title[len(title)-1] == '}')
}

// firstStatus is the part of a status that counts: of "Accepted Superseded by …"
// the second, since the first was true before.
func firstStatus(text string) string {
	lower := strings.ToLower(text)
	for _, word := range []string{"superseded by", "superceded by", "deprecated by", "replaced by"} {
		if at := strings.Index(lower, word); at > 0 {
			return text[at:]
		}
	}
	return text
}

func (r *record) thing() Thing {
	t := Thing{Source: r.source(r.line, r.stem()), Kind: knowledge.KindADR, Title: r.title, Names: []string{r.base()}}
	if m := adrName().FindStringSubmatch(r.base()); m != nil {
		if len(m[1]) == 8 && r.dated == "" {
			r.dated = m[1]
		} else if n, err := strconv.Atoi(m[1]); err == nil && len(m[1]) < 8 && r.number == 0 {
			r.number = n
		}
	}
	if r.number > 0 {
		t.Names = append(t.Names, "ADR-"+strconv.Itoa(r.number))
	}
	r.dated = cmp.Or(r.dated, r.values[entry.FieldDate])
	if t.Date = date(r.dated); t.Date.IsZero() && r.dated != "" {
		t.note("the date %q is none that can be read; it is kept as a field", prose.OneLine(r.dated))
		t.field("Dated", prose.OneLine(r.dated))
	} else if t.Date.IsZero() {
		t.note("no date is told")
	}
	r.status(&t)
	if r.values[entry.FieldDecision] == "" {
		t.note("no section for the decision: the title stands for it")
		r.values[entry.FieldDecision] = r.title
	}
	for _, name := range slices.Concat(adrOrder, r.others) {
		t.field(name, r.values[name])
	}
	return t
}

func (r *record) status(t *Thing) {
	text := prose.OneLine(r.values[entry.FieldStatus])
	if text == "" {
		t.Status = "Accepted"
		t.note("no status is told: Accepted")
		return
	}
	counts := firstStatus(text)
	status, ok := entryStatus(counts)
	if !ok {
		t.Status = "Proposed (" + text + ")"
		t.note("the status %q is none that is known: Proposed", text)
		return
	}
	t.Status = status
	if before := strings.TrimSpace(strings.TrimSuffix(text, counts)); before != "" {
		t.Status += " (before: " + before + ")"
	}
}

// references maps what things call each other to their entries: a path, a path's
// folder with a number, and the bare names where only one thing has them. A name
// of two things is mapped to nothing.
type references map[string]string

func (r references) add(t Thing, anchor string) {
	dir := path.Dir(t.Source.Path)
	for _, name := range t.Names {
		r.name(dir+"/"+name, anchor)
		r.name(name, anchor)
	}
}

func (r references) name(name, anchor string) {
	if old, ok := r[name]; ok && old != anchor {
		anchor = ""
	}
	r[name] = anchor
}

// of returns the entry of a name that stands in a file.
func (r references) of(name string, from Source) string {
	return cmp.Or(r[path.Join(path.Dir(from.Path), name)], r[path.Base(name)])
}

var markdownLink = automata.Lazily(`\[([^\[\]]*)\]\(<?([^()\s<>]+)>?(?:\s+"[^"]*")?\)`)

// rewrite puts the new names of entries in place of links and of numbers of the
// other tool. A number of which nobody knows the entry loses its dash: it must
// not be taken for one of this repository.
func (r references) rewrite(text string, from Source) string {
	if !strings.Contains(text, "](") && !strings.Contains(text, "ADR-") && !strings.Contains(text, "PF-") {
		return text
	}
	var b strings.Builder
	at := 0
	for _, m := range markdownLink().FindAllStringSubmatchIndex(text, -1) {
		label, target := text[m[2]:m[3]], text[m[4]:m[5]]
		target, _, _ = strings.Cut(target, "#")
		anchor := ""
		if target != "" && !strings.Contains(target, "://") {
			anchor = r.of(target, from)
		}
		if anchor == "" {
			continue
		}
		b.WriteString(r.numbers(text[at:m[0]], from))
		b.WriteString(anchor)
		label = strings.TrimSpace(label)
		if m := adrTitle().FindString(label); m != "" {
			label = label[len(m):]
		}
		if _, _, ok := entry.ParseID(label); !ok && label != "" {
			b.WriteString(" (" + r.numbers(label, from) + ")")
		}
		at = m[1]
	}
	return b.String() + r.numbers(text[at:], from)
}

// numbers rewrites citations by number.
func (r references) numbers(text string, from Source) string {
	for _, c := range slices.Backward(entry.Citations(text)) {
		kind, n, _ := entry.ParseID(c.ID)
		anchor := cmp.Or(r.of(plainNumber(kind, n), from), strings.Replace(text[c.Offset:c.Offset+c.Length], "-", " ", 1))
		text = text[:c.Offset] + anchor + text[c.Offset+c.Length:]
	}
	return text
}

// plainNumber is how a thing's own number stands among its names: "ADR-5".
func plainNumber(kind knowledge.Kind, number int) string {
	prefix := "ADR-"
	if kind == knowledge.KindPF {
		prefix = "PF-"
	}
	return prefix + strconv.Itoa(number)
}
