package project

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/lessons-cli/lessons/internal/inject"
	"github.com/lessons-cli/lessons/internal/inject/compile"
	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/knowledge/entry"
	"github.com/lessons-cli/lessons/knowledge/lesson"
	"github.com/lessons-cli/lessons/knowledge/prose"
	"github.com/lessons-cli/lessons/knowledge/store"
)

// TrustState is what trust is about in a work tree.
type TrustState struct {
	Lessons  []TrustedLesson `json:"lessons"`
	Entries  []TrustedEntry  `json:"entries"`
	Skills   []TrustedSkill  `json:"skills"`
	Settings []string        `json:"settings"`      // that protect less, and wait for trust
	Log      bool            `json:"log,omitempty"` // git tracks a log of observations that waits for trust
}

// TrustedLesson is one lesson that does more than inform, or may once evidence
// makes it active.
type TrustedLesson struct {
	Path    string `json:"path"`
	Action  string `json:"action"`
	Guard   bool   `json:"guard"`
	Trusted bool   `json:"trusted"`
	Says    string `json:"says"` // where somebody asks what there is to trust
}

// TrustedEntry is a decision or a pitfall that agents are told of.
type TrustedEntry struct {
	ID      string `json:"id"`
	Path    string `json:"path"`
	Title   string `json:"title"`
	Trusted bool   `json:"trusted"`
}

// TrustedSkill is a skill that render publishes to agents.
type TrustedSkill struct {
	Path    string `json:"path"`
	Title   string `json:"title"`
	Trusted bool   `json:"trusted"`
}

// String says what waits for trust; empty: nothing.
func (t TrustState) String() string {
	var waits []string
	if n := len(lists.Filter(t.Lessons, func(l TrustedLesson) bool { return !l.Trusted })); n > 0 {
		waits = append(waits, prose.Counted(n, "lesson"))
	}
	switch n := len(lists.Filter(t.Entries, func(e TrustedEntry) bool { return !e.Trusted })); n {
	case 0:
	case 1:
		waits = append(waits, "1 entry")
	default:
		waits = append(waits, fmt.Sprintf("%d entries", n))
	}
	if n := len(lists.Filter(t.Skills, func(s TrustedSkill) bool { return !s.Trusted })); n > 0 {
		waits = append(waits, prose.Counted(n, "skill"))
	}
	if len(t.Settings) > 0 {
		waits = append(waits, "settings that protect less ("+strings.Join(t.Settings, ", ")+")")
	}
	if t.Log {
		waits = append(waits, "the log of observations")
	}
	return strings.Join(waits, ", ")
}

// TrustState lists the lessons that are not archived, the entries that are not retired, and
// whether they are trusted here: evidence may make a draft active.
func (p *Project) TrustState(ctx context.Context, s *store.Snapshot) TrustState {
	g := p.gate(ctx)
	state := TrustState{Lessons: []TrustedLesson{}, Entries: []TrustedEntry{}, Skills: []TrustedSkill{}, Settings: append([]string{}, s.Withheld...), Log: s.LogDoubted}
	for _, l := range s.Lessons {
		if l.Status != lesson.Archived {
			_, guard, _ := compile.Guard(l)
			state.Lessons = append(state.Lessons, TrustedLesson{l.Path, l.Action, guard, g.lesson(l, s.Before(l.Path)), ""})
		}
	}
	for _, e := range held(s) {
		state.Entries = append(state.Entries, TrustedEntry{e.ID(), e.Path, e.Title, g.entry(e)})
	}
	for _, a := range s.Artifacts {
		if isSkill(a.Path) {
			state.Skills = append(state.Skills, TrustedSkill{a.Path, a.Title, g.skill(a.Path, a.Text)})
		}
	}
	return state
}

// held are the entries that agents are told of, or may be once evidence accepts them.
func held(s *store.Snapshot) []entry.Entry {
	return lists.Filter(s.Entries(), func(e entry.Entry) bool { return e.Active() || entry.IsProposed(e.Status()) })
}

// Trust accepts what is there now and not retired, by its content, and of what comes from
// upstream the lessons that inform or stop once, and the entries.
func (p *Project) Trust(ctx context.Context, s *store.Snapshot) error {
	var hashes []string
	take := func(path string, data []byte) {
		for _, t := range thingsIn(path, data) {
			hashes = append(hashes, t.hashes...)
		}
	}
	for _, l := range s.Lessons {
		if l.Status != lesson.Archived {
			take(l.Path, s.Before(l.Path))
		}
	}
	hashes = append(hashes, lists.Map(held(s), entry.Entry.WordsHash)...)
	for _, a := range s.Artifacts {
		if isSkill(a.Path) {
			take(a.Path, a.Text)
		}
	}
	take(ConfigPath, s.ConfigData)
	err := p.changeTrust(func(t *inject.Trust) error {
		t.Accept(p.clone(), p.Now())
		t.KeepSettings(p.clone(), string(s.ConfigData))
		return t.Add(p.clone(), hashes...)
	})
	if err := errors.Join(err, p.Store.VouchLog()); err != nil {
		return err
	}
	_, err = p.Compile(ctx)
	return err
}

// Distrust takes all trust in the clone back.
func (p *Project) Distrust(ctx context.Context) error {
	p.trustCommitted(ctx) // so that it is not looked at again
	err := p.changeTrust(func(t *inject.Trust) error {
		t.Drop(p.clone())
		return nil
	})
	if err := errors.Join(err, p.Store.DoubtLog()); err != nil {
		return err
	}
	_, err = p.Compile(ctx)
	return err
}
