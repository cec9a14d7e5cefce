package scan

import (
	"cmp"
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/observe"
	"github.com/lessons-cli/lessons/scan/transcript"
)

const (
	proofSteps = 40 // events of the agent in which it must act on the words
	// enough is how much words, what they answer to and what the agent then does
	// must weigh together. No one of them is enough: see [proven].
	enough = 6
)

// corrections finds messages that object to what the agent did or said, and that
// the agent then proves right: it admits a mistake, takes back what it had
// written, works on the same file again or runs the same program in another way.
// Words alone prove nothing, and neither do acts.
type corrections struct{}

// Detect looks at the agent's acts, because the proof comes after the words.
func (corrections) Detect(w *Window) []finding {
	now := w.Last()
	if now.Agent != "" || now.Kind != transcript.Assistant && now.Kind != transcript.ToolCall || !weighs(now) {
		return nil
	}
	said, acts := w.lastWords()
	if said == nil {
		return nil
	}
	sp := said.speech()
	if sp.n == 0 || sp.plan || sp.objects == 0 && !sp.redo && !confessed(acts) {
		return nil
	}
	c := w.occasionOf(said)
	if c == nil {
		return nil
	}
	if proven(sp, c, acts[:len(acts)-1]) || !proven(sp, c, acts) {
		return nil // told before, or not yet
	}
	return []finding{correctionOf(sp, c, said, acts)}
}

// An occasion is what a person's message answers to.
type occasion struct {
	turn    []*Step // what the agent did since the message before, newest first
	earlier []*Step // edits before that, newest first
	claim   *Step   // the agent's last text, nil when it had said nothing
	asked   bool    // that text ends with a question
	acted   bool    // it did more in its turn than read and talk
}

// occasionOf returns what a message answers to, or nil when the agent had done
// nothing, or when the message belongs to the detectors of interruptions and
// refusals.
func (w *Window) occasionOf(said *Step) *occasion {
	if said.Kind == transcript.User && w.wasStopped(said) || said.Kind == transcript.Rejection && refuses(said.speech(), w.Call(said)) {
		return nil
	}
	if c := w.answered(said); len(c.turn) > 0 {
		return c
	}
	return nil
}

// answered collects what a message answers to.
func (w *Window) answered(said *Step) *occasion {
	c := &occasion{}
	asked := 0
	for s := range w.before(said, "") {
		if s.Kind == transcript.Compaction {
			break
		}
		switch {
		case s.Kind == transcript.User:
			asked++
		case asked == 0 && (s.Kind == transcript.Assistant || s.Kind == transcript.ToolCall):
			c.turn = append(c.turn, s)
			if c.claim == nil && speaks(s) {
				c.claim = s
			}
			c.acted = c.acted || changes(s)
		case s.Kind == transcript.ToolCall && isEdit(s.Tool):
			c.earlier = append(c.earlier, s)
		}
	}
	c.asked = asksBack(c.claim)
	return c
}

// proven adds up the signs that a message corrects the agent, and says whether
// they are enough. Words give at most 4 points, what they answer to at most 2, and
// the agent's acts the rest. Without a word or without an act it is nothing.
func proven(sp *speech, c *occasion, acts []*Step) bool {
	words, reply := sp.objects, taken(sp, acts)
	switch {
	case reply >= admission && confessed(acts) && sp.n > 2:
		words = max(words, 1)
	case reply >= admission:
		if sp.n > speechWords && words < 2 {
			words = 0 // politeness to a brief
		}
	case c.asked && (!sp.breaks && !sp.rebukes || sp.affirms):
		words = 0 // "no" to a question is an answer
	case sp.n > speechWords && !sp.breaks && !sp.rebukes:
		words = 0 // a brief
	}
	if sp.redo && sp.n > 4 && redone(c.turn, acts) {
		return true
	}
	if words == 0 {
		return false
	}
	before := c.weight(sp, reply)
	proof := reply + filesAgain(sp, c, acts)
	if missing := enough - words - before - proof; proof > 0 && missing <= 0 || missing > mostRework {
		return missing <= 0 // whatever the commands are
	}
	proof += commandsAgain(sp, c.turn, acts)
	if proof == 0 && words == maxObjection && slices.ContainsFunc(acts, runs) {
		proof = 1 // words that strong, and the agent turns to something else
	}
	return proof > 0 && words+before+proof >= enough
}

// weight is what it weighs to what words answer.
func (o *occasion) weight(sp *speech, reply int) int {
	points := 0
	switch {
	case sp.breaks && namesEdited(sp, o):
		points++
	case sp.requests && reply < admission && !sp.rebukes && !sp.prefers && !sp.redo:
		points-- // a report that asks to look into it is often about something else
	}
	if o.claim != nil && (!o.asked || reply >= admission) {
		points++
	}
	if o.acted {
		points++
	}
	return points
}

// repliesRead is how many texts of the agent may speak about the words.
const repliesRead = 6

// admission is what it weighs when the agent grants the point.
const admission = 4

// taken weighs what the agent says about the words. Its first text speaks to
// the person; later ones may speak about what it found meanwhile.
func taken(sp *speech, acts []*Step) int {
	best, i := 0, -1
	for _, s := range acts {
		if !speaks(s) {
			continue
		}
		if i++; i == repliesRead || best == admission {
			break
		}
		switch r := s.reply(); {
		case i == 0 && r == confesses, i == 0 && r == admits && (!sp.confirms || sp.objects >= 2),
			i > 0 && r >= admits && agentPatterns().concedes.MatchString(firstBytes(s.Text, 120)) && !sp.confirms:
			best = max(best, admission)
		case i == 0 && (r == yields || r == mends):
			best = max(best, 2)
		case r == mends:
			best = max(best, 1)
		}
	}
	return best
}

