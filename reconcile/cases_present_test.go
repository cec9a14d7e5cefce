package reconcile

import (
	"os"

	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/observe"
	"github.com/lessons-cli/lessons/knowledge/verdict"
)

var presentCases = []scenario{
	{"01_untouched", untouched, true},
	{"02_edited", edited, true},
	{"03_crlf_work_tree", crlf, true},
	{"46_untracked_by_rm_cached_and_kept", untrackedAndKept, false},
	{"59_crash_after_the_artifact_before_the_row", crashOrphan, true},
	{"60_two_copies", twoCopies, false},
	{"61_slug_reused", slugReused, false},
	{"68_lesson_and_entry_of_one_observation", lessonAndEntry, true},
	{"69_published_skill", publishedSkill, false},
	{"78_older_tree_checked_out_over", olderTree, false},
}

func untouched(s *scene) {
	w := s.begin("a", "cmd", "skill", "adr1", "adr2", "pf1")
	w.Write(".lessons/by-hand.md", "---\nid: 01JQXYZ0000000000000000001\nkind: warning\npriority: low\nstatus: active\ncreated: 2026-03-02\n---\n# By hand\n\nText.\n")
	report := w.expect(want{"a": "unchanged", "cmd": "unchanged", "skill": "unchanged", "adr1": "unchanged", "adr2": "unchanged", "pf1": "unchanged"})
	s.check(len(report.Items) == 6, "%d items: what a person wrote is nobody's row", len(report.Items))
	w.write()
	s.check(w.git("status", "--porcelain", "-uno") == "", "--write changed %s", w.git("status", "--porcelain"))
	s.check(w.events("a", "seen") == 1, "seen %d times", w.events("a", "seen"))
}

func edited(s *scene) {
	w := s.begin("a", "adr1", "adr2")
	before, _ := w.manifest().Row(keyOf("adr1"))
	w.edit("a", "in a few words", "in other words")
	w.edit("adr1", "Do adr1", "Do something else")
	w.expect(want{"a": "edited", "adr1": "edited", "adr2": "unchanged"})
	w.write()
	w.Commit("Edit")
	w.expect(want{"a": "edited", "adr1": "edited", "adr2": "unchanged"})
	after, _ := w.manifest().Row(keyOf("adr1"))
	s.check(after.ContentHash == before.ContentHash, "the row took the hash of the edit")
	s.check(after.Rev == before.Rev, "an edit is no new revision")
}

func crlf(s *scene) {
	w := s.begin("a", "adr1", "adr2")
	c := w.cloned("-c", "core.autocrlf=true")
	s.check(len(c.Read(s.pathOf("a"))) > len(w.Read(s.pathOf("a"))), "the clone has no CRLF")
	c.expect(want{"a": "unchanged", "adr1": "unchanged", "adr2": "unchanged"})
	w.Write(".gitattributes", "*.md text eol=crlf\n")
	w.Commit("Ask for CRLF")
	w.Remove(s.pathOf("a"))
	w.Remove(s.pathOf("adr1"))
	w.git("checkout", "--", ".")
	s.check(len(c.Read(s.pathOf("a"))) == len(w.Read(s.pathOf("a"))), "the work tree has no CRLF")
	w.expect(want{"a": "unchanged", "adr1": "unchanged", "adr2": "unchanged"})
}

func untrackedAndKept(s *scene) {
	w := s.begin("a", "b")
	w.git("rm", "-q", "--cached", s.pathOf("a"))
	w.expect(want{"a": "unchanged", "b": "unchanged"})
	w.CommitStaged("Untrack a")
	w.expect(want{"a": "unchanged", "b": "unchanged"})
}

