// Package history tells what became of one artifact, commit by commit: when it
// came, who changed, moved, renumbered, retired, removed and restored it. An
// artifact is followed by its marker, so neither a rename nor a change of layout
// loses it.
package history

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/lessons-cli/lessons/internal/gitstate"
	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/artifact"
	"github.com/lessons-cli/lessons/knowledge/entry"
	"github.com/lessons-cli/lessons/knowledge/prose"
)

// Change is what a commit did to an artifact.
type Change string

// Changes, in the order in which they are told when a commit did several.
const (
	Added      Change = "added"
	Restored   Change = "restored"
	Removed    Change = "removed"
	Moved      Change = "moved"
	Renumbered Change = "renumbered"
	Retitled   Change = "retitled"
	Status     Change = "status"
	Edited     Change = "edited"
)

// Event is one commit's work on the artifact.
type Event struct {
	Commit  string    `json:"commit"`
	Author  string    `json:"author"`
	Time    time.Time `json:"time"`
	Subject string    `json:"subject"`
	Changes []Change  `json:"changes"`
	Detail  string    `json:"detail,omitempty"` // "ADR-005 -> ADR-006", "Accepted -> Deprecated", the paths
	Path    string    `json:"path"`             // where it is afterwards; of a removal, where it was
	Anchor  string    `json:"anchor,omitempty"`
	Text    string    `json:"-"` // afterwards; of a removal, before
}

// Target is the artifact to follow: by its marker or, without one, an entry by
// its title and a file by its path.
type Target struct {
	Kind   knowledge.Kind
	Source string
	Title  string
	Path   string
}

// TargetOf is the target that an artifact is.
func TargetOf(a artifact.Artifact) Target {
	return Target{a.Kind, a.Source, prose.NormaliseTitle(a.Title), a.Path}
}

func (t Target) is(a artifact.Artifact) bool {
	switch {
	case t.Source != "":
		return a.Source == t.Source
	case a.Source != "":
		return false
	case a.Anchor != "":
		return prose.NormaliseTitle(a.Title) == t.Title
	}
	return a.Path == t.Path
}

// folder is where artifacts of a kind lie. Published copies lie elsewhere.
func (t Target) folder() string {
	switch t.Kind {
	case knowledge.KindADR, knowledge.KindPF:
		return entry.Folder
	case knowledge.KindCommand:
		return ".claude/commands"
	}
	return ".lessons"
}

// Follow lists the events of an artifact behind HEAD, oldest first.
func Follow(ctx context.Context, repo gitstate.Repository, t Target) ([]Event, error) {
	all, err := FollowAll(ctx, repo, []Target{t})
	if err != nil {
		return nil, err
	}
	return all[0], nil
}

// FollowAll follows several artifacts in one walk over each folder.
func FollowAll(ctx context.Context, repo gitstate.Repository, targets []Target) ([][]Event, error) {
	events := make([][]Event, len(targets))
	byFolder := map[string][]int{}
	for i, t := range targets {
		byFolder[t.folder()] = append(byFolder[t.folder()], i)
	}
	for folder, members := range byFolder {
		commits, err := repo.Log(ctx, gitstate.Walk{Paths: []string{folder}})
		if err != nil {
			return nil, err
		}
		slices.Reverse(commits)
		f := follower{repo: repo, states: map[place]state{}, targets: lists.Map(members, func(i int) Target { return targets[i] })}
		if err := f.read(ctx, commits); err != nil {
			return nil, err
		}
		for n, i := range members {
			events[i] = f.events(commits, n)
		}
	}
	return events, nil
}

// events tells the story of one target.
func (f *follower) events(commits []gitstate.Commit, target int) []Event {
	var events []Event
	for i := 0; i < len(commits); {
		n := i + 1 // a merge stands here once for each parent
		for n < len(commits) && commits[n].OID == commits[i].OID {
			n++
		}
		if e, ok := f.event(commits[i:n], target, len(events) > 0); ok {
			events = append(events, e)
		}
		i = n
	}
	return events
}

