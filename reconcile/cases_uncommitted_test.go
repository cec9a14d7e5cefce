package reconcile

import "github.com/lessons-cli/lessons/knowledge/verdict"

var uncommittedCases = []scenario{
	{"49_ignored_folder_of_the_owner", ignoredOwner, false},
	{"52_never_committed_deleted_alone", uncommittedAlone, true},
	{"53_never_committed_cleaned", uncommittedCleaned, false},
	{"76_unborn_head", unborn, true},
	{"77_intent_to_add", intentToAdd, true},
}

func ignoredOwner(s *scene) {
	owner := func() *tree {
		w := s.begin("b")
		w.Write(".gitignore", ".claude/\n")
		w.render("cmd1", "cmd2")
		w.Commit("Render commands, ignored")
		w.see()
		return w
	}
	w := owner()
	w.cut("cmd1")
	w.expect(want{"cmd1": "gone uncommitted", "cmd2": "unchanged", "b": "unchanged"})
	w.wantVerdicts("cmd1", "uncommitted")
	w.write()
	w.wantRow("cmd1", s.pathOf("cmd1"), 1) // it is committed: only a tombstone could say "gone"

	w = owner()
	w.git("clean", "-qfdx")
	w.expect(want{"cmd1": "lost", "cmd2": "lost", "b": "unchanged"})
	w.wantVerdicts("cmd1")
	w.write()
	w.wantRow("cmd1", s.pathOf("cmd1"), 1)
}

func uncommittedAlone(s *scene) {
	name := s.subject()
	w := s.begin("b", "adr2")
	w.render(name)
	w.see()
	text := w.Read(s.pathOf(name))
	w.cut(name)
	w.expect(want{name: "gone uncommitted", "b": "unchanged", "adr2": "unchanged"})
	w.wantVerdicts(name, "uncommitted")
	w.Write(s.pathOf(name), text)
	w.expect(want{name: "restored", "b": "unchanged"})
	w.wantVerdicts(name)
	w.expect(want{name: "unchanged"})

	// The row of what was never committed is dropped; the block stays in the ledger.
	w.cut(name)
	w.see()
	w.write()
	w.wantNoEntry(name)
	events, _ := verdict.ReadLedger("ledger", w.clone.ledger)
	s.check(verdict.Rejected(w.clone.log.Get(idOf(name)), w.manifest(), events) == verdict.Blocked, "not blocked")
	w.Write(s.pathOf(name), text)
	w.expect(want{name: "restored"})
	w.wantVerdicts(name)
	w.write()
	w.wantRow(name, s.pathOf(name), 1)
	w.expect(want{name: "unchanged"})
}

func uncommittedCleaned(s *scene) {
	w := s.begin("b")
	w.render("a", "c")
	w.see()
	w.git("clean", "-qfd", ".lessons")
	w.expect(want{"a": "lost", "c": "lost", "b": "unchanged"})
	w.expect(want{"a": "lost", "c": "lost", "b": "unchanged"})
	w.wantVerdicts("a")

	w = s.begin("b")
	w.render("cmd")
	w.see()
	w.Remove(".claude")
	w.expect(want{"cmd": "lost", "b": "unchanged"})
	w.wantVerdicts("cmd")
}

func unborn(s *scene) {
	name := s.subject()
	w := s.bare()
	w.render(name, "b", "adr2")
	w.git("add", "-A")
	w.expect(want{name: "unchanged", "b": "unchanged"})
	w.cut(name)
	w.expect(want{name: "pending", "b": "unchanged"})
	w.git("rm", "-q", "--cached", s.pathOf(name))
	w.expect(want{name: "gone uncommitted", "b": "unchanged"})
	w.wantVerdicts(name, "uncommitted")
}

func intentToAdd(s *scene) {
	name := s.subject()
	w := s.begin("b", "adr2")
	w.render(name)
	w.git("add", "-N", s.pathOf(name))
	w.see()
	w.cut(name)
	w.expect(want{name: "pending", "b": "unchanged"})
	w.wantVerdicts(name)
}
