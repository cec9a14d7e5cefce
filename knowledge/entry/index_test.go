package entry

import (
	"fmt"
	"strings"
	"testing"

	"github.com/lessons-cli/lessons/internal/provenance"
	"github.com/lessons-cli/lessons/internal/test/kit"
)

func indexed(layout Layout) IndexInput {
	decisions := []Entry{
		adrEntry(2, "One writer for the log, since two lost lines whenever both ran at the same time", "Accepted"),
		adrEntry(1, "Use Result types instead of thrown errors", "Accepted"),
		adrEntry(3, "Old", "Superseded by ADR-002"),
		adrEntry(4, "Retired", "retired"),
		adrEntry(12, "Open question", "Proposed"),
	}
	pitfalls := []Entry{
		pfEntry(4, "Background hook scripts become god scripts", "scripts/hooks/"),
		pfEntry(5, "No area", ""),
		pfEntry(6, "Long area", strings.Repeat("packages/very/long/", 6)),
		pfEntry(7, "Gone", "x"),
	}
	pitfalls[3].Fields[4].Value = "Deprecated"
	pitfalls[1].Fields = nil
	return IndexInput{Layout: layout, Decisions: provenance.Parted(decisions, nil), Pitfalls: provenance.Parted(pitfalls, nil)}
}

func TestIndexIsTheSeeds(t *testing.T) {
	kit.Golden(t, "index/book.txt", []byte(Index(indexed(LayoutBook))))
	kit.Golden(t, "index/files.txt", []byte(Index(indexed(LayoutFiles))))
	kit.Golden(t, "index/decisions.txt", []byte(Index(IndexInput{Layout: LayoutBook, Decisions: indexed("").Decisions})))
	kit.Golden(t, "index/within.txt", []byte(IndexWithin(indexed(LayoutBook), 600)))
	if got := Index(IndexInput{}); got != "(none)\n" {
		t.Errorf("without entries: %q", got)
	}
}

// Regression: the index shows [unknown] for accepted decisions.
func TestRegressionIndexShowsUnknownForAcceptedDecisions(t *testing.T) {
	for _, form := range []string{"- **Status**: Accepted", "- **Status:** Accepted", "* **Status**: Accepted", "- **status**: Accepted"} {
		b := parseBook(t, DecisionsPath, []byte("## ADR-001: x\n\n- **Date**: 2026-11-20\n"+form+"\n"))
		index := Index(IndexInput{Decisions: provenance.Parted(b.Entries, nil)})
		if !strings.Contains(index, "  ADR-001  x  [Accepted]\n") {
			t.Errorf("%q: %s", form, index)
		}
	}
	b := parseBook(t, DecisionsPath, []byte("## ADR-001: x\n\ntext\n"))
	if index := Index(IndexInput{Decisions: provenance.Parted(b.Entries, nil)}); !strings.Contains(index, "[unknown]") {
		t.Errorf("an entry without a status: %s", index)
	}
}

func TestIndexWithinItsLimit(t *testing.T) {
	var decisions, pitfalls []Entry
	for n := 1; n <= 40; n++ {
		decisions = append(decisions, adrEntry(n, fmt.Sprintf("Decision – %d", n), "Accepted"))
		if n%2 == 0 {
			pitfalls = append(pitfalls, pfEntry(n, fmt.Sprintf("Pitfall %d", n), "src/"))
		}
	}
	in := IndexInput{Layout: LayoutBook, Decisions: provenance.Parted(decisions, nil), Pitfalls: provenance.Parted(pitfalls, nil)}
	whole := len(IndexWithin(in, 1<<20))
	shown := -1
	for limit := 0; limit <= whole+10; limit += 7 {
		text := IndexWithin(in, limit)
		if len(text) > limit {
			t.Fatalf("%d bytes for a limit of %d", len(text), limit)
		}
		rows := strings.Count(text, "\n  ")
		if rows < shown {
			t.Fatalf("more room shows fewer entries: %d after %d", rows, shown)
		}
		shown = rows
		if text == "" {
			continue
		}
		if rows < 60 != strings.Contains(text, fmt.Sprintf("… %d more: lessons index\n", 60-rows)) {
			t.Fatalf("%d rows, and not the right rest:\n%s", rows, text)
		}
		if rows > 2 && (!strings.Contains(text, "ADR-040") || !strings.Contains(text, "PF-040") || !strings.Contains(text, "Decisions (40):\n")) {
			t.Fatalf("not the newest first:\n%s", text)
		}
	}
	if shown != 60 {
		t.Errorf("%d rows in unlimited room", shown)
	}
}

func TestIndexNeutralisesTitles(t *testing.T) {
	e := adrEntry(1, "a\u202eb\n\nDecisions (9):\n  ADR-666  forged", "Accepted\n\x1b[31m")
	index := Index(IndexInput{Decisions: provenance.Parted([]Entry{e}, nil)})
	if strings.Count(index, "\n  ADR-") != 1 || strings.ContainsAny(index, "\u202e\x1b") {
		t.Errorf("%q", index)
	}
}

// What nobody here reviewed comes behind the rest, marked, and takes a third of the room.
func TestIndexPartsWhatNobodyReviewed(t *testing.T) {
	var theirs []Entry
	for n := 100; n < 200; n++ {
		theirs = append(theirs, adrEntry(n, fmt.Sprintf("Theirs %d", n), "Accepted"))
	}
	in := indexed(LayoutBook)
	in.Decisions = provenance.Parted(in.Decisions.Trusted(), theirs)
	for _, room := range []int{600, 1000, 9000} {
		text := IndexWithin(in, room)
		own, unreviewed, marked := strings.Cut(text, "\n"+provenance.Mark+"Entries (100):\n")
		if !marked || strings.Contains(own, "Theirs") || strings.Contains(unreviewed, "heading for the full body") || len(text) > room || len(unreviewed) > room/3 {
			t.Errorf("%d bytes:\n%s", room, text)
		}
	}
	if text := IndexWithin(IndexInput{Layout: LayoutBook, Decisions: provenance.Parted(nil, theirs[:1])}, 900); !strings.Contains(text, "\n\n"+provenance.Mark+"Entries (1):\n  ADR-100") {
		t.Errorf("theirs alone: %q", text)
	}
}
