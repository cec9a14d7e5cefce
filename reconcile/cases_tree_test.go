package reconcile

var treeCases = []scenario{
	{"72_deleted_in_a_linked_work_tree", deletedInLinked, true},
	{"73_artifact_on_another_work_trees_detached_head", onDetachedHead, true},
	{"74_uncommitted_deletion_in_a_linked_work_tree", uncommittedInLinked, false},
}

func deletedInLinked(s *scene) {
	name := s.subject()
	w := s.begin(name, "b", "adr2")
	other := w.linked("side")
	other.expect(want{name: "unchanged", "b": "unchanged"})
	other.cut(name)
	deleted := other.Commit("Delete it")
	other.expect(want{name: "gone committed", "b": "unchanged"})
	w.expect(want{name: "unchanged", "b": "unchanged"})
	w.wantVerdicts(name, "committed "+deleted)
	other.expect(want{name: "gone committed", "b": "unchanged"})
}

func onDetachedHead(s *scene) {
	name := s.subject()
	w := s.begin("b", "adr2")
	other := w.linked("")
	other.render(name)
	row := other.rowFor(name)
	other.git("add", s.pathOf(name))
	other.CommitStaged("Commit the artifact alone, on no branch")
	other.expect(want{name: "unchanged"})
	m := w.manifest()
	m.PutRow(row)
	w.store(m)
	w.expect(want{name: "skipped elsewhere", "b": "unchanged"})
	w.Commit("Commit the row")
	w.expect(want{name: "skipped elsewhere", "b": "unchanged"})
	w.wantVerdicts(name)
}

func uncommittedInLinked(s *scene) {
	w := s.begin("b")
	w.render("a")
	w.git("commit", "-qam", "Commit the row alone")
	w.expect(want{"a": "unchanged"})
	other, third := w.linked("side"), w.linked("third")
	other.place("a", textOf("a"))
	other.expect(want{"a": "unchanged"})
	other.cut("a")
	other.expect(want{"a": "gone uncommitted", "b": "unchanged"})
	w.expect(want{"a": "unchanged", "b": "unchanged"})
	third.expect(want{"a": "skipped never here", "b": "unchanged"})
	w.wantVerdicts("a", "uncommitted")
	other.place("a", textOf("a"))
	other.expect(want{"a": "restored"})
	w.wantVerdicts("a")
}
