package scan

import (
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/scan/transcript"
)

const (
	cueWords     = 12 // a cue stands among the first words
	messageWords = 60 // of a short message
	proofSteps   = 40 // events of the agent in which it must act on the words
)

// corrections finds messages that say something is wrong (S3) and that the
// agent then proves right (S4): it takes back what it had written, runs the same
// program in another way, or says so. The words alone prove nothing.
type corrections struct{}

func (corrections) Kind() Kind { return UserCorrection }

// Detect looks at the agent's acts, because the proof comes after the words.
func (corrections) Detect(w *Window) []finding {
	now := w.Last()
	if now.Agent != "" || now.Kind != transcript.Assistant && now.Kind != transcript.ToolCall {
		return nil
	}
	said, acts := w.lastWords()
	if said == nil || len(acts) > proofSteps {
		return nil
	}
	words := ownWords(said.Text)
	if w.wasStopped(said) {
		return nil
	}
	turn := w.turnBefore(said)
	proven := func(a *Step) bool { return proves(words, turn, before(acts, a), a) }
	if len(turn) == 0 || !proven(now) || slices.ContainsFunc(acts, proven) {
		return nil
	}
	out := finding{
		kind: UserCorrection, typ: knowledge.Pitfall, origin: knowledge.OriginUserCorrection,
		line: said.Line, at: now.Time, tool: now.Tool, area: now.Path,
		title: sentence(words), quotes: []string{words}, fix: sentence(words),
		mistake: whatWasCorrected(turn),
		marks:   []knowledge.Mark{knowledge.MarkUserCorrection}, keep: true,
		qualityOK: prefers(words) && !asks(words),
	}
	if causal().MatchString(words) {
		out.marks = append(out.marks, knowledge.MarkCausal)
	}
	return []finding{out}
}

// whatWasCorrected names the last thing that the agent did or said in a turn.
func whatWasCorrected(turn []*Step) string {
	for _, s := range turn {
		switch {
		case s.Kind == transcript.ToolCall && isEdit(s.Tool) && s.Path != "":
			return "The person corrected the agent's edit of " + s.Path
		case s.Kind == transcript.ToolCall && s.Command != "":
			return "The person corrected what the agent did with `" + oneCommand(s.Command) + "`"
		case s.Kind == transcript.Assistant && strings.TrimSpace(s.Text) != "":
			return "The person corrected the agent's answer: " + lastSentence(s.Text)
		}
	}
	return "The person corrected the agent"
}

// complains says whether a message has a lexical cue of a correction (S3).
func complains(words string) bool {
	if words == "" || wordCount(words) > messageWords {
		return false
	}
	return personPatterns().cue.MatchString(firstWords(words, 2*cueWords))
}

// lastWords returns the person's last message before the newest event and what
// the agent did since then, oldest first, without the newest.
func (w *Window) lastWords() (*Step, []*Step) {
	var acts []*Step
	for s := range w.Back("") {
		switch s.Kind {
		case transcript.User:
			slices.Reverse(acts)
			return s, acts
		case transcript.Compaction, transcript.Interrupt:
			return nil, nil
		case transcript.Assistant, transcript.ToolCall:
			acts = append(acts, s)
		}
	}
	return nil, nil
}

// before returns the acts before one of them, all when it is not among them.
func before(acts []*Step, a *Step) []*Step {
	if i := slices.Index(acts, a); i >= 0 {
		return acts[:i]
	}
	return acts
}

// wasStopped says whether a message came after an interruption: that is the
// other detector's.
func (w *Window) wasStopped(said *Step) bool {
	for s := range w.before(said, "") {
		switch s.Kind {
		case transcript.Interrupt:
			return true
		case transcript.Assistant, transcript.ToolCall, transcript.User:
			return false
		}
	}
	return false
}

// turnBefore returns what the agent did between the person's message before
// and this one, newest first.
func (w *Window) turnBefore(said *Step) []*Step {
	var turn []*Step
	for s := range w.before(said, "") {
		if s.Kind == transcript.User || s.Kind == transcript.Compaction {
			break
		}
		if s.Kind == transcript.Assistant || s.Kind == transcript.ToolCall {
			turn = append(turn, s)
		}
	}
	return turn
}

