package entry

import (
	"cmp"
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/internal/provenance"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/prose"
)

// Widths of the index's columns in characters.
const (
	maxIndexTitle  = 60
	maxIndexArea   = 80
	maxIndexStatus = 24
)

// IndexInput is what the knowledge index is made from. The entries may be in any
// order and may contain inactive ones.
type IndexInput struct {
	Layout    Layout
	Decisions provenance.List[Entry]
	Pitfalls  provenance.List[Entry]
	Stale     map[string]string // by the place of an entry: what it names that is gone
}

// IndexEntry is one row of the index.
type IndexEntry struct {
	ID     string         `json:"id"`
	Kind   knowledge.Kind `json:"kind"`
	Title  string         `json:"title"`
	Status string         `json:"status"`
	Area   string         `json:"area,omitempty"`
	Path   string         `json:"path"`
	Line   int            `json:"line"`

	Unreviewed bool   `json:"unreviewed,omitempty"` // nobody here stands for it
	Stale      string `json:"mayBeStale,omitempty"` // what it names that is gone
}

// IndexEntries lists the active entries by number, decisions first, and those that nobody
// here reviewed behind the others.
func IndexEntries(in IndexInput) []IndexEntry {
	var rows []IndexEntry
	add := func(entries []Entry, unreviewed bool) {
		for _, e := range entries {
			rows = append(rows, IndexEntry{e.ID(), e.Kind, prose.OneLine(e.Title), indexStatus(e), indexArea(e), e.Path, e.Line, unreviewed, in.Stale[e.Place()]})
		}
	}
	add(slices.Concat(active(in.Decisions.Trusted()), active(in.Pitfalls.Trusted())), false)
	add(in.unreviewed(), true)
	return rows
}

// unreviewed are the active entries that nobody here reviewed.
func (in IndexInput) unreviewed() []Entry {
	return slices.Concat(active(in.Decisions.Unreviewed()), active(in.Pitfalls.Unreviewed()))
}

// Index returns the compact knowledge index for an agent's context (seed
// self-learning, "Knowledge Index"): counts, then one line an entry with id,
// title, status and, for pitfalls, area, then where the full text is, as
// repository-relative paths. What nobody here reviewed comes behind, marked. Without active
// entries it is "(none)".
func Index(in IndexInput) string {
	decisions, pitfalls := active(in.Decisions.Trusted()), active(in.Pitfalls.Trusted())
	theirs := in.unreviewedText(-1)
	return indexText(in, indexBlock{"Decisions", len(decisions), decisions}, indexBlock{"Pitfalls", len(pitfalls), pitfalls}, 0, theirs)
}

// unreviewedText lists entries that nobody here reviewed, the newest first where there is a
// limit of bytes.
func (in IndexInput) unreviewedText(maxBytes int) string {
	entries := in.unreviewed()
	if len(entries) == 0 {
		return ""
	}
	text := fmt.Sprintf("\n%sEntries (%d):\n", provenance.Mark, len(entries))
	if maxBytes >= 0 {
		slices.Reverse(entries)
	}
	for i, e := range entries {
		line, rest := in.line(e), fmt.Sprintf("  … %d more: lessons index\n", len(entries)-i)
		if maxBytes >= 0 && len(text)+len(line)+len(rest) > maxBytes {
			text += rest
			break
		}
		text += line
	}
	if maxBytes >= 0 && len(text) > maxBytes {
		return ""
	}
	return text
}

// IndexWithin returns the index in at most max bytes, newest entries first. What
// has no room is counted in a last line. What nobody here reviewed has its share of the
// room alone. The text is never cut within a line; when not even the count has room it
// is empty.
func IndexWithin(in IndexInput, maxBytes int) string {
	decisions, pitfalls := active(in.Decisions.Trusted()), active(in.Pitfalls.Trusted())
	theirs := in.unreviewedText(provenance.Share(maxBytes))
	slices.Reverse(decisions)
	slices.Reverse(pitfalls)
	all := len(decisions) + len(pitfalls)
	build := func(n int) string {
		d := shareOf(n, len(decisions), len(pitfalls))
		return indexText(in, indexBlock{"Decisions", len(decisions), decisions[:d]}, indexBlock{"Pitfalls", len(pitfalls), pitfalls[:n-d]}, all-n, theirs)
	}
	// The length grows with every entry shown, but for the last one, which takes
	// the place of the line that counts the rest.
	if text := build(all); len(text) <= maxBytes {
		return text
	}
	over := sort.Search(all, func(n int) bool { return len(build(n)) > maxBytes })
	if over == 0 {
		return ""
	}
	return build(over - 1)
}

