package entry

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/lessons-cli/lessons/knowledge"
)

const mergeHead = "<!-- TL;DR: 0 decisions. Key: -->\n# Architectural Decisions\n\nA decision that no longer holds keeps its entry and changes its status.\n"

// book writes a book of entries in the short form "number id title|field=value|…".
func book(entries ...string) string {
	var out strings.Builder
	out.WriteString(mergeHead)
	for _, e := range entries {
		parts := strings.Split(e, "|")
		var entry Entry
		entry.Kind = knowledge.KindADR
		var title string
		if _, err := fmt.Sscanf(parts[0], "%d %s", &entry.Number, &entry.Source); err != nil {
			panic(err)
		}
		if f := strings.SplitN(parts[0], " ", 3); len(f) == 3 {
			title = f[2]
		}
		if entry.Source == "-" {
			entry.Source = ""
		}
		entry.Title = title
		for _, f := range parts[1:] {
			name, value, _ := strings.Cut(f, "=")
			entry.Fields = append(entry.Fields, Field{Name: name, Value: value})
		}
		out.WriteString("\n" + string(Format(entry)))
	}
	return out.String()
}

func TestMergeBooks(t *testing.T) {
	for _, c := range []struct {
		name               string
		base, ours, theirs string
		want               string
		conflicts          int
	}{
		{
			name: "both add",
			base: book("1 a One|Status=Accepted"),
			ours: book("1 a One|Status=Accepted", "2 b Two|Status=Accepted"), theirs: book("1 a One|Status=Accepted", "2 c Three|Status=Accepted"),
			want: book("1 a One|Status=Accepted", "2 b Two|Status=Accepted", "2 c Three|Status=Accepted"),
		},
		{
			name: "one edits, one retires",
			base: book("1 a One|Status=Accepted|Context=old"),
			ours: book("1 a One|Status=Accepted|Context=new"), theirs: book("1 a One|Status=Superseded|Context=old"),
			want: book("1 a One|Status=Superseded|Context=new"),
		},
		{
			name: "a verdict beats another status",
			base: book("1 a One|Status=Proposed"),
			ours: book("1 a One|Status=Accepted"), theirs: book("1 a One|Status=Deprecated"),
			want: book("1 a One|Status=Deprecated"),
		},
		{
			name: "two clones learned one decision, and one of them twice",
			ours: book("1 a One|Status=Proposed|Because=b"), theirs: book("1 a One|Status=Accepted|Because=b"),
			want: book("1 a One|Status=Accepted|Because=b"),
		},
		{
			name: "both change one field",
			base: book("1 a One|Context=old|Decision=d"),
			ours: book("1 a One|Context=left|Decision=d"), theirs: book("1 a One|Context=right|Decision=d"),
			want:      book("1 a One|Context=right|Decision=d|Conflict=Context: left"),
			conflicts: 1,
		},
		{
			name: "a person decided",
			base: book("1 a One|Context=right|Conflict=Context: left"),
			ours: book("1 a One|Context=left"), theirs: book("1 a One|Context=right|Conflict=Context: left"),
			want: book("1 a One|Context=left"),
		},
		{
			name: "both retitle",
			base: book("1 a One"),
			ours: book("1 a Uno"), theirs: book("1 a Un"),
			want:      book("1 a Uno|Conflict=Title: Un"),
			conflicts: 1,
		},
		{
			name: "removed here, unchanged there",
			base: book("1 a One|Context=x", "2 b Two"),
			ours: book("2 b Two"), theirs: book("1 a One|Context=x", "2 b Two"),
			want: book("2 b Two"),
		},
		{
			name: "removed here, edited there",
			base: book("1 a One|Context=x"),
			ours: book(), theirs: book("1 a One|Context=y"),
			want: book("1 a One|Context=y"),
		},
		{
			name: "renumbered here, edited there",
			base: book("1 z Zero", "1 a One|Context=x"),
			ours: book("1 z Zero", "2 a One|Context=x|Formerly=ADR-001"), theirs: book("1 z Zero", "1 a One|Context=y"),
			want: book("1 z Zero", "2 a One|Context=y|Formerly=ADR-001"),
		},
		{
			name: "one observation rendered twice under two numbers",
			base: book(),
			ours: book("1 b Two", "2 a One|Context=x"), theirs: book("1 a One|Context=x"),
			want: book("1 a One|Context=x|Formerly=ADR-002", "1 b Two"),
		},
		{
			name: "entries of people, by title",
			base: book("1 - One|Context=x"),
			ours: book("1 - One|Context=y"), theirs: book("1 - One|Context=x|Decision=d"),
			want: book("1 - One|Context=y|Decision=d"),
		},
		{
			name: "conflict markers in what was committed",
			base: book("1 a One|Context=x"),
			ours: book("1 a One|Context=x"),
			theirs: mergeHead + "\n<<<<<<< HEAD\n## ADR-001: One\n\n- **Context**: x\n- **Source**: self-learning:a\n=======\n" +
				"## ADR-001: One\n\n- **Context**: x\n- **Source**: self-learning:a\n\n## ADR-002: Two\n\n- **Source**: self-learning:b\n>>>>>>> theirs\n",
			want: book("1 a One|Context=x", "2 b Two"),
		},
		{
			name: "text between entries",
			base: book("1 a One") + "\n## Notes\n\nshared\n",
			ours: book("1 a One") + "\n## Notes\n\nshared\n\nleft\n", theirs: book("1 a One", "2 b Two") + "\n## Notes\n\nshared\n\nright\n",
			want: book("1 a One", "2 b Two") + "\n## Notes\n\nshared\n\nleft\n\nright\n",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			want := string(recount(c.want))
			for _, side := range [][2]string{{c.ours, c.theirs}, {c.theirs, c.ours}} {
				got, notes := MergeBooks(DecisionsPath, []byte(c.base), []byte(side[0]), []byte(side[1]))
				if string(got) != want {
					t.Errorf("got\n%s\nwant\n%s", got, want)
				}
				if len(notes) != c.conflicts {
					t.Errorf("%d conflicts, want %d: %v", len(notes), c.conflicts, notes)
				}
			}
			again, _ := MergeBooks(DecisionsPath, []byte(want), []byte(want), []byte(want))
			if string(again) != want {
				t.Errorf("merging it with itself changed it:\n%s", again)
			}
		})
	}
}