// follower reads versions of the artifact out of blobs.
type follower struct {
	repo    gitstate.Repository
	targets []Target
	states  map[place]state
}

// place is a target in one version of a file.
type place struct {
	blob   string
	target int
}

// state is the artifact in one version of a file.
type state struct {
	there                       bool
	path, anchor, title, status string
	text                        string
}

func (f *follower) read(ctx context.Context, commits []gitstate.Commit) error {
	all := func(string, string) bool { return true }
	return gitstate.EachVersion(ctx, f.repo, commits, all, func(path string, o gitstate.Object) error {
		f.note(o, path)
		return nil
	})
}

// note keeps what a version of a file says of the targets.
func (f *follower) note(o gitstate.Object, path string) {
	read := map[knowledge.Kind][]artifact.Artifact{}
	for i, t := range f.targets {
		if read[t.Kind] == nil {
			read[t.Kind] = append([]artifact.Artifact{}, artifact.In(t.Kind, path, o.Data)...)
		}
		for _, a := range read[t.Kind] {
			if t.is(a) {
				f.states[place{o.Name, i}] = state{true, a.Path, a.Anchor, a.Title, a.Status, string(a.Text)}
			}
		}
	}
}

// event compares the artifact before and after a commit. A merge counts only for
// what it does against every parent.
func (f *follower) event(perParent []gitstate.Commit, target int, known bool) (Event, bool) {
	c := perParent[0]
	if len(perParent) < max(1, len(c.Parents)) {
		return Event{}, false
	}
	var before, after state
	for _, p := range perParent {
		b, a := f.around(p, target)
		if b.text == a.text && b.path == a.path {
			return Event{}, false
		}
		before, after = b, a
	}
	e := Event{Commit: c.OID, Author: c.Author, Time: c.Time, Subject: c.Subject, Path: after.path, Anchor: after.anchor, Text: after.text}
	e.describe(before, after, known)
	return e, true
}

// around is the artifact on both sides of one diff.
func (f *follower) around(c gitstate.Commit, target int) (before, after state) {
	for _, change := range c.Changes {
		if s := f.states[place{change.OldOID, target}]; s.there {
			before = s
			before.path = change.Path
		}
		if s := f.states[place{change.NewOID, target}]; s.there {
			after = s
			after.path = change.Path
		}
	}
	return before, after
}

func (e *Event) describe(before, after state, known bool) {
	var details []string
	tell := func(c Change, from, to string) {
		e.Changes = append(e.Changes, c)
		if from != "" || to != "" {
			details = append(details, from+" -> "+to)
		}
	}
	switch {
	case !before.there && known:
		tell(Restored, "", "")
	case !before.there:
		tell(Added, "", "")
	case !after.there:
		tell(Removed, "", "")
		e.Path, e.Anchor, e.Text = before.path, before.anchor, before.text
	default:
		if before.path != after.path {
			tell(Moved, before.path, after.path)
		}
		if before.anchor != after.anchor {
			tell(Renumbered, before.anchor, after.anchor)
		}
		if before.title != after.title {
			tell(Retitled, "", "")
		}
		if before.status != after.status {
			tell(Status, before.status, after.status)
		}
		if otherwise(before) != otherwise(after) {
			tell(Edited, "", "")
		}
	}
	e.Detail = strings.Join(details, ", ")
}

// otherwise is the text without what other changes tell: number, title, status
// and former names.
func otherwise(s state) string {
	var kept []string
	for line := range strings.Lines(s.text) {
		switch {
		case s.anchor != "" && strings.Contains(line, s.anchor) && strings.HasPrefix(line, "#"),
			strings.Contains(line, "**"+entry.FieldStatus+"**"), strings.HasPrefix(line, "status:"),
			strings.Contains(line, "**"+entry.FieldFormerly+"**"):
		default:
			kept = append(kept, strings.TrimRight(line, "\r\n"))
		}
	}
	return strings.Join(kept, "\n")
}
