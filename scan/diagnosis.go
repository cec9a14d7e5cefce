package scan

import (
	"strings"
	"sync"

	"github.com/lessons-cli/lessons/internal/automata"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/observe"
	"github.com/lessons-cli/lessons/knowledge/statement"
	"github.com/lessons-cli/lessons/scan/transcript"
)

// diagnoses finds sentences in which the agent names a cause or admits a
// mistake, where something had gone wrong before. They are evidence; the fix is
// what other detectors see.
type diagnoses struct{}

// claim is what a sentence of the agent says about something that went wrong.
type claim int

const (
	noClaim      claim = iota
	namesCause         // of a trouble
	namesSlip          // in what it has just written
	takesBackOwn       // what it has just done
	admitsFault        // says that it was wrong
)

// What a sentence of the agent can hold. Claims are tried in this order, and each
// is believed only where the session shows what it is about, see supported.
const (
	ofOthers automata.Members = 1 << iota
	admitting
	undoing
	causing
	slipping
	announcing
	finished
	locating
)

// claimWords are the words of claims.
type claimWords struct {
	kinds           *automata.Set     // of the constants above
	effect, need    *automata.Pattern // causes that reach far
	fixes, negative *automata.Pattern
}

var claimPatterns = sync.OnceValue(func() *claimWords {
	p := phrasebook.Pattern
	return &claimWords{
		kinds: phrasebook.Set(map[automata.Members]string{
			ofOthers: "ofOthers", admitting: "admitting", undoing: "undoing", causing: "causing",
			slipping: "slipping", announcing: "announcing", finished: "finished", locating: "locating",
		}),
		effect: p("effect"), need: p("need"), fixes: p("fixes"), negative: p("negative"),
	}
})

// lookSentences and lookParagraphs bound where in a text a claim may stand: an
// agent says first what it found.
const (
	lookSentences  = 6
	lookTextLines  = 12
	longestClaim   = 600
	claimsInReach  = 60 // events back to what a claim is about
	shortestReason = 5  // words of a sentence that says a cause
)

func (diagnoses) Detect(w *Window) []finding {
	now := w.Last()
	switch {
	case now.Kind == transcript.Assistant:
		kind, said := now.claim()
		if kind == noClaim {
			return nil
		}
		about, ok := w.supported(now, kind)
		if !ok {
			return nil
		}
		return []finding{w.diagnosisOf(now, said, about)}
	case now.Kind == transcript.ToolCall && isEdit(now.Tool):
		return w.explained(now)
	}
	return nil
}

func (w *Window) diagnosisOf(at *Step, said string, about *Step) finding {
	out := finding{
		kind: SelfDiagnosis, typ: knowledge.Pitfall, origin: observe.OriginErrorFix,
		line: at.Line, at: at.Time, title: headline(withoutAnnouncement(said)), mistake: said, quotes: []string{said},
		marks: []observe.Mark{observe.MarkCausal}, unfit: withoutFix,
	}
	if about != nil && w.judge(about) != nil {
		out.errorLine, out.tool = about.Line, about.Tool
	}
	return out
}

// withoutAnnouncement is what was found, without the sentence that only says that something
// was: half of the sessions say "I see the issue".
func withoutAnnouncement(said string) string {
	for s := range statement.Sentences(said) {
		if rest := strings.TrimSpace(said[strings.Index(said, s)+len(s):]); rest != "" && announcement.MatchString(s) {
			return rest
		}
		break
	}
	return said
}

var announcement = phrasebook.Pattern("announcement")

// claimIn returns the first claim in a text and the sentence that says it, or
// the one behind it where the first only says that something was found.
func claimIn(text string) (claim, string) {
	p := claimPatterns()
	if strings.Contains(text, "#lesson") || strings.Contains(text, "[PROCESS_KNOWLEDGE]") {
		return noClaim, "" // said in a better channel
	}
	if len(text) > 8<<10 {
		text = text[:8<<10]
	}
	var room [lookSentences + 1]string
	all := firstSentences(room[:0], text)
	for i, s := range all[:min(len(all), lookSentences)] {
		if len(s) > longestClaim {
			continue
		}
		kinds := p.kinds.In(s)
		kind := p.claimOf(s, kinds)
		if kind == noClaim && kinds.Has(announcing) && i+1 < len(all) && !p.kinds.In(all[i+1]).Has(locating) {
			kind = namesCause
		}
		switch {
		case kind == noClaim || kind == namesSlip && !p.fixes.MatchString(text):
			continue
		case p.kinds.In(all[0]).Has(finished):
			return noClaim, ""
		}
		return kind, claimSentence(all, i, kind)
	}
	return noClaim, ""
}

