package entry

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/internal/ordered"
	"github.com/lessons-cli/lessons/knowledge/internal/textfile"
	"github.com/lessons-cli/lessons/knowledge/lesson"
	"github.com/lessons-cli/lessons/knowledge/markdown"
	"github.com/lessons-cli/lessons/knowledge/prose"
)

// mergeEntry merges two versions of an entry that differ, field by field. What
// is no field (paragraphs, code) is merged as a set of blocks.
func mergeEntry(base *bookSection, ours, theirs bookSection) bookSection {
	before := entryParts{kind: ours.kind}
	if base != nil {
		before = partsOf(*base)
	}
	o, t := partsOf(ours), partsOf(theirs)
	merged := entryParts{kind: ours.kind, parts: map[string]part{}}
	wanted := map[string]bool{}
	for _, key := range slices.Concat(o.order, t.order) {
		if wanted[key] {
			continue
		}
		if s := mergePart(before.parts[key], o.parts[key], t.parts[key]); len(s.values) > 0 {
			merged.parts[key], wanted[key] = s, true
		}
	}
	merged.order = mergeOrder(wanted, compareParts, o.order, t.order)
	merged.number, merged.former = mergeNumbers(before, o, t)
	ours.number = merged.number
	ours.text = merged.text()
	return ours
}

// entryParts is an entry taken apart. The parts are the title, the fields by name
// and the blocks that are no field.
type entryParts struct {
	kind   knowledge.Kind
	number int
	former []string // display names that it had
	order  []string // keys of parts
	parts  map[string]part
}

// part holds the versions of one part. Each value has the bytes that it was
// written with, without a line end at its end.
type part struct {
	values map[string]bool   // as compared: on one line
	raw    map[string]string // value → as written
	loose  bool              // an empty line stands before it
}

const (
	titlePart   = "1 title"
	fieldPrefix = "2 field "
	blockPrefix = "3 block "
)

// compareParts orders what nothing else orders: fields as they are usually
// written, other text behind them.
func compareParts(a, b string) int {
	rank := func(key string) int {
		name, ok := strings.CutPrefix(key, fieldPrefix)
		if !ok {
			return 0
		}
		usual := []string{
			FieldDate, FieldStatus, FieldContext, FieldDecision, FieldBecause, FieldConsequences,
			FieldArea, FieldIssue, FieldImpact, FieldResolution,
		}
		if i := slices.IndexFunc(usual, func(f string) bool { return strings.EqualFold(f, name) }); i >= 0 {
			return i
		}
		if strings.EqualFold(name, FieldSource) {
			return len(usual) + 1
		}
		return len(usual)
	}
	return cmp.Or(cmp.Compare(a[:1], b[:1]), cmp.Compare(rank(a), rank(b)), strings.Compare(a, b))
}

// partsOf takes an entry apart.
func partsOf(section bookSection) entryParts {
	p := entryParts{kind: section.kind, number: section.number, parts: map[string]part{}}
	b, _ := ParseBook(Dir(section.kind)+"/entry.md", []byte(section.text))
	if len(b.Entries) != 1 {
		p.put(blockPrefix+section.text, section.text, section.text, false)
		return p
	}
	e := b.Entries[0]
	head, _ := b.doc.HeadingAt(e.Start)
	title := strings.TrimSpace(markdown.EncodeHeading(e.Title))
	p.put(titlePart, title, title, false)
	at := head.End
	for _, item := range b.doc.BulletsWithin(e.Start, e.End) {
		name, value, ok := readBullet(item.Text)
		start, end := b.doc.LineStart(item.Start), textfile.LineEnd(b.raw, item.End)
		if !ok || start < at {
			continue
		}
		p.blocks(string(b.raw[at:start]))
		p.field(name, prose.OneLine(value), strings.TrimRight(string(b.raw[start:end]), " \t\n"), len(p.order) > 1 && emptyBefore(b.raw, start))
		at = end
	}
	p.blocks(string(b.raw[at:e.End]))
	return p
}

// emptyBefore says whether the line before an offset is empty.
func emptyBefore(data []byte, at int) bool {
	before := strings.TrimRight(string(data[:at]), " \t")
	return strings.HasSuffix(before, "\n\n")
}

func (p *entryParts) put(key, value, raw string, loose bool) {
	s, ok := p.parts[key]
	if !ok {
		s = part{values: map[string]bool{}, raw: map[string]string{}, loose: loose}
		p.order = append(p.order, key)
	}
	s.values[value] = true
	s.raw[value] = raw
	p.parts[key] = s
}

// field puts a bullet into its part. A Conflict bullet is another version of the
// field that it names.
func (p *entryParts) field(name, value, raw string, loose bool) {
	switch {
	case strings.EqualFold(name, FieldFormerly):
		p.former = append(p.former, displayNames(value)...)
		return
	case strings.EqualFold(name, FieldConflict):
		of, other, ok := strings.Cut(value, ":")
		other = strings.TrimSpace(other)
		switch {
		case !ok || other == "":
		case strings.EqualFold(of, "title"):
			p.put(titlePart, other, other, false)
			return
		default:
			p.put(fieldPrefix+strings.ToLower(of), other, "- **"+of+"**: "+markdown.EncodeInline(other), false)
			return
		}
	}
	p.put(fieldPrefix+strings.ToLower(name), value, raw, loose)
}

