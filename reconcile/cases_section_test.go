package reconcile

import (
	"strings"

	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/entry"
)

var sectionCases = []scenario{
	{"63_section_deleted", sectionDeleted, true},
	{"64_section_renumbered_or_unmarked", sectionRenumbered, true},
	{"65_section_moved_to_its_own_file", sectionMoved, true},
	{"66_section_in_a_code_fence", sectionFenced, true},
	{"67_section_deleted_on_a_branch_and_merged", sectionMerged, true},
}

func sectionDeleted(s *scene) {
	w := s.begin("adr1", "adr2", "pf1")
	others := want{"adr2": "unchanged", "pf1": "unchanged"}
	expect := func(answer string) {
		s.t.Helper()
		w.expect(want{"adr1": answer})
		w.answers(Report{Items: w.look().Items}, others)
	}
	w.cut("adr1")
	expect("pending")
	w.git("add", "-A")
	expect("gone staged")
	deleted := w.CommitStaged("Delete ADR-001")
	expect("gone committed")
	w.wantVerdicts("adr1", "committed "+deleted)
	w.git("revert", "--no-edit", deleted)
	expect("restored")
	expect("unchanged")
}

func sectionRenumbered(s *scene) {
	w := s.begin("adr1", "adr2")
	w.edit("adr1", "## ADR-001:", "## ADR-009:")
	item := w.item(w.expect(want{"adr1": "edited", "adr2": "unchanged"}), "adr1")
	s.check(item.Anchor == "ADR-009", "anchor %q", item.Anchor)
	w.write()
	row, _ := w.manifest().Row(keyOf("adr1"))
	s.check(row.Anchor == "ADR-009", "the row's anchor is %q", row.Anchor)
	s.check(strings.Contains(strings.Join(w.manifest().Anchors(knowledge.KindADR), " "), "ADR-001"), "ADR-001 may be given out again")
	w.expect(want{"adr1": "edited"})

	w = s.begin("adr1", "adr2")
	w.edit("adr1", "- **Source**: self-learning:obs_adr1\n", "")
	w.expect(want{"adr1": "edited", "adr2": "unchanged"})
	w.Commit("Adopt it")
	w.expect(want{"adr1": "edited", "adr2": "unchanged"})
	w.cut("adr1")
	deleted := w.Commit("Delete what was adopted")
	item = w.item(w.expect(want{"adr1": "gone committed", "adr2": "unchanged"}), "adr1")
	s.check(item.Commit == deleted, "commit %s, want %s", item.Commit, deleted)
}

func sectionMoved(s *scene) {
	to := entry.DecisionsDir + "/ADR-001-moved.md"
	if s.layout == "files" {
		to = entry.DecisionsPath
	}
	w := s.begin("adr1", "adr2")
	w.cut("adr1")
	book := textOf("adr1")
	if s.layout == "files" {
		book = string(entry.NewBook(knowledge.KindADR)) + "\n" + book
	}
	w.Write(to, book)
	item := w.item(w.expect(want{"adr1": "moved", "adr2": "unchanged"}), "adr1")
	s.check(item.To == to, "moved to %q", item.To)
	w.Commit("Move it")
	w.expect(want{"adr1": "moved", "adr2": "unchanged"})
	w.write()
	w.wantRow("adr1", to, 0)
	w.expect(want{"adr1": "unchanged"})
}

func sectionFenced(s *scene) {
	w := s.begin("adr1", "adr2")
	w.change("adr1", func(text string) string { return "````\n" + strings.TrimRight(text, "\n") + "\n````\n\n" })
	w.expect(want{"adr1": "pending", "adr2": "unchanged"})
	fenced := w.Commit("Quote it")
	item := w.item(w.expect(want{"adr1": "gone committed", "adr2": "unchanged"}), "adr1")
	s.check(item.Commit == fenced, "commit %s", item.Commit)

	w = s.begin("adr1", "adr2", "b")
	w.Remove(s.pathOf("adr1"))
	if s.layout == "files" {
		w.Remove(s.pathOf("adr2"))
	}
	deleted := w.Commit("Delete the whole book")
	report := w.expect(want{"adr1": "gone committed", "adr2": "gone committed", "b": "unchanged"})
	s.check(w.item(report, "adr2").Commit == deleted, "commit %s", w.item(report, "adr2").Commit)
	w.write()
	w.wantTomb("adr1", deleted)
	w.wantTomb("adr2", deleted)
}

func sectionMerged(s *scene) {
	w := s.begin("adr1", "adr2")
	w.git("checkout", "-qb", "side")
	w.cut("adr1")
	deleted := w.Commit("Delete ADR-001")
	w.git("checkout", "-q", "main")
	w.edit("adr2", "Do adr2", "Do adr2 again")
	w.render("pf1")
	w.Commit("Go on")
	w.git("merge", "-q", "--no-ff", "-m", "Merge", "side")
	item := w.item(w.expect(want{"adr1": "gone committed", "adr2": "edited", "pf1": "unchanged"}), "adr1")
	s.check(item.Commit == deleted, "commit %s, want %s", item.Commit, deleted)
	w.write()
	w.wantTomb("adr1", deleted)
}