// firstSentences appends the first sentences of a text, before any code, as far as
// there is room.
func firstSentences(all []string, text string) []string {
	lines := 0
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		if lines++; lines > lookTextLines || strings.HasPrefix(line, "```") {
			break
		}
		for s := range statement.Sentences(strings.TrimLeft(line, "#*->• ")) {
			if all = append(all, s); len(all) == cap(all) {
				return all
			}
		}
	}
	return all
}

// claimOf is the claim of a sentence that holds words of some kinds.
func (p *claimWords) claimOf(s string, kinds automata.Members) claim {
	switch {
	case kinds.Has(ofOthers):
		return noClaim
	case kinds.Has(admitting):
		return admitsFault
	case kinds.Has(undoing):
		return takesBackOwn
	case p.names(s, kinds):
		return namesCause
	case kinds.Has(slipping):
		return namesSlip
	}
	return noClaim
}

// names says whether a sentence names a cause.
func (p *claimWords) names(s string, kinds automata.Members) bool {
	return kinds.Has(causing) || p.effect.MatchString(s) || p.need.MatchString(s)
}

// claimSentence picks the words that say most: the sentence before "let me undo
// that", the one behind "I see the issue".
func claimSentence(all []string, i int, kind claim) string {
	said := all[i]
	switch {
	case kind == takesBackOwn && i > 0:
		said = all[i-1] + " " + said
	case kind == takesBackOwn:
	case statement.CountWords(said) < shortestReason+3 && i+1 < len(all) && !claimPatterns().kinds.In(all[i+1]).Has(locating):
		said += " " + all[i+1]
	}
	return strings.TrimRight(strings.Trim(said, "*_ "), ".:! ")
}

// supported says whether the session shows what a claim can be about, and
// returns it: a failure of this turn, or the person's report of a trouble, that
// nothing was said about yet; for a slip an edit of its own; for an admission
// anything that came before.
func (w *Window) supported(now *Step, kind claim) (*Step, bool) {
	n := 0
	var result, edit *Step
search:
	for s := range w.before(now, now.Agent) {
		if n++; n > claimsInReach {
			break
		}
		switch s.Kind {
		case transcript.Compaction:
			return nil, false
		case transcript.Assistant:
			if said, _ := s.claim(); said == kind || said > noClaim && kind == namesCause {
				return nil, false // said already
			}
		case transcript.ToolResult:
			if result == nil {
				result = s
			}
			if w.judge(s) != nil {
				return s, true
			}
		case transcript.ToolCall:
			if edit == nil && isEdit(s.Tool) {
				edit = s
			}
		case transcript.User, transcript.Rejection, transcript.Interrupt:
			words := s.speech().words
			if s.Kind == transcript.Interrupt || s.Kind == transcript.Rejection && words == "" {
				continue
			}
			switch kind {
			case admitsFault:
				return s, true
			case namesCause:
				return s, troubled(words) || complains(words)
			}
			break search
		}
	}
	switch kind {
	case admitsFault, takesBackOwn:
		return result, result != nil
	case namesSlip:
		return edit, edit != nil
	}
	return nil, false
}

var trouble = phrasebook.Pattern("trouble")

// troubled says whether a person reports that something is not as it should be.
func troubled(words string) bool { return words != "" && trouble.MatchString(words) }

var failing = phrasebook.Pattern("failing")

// explained finds the words with which the agent explains a failure that the
// person reported, before it changes a file for the first time.
func (w *Window) explained(now *Step) []finding {
	n := 0
	var said *Step
	for s := range w.before(now, now.Agent) {
		if n++; n > claimsInReach {
			return nil
		}
		switch s.Kind {
		case transcript.ToolCall:
			if isEdit(s.Tool) {
				return nil
			}
		case transcript.ToolResult:
			if w.judge(s) != nil {
				return nil // then the failure tells more
			}
		case transcript.Assistant:
			if kind, _ := s.claim(); kind != noClaim {
				return nil
			}
			if said == nil {
				said = s
			}
		case transcript.User:
			words := s.speech().words
			if said == nil || statement.CountWords(words) > 60 || !failing.MatchString(words) {
				return nil
			}
			for x := range statement.Sentences(onOneLine(headText(said.Text))) {
				if len(x) <= longestClaim && claimPatterns().negative.MatchString(x) && !claimPatterns().kinds.In(x).Has(ofOthers) {
					return []finding{w.diagnosisOf(said, strings.TrimRight(x, ".:! "), s)}
				}
			}
			return nil
		default:
			return nil
		}
	}
	return nil
}

// headText is the beginning of a text, up to the first block of code.
func headText(text string) string {
	text, _, _ = strings.Cut(text, "```")
	if len(text) > 2000 {
		text = text[:2000]
	}
	return text
}
