package inject

import (
	"iter"
	"slices"
	"strings"
	"time"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/lessons-cli/lessons/internal/shell"
)

// Options change how calls are matched. The zero value is good.
type Options struct {
	Budget time.Duration // for all patterns of a call; 0: DefaultBudget, negative: none
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

// Match returns the lessons that belong to a call, best first. What is damaged is
// passed over, see [Index.Err].
func (x *Index) Match(c Call, o Options) []Match {
	if x.Settings.Scoring == ScoringSeed {
		return x.seedMatches(c)
	}
	p := prepareAhead(c, o)
	var out []Match
	for _, rank := range x.candidates(p) {
		if l, ok := x.Lesson(int(rank)); ok {
			if m := p.match(&l); m.OK {
				out = append(out, m)
			}
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

// Candidates returns the ranks of the lessons whose triggers may belong to a call.
func (x *Index) Candidates(h *Held) []uint32 { return x.candidates(h.call) }

// FiresOn is [Trigger.Fires] of a call that was taken apart before.
func (t *Trigger) FiresOn(h *Held) bool {
	if len(t.Commands) > 0 && !slices.ContainsFunc(h.call.Line.All, t.names) {
		return false // what most calls are held against
	}
	h.call.meter = meter{budget: h.call.options.budget()} // what it compiled is not kept
	return h.call.match(&Lesson{Trigger: *t}).OK
}

// names says whether a command is one that the trigger names.
func (t *Trigger) names(c *shell.Command) bool {
	for i := range t.Commands {
		if t.Commands[i].matches(c) {
			return true
		}
	}
	return false
}

// Explain holds every lesson of the index against a call and says why it
// belongs to it or not. It takes time in the number of lessons: it is for
// people.
func (x *Index) Explain(c Call, o Options) []Match {
	if x.Settings.Scoring == ScoringSeed {
		return x.seedAll(c)
	}
	p := prepareAhead(c, o)
	p.explaining = true
	out := make([]Match, 0, x.count)
	for rank := range x.count {
		if l, ok := x.Lesson(rank); ok {
			out = append(out, p.match(&l))
		}
	}
	return out
}

// Prompt returns the lessons whose action keywords a prompt contains: what can
// be told before any call. Lessons for a sub-agent type are left to its start.
func (x *Index) Prompt(prompt string) []Lesson {
	text := fold(tail(prompt, maxText))
	g := gather{x: x}
	g.words(keyPrompt, wordsOf(text))
	return x.chosen(g.sorted(), func(t *Trigger) bool { return len(t.Agents) == 0 && len(matched(t.Keywords, text)) > 0 })
}

// Starting returns the lessons that name a sub-agent type, for its start.
func (x *Index) Starting(agentType string) []Lesson {
	return x.chosen(x.lookup(nil, keyAgent, agentType), func(t *Trigger) bool { return slices.Contains(t.Agents, agentType) })
}

// chosen returns those of the lessons that are wanted for their triggers.
func (x *Index) chosen(ranks []uint32, wanted func(*Trigger) bool) []Lesson {
	var out []Lesson
	for _, rank := range ranks {
		if l, ok := x.Lesson(int(rank)); ok && wanted(&l.Trigger) {
			out = append(out, l)
		}
	}
	return out
}

// NeedsRecent says whether any lesson looks at the recent messages on tool
// calls. Else reading the transcript can be spared.
func (x *Index) NeedsRecent() bool {
	return x.Settings.Scoring != ScoringMatch || x.has(keyToolWord)
}

// candidates returns the ranks of the lessons that can belong to a call.
func (x *Index) candidates(p *prepared) []uint32 {
	g := gather{x: x}
	for _, c := range p.Line.All {
		if c.Program == "" {
			continue
		}
		for _, name := range slices.Compact([]string{c.Program, c.Path}) {
			g.key(keyProgram, name)
			if len(c.Sub) > 0 {
				g.key(keySub, name+" "+baseOf(c.Sub[0]))
				g.key(keySub, name+" "+baseOf(withoutRun(c)[0]))
			}
		}
	}
	if p.Command != "" && x.has(keyLine) {
		g.words(keyLine, asciiWordsOf(headOf(p.Command, shell.MaxLine)))
		g.key(keyAnyLine, "")
	}
	for _, t := range p.targets() {
		g.path(t.path)
	}
	if len(p.targets()) > 0 {
		g.key(keyAnyPath, "")
	}
	if p.content != "" && x.has(keyText) {
		g.words(keyText, asciiWordsOf(p.content))
		g.key(keyAnyText, "")
	}
	if p.Agent != "" {
		g.key(keyAgents, p.Agent)
	}
	if p.Tool != "" && x.has(keyToolWord) {
		g.words(keyToolWord, wordsOf(p.keywordText()))
	}
	return g.sorted()
}

func (g *gather) words(kind keyKind, words iter.Seq[string]) {
	for w := range words {
		g.key(kind, w)
	}
}

// baseOf is the last part of a path.
func baseOf(p string) string { return p[strings.LastIndexByte(p, '/')+1:] }

func (g *gather) path(p string) {
	base := baseOf(p)
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
func (p *prepared) match(l *Lesson) Match {
	t := &l.Trigger
	m := Match{Lesson: *l}
	if t.Broad() {
		m.Reasons = []Reason{{Slot: SlotTrigger, Note: "names no command, path, content or agent, and no tool with a keyword"}}
		return m
	}
	for _, slot := range [...]func(*Trigger) []Reason{p.tool, p.agent, p.where, p.written, p.soft} {
		m.Reasons = append(m.Reasons, slot(t)...)
		if m.OK = passed(m.Reasons) == len(m.Reasons); !m.OK && !p.explaining {
			break
		}
	}
	if m.OK && l.Action != ActionAfterFailure && p.ahead(t) {
		m.Lesson.Action = actionInform
	}
	return m
}

// prepareAhead is for a hook: the reading of a file finds the lessons about its editing
// too. They come before the edit, and inform: what they stop is the edit alone.
func prepareAhead(c Call, o Options) *prepared {
	p := prepare(c, o)
	p.reads = c.Tool == "Read"
	return p
}

// ahead says whether the call leads to the one that the trigger is about: the reading of
// a file that may be edited.
func (p *prepared) ahead(t *Trigger) bool {
	edits := slices.ContainsFunc(t.Tools, func(name string) bool { return name == "Edit" || name == "Write" || name == "NotebookEdit" })
	return p.reads && len(t.Paths) > 0 && edits && !slices.Contains(t.Tools, p.Tool)
}

// tool tests the slot tools. Names may end with "*", for the tools of a server.
func (p *prepared) tool(t *Trigger) []Reason {
	if len(t.Tools) == 0 {
		return nil
	}
	for _, name := range t.Tools {
		prefix, open := strings.CutSuffix(name, "*")
		if name == p.Tool || open && strings.HasPrefix(p.Tool, prefix) {
			return []Reason{{Slot: SlotTools, OK: true, Element: name, Value: p.Tool}}
		}
	}
	if p.ahead(t) {
		return []Reason{{Slot: SlotTools, OK: true, Element: strings.Join(t.Tools, ", "), Value: p.Tool, Note: "the file is read first: a hint, no stop"}}
	}
	return []Reason{{Slot: SlotTools, Element: strings.Join(t.Tools, ", "), Value: p.Tool}}
}

// agent tests the slot agents.
func (p *prepared) agent(t *Trigger) []Reason {
	if len(t.Agents) == 0 {
		return nil
	}
	ok := p.Agent != "" && slices.Contains(t.Agents, p.Agent)
	return []Reason{{Slot: SlotAgents, OK: ok, Element: strings.Join(t.Agents, ", "), Value: p.Agent}}
}

// written tests the slot content.
func (p *prepared) written(t *Trigger) []Reason {
	if len(t.Content) == 0 {
		return nil
	}
	return []Reason{p.anyPattern(SlotContent, t.Content, p.content, "what is written")}
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

// hasMeta says whether a glob or a part of one has wildcards.
func hasMeta(s string) bool { return strings.ContainsAny(s, `*?[{\`) }

// asDoublestar writes a glob for package doublestar: braces are characters, since
// compiling a lesson has expanded those that list alternatives, and a bracket that
// stands first in a set is one of its characters.
var asDoublestar = strings.NewReplacer(`\\`, `\\`, `\{`, `\{`, "{", `\{`, "[]", `[\]`, "[!]", `[!\]`, "[^]", `[^\]`)

// Glob says whether a slash-separated name matches a doublestar pattern. A
// pattern with an error in it, such as a set without its end, matches itself.
func Glob(pattern, name string) bool {
	ok, err := doublestar.Match(asDoublestar.Replace(pattern), name)
	return ok || err != nil && pattern == name
}

// acrossFolders is for globs whose star crosses slashes: pattern and name go
// through it.
var acrossFolders = strings.NewReplacer("/", "\x00")
