package learn

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/internal/redact"
	"github.com/lessons-cli/lessons/knowledge/config"
	"github.com/lessons-cli/lessons/knowledge/observe"
)

// Limits of one batch.
const (
	maxEpisodes = 12
	maxTokens   = 12000 // of its prompt, by [Tokens]
)

// Batch is what a model is asked about at once.
type Batch struct {
	Key      string // the same for the same episodes with the same evidence
	Episodes []Episode

	knows    []Known
	sessions map[string]bool
}

// Plan says what a model is asked, and what waits.
type Plan struct {
	Batches      []Batch // that are complete, best evidence first
	Later        int     // observations that wait for another day
	Waiting      int     // observations that wait for more to come together
	Sessions     int     // sessions that those come from
	Needed       int     // sessions that make a batch
	Contradicted int     // observations that history forbids to write down
}

// Input is what a plan is made from.
type Input struct {
	Observations []*observe.Observation
	Known        []Known
	// Facts tells what is known of an observation beside its words; nil: nothing. It is
	// asked of those alone that the batches have room for.
	Facts func(o *observe.Observation) Facts
	// Unread says of an observation that was rendered whether its words can still
	// change: nobody edited them, and they are a draft. nil: none.
	Unread   func(o *observe.Observation) bool
	State    State
	Config   config.Config
	Redactor *redact.Redactor
	Most     int // batches
	// Now makes batches of what waits, too.
	Now bool
}

// NewPlan plans the batches. It depends on no order of the observations.
func NewPlan(in Input) Plan {
	list := lists.Filter(in.Observations, in.asks)
	slices.SortFunc(list, func(a, b *observe.Observation) int {
		return cmp.Or(cmp.Compare(len(b.Sessions), len(a.Sessions)), b.LastSeen.Compare(a.LastSeen), strings.Compare(a.ID, b.ID))
	})
	p := Plan{Needed: in.Config.BatchSize(len(in.Observations))}
	open := Batch{knows: in.Known}
	for i, o := range list {
		if len(p.Batches) == in.Most {
			p.Later = len(open.Episodes) + len(list) - i
			return p
		}
		facts := Facts{}
		if in.Facts != nil {
			facts = in.Facts(o)
		}
		if facts.Against != "" {
			p.Contradicted++
			continue
		}
		e := NewEpisode(o, facts, in.Redactor)
		if len(open.Episodes) > 0 && !open.fits(e) {
			p.Batches = append(p.Batches, open.closed())
			open = Batch{knows: in.Known}
		}
		open.add(e)
	}
	switch {
	case len(open.Episodes) == 0:
	case len(p.Batches) == in.Most:
		p.Later = len(open.Episodes)
	case in.Now || len(open.sessions) >= p.Needed || len(open.Episodes) == maxEpisodes:
		p.Batches = append(p.Batches, open.closed())
	default:
		p.Waiting, p.Sessions = len(open.Episodes), len(open.sessions)
	}
	return p
}

// asks says whether a model is asked about an observation: it has words to go
// by, no person and no complete block gave them, people do not own them yet, and
// they were not asked about before.
func (in Input) asks(o *observe.Observation) bool {
	switch {
	case o.Origin == observe.OriginManual, o.Origin == observe.OriginBlock, o.Recorded == observe.RecordedManual, len(o.Evidence) == 0:
		return false
	case o.Status == observe.Created && (in.Unread == nil || !in.Unread(o)):
		return false
	case o.Status == observe.Deprecated:
		return false
	}
	_, phrased := o.Phrasing()
	return !phrased && !in.State.away(o)
}

// version names the words of an observation and their evidence.
func version(o *observe.Observation) string {
	return short(append([]string{observe.PhrasingKey(o)}, slices.Sorted(slices.Values(o.Evidence))...)...)
}

func short(parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return hex.EncodeToString(sum[:6])
}

func (b *Batch) fits(e Episode) bool {
	if len(b.Episodes) >= maxEpisodes {
		return false
	}
	more := Batch{Episodes: append(slices.Clone(b.Episodes), e), knows: b.knows}
	return Tokens(more.Prompt()) <= maxTokens
}

func (b *Batch) add(e Episode) {
	b.Episodes = append(b.Episodes, e)
	if b.sessions == nil {
		b.sessions = map[string]bool{}
	}
	for _, s := range e.found.Sessions {
		b.sessions[s] = true
	}
}

func (b Batch) closed() Batch {
	var parts []string
	for _, e := range b.Episodes {
		parts = append(parts, e.ID, version(e.found))
	}
	b.Key = short(parts...)
	return b
}

// Tokens estimates how many tokens a text has: one for three and a half bytes,
// which English and code come near to.
func Tokens(text string) int { return (2*len(text) + 6) / 7 }

// answerTokens is what one item of an answer has, as an estimate.
const answerTokens = 150

// Cost is what asking will take, as an estimate. Each batch may be asked about
// once more when its answer does not hold.
type Cost struct {
	Batches   int `json:"batches"`
	Episodes  int `json:"episodes"`
	Calls     int `json:"calls"`
	MostCalls int `json:"most_calls"`
	TokensIn  int `json:"tokens_in"`
	TokensOut int `json:"tokens_out"`
}

// CostOf estimates what asking about the batches takes.
func CostOf(batches []Batch) Cost {
	c := Cost{Batches: len(batches), Calls: len(batches), MostCalls: 2 * len(batches)}
	for _, b := range batches {
		c.Episodes += len(b.Episodes)
		c.TokensIn += Tokens(b.Prompt())
		c.TokensOut += answerTokens * len(b.Episodes)
	}
	return c
}
