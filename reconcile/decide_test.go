package reconcile

import (
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/lessons-cli/lessons/internal/gitstate"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/artifact"
	"github.com/lessons-cli/lessons/knowledge/entry"
	"github.com/lessons-cli/lessons/knowledge/manifest"
	"github.com/lessons-cli/lessons/knowledge/verdict"
)

var (
	lessonRow  = manifest.Row{ObservationID: "obs_a", Type: "lesson", Path: ".lessons/a.md", RenderedAt: time.Unix(1e9, 0)}
	sectionRow = manifest.Row{ObservationID: "obs_a", Type: "decision", Path: entry.DecisionsPath, Anchor: "ADR-001", RenderedAt: time.Unix(1e9, 0)}
	onGit      = setting{git: true}
	deleting   = &removal{commit: "c0ffee", author: "Ada <ada@example.org>", at: time.Unix(2e9, 0)}
)

func ptr[T any](v T) *T { return &v }

// TestDecideMissing has a row for every way out of every step of the decision.
func TestDecideMissing(t *testing.T) {
	copyOf := func(path string) artifact.Artifact {
		return artifact.Artifact{Kind: knowledge.KindLesson, Source: "obs_a", Path: path}
	}
	notInIndex := &indexFact{}
	untold := evidence{index: notInIndex, head: ptr(absent), branch: &removalFact{unbounded: true}}
	away := untold
	away.tracked = &[]string{}
	removed := evidence{index: notInIndex, head: ptr(absent), branch: &removalFact{found: deleting}, targets: &[]string{}, ignored: ptr(false)}
	nowhere := away
	nowhere.refs, nowhere.reflog = &sightingFact{}, &sightingFact{}
	for _, tt := range []struct {
		name    string
		e       evidence
		section bool
		s       setting
		want    string // answer, "need n" or "follow path"
		reason  string
	}{
		{name: "4.1 one marker elsewhere", e: evidence{elsewhere: []artifact.Artifact{copyOf("x.md")}}, s: onGit, want: "moved", reason: "now in x.md"},
		{name: "4.1 two", e: evidence{elsewhere: []artifact.Artifact{copyOf("x.md"), copyOf("y.md")}}, s: onGit, want: "ambiguous"},
		{name: "4.2 link", e: evidence{outside: ".lessons is a link"}, s: onGit, want: "skipped", reason: "link"},
		{name: "4.2 without git", e: evidence{outside: ".lessons is a link", seen: true}, want: "skipped", reason: "link"},
		{name: "4.2 asks the index", s: onGit, want: "need index"},
		{name: "4.2 submodule", e: evidence{index: &indexFact{gitlink: ".lessons"}}, s: onGit, want: "skipped", reason: "submodule"},
		{name: "4.3 unmerged", e: evidence{index: &indexFact{has: true, unmerged: true}}, s: onGit, want: "skipped", reason: "unmerged"},
		{name: "4.3 sparse", e: evidence{index: &indexFact{has: true, entry: gitstate.IndexEntry{Skip: true}}}, s: onGit, want: "skipped", reason: "sparse"},
		{name: "4.3 assumed", e: evidence{index: &indexFact{has: true, entry: gitstate.IndexEntry{Assume: true}}}, s: onGit, want: "skipped", reason: "assume"},
		{name: "4.4 in the index", e: evidence{index: &indexFact{has: true, text: mine}}, s: onGit, want: "pending"},
		{name: "4.4 adopted in the index", e: evidence{index: &indexFact{has: true, text: bare}}, s: onGit, want: "pending"},
		{name: "4.4 unread file", e: evidence{index: &indexFact{has: true, text: unread}}, s: onGit, want: "pending"},
		{name: "4.4 unread section", section: true, e: evidence{index: &indexFact{has: true, text: unread}}, s: onGit, want: "skipped", reason: "partial"},
		{name: "4.4 another's file", e: evidence{index: &indexFact{has: true, text: absent}}, s: onGit, want: "need head"},
		{name: "4.4 announced", e: evidence{index: &indexFact{has: true, text: absent, intent: true}, head: ptr(absent)}, s: onGit, want: "pending", reason: "intent"},
		{name: "4.5 asks what is staged", e: evidence{index: notInIndex, head: ptr(mine)}, s: onGit, want: "need staged"},
		{name: "4.5 staged away", e: evidence{index: notInIndex, head: ptr(mine), staged: &[]string{}}, s: onGit, want: "gone staged"},
		{name: "4.5 staged rename", e: evidence{index: notInIndex, head: ptr(mine), staged: &[]string{"docs/a.md"}}, s: onGit, want: "follow docs/a.md"},
		{name: "4.5 staged in two places", e: evidence{index: notInIndex, head: ptr(mine), staged: &[]string{"x.md", "y.md"}}, s: onGit, want: "ambiguous"},
		{name: "4.6 asks the branch", e: evidence{index: notInIndex, head: ptr(absent)}, s: onGit, want: "need branch"},
		{name: "4.6 asks without a bound", e: evidence{index: notInIndex, head: ptr(absent), branch: &removalFact{}}, s: onGit, want: "need branchAll"},
		{name: "4.6 asks for renames", e: evidence{index: notInIndex, head: ptr(absent), branch: &removalFact{found: deleting}}, s: onGit, want: "need renames"},
		{name: "4.6 committed", e: removed, s: onGit, want: "gone committed", reason: "c0ffee"},
		{name: "4.6 ignored now", e: func() evidence { e := removed; e.ignored = ptr(true); return e }(), s: onGit, want: "skipped", reason: "on purpose"},
		{name: "4.6 renamed too often", e: func() evidence { e := removed; e.hops, e.targets = maxHops, &[]string{"x.md"}; return e }(), s: onGit, want: "skipped", reason: "more than 5"},
		{name: "4.7 unread", e: evidence{index: notInIndex, head: ptr(absent), branch: &removalFact{unread: true, unbounded: true}}, s: onGit, want: "skipped", reason: "partial"},
		{name: "4.8 asks what is tracked", e: untold, s: onGit, want: "need tracked"},
		{name: "4.8 tracked", e: func() evidence { e := untold; e.tracked = &[]string{"docs/a.md"}; return e }(), s: onGit, want: "follow docs/a.md"},
		{name: "4.8 tracked in two places", e: func() evidence { e := untold; e.tracked = &[]string{"x.md", "y.md"}; return e }(), s: onGit, want: "ambiguous"},
		{name: "4.8 asks all refs", e: away, s: onGit, want: "need refs"},
		{name: "4.8 elsewhere", e: func() evidence { e := away; e.refs = &sightingFact{commit: "beef"}; return e }(), s: onGit, want: "skipped", reason: "elsewhere"},
		{name: "4.8 abandoned", e: func() evidence { e := nowhere; e.reflog = &sightingFact{commit: "beef"}; return e }(), s: onGit, want: "skipped", reason: "abandoned"},
		{name: "4.9 asks HEAD's manifest", e: nowhere, s: setting{git: true, shallow: true}, want: "need headManifest"},
		{name: "4.9 shallow", e: func() evidence { e := nowhere; e.inHeadManifest = ptr(true); return e }(), s: setting{git: true, shallow: true}, want: "skipped", reason: "history not here"},
		{name: "4.10 never here", e: nowhere, s: onGit, want: "skipped", reason: "never here"},
		{name: "4.10 without git", s: setting{}, want: "skipped", reason: "never here"},
		{name: "4.12 uncommitted", e: func() evidence { e := nowhere; e.seen, e.inHeadManifest = true, ptr(false); return e }(), s: onGit, want: "gone uncommitted"},
		{name: "4.12 without git", e: evidence{seen: true}, s: setting{}, want: "gone uncommitted"},
		{name: "4.12 unborn", e: func() evidence { e := nowhere; e.seen, e.head, e.branch = true, nil, nil; return e }(), s: setting{git: true, unborn: true}, want: "gone uncommitted"},
		{name: "late", e: evidence{index: notInIndex, head: ptr(absent), late: true}, s: onGit, want: "pending", reason: "not asked yet"},
		{name: "no history", e: evidence{index: notInIndex, head: ptr(absent), noHistory: true}, s: onGit, want: "skipped", reason: "no history"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tt.e.row = lessonRow
			if tt.section {
				tt.e.row = sectionRow
			}
			tt.e.path = tt.e.row.Path
			got, reason := describe(decideMissing(&tt.e, tt.s))
			if got != tt.want || !strings.Contains(reason, tt.reason) {
				t.Errorf("%s (%s), want %s (…%s…)", got, reason, tt.want, tt.reason)
			}
		})
	}
}

