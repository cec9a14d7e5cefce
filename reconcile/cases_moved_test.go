package reconcile

var movedCases = []scenario{
	{"04_git_mv_inside_the_folders", gitMvInside, false},
	{"05_mv_without_git", mvWithoutGit, true},
	{"06_git_mv_elsewhere_staged", gitMvElsewhere, true},
	{"07_moved_and_committed", movedAndCommitted, true},
	{"07b_moved_in_two_steps_with_a_write_between", movedInTwoSteps, true},
	{"08_moved_out_then_deleted", movedOutThenDeleted, true},
}

// mover is an artifact that has a file of its own in the scene's layout.
func (s *scene) mover() (name, inside string) {
	if s.layout == "files" {
		return "adr1", ".memory/knowledge/decisions/ADR-001-other.md"
	}
	return "a", ".lessons/renamed.md"
}

func gitMvInside(s *scene) {
	w := s.begin("a", "b")
	w.git("mv", s.pathOf("a"), ".lessons/renamed.md")
	item := w.item(w.expect(want{"a": "moved", "b": "unchanged"}), "a")
	s.check(item.To == ".lessons/renamed.md", "moved to %q", item.To)
	w.Commit("Rename a")
	w.expect(want{"a": "moved", "b": "unchanged"})
	w.write()
	w.wantRow("a", ".lessons/renamed.md", 0)
	w.expect(want{"a": "unchanged"})
	w.wantVerdicts("a")
}

func mvWithoutGit(s *scene) {
	name, inside := s.mover()
	w := s.begin(name, "b")
	w.Write(inside, w.Read(s.pathOf(name)))
	w.Remove(s.pathOf(name))
	report := w.expect(want{name: "moved", "b": "unchanged"})
	s.check(report.Count(Moved) == 1 && report.Count(Gone) == 0, "%s", report.Summary())
	w.write()
	w.wantRow(name, inside, 0)
	w.expect(want{name: "unchanged"})
}

func gitMvElsewhere(s *scene) {
	name, _ := s.mover()
	w := s.begin(name, "b")
	w.Write("docs/readme.md", "# Docs\n")
	w.git("mv", s.pathOf(name), "docs/kept.md")
	item := w.item(w.expect(want{name: "moved", "b": "unchanged"}), name)
	s.check(item.To == "docs/kept.md", "moved to %q", item.To)
	w.write()
	w.wantRow(name, "docs/kept.md", 0)
	w.expect(want{name: "unchanged"})
	w.wantVerdicts(name)
}

func movedAndCommitted(s *scene) {
	name, _ := s.mover()
	w := s.begin(name, "b")
	w.Write("docs/readme.md", "# Docs\n")
	w.git("mv", s.pathOf(name), "docs/kept.md")
	w.Commit("Move it out")
	w.expect(want{name: "moved", "b": "unchanged"})
	w.Write("docs/kept.md", w.Read("docs/kept.md")+"\nA person wrote more.\n")
	w.Commit("Edit it there")
	w.expect(want{name: "moved"})
	w.Write("notes/readme.md", "# Notes\n")
	w.git("mv", "docs/kept.md", "notes/kept.md")
	w.Commit("Move it again")
	item := w.item(w.expect(want{name: "moved"}), name)
	s.check(item.To == "notes/kept.md", "moved to %q", item.To)
	w.write()
	w.wantRow(name, "notes/kept.md", 0)
	w.expect(want{name: "edited"})
	w.wantVerdicts(name)
}

func movedInTwoSteps(s *scene) {
	name, _ := s.mover()
	for _, commit := range []func(w *tree){
		func(*tree) {},
		func(w *tree) { w.Commit("Move it") },
		func(w *tree) { w.Commit("Move it"); w.git("commit", "-q", "--amend", "-m", "Move it once more") },
	} {
		w := s.begin(name, "b")
		w.Write("docs/readme.md", "# Docs\nWhat came of self-learning:"+idOf(name)+" is below.\n")
		w.Write("notes/readme.md", "# Notes\n")
		w.git("add", "-A")
		w.git("mv", s.pathOf(name), "docs/kept.md")
		w.write()
		w.wantRow(name, "docs/kept.md", 0)
		w.git("mv", "docs/kept.md", "notes/kept.md")
		commit(w)
		report := w.expect(want{name: "moved", "b": "unchanged"})
		s.check(w.item(report, name).To == "notes/kept.md", "moved to %q", w.item(report, name).To)
		w.write()
		w.wantRow(name, "notes/kept.md", 0)
		w.expect(want{name: "unchanged"})
		w.wantVerdicts(name)
	}
}

func movedOutThenDeleted(s *scene) {
	name, _ := s.mover()
	w := s.begin(name, "b")
	w.Write("docs/readme.md", "# Docs\n")
	w.git("mv", s.pathOf(name), "docs/kept.md")
	w.Commit("Move it out")
	w.Remove("docs/kept.md")
	deleted := w.Commit("Delete it there")
	item := w.item(w.expect(want{name: "gone committed", "b": "unchanged"}), name)
	s.check(item.Commit == deleted, "commit %s, want %s", item.Commit, deleted)
	w.write()
	w.wantTomb(name, deleted)
	stone, _ := w.manifest().Tombstone(keyOf(name))
	s.check(stone.Path == s.pathOf(name), "the tombstone is at %s", stone.Path)
	w.expect(want{name: "gone tombstone"})
}
