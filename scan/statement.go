package scan

import (
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/lessons-cli/lessons/internal/shell"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/lesson"
	"github.com/lessons-cli/lessons/knowledge/observe"
	"github.com/lessons-cli/lessons/knowledge/statement"
	"github.com/lessons-cli/lessons/scan/transcript"
)

// statements finds standing instructions and decisions in a person's words, and the
// rule that the agent writes into its instructions because the person asked for it.
// What objects to one thing that was done is the corrections'.
type statements struct{}

func (statements) Detect(w *Window) []finding {
	now := w.Last()
	if now.Agent != "" {
		return nil
	}
	switch now.Kind {
	case transcript.User, transcript.Rejection:
		return w.stated(now)
	case transcript.ToolCall:
		return w.writtenDown(now)
	}
	return nil
}

// stated returns what a person states in a message.
func (w *Window) stated(said *Step) []finding {
	var found []finding
	for _, s := range said.statements() {
		if (s.Kind == statement.Decision || s.Likely) && !settlesOutright(s) && (len(settled(w, said)) > 0 || w.askedForTheMoment(said)) {
			continue
		}
		if s.Rule == "" || !lasts(s) && (s.Kind == statement.Correction || !s.Recalls && w.against(said)) {
			continue
		}
		if w.quotesAgent(said, s) {
			continue
		}
		f := findingOf(s, said)
		f.context = w.contextOf(said)
		found = append(found, f)
	}
	return found
}

// askedForTheMoment says whether a message answers a question about what holds for the
// moment only.
func (w *Window) askedForTheMoment(said *Step) bool {
	claim := w.lastClaim(said)
	return claim != nil && asksBack(claim) && statement.ForTheMoment(questionOf(claim.Text))
}

// quotedWords is from how many words on a statement that the agent wrote right before is
// pasted: a person who agrees says it shorter.
const quotedWords = 8

// quotesAgent says whether a statement is pasted from the agent's answer: one of the
// ways that it offered for the work at hand.
func (w *Window) quotesAgent(said *Step, s statement.Statement) bool {
	words := unmarked(s.Rule + " " + s.Because)
	if statement.CountWords(words) < quotedWords {
		return false
	}
	for before := range w.before(said, "") {
		switch before.Kind {
		case transcript.User, transcript.Compaction:
			return false
		case transcript.Assistant:
			if strings.Contains(unmarked(before.Text), words) {
				return true
			}
		}
	}
	return false
}

// unmarked is a text in small letters, without marks, its words apart by one blank.
func unmarked(text string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }), " ")
}

// lasts says whether a statement says by itself, or by its reason, that it holds for
// later.
func lasts(s statement.Statement) bool {
	return s.Explicit || s.Kind == statement.Decision && s.Because != ""
}

// against says whether a message objects to what the agent did: the corrections'.
func (w *Window) against(said *Step) bool {
	sp := said.speech()
	switch {
	case said.Kind == transcript.Rejection:
		return refuses(sp, w.Call(said))
	case w.wasStopped(said):
		return refuses(sp, nil)
	}
	c := w.answered(said)
	return sp.objects > 2 && !c.asked && c.acted
}

// findingOf is what a statement is, whoever finds it: its words are the title.
func findingOf(s statement.Statement, said *Step) finding {
	f := finding{
		kind: Instruction, typ: knowledge.Pitfall, origin: observe.OriginUserCorrection,
		line: said.Line, at: said.Time, title: capitalised(s.Rule), fix: capitalised(s.Rule), rationale: s.Because,
		quotes: []string{quoteWith(s.Rule, said.speech().words)}, trigger: triggerOfStatement(s), judged: true, unfit: s.Missing,
	}
	switch {
	case s.Kind == statement.Decision:
		f.kind, f.typ, f.origin, f.trigger = Decision, knowledge.Decision, observe.OriginDecision, nil
		if f.unfit == "" && !s.Explicit {
			f.unfit = lacksReason(s.Because)
		}
	case s.Explicit:
		f.lessonKind = lesson.Requirement
	}
	if lasts(s) {
		f.marks = append(f.marks, observe.MarkStated)
	}
	if s.Because != "" {
		f.marks = append(f.marks, observe.MarkCausal)
	}
	return f
}