// recount brings the summary line up to date.
func recount(text string) []byte {
	out, _ := MergeBooks(DecisionsPath, []byte(text), []byte(text), []byte(text))
	return out
}

// TestMergeOrderDoesNotMatter merges four random branches in every order.
// Two clones that learned one decision each render it under one id: its evidence is
// united, and nobody has to decide anything.
func TestMergeUnitesTheEvidenceOfClones(t *testing.T) {
	clone := func(seen string, quotes ...string) []byte {
		e := Entry{Kind: knowledge.KindADR, Number: 1, Title: "Use cents", Source: "obs_x", Fields: []Field{{Name: FieldStatus, Value: "Accepted"}, {Name: FieldSeen, Value: seen}}}
		for _, q := range quotes {
			e.Fields = append(e.Fields, Field{Name: FieldQuote, Value: q})
		}
		e.Fields = append(e.Fields, Field{Name: FieldSource, Value: "self-learning:obs_x"})
		return append([]byte(mergeHead+"\n"), Format(e)...)
	}
	ours, theirs := clone("1 session, 2026-01-05", "one", "two"), clone("2 sessions, 2026-01-02 to 2026-01-03", "three")
	got, problems := MergeBooks(DecisionsPath, nil, ours, theirs)
	if other, _ := MergeBooks(DecisionsPath, nil, theirs, ours); string(other) != string(got) {
		t.Errorf("the sides matter:\n%s\n%s", got, other)
	}
	text := string(got)
	if len(problems) > 0 || strings.Contains(text, FieldConflict) || !strings.Contains(text, "2 sessions, 2026-01-02 to 2026-01-05") || strings.Count(text, "**Quote**") != 2 {
		t.Errorf("%v\n%s", problems, text)
	}
}

