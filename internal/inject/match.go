package inject

import (
	"iter"
	"slices"
	"strings"
	"time"

	"github.com/lessons-cli/lessons/internal/shell"
)

// Options change how calls are matched. The zero value is good.
type Options struct {
	Budget time.Duration // for all patterns of a call; 0: DefaultBudget, negative: none
	// Ahead lets the reading of a file count as its editing: the lesson comes
	// before the edit instead of with it.
	Ahead bool
	// Untested is told of lessons whose patterns could not be tested in the
	// time: a guard then takes its onError. May be nil.
	Untested func(Match)
}

func (o Options) budget() time.Duration {
	switch {
	case o.Budget == 0:
		return DefaultBudget
	case o.Budget < 0:
		return time.Hour
	}
	return o.Budget
}

// Each yields the lessons that belong to a call, best first. It tests them one
// by one: who stops early does not pay for the rest. What is damaged is passed
// over, see [Index.Err].
func (x *Index) Each(c Call, o Options) iter.Seq[Match] {
	return func(yield func(Match) bool) {
		switch x.Settings.Scoring {
		case ScoringSeed:
			slices.Values(x.seedMatches(c))(yield)
		case ScoringEvidence:
			slices.Values(x.evidenceMatches(c, o))(yield)
		default:
			x.triggered(prepare(c, o), o)(yield)
		}
	}
}

// triggered yields the lessons whose triggers match, by rank.
func (x *Index) triggered(p *prepared, o Options) iter.Seq[Match] {
	return func(yield func(Match) bool) {
		for _, rank := range x.candidates(p) {
			l, ok := x.Lesson(int(rank))
			if !ok {
				continue
			}
			m := p.match(&l, o)
			m.Rank = int(rank)
			if r, refused := m.refusal(); refused && r.Note == outOfTime && o.Untested != nil {
				o.Untested(m)
			}
			if m.OK && !yield(m) {
				return
			}
		}
	}
}

// Match returns the first limit lessons that [Index.Each] yields; limit 0 is
// all of them.
func (x *Index) Match(c Call, o Options, limit int) []Match {
	var out []Match
	for m := range x.Each(c, o) {
		if out = append(out, m); len(out) == limit {
			break
		}
	}
	return out
}

// Fires says whether a trigger belongs to a call, whatever the time it takes.
func (t *Trigger) Fires(c Call) bool { return t.FiresOn(Hold(c)) }

// Held is a call that was taken apart once, to hold many triggers against it. It
// is not safe for use by several goroutines.
type Held struct{ call *prepared }

// Hold takes a call apart.
func Hold(c Call) *Held { return &Held{prepare(c, Options{Budget: -1})} }

// FiresOn is [Trigger.Fires] of a call that was taken apart before.
func (t *Trigger) FiresOn(h *Held) bool {
	if len(t.Commands) > 0 && !slices.ContainsFunc(h.call.Line.All, func(c *shell.Command) bool {
		return slices.ContainsFunc(t.Commands, func(s Spec) bool { return s.matches(c) })
	}) {
		return false // what most calls are held against
	}
	o := Options{Budget: -1}
	h.call.meter = meter{budget: o.budget()} // what it compiled is not kept
	return h.call.match(&Lesson{Trigger: *t}, o).OK
}

// Explain holds every lesson of the index against a call and says why it
// belongs to it or not. It takes time in the number of lessons: it is for
// people.
func (x *Index) Explain(c Call, o Options) []Match {
	if x.Settings.Scoring == ScoringSeed {
		return x.seedAll(c)
	}
	p := prepare(c, o)
	p.explaining = true
	out := make([]Match, 0, x.count)
	for rank := range x.count {
		if l, ok := x.Lesson(rank); ok {
			m := p.match(&l, o)
			m.Rank = rank
			if x.Settings.Scoring == ScoringEvidence && m.OK {
				p.weigh(&m)
			}
			out = append(out, m)
		}
	}
	return out
}

// Prompt returns the lessons whose action keywords a prompt contains: what can
// be told before any call. Lessons for a sub-agent type are left to its start.
func (x *Index) Prompt(prompt string, limit int) []Match {
	text := fold(tail(prompt, maxText))
	g := gather{x: x}
	seen := map[string]bool{}
	for w := range wordsOf(text) {
		if !seen[w] {
			seen[w] = true
			g.key(keyPrompt, w)
		}
	}
	var out []Match
	for _, rank := range g.sorted() {
		l, ok := x.Lesson(int(rank))
		if !ok || len(l.Trigger.Agents) > 0 {
			continue
		}
		hits := matched(l.Trigger.Keywords, text)
		if len(hits) == 0 {
			continue
		}
		out = append(out, Match{Lesson: l, Rank: int(rank), OK: true, Reasons: []Reason{{Slot: SlotKeywords, OK: true, Element: strings.Join(hits, ", "), Note: "in the prompt"}}})
		if len(out) == limit {
			break
		}
	}
	return out
}

// Starting returns the lessons that name a sub-agent type, for its start.
func (x *Index) Starting(agentType string, limit int) []Match {
	var out []Match
	for _, rank := range x.lookup(keyAgent, agentType) {
		if l, ok := x.Lesson(int(rank)); ok && slices.Contains(l.Trigger.Agents, agentType) {
			out = append(out, Match{Lesson: l, Rank: int(rank), OK: true, Reasons: []Reason{{Slot: SlotAgents, OK: true, Element: agentType}}})
			if len(out) == limit {
				break
			}
		}
	}
	return out
}

