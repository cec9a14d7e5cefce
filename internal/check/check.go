// Package check finds what is broken in a repository's knowledge: the gate for
// pull requests. It only reads values; nothing here opens a file.
package check

import (
	"cmp"
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
	known, own := knownNames(in.Snapshot), texts(in)
	problems := slices.Concat(
		ofTheRepository(in.Snapshot.Problems), doubleNumbers(in.Snapshot), danglingCitations(in, known), addedCitations(in, known), standingCitations(in, known),
		unregistered(in.Snapshot), invisible(own), secrets(in, own), overBudget(in), matchesEverything(in), contradictions(in),
		arms(in), reviewed(in), dead(in), unknownStatus(in),
		handEdited(in.Snapshot),
	)
	for _, e := range entries(in.Snapshot) {
		problems = append(problems, e.Conflicts()...)
	}
	problems = append(problems, in.Further...)
	slices.SortStableFunc(problems, func(a, b knowledge.Problem) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Rule, b.Rule))
	})
	return slices.Compact(problems)
}

// ofTheRepository leaves out what a crash did to this clone's own ledger: it is kept,
// and no pull request can mend it.
func ofTheRepository(problems []knowledge.Problem) []knowledge.Problem {
	return lists.Filter(problems, func(p knowledge.Problem) bool { return p.Rule != verdict.RuleLine })
}

func entries(s *store.Snapshot) []entry.Entry { return slices.Concat(s.Decisions, s.Pitfalls) }

func doubleNumbers(s *store.Snapshot) []knowledge.Problem {
	var found []knowledge.Problem
	first := map[string]entry.Entry{}
	for _, e := range entries(s) {
		id := entry.ID(e.Kind, e.Number)
		if before, ok := first[id]; ok {
			found = append(found, knowledge.Problem{
				Path: e.Path, Line: e.Line, Rule: "duplicate-number",
				Text: fmt.Sprintf("%s is used twice, first in %s:%d: lessons resolve mends it", id, before.Path, before.Line),
			})
			continue
		}
		first[id] = e
	}
	return found
}

func danglingCitations(in Input, known map[string]bool) []knowledge.Problem {
	var found []knowledge.Problem
	look := func(path string, line int, text []byte) {
		for _, c := range entry.Citations(string(text)) {
			if !known[c.ID] {
				found = append(found, knowledge.Problem{
					Path: path, Line: line + c.Line - 1, Rule: "dangling-citation", Text: "there is no " + c.ID,
				})
			}
		}
	}
	for _, e := range entries(in.Snapshot) {
		if !rendered(in.Snapshot, e.Source, e.Kind, e.Text) {
			look(e.Path, e.Line, e.Text)
		}
	}
	for _, a := range in.Snapshot.Artifacts {
		if a.Anchor == "" && !rendered(in.Snapshot, a.Source, a.Kind, a.Text) { // entries were looked at above
			look(a.Path, 1, a.Text)
		}
	}
	return found
}

// rendered says whether a text stands as it was rendered: what a session said of other
// repositories' entries is no citation of a person's here.
func rendered(s *store.Snapshot, source string, kind knowledge.Kind, text []byte) bool {
	row, ok := s.Manifest.Row(knowledge.Key{Observation: source, Kind: kind})
	return ok && knowledge.SameHash(row.ContentHash, text)
}

// unregistered reports artifacts with our marker that no row registers, and
// markers that stand twice. A repository without a manifest registers nothing.
func unregistered(s *store.Snapshot) []knowledge.Problem {
	var found []knowledge.Problem
	copies := map[string]bool{}
	for _, r := range s.Manifest.Rows {
		for _, c := range r.Copies {
			copies[c] = true
		}
	}
	first := map[knowledge.Key]artifact.Artifact{}
	for _, a := range s.Artifacts {
		if a.Source == "" || copies[a.Path] {
			continue
		}
		key := knowledge.Key{Observation: a.Source, Kind: a.Kind}
		if before, ok := first[key]; ok {
			found = append(found, knowledge.Problem{
				Path: a.Path, Line: a.Line, Rule: "marker-twice",
				Text: fmt.Sprintf("self-learning:%s stands in %s:%d too; keep one of the two", a.Source, before.Path, before.Line),
			})
			continue
		}
		first[key] = a
		if _, ok := s.Manifest.Row(key); !ok && s.ManifestErr == nil { // else nobody knows
			found = append(found, knowledge.Problem{
				Path: a.Path, Line: a.Line, Rule: "unregistered",
				Text: fmt.Sprintf("self-learning:%s has no row in the manifest; lessons reconcile --write adds it", a.Source),
			})
		}
	}
	return found
}

// handEdited finds manifest files that are not as lessons writes them: a person
// or a formatter changed what is generated.
func handEdited(s *store.Snapshot) []knowledge.Problem {
	var found []knowledge.Problem
	for path, data := range s.ManifestTexts() {
		if !manifest.IsCanonical(path, data) {
			found = append(found, knowledge.Problem{
				Path: path, Line: 1, Rule: "manifest-form",
				Text: "a generated file that somebody edited or reformatted; lessons check --fix writes it anew, with what it says",
			})
		}
	}
	return found
}
