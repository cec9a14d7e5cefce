// Package check finds what is broken in a repository's knowledge: the gate for
// pull requests. It only reads values; nothing here opens a file.
package check

import (
	"fmt"
	"slices"

	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/artifact"
	"github.com/lessons-cli/lessons/knowledge/entry"
	"github.com/lessons-cli/lessons/knowledge/lesson"
	"github.com/lessons-cli/lessons/knowledge/manifest"
	"github.com/lessons-cli/lessons/knowledge/store"
	"github.com/lessons-cli/lessons/knowledge/verdict"
)

// Input is what there is to check.
type Input struct {
	Snapshot *store.Snapshot
	// Added and Messages are what a change brings: the files it touches with the
	// lines it adds, and its commits.
	Added    []Added
	Messages []Message
	// Links are the symbolic links that a change brings.
	Links []string
	// Personal are lessons that whoever checks has for all of their repositories.
	Personal []*lesson.Lesson
	// There says whether something lies at a path of the repository; nil: nobody asks.
	There func(path string) bool
	// AgentSettings are the files that say what agents run here.
	AgentSettings []string
	// Attributes are the lines of .gitattributes that init writes.
	Attributes []string
	// IsTag says whether a line opens a block in which agents report; nil: none does.
	IsTag func(line string) bool
	// Citing are files outside of lessons' folders that may cite entries.
	Citing map[string]string
	// Files are what lies in lessons' own folders and is no artifact.
	Files map[string]string
	// Fires says whether a lesson's triggers fire on a command line; nil: nobody
	// asks.
	Fires func(l *lesson.Lesson, command string) bool
	// Further are findings that come from elsewhere: of git's history, such as rows
	// whose file was never committed, or of compiling the lessons.
	Further []knowledge.Problem
}

// Added is a file that a change touches.
type Added struct {
	Path string
	Text []byte // nil: it is removed
	// Before is what stood there; nil: nothing did.
	Before []byte
	Lines  map[int]bool // the lines that it adds, 1-based
	Own    bool         // one of lessons' folders
}

// Message is a commit's message.
type Message struct {
	Commit string
	Text   string
}

// Run lists what is wrong in order of path and line. The names of rules do not
// change.
func Run(in Input) []knowledge.Problem {
	c := &checker{Input: in, known: knownNames(in.Snapshot), own: texts(in), found: ofTheRepository(in.Snapshot.Problems)}
	for _, look := range []func(){
		c.doubleNumbers, c.danglingCitations, c.addedCitations, c.standingCitations, c.unregistered, c.invisible, c.secrets,
		c.overBudget, c.matchesEverything, c.contradictions, c.arms, c.reviewed, c.dead, c.unknownStatus, c.handEdited,
	} {
		look()
	}
	problems := c.found
	problems = append(problems, lists.Flat(in.Snapshot.Entries(), entry.Entry.Conflicts)...)
	problems = append(problems, in.Further...)
	slices.SortStableFunc(problems, knowledge.Problem.Compare)
	return slices.Compact(problems)
}

// checker gathers what is wrong in an input.
type checker struct {
	Input
	known map[string]bool   // names that entries have or had
	own   map[string]string // texts of the artifacts, by path
	found []knowledge.Problem
}

// broken adds what makes a check fail.
func (c *checker) broken(path string, line int, rule, format string, args ...any) {
	c.found = append(c.found, knowledge.Problem{Path: path, Line: line, Rule: rule, Text: fmt.Sprintf(format, args...)})
}

// notice adds what is not wrong, and to be looked at.
func (c *checker) notice(path string, line int, rule, text string) {
	c.found = append(c.found, notice(path, line, rule, text))
}

// ofTheRepository leaves out what a crash did to this clone's own ledger: it is kept,
// and no pull request can mend it.
func ofTheRepository(problems []knowledge.Problem) []knowledge.Problem {
	return lists.Filter(problems, func(p knowledge.Problem) bool { return p.Rule != verdict.RuleLine })
}

func (c *checker) doubleNumbers() {
	first := map[string]entry.Entry{}
	for _, e := range c.Snapshot.Entries() {
		id := entry.ID(e.Kind, e.Number)
		if before, ok := first[id]; ok {
			c.broken(e.Path, e.Line, "duplicate-number", "%s is used twice, first in %s:%d: lessons resolve mends it", id, before.Path, before.Line)
			continue
		}
		first[id] = e
	}
}

func (c *checker) danglingCitations() {
	look := func(path string, line int, text []byte) {
		for _, cited := range entry.Citations(string(text)) {
			if !c.known[cited.ID] {
				c.broken(path, line+cited.Line-1, "dangling-citation", "there is no %s", cited.ID)
			}
		}
	}
	for _, e := range c.Snapshot.Entries() {
		if !rendered(c.Snapshot, e.Source, e.Kind, e.Text) {
			look(e.Path, e.Line, e.Text)
		}
	}
	for _, a := range c.Snapshot.Artifacts {
		if a.Anchor == "" && !rendered(c.Snapshot, a.Source, a.Kind, a.Text) { // entries were looked at above
			look(a.Path, 1, a.Text)
		}
	}
}

// rendered says whether a text stands as it was rendered: what a session said of other
// repositories' entries is no citation of a person's here.
func rendered(s *store.Snapshot, source string, kind knowledge.Kind, text []byte) bool {
	row, ok := s.Manifest.Row(knowledge.Key{Observation: source, Kind: kind})
	return ok && knowledge.SameHash(row.ContentHash, text)
}

// unregistered reports artifacts with our marker that no row registers, and
// markers that stand twice. A repository without a manifest registers nothing.
func (c *checker) unregistered() {
	copies := lists.Set(lists.Flat(c.Snapshot.Manifest.Rows, func(r manifest.Row) []string { return r.Copies }))
	first := map[knowledge.Key]artifact.Artifact{}
	for _, a := range c.Snapshot.Artifacts {
		if a.Source == "" || copies[a.Path] {
			continue
		}
		key := knowledge.Key{Observation: a.Source, Kind: a.Kind}
		if before, ok := first[key]; ok {
			c.broken(a.Path, a.Line, "marker-twice", "self-learning:%s stands in %s:%d too; %s", a.Source, before.Path, before.Line, oneOf(before, a))
			continue
		}
		first[key] = a
		if _, ok := c.Snapshot.Manifest.Row(key); !ok && c.Snapshot.ManifestErr == nil { // else nobody knows
			c.broken(a.Path, a.Line, "unregistered", "self-learning:%s has no row in the manifest; lessons reconcile --write adds it", a.Source)
		}
	}
}

// oneOf says how two artifacts with one marker become one.
func oneOf(a, b artifact.Artifact) string {
	joined := a.Kind == knowledge.KindLesson || a.Kind == knowledge.KindADR || a.Kind == knowledge.KindPF
	if joined && a.Path != b.Path {
		return "if two clones wrote them, lessons resolve joins them; of a copy made by hand keep one"
	}
	return "keep one of the two"
}

// handEdited finds manifest files that are not as lessons writes them: a person
// or a formatter changed what is generated.
func (c *checker) handEdited() {
	for path, data := range c.Snapshot.ManifestTexts() {
		if !manifest.IsCanonical(path, data) {
			c.broken(path, 1, "manifest-form", "a generated file that somebody edited or reformatted; lessons check --fix writes it anew, with what it says")
		}
	}
}
