package reconcile

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/manifest"
	"github.com/lessons-cli/lessons/knowledge/observe"
)

// memoVersion changes when answers may differ for the same state.
const memoVersion = 2

// memo is what a work tree keeps between runs: the answers about artifacts that
// are not here, which cost questions to git, and what was told before. Losing it
// costs time only.
type memo struct {
	Version int        `json:"version"`
	State   string     `json:"state,omitempty"` // digest of all that the answers rest on
	Refs    string     `json:"refs,omitempty"`  // digest of refs, if an answer rests on more than HEAD
	Answers []memoItem `json:"answers,omitempty"`
	Counted []string   `json:"told,omitempty"` // moved and healed items that were counted, sorted
}

// memoItem is an item with what its JSON form does not have.
type memoItem struct {
	Item
	Row         manifest.Row `json:"row"`
	Committed   bool         `json:"committed,omitempty"`
	FromHistory bool         `json:"fromHistory,omitempty"`
}

func readMemo(data []byte) *memo {
	var m memo
	if json.Unmarshal(data, &m) != nil || m.Version != memoVersion {
		return &memo{Version: memoVersion}
	}
	return &m
}

func (m *memo) forget() { m.State, m.Refs, m.Answers = "", "", nil }

func itemKey(i Item) string {
	return strings.Join([]string{string(i.Answer), i.ObservationID, string(i.Kind), i.Path, i.To}, "\x1f")
}

// counted says whether an earlier run has counted the item.
func (m *memo) counted(i Item) bool {
	_, found := slices.BinarySearch(m.Counted, itemKey(i))
	return found
}

// bytes is the memo to store; nil when it is what was read.
func (m *memo) bytes(items []Item, before []byte) ([]byte, error) {
	m.Counted = nil
	for _, i := range items {
		if i.Answer == Restored && i.noRow {
			i.Answer = Healed // as which it stands until its row is written
		}
		if i.Answer == Moved || i.Answer == Healed {
			m.Counted = append(m.Counted, itemKey(i))
		}
	}
	slices.Sort(m.Counted)
	data, err := json.Marshal(m)
	if err != nil || bytes.Equal(data, before) {
		return nil, err
	}
	return data, nil
}

// state digests what the answers about missing rows rest on: HEAD, the index,
// the manifest, the missing rows with where their markers stand, what the clone
// remembers of them, and the day, because some answers rest on files that
// nothing here watches (ignore rules, reflogs that expire).
func (r *run) state(ctx context.Context, rows []*evidence, away []*observe.Observation) (string, error) {
	h := sha256.New()
	add := func(parts ...any) { fmt.Fprintln(h, parts...) }
	add(r.in.Now.UTC().Format("2006-01-02"), r.in.WorkTree, r.base.from, r.base.digest)
	if repo := r.in.Repository; repo != nil {
		head, err := repo.Head(ctx)
		if err != nil {
			return "", err
		}
		stamp, err := repo.IndexStamp()
		if err != nil {
			return "", err
		}
		add(head, stamp, repo.Location().Shallow)
	}
	for _, e := range rows {
		key := e.row.Key()
		add(key, e.outside, e.folderGone, r.memory.seen[key], r.memory.renderedHere(key.Observation), places(e.elsewhere))
		r.addVerdicts(add, key)
	}
	for _, o := range away {
		add(o.ID, o.Aliases, r.memory.renderedHere(o.ID))
		for _, kind := range []knowledge.Kind{knowledge.KindCommand, knowledge.KindSkill, knowledge.KindADR, knowledge.KindPF, knowledge.KindLesson} {
			key := knowledge.Key{Observation: o.ID, Kind: kind}
			add(r.memory.seen[key])
			r.addVerdicts(add, key)
		}
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

func (r *run) addVerdicts(add func(...any), key knowledge.Key) {
	for _, v := range r.memory.open[key] {
		add(v.Name(), v.How, v.WorkTree)
	}
}

// keptAnswers returns the memo's answers if everything they rest on is as it was.
func (r *run) keptAnswers(ctx context.Context, rows []*evidence, away []*observe.Observation) (fresh bool, items []Item, err error) {
	if r.memo.State == "" {
		return true, nil, nil
	}
	state, err := r.state(ctx, rows, away)
	if err != nil || state != r.memo.State {
		return true, nil, err
	}
	if r.memo.Refs != "" {
		refs, err := r.in.Repository.RefsDigest(ctx)
		if err != nil || refs != r.memo.Refs {
			return true, nil, err
		}
	}
	for _, a := range r.memo.Answers {
		item := a.Item
		item.row, item.committed, item.fromHistory, item.New = a.Row, a.Committed, a.FromHistory, false
		if item.Answer == Moved { // a file outside of the artifact folders: look again
			to := r.tree.at(item.row, item.To)
			if to == nil {
				return true, nil, nil
			}
			item.artifact = to
		}
		items = append(items, item)
	}
	return false, items, nil
}

// keepAnswers keeps the answers, unless one rests on what nothing here watches.
func (r *run) keepAnswers(ctx context.Context, rows []*evidence, away []*observe.Observation, items []Item) error {
	r.memo.forget()
	var answers []memoItem
	byRefs := false
	for _, i := range items {
		if i.passing {
			return nil
		}
		byRefs = byRefs || i.byRefs
		i.New = false
		answers = append(answers, memoItem{Item: i, Row: i.row, Committed: i.committed, FromHistory: i.fromHistory})
	}
	state, err := r.state(ctx, rows, away)
	if err != nil {
		return err
	}
	if byRefs && r.in.Repository != nil {
		if r.memo.Refs, err = r.in.Repository.RefsDigest(ctx); err != nil {
			return err
		}
	}
	r.memo.State, r.memo.Answers = state, answers
	return nil
}