// quoteWith is what a person said, from the sentence on that states a rule where the whole
// is too long for a quote.
func quoteWith(rule, words string) string {
	words = onOneLine(words)
	at := strings.Index(words, rule)
	if len(words) <= maxQuote || at < 0 {
		return words
	}
	begin := 0
	for s := range statement.Sentences(words[:at]) {
		if strings.ContainsAny(s[len(s)-1:], ".!?") {
			begin = strings.LastIndex(words[:at], s) + len(s)
		}
	}
	return strings.TrimSpace(words[begin:])
}

// triggerOfStatement is when a rule applies: at edits of the files that it names, or at
// the command that it turns down.
func triggerOfStatement(s statement.Statement) *lesson.Trigger {
	if len(s.Paths) > 0 {
		return &lesson.Trigger{Tools: []string{"Edit", "Write"}, Paths: s.Paths}
	}
	var commands []string
	for _, name := range s.Against {
		c := commandIn(name)
		if c == nil || !isProgram(c.Program) {
			continue
		}
		bare := len(c.Sub)+len(c.Flags) == 0
		if bare && !slices.ContainsFunc(s.Names, func(other string) bool { return isProgram(other) && !slices.Contains(s.Against, other) }) {
			continue // against a program as such, without another one for it
		}
		commands = append(commands, commandShape(c, shapes(c.FlagNames())))
	}
	if len(commands) == 0 {
		return nil
	}
	return &lesson.Trigger{Tools: []string{"Bash"}, Commands: commands}
}

// isProgram says whether a name is that of a program that tables know.
func isProgram(name string) bool {
	_, known := aboutProgram[name]
	return known || shell.HasSubcommands(name)
}

// statements returns what a person's message states.
func (s *Step) statements() []statement.Statement {
	return s.facts.stated.get(func() []statement.Statement { return statement.Read(MiddleOut(s.Text, keepBytes)) })
}

// contextOf is the question that a message answers. What the agent only claimed may be
// what the person turns down.
func (w *Window) contextOf(said *Step) string {
	if claim := w.lastClaim(said); asksBack(claim) {
		return openQuestion(lastSentence(claim.Text))
	}
	return ""
}

// instructions are the files in which agents are told how to work.
var instructions = []string{"CLAUDE.md", "CLAUDE.local.md", "AGENTS.md", "GEMINI.md", "copilot-instructions.md", ".cursorrules"}

// writtenDown returns the rule that the agent adds to its instructions after a person
// told it to remember something. Its wording is the edit's, under the person's title if
// their words name it.
func (w *Window) writtenDown(call *Step) []finding {
	if !isEdit(call.Tool) || !slices.Contains(instructions, path.Base(call.Path)) && !strings.Contains(call.Path, "/rules/") {
		return nil
	}
	said, acts := w.lastWords()
	if said == nil || slices.ContainsFunc(acts[:len(acts)-1], func(s *Step) bool { return s.Path == call.Path && isEdit(s.Tool) }) {
		return nil
	}
	asked := slices.IndexFunc(said.statements(), func(s statement.Statement) bool { return s.Explicit })
	added := addedRules(call.change())
	if asked < 0 || len(added) == 0 {
		return nil
	}
	s := said.statements()[asked]
	if s.Missing != "" {
		s.Rule = "" // the edit says it better
	}
	if s.Rule != "" {
		added = []string{strings.Join(added, " ")}
	}
	var found []finding
	for _, rule := range added {
		s.Missing = ""
		f := findingOf(s, said)
		f.line, f.at, f.context, f.fix, f.written = call.Line, call.Time, w.contextOf(said), rule, true
		if f.title == "" {
			f.title = capitalised(rule)
		}
		found = append(found, f)
	}
	return found
}

// maxAdded is how many lines an edit may add that writes down what a person said; more
// are documentation.
const maxAdded = 3

// addedRules returns the lines that an edit adds and that tell somebody to do something,
// nil where they are too many.
func addedRules(r replacement) []string {
	var rules []string
	for line := range strings.Lines(statement.OwnWords(r.new)) {
		line = strings.TrimSpace(strings.ReplaceAll(strings.TrimLeft(strings.TrimSpace(line), "-*+ "), "**", ""))
		if line == "" || strings.HasPrefix(line, "#") || strings.Contains(strings.ReplaceAll(r.old, "**", ""), line) {
			continue
		}
		if n := statement.CountWords(line); len(rules) == maxAdded || n > maxWords {
			return nil
		}
		rules = append(rules, strings.TrimRight(line, "."))
	}
	return slices.DeleteFunc(rules, func(line string) bool {
		_, orders := statement.Written(line, statement.Place{})
		return !orders || statement.CountWords(line) < 3
	})
}