func describe(o outcome) (what, reason string) {
	names := map[need]string{
		needIndex: "index", needHead: "head", needStaged: "staged", needBranch: "branch", needBranchAll: "branchAll",
		needRenames: "renames", needIgnored: "ignored", needTracked: "tracked", needRefs: "refs", needReflog: "reflog", needHeadManifest: "headManifest",
	}
	switch {
	case o.item != nil:
		return strings.TrimSpace(string(o.item.Answer) + " " + o.item.How), o.item.Reason
	case o.follow != "":
		return "follow " + o.follow, ""
	}
	return "need " + names[o.need], ""
}

// TestGoneNeedsAWitness: whatever the evidence, the answer gone rests on a
// staged change, a commit, or this work tree's own memory together with the
// proof that no commit anywhere has the artifact.
func TestGoneNeedsAWitness(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		hold := func(name string) hold { return rapid.SampledFrom([]hold{unread, absent, bare, mine}).Draw(t, name) }
		maybe := func(name string) bool { return rapid.Bool().Draw(t, name) }
		e := &evidence{row: lessonRow, path: lessonRow.Path, seen: maybe("seen")}
		if maybe("section") {
			e.row, e.path = sectionRow, sectionRow.Path
		}
		s := setting{git: maybe("git"), unborn: maybe("unborn"), shallow: maybe("shallow")}
		if maybe("index") {
			e.index = &indexFact{has: maybe("has"), text: hold("text"), intent: maybe("intent"), unmerged: maybe("unmerged")}
			e.index.entry.Skip, e.index.entry.Assume = maybe("skip"), maybe("assume")
		}
		if maybe("head") {
			e.head = ptr(hold("in head"))
		}
		targets := func(name string) *[]string {
			if !maybe(name) {
				return nil
			}
			return ptr(rapid.SliceOfN(rapid.SampledFrom([]string{"x.md", "y.md"}), 0, 2).Draw(t, name+" targets"))
		}
		e.staged, e.targets, e.tracked = targets("staged"), targets("renames"), targets("tracked")
		if maybe("branch") {
			e.branch = &removalFact{unread: maybe("unread"), unbounded: maybe("unbounded")}
			if maybe("found") {
				e.branch.found = deleting
			}
		}
		if maybe("ignored") {
			e.ignored = ptr(maybe("is ignored"))
		}
		sighting := func(name string) *sightingFact {
			if !maybe(name) {
				return nil
			}
			return &sightingFact{commit: rapid.SampledFrom([]string{"", "beef"}).Draw(t, name+" commit"), unread: maybe(name + " unread")}
		}
		e.refs, e.reflog = sighting("refs"), sighting("reflog")
		if maybe("manifest") {
			e.inHeadManifest = ptr(maybe("in head's manifest"))
		}
		e.late, e.noHistory = maybe("late"), maybe("no history")

		o := decideMissing(e, s)
		if !o.decided() {
			t.Fatal("neither an answer nor a need")
		}
		if o.item == nil || o.item.Answer != Gone {
			return
		}
		switch o.item.How {
		case HowStaged:
			if e.head == nil || (*e.head != mine && *e.head != bare) || (e.index.has && e.index.text != absent) {
				t.Fatal("gone (staged) although HEAD has it not, or the index has it")
			}
		case HowCommitted:
			if e.branch == nil || e.branch.found == nil || e.ignored == nil || *e.ignored {
				t.Fatal("gone (committed) without a removing commit")
			}
		case HowUncommitted:
			if !e.seen || (s.git && (e.tracked == nil || len(*e.tracked) > 0 || e.refs == nil || e.refs.commit != "" || e.reflog == nil || e.reflog.commit != "")) {
				t.Fatal("gone (uncommitted) although never seen here, or a commit may have it")
			}
		default:
			t.Fatalf("gone without how: %+v", o.item)
		}
	})
}