// shareOf says how many of n rows are decisions when both kinds take turns.
func shareOf(n, decisions, pitfalls int) int {
	d := (n + 1) / 2
	if n-d > pitfalls {
		d = n - pitfalls
	}
	return min(d, decisions)
}

// active returns the active entries by number.
func active(entries []Entry) []Entry {
	list := lists.Filter(entries, Entry.Active)
	slices.SortStableFunc(list, func(a, b Entry) int { return cmp.Compare(a.Number, b.Number) })
	return list
}

// indexBlock is one kind's part of the index: some or all of total entries.
type indexBlock struct {
	name    string
	total   int
	entries []Entry
}

func indexText(in IndexInput, decisions, pitfalls indexBlock, more int, theirs string) string {
	if decisions.total+pitfalls.total == 0 && theirs == "" {
		return "(none)\n"
	}
	var b strings.Builder
	for _, block := range []indexBlock{decisions, pitfalls} {
		if block.total == 0 {
			continue
		}
		fmt.Fprintf(&b, "%s (%d):\n", block.name, block.total)
		for _, e := range block.entries {
			b.WriteString(in.line(e))
		}
		b.WriteByte('\n')
	}
	if more > 0 {
		fmt.Fprintf(&b, "… %d more: lessons index\n\n", more)
	}
	shown := func(total int, theirs []Entry) bool { return total > 0 || len(active(theirs)) > 0 }
	indexFooter(&b, in.Layout, shown(decisions.total, in.Decisions.Unreviewed()), shown(pitfalls.total, in.Pitfalls.Unreviewed()))
	b.WriteString(theirs)
	return b.String()
}

func (in IndexInput) line(e Entry) string {
	status := indexStatus(e)
	if in.Stale[e.Place()] != "" {
		status += ", may be stale"
	}
	line := "  " + e.ID() + "  " + prose.Shorten(prose.OneLine(e.Title), maxIndexTitle) + "  [" + status + "]"
	if area := indexArea(e); area != "" {
		line += "  —  " + prose.Shorten(area, maxIndexArea)
	}
	return line + "\n"
}

// indexStatus returns the status as it is written. Only an entry without one is
// unknown.
func indexStatus(e Entry) string {
	status := strings.Trim(prose.OneLine(e.Status()), "*_`[] ")
	if status == "" {
		return "unknown"
	}
	return prose.Shorten(status, maxIndexStatus)
}

func indexArea(e Entry) string {
	if e.Kind != knowledge.KindPF {
		return ""
	}
	return prose.OneLine(e.Field(FieldArea))
}

func indexFooter(b *strings.Builder, layout Layout, decisions, pitfalls bool) {
	var headings []string
	if decisions {
		headings = append(headings, "`## ADR-NNN:`")
		b.WriteString("ADR-NNN entries live in " + entryPlace(layout, knowledge.KindADR) + "\n")
	}
	if pitfalls {
		headings = append(headings, "`## PF-NNN:`")
		b.WriteString("PF-NNN  entries live in " + entryPlace(layout, knowledge.KindPF) + "\n")
	}
	if layout == LayoutFiles {
		return // a file is an entry
	}
	b.WriteString("Read the relevant file and locate the matching " + strings.Join(headings, " or ") + " heading for the full body.\n")
}

func entryPlace(layout Layout, kind knowledge.Kind) string {
	if layout == LayoutFiles {
		return Dir(kind) + "/" + prefix(kind) + "-NNN-*.md"
	}
	return BookPath(kind)
}
