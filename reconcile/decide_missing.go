package reconcile

import (
	"fmt"
	"strings"

	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/artifact"
)

// maxHops bounds how many renames are followed (step 4.6).
const maxHops = 5

// outcome of a step: an answer, a path to follow, a fact that is needed, or
// none of them, which means that the next step decides.
type outcome struct {
	item   *Item
	follow string
	need   need
}

func (o outcome) decided() bool { return o.item != nil || o.follow != "" || o.need != nothing }

func answered(i Item) outcome { return outcome{item: &i} }

// decideMissing is step 4: the answer about a row whose artifact is not at its
// path, or the next fact that the answer needs. It is a pure function.
func decideMissing(e *evidence, s setting) outcome {
	for _, step := range []func(*evidence, setting) outcome{
		movedElsewhere, outsideOfRepository, flaggedInIndex, stillInIndex, stagedAway, removedOnBranch,
		unreadVersion, trackedElsewhere, inAnotherRef, beyondShallow, neverHere,
	} {
		if o := step(e, s); o.decided() {
			return o
		}
	}
	if s.git && !s.unborn && e.inHeadManifest == nil {
		return e.ask(needHeadManifest) // a committed row is never just dropped
	}
	return answered(e.answer(Gone, "never committed, and not here any more", "F3", "seen").how(HowUncommitted))
}

// answer makes the item of a row, with where its trail led.
func (e *evidence) answer(a Answer, reason string, facts ...string) Item {
	item := newItem(e.row, a, reason, facts...)
	item.fromHistory = e.fromHistory
	item.byRefs = e.refs != nil
	if e.inHeadManifest != nil {
		item.committed = *e.inHeadManifest
	}
	if e.hops > 0 && item.To == "" {
		item.To = e.path
	}
	return item
}

func (i Item) how(how string) Item {
	i.How = how
	return i
}

const reasonNotAsked = "history not asked yet"

// movedElsewhere is step 4.1: a mv looks like a deletion everywhere but in the marker.
func movedElsewhere(e *evidence, _ setting) outcome {
	switch {
	case e.here != nil:
		return answered(e.moved(*e.here, "F3", "F7"))
	case len(e.elsewhere) == 1:
		return answered(e.moved(e.elsewhere[0], "F3"))
	case len(e.elsewhere) > 1:
		item := e.answer(Ambiguous, fmt.Sprintf("its marker stands in %d places", len(e.elsewhere)), "F3")
		item.Candidates = places(e.elsewhere)
		return answered(item)
	}
	return outcome{}
}

func (e *evidence) moved(to artifact.Artifact, facts ...string) Item {
	item := e.answer(Moved, "", facts...)
	item.To, item.Anchor, item.artifact = to.Path, to.Anchor, &to
	item.Reason = "now in " + to.Path
	return item
}

func places(found []artifact.Artifact) []string {
	return lists.Map(found, artifact.Artifact.Place)
}

// outsideOfRepository is step 4.2: another repository's business.
func outsideOfRepository(e *evidence, s setting) outcome {
	if e.outside != "" {
		return answered(e.answer(Skipped, e.outside, "F3"))
	}
	if !s.git {
		return outcome{}
	}
	if e.index == nil {
		return e.ask(needIndex)
	}
	if e.index.gitlink != "" {
		return answered(e.answer(Skipped, e.index.gitlink+" is a submodule", "F4"))
	}
	return outcome{}
}

// ask returns the need of a fact, or the answer when it cannot be had.
func (e *evidence) ask(n need) outcome {
	switch {
	case e.noHistory:
		return answered(e.answer(Skipped, "no history without the git program"))
	case e.late && n.asksHistory():
		item := e.answer(Pending, reasonNotAsked)
		item.passing = true
		return answered(item)
	}
	return outcome{need: n}
}

// flaggedInIndex is step 4.3: the index says that absence is normal.
func flaggedInIndex(e *evidence, s setting) outcome {
	switch {
	case !s.git:
	case e.index.unmerged:
		return answered(e.answer(Skipped, "unmerged", "F4"))
	case e.index.has && e.index.entry.Skip:
		return answered(e.answer(Skipped, "sparse or skip-worktree", "F4"))
	case e.index.has && e.index.entry.Assume:
		return answered(e.answer(Skipped, "assume-unchanged", "F4"))
	}
	return outcome{}
}

// stillInIndex is step 4.4: nothing was staged, so nothing is decided.
func stillInIndex(e *evidence, s setting) outcome {
	if !s.git || !e.index.has {
		return outcome{}
	}
	switch {
	case e.index.text == unread && inBook(e.row, e.path):
		return answered(e.answer(Skipped, "partial clone: the text in the index is not here", "F2", "F4"))
	case e.index.text != absent:
		return answered(e.answer(Pending, "removed from the work tree, still in the index", "F4"))
	}
	if e.index.intent {
		if e.head == nil {
			return e.ask(needHead)
		}
		if *e.head == absent {
			return answered(e.answer(Pending, "removed after git add --intent-to-add", "F4"))
		}
	}
	return outcome{}
}

