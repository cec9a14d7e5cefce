package entry

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/internal/ordered"
	"github.com/lessons-cli/lessons/knowledge/internal/textfile"
	"github.com/lessons-cli/lessons/knowledge/prose"
)

// MergeBooks merges three versions of a book, or of one entry's file, by the
// identity of the entries. A nil base
// stands for none. An entry is kept when both sides have it, or when one side
// added or changed it; a change therefore outlives a removal. Fields that the
// sides changed differently keep one value and get the other as a Conflict
// bullet; each is a problem of rule "unresolved-merge". Numbers that two entries
// share stay as they are: giving out new ones is for resolve.
//
// Ours and theirs may change places, and the order in which several branches are
// merged does not matter either.
func MergeBooks(path string, base, ours, theirs []byte) ([]byte, []knowledge.Problem) {
	return mergeBooks(path, base, ours, theirs, maxConflicts)
}

// maxConflicts is how deep conflicts in conflicts are read as such; each level
// takes three times as long.
const maxConflicts = 3

func mergeBooks(path string, base, ours, theirs []byte, depth int) ([]byte, []knowledge.Problem) {
	m := bookMerge{
		base: sectionsWithin(path, base, depth), ours: sectionsWithin(path, ours, depth), theirs: sectionsWithin(path, theirs, depth),
	}
	out := m.text()
	if usesCRLF(ours) && usesCRLF(theirs) {
		out = bytes.ReplaceAll(out, []byte("\n"), []byte("\r\n"))
	}
	out = summarise(path, out)
	return out, conflictNotes(path, out)
}

// conflictNotes lists the Conflict bullets of a book.
func conflictNotes(path string, data []byte) []knowledge.Problem {
	if !bytes.Contains(data, []byte("**"+FieldConflict+"**")) {
		return nil
	}
	b, _ := ParseBook(path, data)
	return lists.Flat(b.Entries, Entry.Conflicts)
}

// Conflicts lists what a merge left for a person to decide in an entry: its
// Conflict bullets, which hold the other version of a field.
func (e Entry) Conflicts() []knowledge.Problem {
	var found []knowledge.Problem
	for _, f := range e.Fields {
		if !strings.EqualFold(f.Name, FieldConflict) {
			continue
		}
		name, _, _ := strings.Cut(f.Value, ":")
		found = append(found, knowledge.Problem{
			Path: e.Path, Line: e.Line, Rule: "unresolved-merge",
			Text: fmt.Sprintf("%s: two branches changed %s; keep one version and remove the Conflict line", e.ID(), name),
		})
	}
	return found
}

func usesCRLF(data []byte) bool {
	i := bytes.IndexByte(data, '\n')
	return i > 0 && data[i-1] == '\r'
}

// bookSections is a version of a book, taken apart.
type bookSections struct {
	header   string   // what stands before the first section
	order    []string // keys, as they stand
	sections map[string]bookSection
	sorted   bool // entries come by number, other sections behind them
}

// bookSection is an entry, or text of people's between entries.
type bookSection struct {
	key    string
	kind   knowledge.Kind // empty: not an entry
	number int
	text   string // with line feeds, one at its end, no blank lines around
}

// sectionsOf takes a book apart. Versions within conflict markers are merged
// first, and so are sections that stand twice.
func sectionsOf(path string, data []byte) bookSections {
	return sectionsWithin(path, data, maxConflicts)
}

func sectionsWithin(path string, data []byte, depth int) bookSections {
	data = bytes.TrimPrefix(knowledge.NormaliseLines(data), textfile.ByteOrderMark)
	if c, ok := textfile.SplitConflicts(data); ok && depth > 0 {
		data, _ = mergeBooks(path, c.Base, c.Ours, c.Theirs, depth-1)
	}
	s := bookSections{sections: map[string]bookSection{}, sorted: true}
	b, _ := ParseBook(path, data)
	keys := Keys(b.Entries)
	at := 0
	for i, e := range b.Entries {
		between := string(data[at:e.Start])
		if i == 0 {
			s.header = between
		} else {
			s.addText(between)
		}
		s.add(bookSection{key: keys[i], kind: e.Kind, number: e.Number, text: tidyText(string(e.Text))})
		at = e.End
	}
	if len(b.Entries) == 0 {
		s.header = string(data)
	} else {
		s.addText(string(data[at:]))
	}
	return s
}

func (s *bookSections) addText(text string) {
	if strings.TrimSpace(text) == "" {
		return
	}
	text = tidyText(text)
	head, _, _ := strings.Cut(text, "\n")
	s.add(bookSection{key: "text " + strings.TrimSpace(head), text: text})
}

func (s *bookSections) add(section bookSection) {
	if before, ok := s.sections[section.key]; ok {
		s.sections[section.key] = mergeSection(nil, &before, &section)
		return
	}
	if n := len(s.order); n > 0 && compareSections(s.sections[s.order[n-1]], section) > 0 {
		s.sorted = false
	}
	s.order = append(s.order, section.key)
	s.sections[section.key] = section
}

// Keys is what identifies the entries of a book in every version of it: the
// marker or, where a person wrote an entry, its title. Of several entries with
// one title each number is one of its own, counted upwards.
func Keys(entries []Entry) []string {
	numbers := map[string][]int{}
	for _, e := range entries {
		title := string(e.Kind) + " " + prose.NormaliseTitle(e.Title)
		if e.Source == "" && !slices.Contains(numbers[title], e.Number) {
			numbers[title] = append(numbers[title], e.Number)
			slices.Sort(numbers[title])
		}
	}
	keys := make([]string, len(entries))
	for i, e := range entries {
		if e.Source != "" {
			keys[i] = "id " + string(e.Kind) + " " + e.Source
			continue
		}
		title := string(e.Kind) + " " + prose.NormaliseTitle(e.Title)
		keys[i] = fmt.Sprintf("title %s #%d", title, slices.Index(numbers[title], e.Number))
	}
	return keys
}