// NeedsRecent says whether any lesson looks at the recent messages on tool
// calls. Else reading the transcript can be spared.
func (x *Index) NeedsRecent() bool {
	return x.Settings.Scoring != ScoringMatch || x.mayHave(hash(keyToolWord, ""))
}

// candidates returns the ranks of the lessons that can belong to a call.
func (x *Index) candidates(p *prepared) []uint32 {
	g := gather{x: x}
	for _, c := range p.Line.All {
		if c.Program == "" {
			continue
		}
		for _, name := range [...]string{c.Program, c.Path} {
			g.key(keyProgram, name)
			if len(c.Sub) > 0 {
				g.key(keySub, name+" "+c.Sub[0])
			}
		}
	}
	if p.Command != "" && x.mayHave(hash(keyLine, "")) {
		g.words(keyLine, asciiWordsOf(headOf(p.Command, shell.MaxLine)))
		g.key(keyAnyLine, "")
	}
	for _, t := range p.targets() {
		g.path(t.path)
	}
	if len(p.targets()) > 0 {
		g.key(keyAnyPath, "")
	}
	if p.content != "" && x.mayHave(hash(keyText, "")) {
		g.words(keyText, asciiWordsOf(p.content))
		g.key(keyAnyText, "")
	}
	if p.Agent != "" {
		g.key(keyAgents, p.Agent)
	}
	if p.Tool != "" && x.mayHave(hash(keyToolWord, "")) {
		g.words(keyToolWord, wordsOf(p.keywordText()))
	}
	return g.sorted()
}

func (g *gather) words(kind keyKind, words iter.Seq[string]) {
	for w := range words {
		g.key(kind, w)
	}
}

func (g *gather) path(p string) {
	base := p
	if i := strings.LastIndexByte(p, '/'); i >= 0 {
		base = p[i+1:]
	}
	g.key(keyBase, base)
	if i := strings.LastIndexByte(base, '.'); i >= 0 {
		g.key(keyExt, base[i:])
	}
	for i, n := 0, 0; i <= len(p) && n < maxPrefix; i++ {
		if i == len(p) || p[i] == '/' {
			if i > 0 {
				g.key(keyDir, p[:i])
			}
			n++
		}
	}
}

// match holds one lesson against the call. When explaining, every declared slot
// is named in the reasons; else the first that refuses is the last.
func (p *prepared) match(l *Lesson, o Options) Match {
	t := &l.Trigger
	m := Match{Lesson: *l}
	if t.Broad() {
		m.Reasons = []Reason{{Slot: SlotTrigger, Note: "names no command, path, content or agent, and no tool with a keyword"}}
		return m
	}
	if len(t.Tools) > 0 {
		m.Reasons = append(m.Reasons, p.tool(t, o))
	}
	if len(t.Agents) > 0 {
		m.Reasons = append(m.Reasons, Reason{Slot: SlotAgents, OK: p.Agent != "" && slices.Contains(t.Agents, p.Agent), Element: strings.Join(t.Agents, ", "), Value: p.Agent})
	}
	for _, step := range [...]func(){
		func() { m.Reasons = append(m.Reasons, p.where(t, &m)...) },
		func() {
			if len(t.Content) > 0 {
				m.Reasons = append(m.Reasons, p.anyPattern(SlotContent, t.Content, p.content, "what is written"))
			}
		},
		func() { m.Reasons = append(m.Reasons, p.soft(t)...) },
	} {
		if _, refused := m.refusal(); refused && !p.explaining {
			return m
		}
		step()
	}
	_, refused := m.refusal()
	m.OK = !refused
	return m
}

// tool tests the slot tools. Names may end with "*", for the tools of a server.
func (p *prepared) tool(t *Trigger, o Options) Reason {
	r := Reason{Slot: SlotTools, Element: strings.Join(t.Tools, ", "), Value: p.Tool}
	for _, name := range t.Tools {
		prefix, open := strings.CutSuffix(name, "*")
		if name == p.Tool || open && strings.HasPrefix(p.Tool, prefix) {
			r.OK, r.Element = true, name
			return r
		}
		if o.Ahead && p.Tool == "Read" && len(t.Paths) > 0 && (name == "Edit" || name == "Write" || name == "NotebookEdit") {
			r.OK, r.Element, r.Note = true, name, "the file is read first"
			return r
		}
	}
	return r
}

// soft tests the keywords. They decide only where nothing harder is declared
// than the tool.
func (p *prepared) soft(t *Trigger) []Reason {
	var out []Reason
	decide := len(t.Commands)+len(t.CommandPatterns)+len(t.Paths)+len(t.Content)+len(t.Agents) == 0
	found := false
	for _, s := range []struct {
		slot Slot
		list []string
	}{{SlotKeywords, t.Keywords}, {SlotContext, t.Context}} {
		if len(s.list) == 0 {
			continue
		}
		hits := matched(s.list, p.keywordText())
		found = found || len(hits) > 0
		r := Reason{Slot: s.slot, OK: true, Element: strings.Join(hits, ", "), Note: "in the recent messages"}
		if len(hits) == 0 {
			r.Element, r.Note = strings.Join(s.list, ", "), "not in the recent messages; no condition"
		}
		out = append(out, r)
	}
	if decide && !found {
		for i := range out {
			out[i].OK, out[i].Note = false, "not in the recent messages"
		}
	}
	return out
}