// stagedAway is step 4.5: HEAD has it and the index does not.
func stagedAway(e *evidence, s setting) outcome {
	if !s.git || s.unborn {
		return outcome{}
	}
	if e.head == nil {
		return e.ask(needHead)
	}
	if *e.head != mine && *e.head != bare {
		return outcome{}
	}
	if e.staged == nil {
		return e.ask(needStaged)
	}
	if o := e.trail(*e.staged, "F5"); o.decided() {
		return o
	}
	return answered(e.answer(Gone, "its removal is staged", "F2", "F4", "F5").how(HowStaged))
}

// trail follows a single target and refuses to choose between several.
func (e *evidence) trail(targets []string, fact string) outcome {
	switch {
	case len(targets) > 1:
		item := e.answer(Ambiguous, "one change put it in several places: "+strings.Join(targets, ", "), fact)
		item.Candidates = targets
		return answered(item)
	case len(targets) == 1 && e.hops >= maxHops:
		return answered(e.answer(Skipped, fmt.Sprintf("renamed more than %d times", maxHops), fact))
	case len(targets) == 1:
		return outcome{follow: targets[0]}
	}
	return outcome{}
}

// removedOnBranch is step 4.6: HEAD's history holds a removal of this marker.
func removedOnBranch(e *evidence, s setting) outcome {
	if !s.git || s.unborn {
		return outcome{}
	}
	if e.branch == nil {
		if e.unbounded {
			return e.ask(needBranchAll)
		}
		return e.ask(needBranch)
	}
	if e.branch.found == nil {
		if !e.branch.unbounded {
			return e.ask(needBranchAll)
		}
		return outcome{}
	}
	if e.targets == nil {
		return e.ask(needRenames)
	}
	if o := e.trail(*e.targets, "F7"); o.decided() {
		return o
	}
	if e.ignored == nil {
		return e.ask(needIgnored)
	}
	c := e.branch.found
	if *e.ignored {
		return answered(e.answer(Skipped, "untracked on purpose: the path is ignored now", "F6", "F8").by(c.commit, c.author, c.at))
	}
	return answered(e.answer(Gone, "removed in "+short(c.commit), "F6", "F7", "F8").how(HowCommitted).by(c.commit, c.author, c.at))
}

func short(commit string) string { return commit[:min(len(commit), 10)] }

// unreadVersion is step 4.7.
func unreadVersion(e *evidence, _ setting) outcome {
	if e.branch != nil && e.branch.unread {
		return answered(e.answer(Skipped, "partial clone: older versions are not here", "F6"))
	}
	return outcome{}
}

// trackedElsewhere is what renames do not tell when a row followed half of a move.
func trackedElsewhere(e *evidence, s setting) outcome {
	if !s.git {
		return outcome{}
	}
	if e.tracked == nil {
		return e.ask(needTracked)
	}
	return e.trail(*e.tracked, "F12")
}

// inAnotherRef is step 4.8: rendered and committed elsewhere must not look uncommitted.
func inAnotherRef(e *evidence, s setting) outcome {
	if !s.git {
		return outcome{}
	}
	for _, f := range []struct {
		fact   *sightingFact
		need   need
		reason string
	}{
		{e.refs, needRefs, "elsewhere: another branch, stash or work tree has it"},
		{e.reflog, needReflog, "abandoned: only the reflog has it"},
	} {
		switch {
		case f.fact == nil:
			return e.ask(f.need)
		case f.fact.commit != "":
			item := e.answer(Skipped, f.reason, "F9")
			item.Commit, item.vanished = f.fact.commit, f.need == needReflog && !f.fact.removed
			return answered(item)
		case f.fact.unread:
			return answered(e.answer(Skipped, "partial clone: versions elsewhere are not here", "F9"))
		}
	}
	return outcome{}
}

// beyondShallow is step 4.9.
func beyondShallow(e *evidence, s setting) outcome {
	if !s.git || !s.shallow || e.seen {
		return outcome{}
	}
	if e.inHeadManifest == nil {
		return e.ask(needHeadManifest)
	}
	if *e.inHeadManifest {
		return answered(e.answer(Skipped, "history not here: shallow clone", "F0", "F6"))
	}
	return outcome{}
}

// neverHere is step 4.10: a row without its artifact, or an ignored path.
func neverHere(e *evidence, _ setting) outcome {
	if !e.seen {
		return answered(e.answer(Skipped, reasonNeverHere, "seen"))
	}
	return outcome{}
}

const reasonClean = "looks like a clean: several files that no commit has, or their folder, went at once"

// cleaned is steps 4.11 and 4.12 over all rows of a run: files that no commit
// has and that vanish together, or with their folder, look like a git clean. A
// verdict that was recorded earlier stands.
func cleaned(items []*Item, known func(knowledge.Key) bool, folderGone func(Item) bool) {
	fresh := map[string]bool{}
	open := func(i *Item) bool { return i.Answer == Gone && i.How == HowUncommitted && !known(i.Key()) }
	for _, i := range items {
		if open(i) {
			fresh[i.Path] = true
		}
	}
	for _, i := range items {
		if open(i) && (len(fresh) > 1 || folderGone(*i)) {
			i.Answer, i.How, i.Reason, i.vanished = Pending, "", reasonClean, true
		}
	}
}