// compareSections orders entries by number, then identity; other text comes last.
func compareSections(a, b bookSection) int {
	return cmp.Or(
		ordered.CompareBool(a.kind == "", b.kind == ""), cmp.Compare(a.kind, b.kind),
		cmp.Compare(a.number, b.number), cmp.Compare(a.key, b.key),
	)
}

// tidyText ends a text with one line feed and has no blank lines around it.
func tidyText(text string) string {
	lines := strings.Split(text, "\n")
	for len(lines) > 0 && strings.TrimSpace(lines[0]) == "" {
		lines = lines[1:]
	}
	return strings.TrimRight(strings.Join(lines, "\n"), " \t\n") + "\n"
}

type bookMerge struct{ base, ours, theirs bookSections }

func (m bookMerge) text() []byte {
	var out bytes.Buffer
	out.WriteString(mergeHeader(m.base.header, m.ours.header, m.theirs.header))
	for _, section := range m.merged() {
		if text := bytes.TrimRight(out.Bytes(), " \t\n"); len(text) > 0 {
			out.Truncate(len(text))
			out.WriteString("\n\n")
		} else {
			out.Reset()
		}
		out.WriteString(section.text)
	}
	return out.Bytes()
}

// merged lists the sections of the result in their order.
func (m bookMerge) merged() []bookSection {
	result := map[string]bookSection{}
	wanted := map[string]bool{}
	for _, key := range slices.Concat(m.ours.order, m.theirs.order) {
		base, ours, theirs := m.base.find(key), m.ours.find(key), m.theirs.find(key)
		if wanted[key] || gone(base, ours, theirs) {
			continue
		}
		wanted[key] = true
		result[key] = mergeSection(base, ours, theirs)
	}
	order := m.order(wanted, func(a, b string) int { return compareSections(result[a], result[b]) })
	sections := lists.Map(order, func(key string) bookSection { return result[key] })
	return sections
}

func (m bookMerge) order(wanted map[string]bool, less func(a, b string) int) []string {
	if m.base.sorted && m.ours.sorted && m.theirs.sorted {
		return mergeOrder(wanted, less)
	}
	return mergeOrder(wanted, less, m.ours.order, m.theirs.order)
}

func (s bookSections) find(key string) *bookSection {
	if section, ok := s.sections[key]; ok {
		return &section
	}
	return nil
}

// gone says whether one side removed a section that the other left as it was.
func gone(base, ours, theirs *bookSection) bool {
	switch {
	case base == nil || ours != nil && theirs != nil:
		return false
	case ours == nil && theirs == nil:
		return true
	case ours == nil:
		return theirs.text == base.text
	}
	return ours.text == base.text
}

// mergeSection merges the versions of one section; a side may lack it.
func mergeSection(base, ours, theirs *bookSection) bookSection {
	switch {
	case theirs == nil:
		return *ours
	case ours == nil:
		return *theirs
	case ours.text == theirs.text, base != nil && theirs.text == base.text:
		return *ours
	case base != nil && ours.text == base.text:
		return *theirs
	case ours.kind == "":
		return mergeProse(base, *ours, *theirs)
	}
	return mergeEntry(base, *ours, *theirs)
}

// mergeProse keeps both versions of a text that is no entry, the blocks that
// they share once.
func mergeProse(base *bookSection, ours, theirs bookSection) bookSection {
	old := ""
	if base != nil {
		old = base.text
	}
	ours.text = mergeBlocks(old, ours.text, theirs.text)
	return ours
}

// mergeHeader merges what stands before the first entry. The summary in the
// first line is counted anew afterwards, so its versions do not matter.
func mergeHeader(base, ours, theirs string) string {
	if ours == "" || theirs == "" {
		return ours + theirs
	}
	top, ours := cutSummary(ours)
	other, theirs := cutSummary(theirs)
	_, base = cutSummary(base)
	top = max(top, other)
	switch {
	case ours == theirs, theirs == base:
		return top + ours
	case ours == base:
		return top + theirs
	}
	return top + mergeBlocks(base, ours, theirs)
}

func cutSummary(header string) (summary, rest string) {
	if strings.HasPrefix(header, "<!-- TL;DR: ") {
		if line, rest, ok := strings.Cut(header, "\n"); ok {
			return line + "\n", rest
		}
	}
	return "", header
}

// mergeBlocks merges texts by their paragraphs.
func mergeBlocks(base, ours, theirs string) string {
	split := func(text string) (order []string, set map[string]bool) {
		set = map[string]bool{}
		for _, block := range strings.Split(strings.TrimSpace(text), "\n\n") {
			if block = strings.Trim(block, "\n"); block != "" && !set[block] {
				order, set[block] = append(order, block), true
			}
		}
		return order, set
	}
	_, b := split(base)
	left, o := split(ours)
	right, t := split(theirs)
	return strings.Join(mergeOrder(merged3(b, o, t), strings.Compare, left, right), "\n\n") + "\n"
}

// SortBook puts the entries of a book in the order of their numbers, other text
// behind them. It is for books that were in that order before a number changed,
// see [SortedBook].
func SortBook(path string, data []byte) []byte {
	s := sectionsOf(path, data)
	s.sorted = true
	out := bookMerge{s, s, s}.text()
	if usesCRLF(data) {
		out = bytes.ReplaceAll(out, []byte("\n"), []byte("\r\n"))
	}
	return summarise(path, out)
}

// SortedBook says whether the entries of a book stand in the order of their
// numbers, with nothing between them.
func SortedBook(path string, data []byte) bool { return sectionsOf(path, data).sorted }