// TestPresenceAndVerdicts is step 2.
func TestPresenceAndVerdicts(t *testing.T) {
	const commit = "c0ffeec0ffeec0ffeec0ffeec0ffeec0ffeec0ff"
	v := func(how, commit, tree string) verdict.Event {
		return verdict.Event{Event: "verdict", How: how, Commit: commit, WorkTree: tree, ID: "obs_a", Type: "lesson", At: time.Unix(2e9, 0)}
	}
	stone := &manifest.Tombstone{Row: lessonRow, Commit: commit}
	for _, tt := range []struct {
		name   string
		j      pastVerdicts
		reach  gitstate.Reach
		want   Answer
		undone int
	}{
		{"nothing decided", pastVerdicts{}, 0, Unchanged, 0},
		{"uncommitted, here", pastVerdicts{open: []verdict.Event{v("uncommitted", "", "here")}}, 0, Restored, 1},
		{"uncommitted, in another work tree", pastVerdicts{open: []verdict.Event{v("uncommitted", "", "there")}}, 0, Unchanged, 0},
		{"committed, behind HEAD", pastVerdicts{open: []verdict.Event{v("committed", commit, "here")}}, gitstate.BehindHead, Restored, 1},
		{"committed elsewhere", pastVerdicts{open: []verdict.Event{v("committed", commit, "here")}}, gitstate.Elsewhere, Unchanged, 0},
		{"committed, unreachable", pastVerdicts{open: []verdict.Event{v("committed", commit, "there")}}, gitstate.Unreachable, Restored, 1},
		{"committed, unknown here", pastVerdicts{open: []verdict.Event{v("committed", commit, "there")}}, gitstate.Unknown, Unchanged, 0},
		{"one undone, one stays", pastVerdicts{open: []verdict.Event{v("committed", commit, "here"), v("staged", "", "there")}}, gitstate.BehindHead, Unchanged, 1},
		{"tombstone behind HEAD", pastVerdicts{tombstone: stone}, gitstate.BehindHead, Restored, 1},
		{"tombstone unreachable", pastVerdicts{tombstone: stone}, gitstate.Unreachable, Restored, 1},
		{"tombstone unknown here", pastVerdicts{tombstone: stone}, gitstate.Unknown, Restored, 1},
		{"tombstone of a command", pastVerdicts{tombstone: &manifest.Tombstone{Row: lessonRow, How: "command"}}, 0, Restored, 1},
		{"tombstone of another branch, committed", pastVerdicts{tombstone: stone, published: true}, gitstate.Elsewhere, Unchanged, 0},
		{"tombstone of another branch, carried", pastVerdicts{tombstone: stone}, gitstate.Elsewhere, Skipped, 0},
		{"tombstone undone before", pastVerdicts{tombstone: stone, undone: map[string]bool{commit: true}}, gitstate.BehindHead, Unchanged, 0},
		{"tombstone and its own verdict", pastVerdicts{tombstone: stone, open: []verdict.Event{v("committed", commit, "here")}}, gitstate.BehindHead, Restored, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tt.j.workTree, tt.j.reach = "here", map[string]gitstate.Reach{commit: tt.reach}
			item, undone := presentAgain(newItem(lessonRow, Unchanged, ""), tt.j)
			if item.Answer != tt.want || len(undone) != tt.undone {
				t.Errorf("%s, undone %q; want %s and %d", item.Answer, undone, tt.want, tt.undone)
			}
		})
	}
}