func TestMergeOrderDoesNotMatter(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 1))
		base := randomBook(r, 4)
		var branches [][]byte
		for b := range 4 {
			branches = append(branches, mutate(r, base, b))
		}
		want := ""
		for _, order := range permutations(4) {
			at := base
			for _, i := range order {
				at, _ = MergeBooks(DecisionsPath, base, at, branches[i])
			}
			if want == "" {
				want = string(at)
			}
			if string(at) != want {
				t.Fatalf("seed %d: order %v gives\n%s\nand not\n%s", seed, order, at, want)
			}
		}
	}
}

func permutations(n int) [][]int {
	if n == 0 {
		return [][]int{{}}
	}
	var all [][]int
	for _, p := range permutations(n - 1) {
		for at := 0; at <= len(p); at++ {
			all = append(all, append(append(append([]int{}, p[:at]...), n-1), p[at:]...))
		}
	}
	return all
}

func randomBook(r *rand.Rand, n int) []byte {
	var entries []string
	for i := range n {
		entries = append(entries, fmt.Sprintf("%d base%d Title %d|Status=Accepted|Context=c%d|Decision=d%d", i+1, i, i, r.IntN(9), r.IntN(9)))
	}
	return recount(book(entries...))
}

// mutate is a branch: entries added, edited, retired and removed.
func mutate(r *rand.Rand, base []byte, branch int) []byte {
	b, _ := ParseBook(DecisionsPath, base)
	entries := b.Entries
	for range 1 + r.IntN(4) {
		i := r.IntN(len(entries))
		switch r.IntN(5) {
		case 0, 1:
			entries = append(entries, Entry{
				Kind: knowledge.KindADR, Number: MaxNumber(knowledge.KindADR, entries) + 1, Title: fmt.Sprintf("New %d of %d", r.IntN(3), branch),
				Source: fmt.Sprintf("new%d_%d", branch, len(entries)), Fields: []Field{{Name: "Status", Value: "Accepted"}},
			})
		case 2:
			entries[i].Fields = append([]Field{}, entries[i].Fields...)
			entries[i].Fields[min(1, len(entries[i].Fields)-1)].Value = fmt.Sprintf("edit %d", r.IntN(3))
		case 3:
			entries[i].Fields = append([]Field{}, entries[i].Fields...)
			entries[i].Fields[0].Value = []string{"Deprecated", "Retired", "Accepted"}[r.IntN(3)]
		case 4:
			if len(entries) > 1 {
				entries = append(append([]Entry{}, entries[:i]...), entries[i+1:]...)
			}
		}
	}
	var out strings.Builder
	out.WriteString(mergeHead)
	for _, e := range entries {
		out.WriteString("\n" + string(Format(e)))
	}
	return recount(out.String())
}

func FuzzMergeBooks(f *testing.F) {
	f.Add(mergeHead, book("1 a One"), book("1 a Two"))
	f.Add("", "<<<<<<< a\n## ADR-001: x\n=======\n>>>>>>> b\n", "## ADR-001\n- **Conflict**: x\n")
	f.Fuzz(func(t *testing.T, base, ours, theirs string) {
		one, _ := MergeBooks(DecisionsPath, []byte(base), []byte(ours), []byte(theirs))
		two, _ := MergeBooks(DecisionsPath, []byte(base), []byte(theirs), []byte(ours))
		if string(one) != string(two) {
			t.Errorf("the sides are not alike:\n%q\n%q", one, two)
		}
	})
}

// Each level of conflicts in conflicts would take three times as long as the one
// inside of it.
func TestConflictsInConflictsEnd(t *testing.T) {
	var b strings.Builder
	for range 60 {
		b.WriteString("<<<<<<< a\n")
	}
	b.WriteString("## ADR-001: x\n")
	for range 60 {
		b.WriteString("||||||| b\ny\n=======\n## ADR-002: z\n>>>>>>> c\n")
	}
	out, _ := MergeBooks(BookPath(knowledge.KindADR), nil, []byte(b.String()), []byte(b.String()))
	if !strings.Contains(string(out), "ADR-001") {
		t.Errorf("the merge lost an entry: %.200s", out)
	}
}