// confessed says whether the agent's first text names a mistake of its own.
func confessed(acts []*Step) bool {
	i := slices.IndexFunc(acts, speaks)
	return i >= 0 && acts[i].reply() == confesses
}

// filesAgain weighs how the agent goes over its own edits again.
func filesAgain(sp *speech, c *occasion, acts []*Step) int {
	best := 0
	for i, a := range acts {
		if a.Kind != transcript.ToolCall || !isEdit(a.Tool) {
			continue
		}
		if best = max(best, fileAgain(sp, c, acts[:i+1])); best == mostRework {
			break
		}
	}
	return best
}

// mostRework is what files and commands weigh at most.
const mostRework = 3

// fileAgain weighs the last of the acts, an edit.
func fileAgain(sp *speech, c *occasion, acts []*Step) int {
	act := acts[len(acts)-1]
	switch again := touched(c.turn, act) || sp.breaks && touched(c.earlier, act); {
	case takesBack(c.turn, acts, act.Path):
		return mostRework
	case again && (sp.states || sp.breaks):
		return 2
	}
	return 1
}

// commandsAgain weighs how the agent goes over its own commands again.
func commandsAgain(sp *speech, turn, acts []*Step) int {
	best := 0
	for _, a := range acts {
		if a.Kind != transcript.ToolCall || !isShell(a.Tool) {
			continue
		}
		if best = max(best, commandAgain(sp, turn, a)); best == mostRework {
			break
		}
	}
	return best
}

func commandAgain(sp *speech, turn []*Step, act *Step) int {
	switch {
	case reverts(turn, act):
		return mostRework
	case runsDifferently(turn, act), sp.objects > 1 && runsInstead(turn, act, sp.words):
		return 2
	case ranBefore(turn, act):
		return 1
	}
	return 0
}

// redone says whether the agent did something first and then ran a command of
// the turn once more: what the command had said was out of date or incomplete.
func redone(turn, acts []*Step) bool {
	other := false
	for _, a := range acts {
		if a.Kind != transcript.ToolCall || !isShell(a.Tool) && !isEdit(a.Tool) {
			continue
		}
		if ranBefore(turn, a) {
			if other {
				return true
			}
			continue
		}
		other = true
	}
	return false
}

// correctionOf describes a correction in the words of both.
func correctionOf(sp *speech, c *occasion, said *Step, acts []*Step) finding {
	now := acts[len(acts)-1]
	out := objection(said, sp)
	out.at, out.tool, out.area = now.Time, now.Tool, now.Path
	if what := whatWasCorrected(sp, c, out.judged); what != "" || !out.judged {
		out.mistake = cmp.Or(what, "The person objected to the agent's answer")
	}
	switch told := gist(acts); {
	case strings.HasPrefix(told, "I ") || strings.HasPrefix(told, "My "):
		out.mistake = "The agent admitted: " + told
	case told != "" && !sp.prefers && !out.judged:
		out.fix = told // the person said what is wrong, the agent what is so
	}
	return out
}

// objection is what a correction says in the person's words. Where they state a rule or
// a choice it is that, and whoever else finds it finds the same.
func objection(said *Step, sp *speech) finding {
	title := sentence(sp.said)
	for _, s := range said.statements() {
		if s.Rule == "" || s.Missing != "" {
			continue
		}
		if lasts(s) {
			out := findingOf(s, said)
			out.kind, out.marks = UserCorrection, append(out.marks, observe.MarkUserCorrection)
			return out
		}
		title = s.Rule
		break
	}
	out := finding{
		kind: UserCorrection, typ: knowledge.Pitfall, origin: observe.OriginUserCorrection,
		line: said.Line, at: said.Time, title: title, fix: plainTitle(title), quotes: []string{sp.words},
		marks: []observe.Mark{observe.MarkUserCorrection}, unfit: lacksPreference(sp.words),
	}
	if causal.MatchString(sp.words) {
		out.marks = append(out.marks, observe.MarkCausal)
	}
	return out
}

// whatWasCorrected says what the agent had claimed about it, or else changed; "" where it did
// neither: nobody objects to a look. A rule often has little to do with what came before it.
func whatWasCorrected(sp *speech, c *occasion, rule bool) string {
	least := 1
	if rule {
		least = 2
	}
	if claim := assertion(c.claim, sp.words, least); claim != "" {
		return "The agent said: " + claim
	}
	ran := ""
	for _, s := range c.turn {
		switch {
		case s.Kind == transcript.ToolCall && isEdit(s.Tool) && s.Path != "":
			return "The person objected to the agent's change of " + s.Path
		case s.Kind == transcript.ToolCall && s.Command != "" && ran == "" && !onlyLooks(s.line()):
			ran = "The person objected to `" + oneCommand(s.Command) + "`"
		}
	}
	return ran
}

// wasStopped says whether a message came after an interruption: that is the
// other detector's.
func (w *Window) wasStopped(said *Step) bool {
	stop, _, _ := w.stopBefore(said)
	return stop != nil
}