func crashOrphan(s *scene) {
	for _, name := range []string{"a", "adr3", "cmd", "skill"} {
		w := s.begin("b", "adr1")
		w.place(name, textOf(name))
		w.observe(name, observe.Ready, 2)
		report := w.expect(want{name: "healed", "b": "unchanged", "adr1": "unchanged"})
		s.check(report.Count(Healed) == 1, "healed counts %d", report.Count(Healed))
		w.write()
		w.wantRow(name, s.pathOf(name), 1)
		row, _ := w.manifest().Row(keyOf(name))
		s.check(row.Anchor == anchorOf(name), "anchor %q", row.Anchor)
		s.check(row.N == 2, "the row has not the evidence: %d", row.N)
		w.expect(want{name: "unchanged", "b": "unchanged"})
	}
	// An edit made between the crash and the healing stays authoritative.
	w := s.begin("b")
	w.place("a", textOf("a"))
	w.observe("a", observe.Ready, 2)
	w.edit("a", "in a few words", "as a person wrote")
	w.expect(want{"a": "healed"})
	w.write()
	row, _ := w.manifest().Row(keyOf("a"))
	s.check(row.ContentHash == knowledge.ContentHash([]byte(w.Read(s.pathOf("a")))), "the hash is not that of the text as it stands")
}

func twoCopies(s *scene) {
	w := s.begin("a", "b")
	w.Write(".lessons/copy-one.md", w.Read(s.pathOf("a")))
	w.expect(want{"a": "unchanged"})
	w.Write(".lessons/copy-two.md", w.Read(s.pathOf("a")))
	w.cut("a")
	item := w.item(w.expect(want{"a": "ambiguous", "b": "unchanged"}), "a")
	s.check(len(item.Candidates) == 2, "candidates %q", item.Candidates)
	w.write()
	w.wantRow("a", s.pathOf("a"), 1)
	w.Commit("Two copies")
	w.expect(want{"a": "ambiguous"})
}

func slugReused(s *scene) {
	w := s.begin("b")
	w.Write(s.pathOf("a"), textOf("older"))
	w.Commit("An older lesson of this name")
	w.Remove(s.pathOf("a"))
	w.Commit("Delete it")
	w.render("a")
	w.git("commit", "-qam", "Forget to add the new one")
	w.expect(want{"a": "unchanged"})
	c := w.cloned()
	c.expect(want{"a": "skipped never here", "b": "unchanged"})
	c.wantVerdicts("a")
}

func lessonAndEntry(s *scene) {
	w := s.begin("lesson.x", "adr1.x", "b", "adr2")
	o := w.clone.log.Get("obs_x")
	w.cut("lesson.x")
	w.Commit("Delete the lesson")
	report := w.expect(want{"lesson.x": "gone committed", "adr1.x": "unchanged", "b": "unchanged"})
	confidence, status := verdict.Shown(o, report.View, observe.Thresholds{})
	s.check(status == observe.Created && confidence == 0.95, "one of two is gone, shown %v %s", confidence, status)
	w.cut("adr1.x")
	w.Commit("Delete the entry")
	report = w.expect(want{"lesson.x": "gone committed", "adr1.x": "gone committed"})
	confidence, status = verdict.Shown(o, report.View, observe.Thresholds{})
	s.check(status == observe.Deprecated && confidence < 0.3, "both are gone, shown %v %s", confidence, status)
}

func publishedSkill(s *scene) {
	w := s.begin("b")
	w.render("skill")
	published := ".claude/skills/skill/SKILL.md"
	w.Write(published, w.Read(s.pathOf("skill")))
	m := w.manifest()
	row, _ := m.Row(keyOf("skill"))
	row.Copies = []string{published}
	m.PutRow(row)
	w.store(m)
	w.Commit("Render and publish a skill")
	w.expect(want{"skill": "unchanged"})
	w.Remove(".lessons/skills/skill")
	gone := w.Commit("Delete the skill")
	item := w.item(w.expect(want{"skill": "gone committed"}), "skill")
	s.check(item.Commit == gone, "commit %s", item.Commit)
	w.write()
	w.wantTomb("skill", gone)
	w.expect(want{"skill": "gone tombstone"})
}

func olderTree(s *scene) {
	w := s.begin("b")
	older := w.Head()
	w.render("a")
	w.Commit("Render a")
	w.see()
	w.git("checkout", older, "--", ".")
	report := w.expect(want{"a": "healed", "b": "unchanged"})
	s.check(report.View.Live[keyOf("a")], "a is not live in the view")
	w.wantVerdicts("a")
	if _, err := os.Stat(w.Path(s.pathOf("a"))); err != nil {
		s.check(false, "%v", err)
	}
}