// TestCleaned is the mass rule of steps 4.11 and 4.12.
func TestCleaned(t *testing.T) {
	gone := func(id, path string) *Item {
		i := newItem(manifest.Row{ObservationID: id, Type: "lesson", Path: path}, Gone, "").how(HowUncommitted)
		return &i
	}
	section := func(id string) *Item {
		i := newItem(manifest.Row{ObservationID: id, Type: "decision", Path: entry.DecisionsPath}, Gone, "").how(HowUncommitted)
		return &i
	}
	for _, tt := range []struct {
		name       string
		items      []*Item
		known      string
		folderGone bool
		want       []Answer
	}{
		{"alone", []*Item{gone("obs_a", "a.md")}, "", false, []Answer{Gone}},
		{"two files", []*Item{gone("obs_a", "a.md"), gone("obs_b", "b.md")}, "", false, []Answer{Pending, Pending}},
		{"two sections of one book", []*Item{section("obs_a"), section("obs_b")}, "", false, []Answer{Gone, Gone}},
		{"one known, one new", []*Item{gone("obs_a", "a.md"), gone("obs_b", "b.md")}, "obs_a", false, []Answer{Gone, Gone}},
		{"one known, two new", []*Item{gone("obs_a", "a.md"), gone("obs_b", "b.md"), gone("obs_c", "c.md")}, "obs_a", false, []Answer{Gone, Pending, Pending}},
		{"folder gone", []*Item{gone("obs_a", "a.md")}, "", true, []Answer{Pending}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			cleaned(tt.items, func(k knowledge.Key) bool { return k.Observation == tt.known }, func(Item) bool { return tt.folderGone })
			for i, item := range tt.items {
				if item.Answer != tt.want[i] {
					t.Errorf("%s is %s, want %s", item.Path, item.Answer, tt.want[i])
				}
			}
		})
	}
}