// proves says whether an act shows that the person's words corrected the agent
// (S4). An admission in so many words needs no cue; a report that something is
// broken is proven by work on the same file; other acts need a cue.
func proves(words string, turn, earlier []*Step, act *Step) bool {
	if wordCount(words) > messageWords || goesOn(words) || isPlan(words) {
		return false
	}
	switch {
	case act.Kind == transcript.Assistant:
		first := !slices.ContainsFunc(earlier, func(s *Step) bool { return s.Kind == transcript.Assistant && strings.TrimSpace(s.Text) != "" })
		return first && (personPatterns().admits.MatchString(act.Text) || complains(words) && personPatterns().yields.MatchString(act.Text))
	case isEdit(act.Tool):
		return complains(words) && takesBack(turn, append(slices.Clone(earlier), act), act.Path) ||
			personPatterns().broken.MatchString(words) && touched(turn, act.Path)
	case isShell(act.Tool):
		return complains(words) && (reverts(turn, act) || runsDifferently(turn, act))
	}
	return false
}

// touched says whether the turn changed a file.
func touched(turn []*Step, file string) bool {
	return slices.ContainsFunc(turn, func(s *Step) bool { return s.Kind == transcript.ToolCall && isEdit(s.Tool) && s.Path == file })
}

// takesBack says whether the edits of a file remove at least half of the lines
// that the turn before had put into it.
func takesBack(turn, acts []*Step, file string) bool {
	added := map[string]bool{}
	for _, s := range turn {
		if isEdit(s.Tool) && s.Path == file {
			for _, l := range newLines(s) {
				added[l] = true
			}
		}
	}
	if len(added) == 0 {
		return false
	}
	gone := 0
	seen := map[string]bool{}
	for _, s := range acts {
		if !isEdit(s.Tool) || s.Path != file {
			continue
		}
		still := map[string]bool{}
		for l := range strings.Lines(s.New) {
			still[strings.TrimSpace(l)] = true
		}
		old := s.Old
		if s.Tool == "Write" {
			old = strings.Join(keysOf(added), "\n") // a rewrite takes back what it does not repeat
		}
		for l := range strings.Lines(old) {
			if l = strings.TrimSpace(l); added[l] && !still[l] && !seen[l] {
				seen[l] = true
				gone++
			}
		}
	}
	return 2*gone >= len(added)
}

func keysOf(m map[string]bool) []string {
	var keys []string
	for k := range m {
		keys = append(keys, k)
	}
	return keys
}

// newLines returns the lines that an edit adds.
func newLines(s *Step) []string {
	had := map[string]bool{}
	for l := range strings.Lines(s.Old) {
		had[strings.TrimSpace(l)] = true
	}
	var lines []string
	for l := range strings.Lines(s.New) {
		if l = strings.TrimSpace(l); len(l) > 2 && !had[l] {
			lines = append(lines, l)
		}
	}
	return lines
}

// reverts says whether a command takes back files that the turn had changed.
func reverts(turn []*Step, act *Step) bool {
	script := act.script()
	if script == nil {
		return false
	}
	for _, c := range script.commands {
		if c.program != "git" || len(c.sub) == 0 {
			continue
		}
		switch c.sub[0] {
		case "revert", "restore":
			return true
		case "checkout", "reset":
			if len(c.operands) > 0 && slices.ContainsFunc(turn, func(s *Step) bool {
				return s.Path != "" && slices.ContainsFunc(c.operands, func(o string) bool { return strings.HasSuffix(s.Path, o) })
			}) {
				return true
			}
		}
	}
	return false
}

// runsDifferently says whether a command is one of the turn with other words.
func runsDifferently(turn []*Step, act *Step) bool {
	now := act.script().main()
	if now == nil || plumbing[now.program] || showsText(now) {
		return false
	}
	for _, s := range turn {
		if s.Kind != transcript.ToolCall || !isShell(s.Tool) {
			continue
		}
		then := s.script().main()
		if then == nil || then.name() != now.name() {
			continue
		}
		r := compare(then, now)
		return r.edits() > 0 && r.edits() <= maxEdits
	}
	return false
}
