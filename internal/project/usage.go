package project

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/lessons-cli/lessons/internal/agent"
	"github.com/lessons-cli/lessons/internal/fsx"
	"github.com/lessons-cli/lessons/internal/jsonlines"
	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/artifact"
	"github.com/lessons-cli/lessons/knowledge/entry"
)

// citing is one final message of an agent that named entries: a line of the
// usage file. The session and the message are kept as hashes only.
type citing struct {
	Session string    `json:"session"`
	Message string    `json:"message"`
	At      time.Time `json:"at"`
	IDs     []string  `json:"ids"` // of entries that were there
}

// UsagePath is the usage file: one line a message that cites entries. Losing it loses counts and nothing else.
func (p *Project) UsagePath() string { return p.shared("usage.jsonl") }

// countCitations remembers which entries the agent named in its final message.
// The same message of one session counts once. It answers nobody, so what fails
// is a count that is missing.
func (p *Project) countCitations(e agent.Event) error {
	row := citing{Session: knowledge.SessionHash(e.Session), Message: messageHash(e.Session, e.Message), At: p.Now().UTC()}
	cited := citedIDs(e.Message)
	if row.Session == "" || len(cited) == 0 {
		return nil
	}
	entries := artifact.ReadEntries(p.FS, p.Root)
	there := lists.SetOf(slices.Concat(entries.Decisions, entries.Pitfalls), entry.Entry.ID)
	if row.IDs = lists.Filter(cited, func(id string) bool { return there[id] }); len(row.IDs) == 0 {
		return nil
	}
	line, err := json.Marshal(row)
	if err != nil {
		return err
	}
	if err := fsx.MkdirAll(p.FS, p.Store.Places.Shared); err != nil {
		return err
	}
	return p.locked(p.shared("usage.lock"), agent.HookDeadline(p.Env)/10, func() error { // another hook counts
		u, err := p.Usage()
		if err != nil || u.counted[usageKey{row.Session, row.Message}] {
			return err
		}
		return fsx.Append(p.FS, p.UsagePath(), line)
	})
}

// citedIDs are the entries that a message names, each once, in its order.
func citedIDs(message string) []string {
	return lists.With(nil, lists.Map(entry.Citations(message), func(c entry.Citation) string { return c.ID })...)
}

// messageHash tells messages of one session apart. The session's own id goes in,
// so that a short message cannot be guessed from its hash.
func messageHash(session, message string) string {
	sum := sha256.Sum256([]byte(session + "\x00" + message))
	return hex.EncodeToString(sum[:6])
}

type usageKey struct{ session, message string }

// Usage is what agents cited in this clone.
type Usage struct {
	entries map[string]Cited
	counted map[usageKey]bool
}

// Cited says in how many final messages and in how many sessions agents named
// an entry.
type Cited struct {
	Times    int `json:"times"`
	Sessions int `json:"sessions"`
}

// Of tells how often an entry was cited while it was there.
func (u Usage) Of(id string) Cited { return u.entries[id] }

// Usage reads the usage file; without one nothing was cited.
func (p *Project) Usage() (Usage, error) {
	data, err := p.readOwn(p.UsagePath())
	return parseUsage(data), err
}

// parseUsage counts the lines that can be read: a message that several lines
// tell of (two clones' files put together) counts once, and ids that are not
// written like one do not count. Other lines stay in the file and are not used.
func parseUsage(data []byte) Usage {
	u := Usage{entries: map[string]Cited{}, counted: map[usageKey]bool{}}
	type place struct{ id, session string }
	seen := map[place]bool{}
	for _, row := range jsonlines.Read(data, func(row citing) bool { return row.Session != "" && row.Message != "" }) {
		key := usageKey{row.Session, row.Message}
		if u.counted[key] {
			continue
		}
		u.counted[key] = true
		for _, id := range distinctIDs(row.IDs) {
			c := u.entries[id]
			c.Times++
			if at := (place{id, row.Session}); !seen[at] {
				seen[at] = true
				c.Sessions++
			}
			u.entries[id] = c
		}
	}
	return u
}

func distinctIDs(ids []string) []string {
	var out []string
	for _, id := range ids {
		kind, number, ok := entry.ParseID(strings.TrimSpace(id))
		if !ok {
			continue
		}
		if id = entry.ID(kind, number); !slices.Contains(out, id) {
			out = append(out, id)
		}
	}
	return out
}