// blocks puts the paragraphs of a text into parts of their own.
func (p *entryParts) blocks(text string) {
	for i, block := range strings.Split(text, "\n\n") {
		if block = strings.Trim(block, "\n"); strings.TrimSpace(block) != "" {
			loose := i > 0 || strings.HasPrefix(text, "\n")
			p.put(blockPrefix+block, block, block, loose)
		}
	}
}

// mergePart merges the versions of one part.
func mergePart(base, ours, theirs part) part {
	s := part{values: merged3(base.values, ours.values, theirs.values), raw: map[string]string{}, loose: ours.loose || theirs.loose}
	for value := range s.values {
		s.raw[value] = max(ours.raw[value], theirs.raw[value])
	}
	return s
}

// mergeNumbers chooses the number: a change by one side, else the smaller one.
// Numbers that go stay known as former names.
func mergeNumbers(base, ours, theirs entryParts) (int, []string) {
	number := min(ours.number, theirs.number)
	switch {
	case ours.number == base.number:
		number = theirs.number
	case theirs.number == base.number:
		number = ours.number
	}
	former := slices.Concat(ours.former, theirs.former)
	former = append(former, lists.Map([]int{ours.number, theirs.number}, func(n int) string { return ID(ours.kind, n) })...)
	return number, ordered.Without(ordered.Set(former), []string{ID(ours.kind, number)})
}

// text writes the entry: one value of each part, the others as Conflict bullets
// before its source.
func (p entryParts) text() string {
	var out strings.Builder
	out.WriteString("## " + ID(p.kind, p.number))
	title, notes := p.parts[titlePart].choose("title")
	if title != "" {
		out.WriteString(": " + title)
	}
	out.WriteString("\n\n")
	written := false
	last := func() {
		if !written && len(p.former) > 0 {
			writeField(&out, FieldFormerly, strings.Join(p.former, ", "))
		}
		written = true
		for _, n := range notes {
			writeField(&out, FieldConflict, n)
		}
		notes = nil
	}
	for _, key := range p.order {
		name, isField := strings.CutPrefix(key, fieldPrefix)
		raw, others := "", []string(nil)
		switch {
		case key == titlePart:
			continue
		case isField:
			raw, others = p.parts[key].choose(name)
		default:
			raw, _ = p.parts[key].choose("text")
		}
		notes = append(notes, others...)
		if name == strings.ToLower(FieldSource) || !isField {
			last()
		}
		if p.parts[key].loose && !strings.HasSuffix(out.String(), "\n\n") {
			out.WriteByte('\n')
		}
		out.WriteString(raw + "\n")
	}
	last()
	return out.String()
}

// choose returns the version of a part that is shown, as written, and a note for
// each other one. A status that retires the entry wins, then one that accepts it,
// and the latest date; evidence is united.
func (s part) choose(name string) (raw string, notes []string) {
	switch {
	case strings.EqualFold(name, FieldQuote):
		return s.quotes(), nil
	case strings.EqualFold(name, FieldSeen) && len(s.values) > 1:
		if raw, ok := s.seen(); ok {
			return raw, nil
		}
	}
	settled := strings.EqualFold(name, FieldStatus) || strings.EqualFold(name, FieldDate)
	values := slices.SortedFunc(maps.Keys(s.values), func(a, b string) int {
		if strings.EqualFold(name, FieldStatus) {
			return cmp.Or(cmp.Compare(standing(b), standing(a)), strings.Compare(b, a))
		}
		return strings.Compare(b, a)
	})
	if len(values) == 0 {
		return "", nil
	}
	if !settled {
		notes = append(notes, lists.Map(values[1:], func(other string) string { return capitalised(name) + ": " + other })...)
	}
	return s.raw[values[0]], notes
}

// maxQuotes is how many quotes an entry carries.
const maxQuotes = 2

// quotes are those with the smallest hashes, a line each.
func (s part) quotes() string {
	values := ordered.ByHash(slices.Collect(maps.Keys(s.values)))
	lines := lists.Map(values[:min(len(values), maxQuotes)], func(v string) string { return s.raw[v] })
	return strings.Join(lines, "\n")
}

// seen is the join of what the versions say of sessions; ok is false when one of
// them says something else.
func (s part) seen() (raw string, ok bool) {
	var joined lesson.Seen
	for v := range s.values {
		seen, ok := lesson.ParseSeen(v)
		if !ok {
			return "", false
		}
		joined = joined.Join(seen)
	}
	return "- **" + FieldSeen + "**: " + joined.Field(), true
}

func capitalised(name string) string { return strings.ToUpper(name[:1]) + name[1:] }
