package scan

import (
	"path"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/lessons-cli/lessons/internal/redact"
	"github.com/lessons-cli/lessons/knowledge"
)

// Lengths of stored texts, in bytes after redaction.
const (
	maxTitle = 90
	maxText  = 600
	maxQuote = 160 // rulings 4
	maxItem  = 300
)

// sink takes the findings of one file and redacts them, beside the other files.
type sink struct {
	*visit
	session string    // hash prefix
	waiting []*notice // self-reports that a later block may still cancel
	quiet   bool      // what comes now was told by an earlier scan
}

// take receives one finding.
func (s *sink) take(f finding) {
	switch {
	case f.flaw != nil:
		s.problem(f.line, f.flaw.Rule, f.flaw.Text)
	case f.cancel != "":
		s.cancel(f.cancel)
	case f.kind == SelfReport:
		s.waiting = append(s.waiting, s.notice(f))
	case s.Untold && !f.keep:
	default:
		s.found <- s.notice(f)
	}
}

// close hands on what waited for the end of the file.
func (s *sink) close() {
	for _, w := range s.waiting {
		w.quiet = w.quiet || w.signal.TakenBack
		s.found <- w
	}
	s.waiting = nil
}

// cancel takes back this session's self-reports whose mistake begins with the
// words. They go to the log as taken back, for another copy of the session may
// lack the cancellation. What other sessions reported stands.
func (s *sink) cancel(prefix string) {
	prefix = foldWords(s.Redactor.Text(prefix).String())
	if prefix == "" {
		return
	}
	for _, w := range s.waiting {
		w.signal.TakenBack = w.signal.TakenBack || strings.HasPrefix(foldWords(w.signal.Mistake.String()), prefix)
	}
}

// take joins what a visit reports to the log, if it is worth keeping, and tells
// the candidate. It is called in the order of the files.
func (r *run) take(v *visit, found *notice) {
	if found.problem != nil {
		r.result.Problems = append(r.result.Problems, *found.problem)
		return
	}
	signal, f := found.signal, found.finding
	if r.Projects != nil {
		signal.Projects = r.Projects(signal.Trigger)
	}
	var told knowledge.Told
	if f.keep {
		told = r.Log.Learn(signal, r.Config.Thresholds)
		if !signal.TakenBack {
			r.learned[told.ID()] = true
		}
	} else {
		told = signal.Told()
	}
	if found.quiet || r.Untold {
		return
	}
	score := told.Score(r.Config.Weights)
	if score.Confidence < r.MinConfidence || score.Priority < r.MinPriority {
		return
	}
	if declared := f.kind == SelfReport || f.kind == Block; !declared {
		if v.reported >= r.Config.MaxCandidatesPerScan {
			r.result.Withheld++
			return
		}
		v.reported++
	}
	c := candidateOf(v.file.Path, found, told, score)
	r.result.Candidates = append(r.result.Candidates, c)
	if r.Found != nil {
		r.Found(c)
	}
}

// candidateOf is what is told of a finding.
func candidateOf(file string, found *notice, told knowledge.Told, score knowledge.Score) Candidate {
	signal, f := found.signal, found.finding
	c := Candidate{
		File: file, Line: f.line, Kind: f.kind, Tool: f.tool, Trigger: signal.Trigger,
		Mistake: firstOf(found.mistake, told.Pattern()), Fix: signal.Fix.String(), Observation: told.ID(),
		Confidence: score.Confidence, Priority: score.Priority, Why: score.Why,
	}
	if f.keep && f.unfit != "" {
		c.Why = append(c.Why, "not fit to be written down: "+f.unfit)
	}
	if f.errorLine > 0 {
		c.ErrorLine = &f.errorLine
	}
	return c
}

// notice redacts a finding and asks whether it is fit to be written down.
func (s *sink) notice(f finding) *notice {
	f.inPlainWords(s.Redactor, s.roots)
	signal := f.signal(s.Redactor, s.session, s.roots)
	if signal.QualityOK {
		f.unfit = flawOf(f, signal, s.Around)
		signal.QualityOK = f.unfit == ""
	}
	mistake := signal.Mistake.String()
	if f.mistaken != "" {
		mistake = shorten(s.Redactor, nameless(f.mistake), maxText).String()
	}
	return &notice{finding: f, signal: signal, mistake: mistake, quiet: s.quiet}
}

// signalOf is what the log takes of a finding.
func signalOf(f finding, r *redact.Redactor, session string, roots []string) knowledge.Signal {
	f.inPlainWords(r, roots)
	return f.signal(r, session, roots)
}

// inPlainWords puts what a finding says as any other clone could say it.
func (f *finding) inPlainWords(r *redact.Redactor, roots []string) {
	f.withinRoots(roots)
	f.phrase(r)
}

// signal is signalOf a finding that is in plain words.
func (f finding) signal(r *redact.Redactor, session string, roots []string) knowledge.Signal {
	text := func(raw string, n int) redact.Text { return shorten(r, raw, n) }
	sig := knowledge.Signal{
		Type: f.typ, Origin: f.origin, Session: session, At: f.at,
		Mistake: text(nameless(firstOf(f.mistaken, f.mistake)), maxText), Fix: text(nameless(f.fix), maxText),
		Trigger: redactTrigger(f.trigger, r, roots), Tags: redactAll(tagsOf(f), r), Marks: append(slices.Clone(f.marks), lossMarks(f)...), QualityOK: f.qualityOK,
		Kind: f.lessonKind, Level: f.level, Failure: f.failure,
	}
	sig.Examples = storedExamples(f.examples, sig.Trigger, r, roots)
	title := f.title
	if title == "" {
		title = headline(r.Text(f.mistake).String())
	}
	sig.Title = text(nameless(title), maxTitle)
	for _, q := range f.quotes {
		if t := text(q, maxQuote); t.String() != "" {
			sig.Evidence = append(sig.Evidence, t)
		}
	}
	for _, it := range f.items {
		if t := text(it, maxItem); t.String() != "" {
			sig.Items = append(sig.Items, t)
		}
	}
	sig.Details = r.Text(details(f, sig, r))
	return sig
}

func redactFailure(f *knowledge.Failure, r *redact.Redactor) *knowledge.Failure {
	if f == nil {
		return nil
	}
	return &knowledge.Failure{Tool: f.Tool, Command: r.Text(f.Command).String(), Class: f.Class, Text: r.Text(f.Text).String()}
}

// withinRoots makes the paths of the repository relative, so that clones in
// other places say the same. What lies elsewhere is no area of the repository.
func (f *finding) withinRoots(roots []string) {
	for _, root := range roots {
		root = strings.TrimRight(root, `/\`) + "/"
		for _, s := range []*string{&f.title, &f.mistake, &f.fix, &f.context, &f.rationale} {
			*s = strings.ReplaceAll(*s, root, "")
		}
		f.quotes = slices.Clone(f.quotes)
		for i, q := range f.quotes {
			f.quotes[i] = strings.ReplaceAll(q, root, "")
		}
	}
	if f.area == "" {
		return
	}
	area, inside := relativeTo(roots, f.area)
	switch {
	case inside && area != ".":
		f.area = area
	case strings.HasPrefix(f.area, "/"), strings.HasPrefix(f.area, "~"), strings.Contains(f.area, ":"), strings.HasPrefix(f.area, ".."):
		f.area = ""
	}
}

// details writes the parts that entries are rendered from.
func details(f finding, sig knowledge.Signal, r *redact.Redactor) string {
	short := func(raw string) string { return shorten(r, raw, maxText).String() }
	mistake, fix := sig.Mistake.String(), sig.Fix.String()
	switch f.typ {
	case knowledge.Decision:
		return knowledge.FormatDetails("context", short(f.context), "decision", fix, "rationale", short(f.rationale))
	case knowledge.Workflow, knowledge.Procedural:
		var steps []string
		for _, it := range sig.Items {
			steps = append(steps, it.String())
		}
		return firstOf(strings.Join(steps, "\n"), fix)
	default:
		return knowledge.FormatDetails("area", short(f.area), "issue", mistake, "impact", short(f.context), "resolution", fix)
	}
}

// nameless leaves out a word of a command that stands in a sentence alone and
// looks drawn: without the word before it nobody can tell an id from a secret,
// and neither helps another session.
func nameless(text string) string {
	if strings.IndexByte(text, '`') < 0 {
		return text
	}
	pieces := strings.Split(text, "`")
	for i := 1; i < len(pieces); i += 2 {
		if !strings.ContainsAny(pieces[i], " \t\n") && redact.LooksDrawn(strings.Trim(pieces[i], ".,;:'\"")) {
			pieces[i] = "…"
		}
	}
	return strings.Join(pieces, "`")
}

// shorten redacts a text, puts it on one line and cuts it at a word. Redaction
// comes first: half a key is no longer recognised as one.
func shorten(r *redact.Redactor, raw string, n int) redact.Text {
	text := r.Text(raw)
	clean := onOneLine(text.String())
	if clean == raw && len(clean) <= n {
		return text.Clone() // redaction leaves it as it is
	}
	if len(clean) <= n {
		return r.Text(clean)
	}
	cut := strings.LastIndexByte(clean[:n-len("…")+1], ' ')
	if cut < n/2 {
		return r.Text(clean).Cut(n)
	}
	return r.Text(strings.TrimRight(clean[:cut], " ,;:") + "…")
}

// onOneLine puts single blanks between the words of a text.
func onOneLine(text string) string {
	if singleSpaced(text) {
		return text
	}
	return strings.Join(strings.Fields(text), " ")
}

// singleSpaced says whether all white space of a text is single blanks between
// words. It may say no where that is so.
func singleSpaced(text string) bool {
	blank := true // before the text
	for i := range len(text) {
		switch c := text[i]; {
		case c == ' ' && blank, c < ' ', c >= utf8.RuneSelf:
			return false
		default:
			blank = c == ' '
		}
	}
	return !blank || text == ""
}

// redactTrigger redacts every element. One that loses something to redaction
// would match nothing any more and is dropped; where that is a condition, the
// trigger goes, because it would match too much. Elements are looked at together
// too: a word may be a secret for the word before it.
func redactTrigger(t *knowledge.Trigger, r *redact.Redactor, roots []string) *knowledge.Trigger {
	if t == nil {
		return nil
	}
	var paths []string
	for _, p := range t.Paths {
		if g := globFor(p, roots); g != "" {
			paths = append(paths, g)
		}
	}
	all := slices.Concat(t.Tools, t.Commands, t.Unless, t.CommandPatterns, t.Content, t.Keywords, t.Context, t.Agents, paths)
	k := keeper{r, r.Text(strings.Join(all, " ")).String()}
	c := knowledge.Trigger{
		Tools: k.keep(t.Tools), Commands: k.keep(t.Commands), Unless: k.keep(t.Unless),
		CommandPatterns: compiling(k.keep(t.CommandPatterns)), Content: compiling(k.keep(t.Content)),
		Keywords: k.keep(t.Keywords), Context: k.keep(t.Context), Agents: k.keep(t.Agents), Paths: k.keep(paths),
	}
	lost := slices.ContainsFunc(t.Unless, func(u string) bool {
		u = strings.TrimSpace(u)
		return u != "" && !slices.Contains(c.Unless, u)
	})
	for _, slot := range [][2][]string{{t.Commands, c.Commands}, {t.CommandPatterns, c.CommandPatterns}, {t.Content, c.Content}, {t.Paths, c.Paths}} {
		lost = lost || len(slot[0]) > 0 && len(slot[1]) == 0
	}
	if lost || len(c.Tools)+len(c.Commands)+len(c.CommandPatterns)+len(c.Content)+len(c.Keywords)+len(c.Context)+len(c.Agents)+len(c.Paths) == 0 {
		return nil
	}
	return &c
}

// keeper keeps what redaction leaves alone, by itself and among the others.
type keeper struct {
	r        *redact.Redactor
	together string // all elements, redacted as one text
}

func (k keeper) keep(elements []string) []string {
	var kept []string
	for _, e := range elements {
		e = strings.TrimSpace(e)
		if e != "" && !slices.Contains(kept, e) && strings.Contains(k.together, e) && k.r.Text(e).String() == e && !redact.LooksDrawn(e) {
			kept = append(kept, e)
		}
	}
	return kept
}

// compiling keeps the patterns that RE2 understands.
func compiling(patterns []string) []string {
	return slices.DeleteFunc(patterns, func(p string) bool {
		_, err := syntax.Parse(p, syntax.Perl) // all that may fail of regexp.Compile
		return err != nil
	})
}

func redactAll(elements []string, r *redact.Redactor) []string {
	var kept []string
	for _, e := range elements {
		if t := r.Text(e).String(); t == e {
			kept = append(kept, e)
		}
	}
	return kept
}

var globby = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[*?\[{]`) })

// globFor makes a repository-relative glob of a path as an agent wrote it: the
// path itself inside of the repository, its base name anywhere outside. What
// only one file has, such as a number or a day in its name, stands for any.
func globFor(p string, roots []string) string {
	p = placeOf(p, roots)
	if globby().MatchString(p) {
		return p
	}
	return kindOfPath(p)
}

func placeOf(p string, roots []string) string {
	p = strings.TrimPrefix(strings.ReplaceAll(p, `\`, "/"), "./")
	if rel, ok := relativeTo(roots, p); ok && rel != "." {
		return rel
	}
	absolute := strings.HasPrefix(p, "/") || strings.HasPrefix(p, "~") || len(p) > 1 && p[1] == ':'
	switch {
	case strings.HasPrefix(p, "../") || strings.Contains(p, "/../"):
		return ""
	case !absolute:
		return p
	case globby().MatchString(p) && strings.HasPrefix(p, "/**"):
		return strings.TrimPrefix(p, "/")
	default:
		return "**/" + p[strings.LastIndexByte(p, '/')+1:]
	}
}

type pathKinds struct{ numbered, particular, version *regexp.Regexp }

var pathPatterns = sync.OnceValue(func() pathKinds {
	c := regexp.MustCompile
	return pathKinds{
		numbered:   c(`^\d{3,}[-_]`),
		particular: c(`\d{4}-\d\d-\d\d|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{22}|\d{6,}`),
		version:    c(`((?:^|[-_.])v)\d+`),
	}
})

// kindOfPath is the glob of a path and its like: migrations/0007_add_cart.sql is
// one of migrations/*.sql, api/v2/cart.ts one of api/v*/cart.ts.
func kindOfPath(p string) string {
	k := pathPatterns()
	segments := strings.Split(p, "/")
	for i, s := range segments {
		last := i == len(segments)-1
		switch {
		case instance(s) && !last:
			s = "*"
		case last && i > 0 && k.numbered.MatchString(s):
			s = "*" + path.Ext(s)
		default:
			s = k.version.ReplaceAllString(k.particular.ReplaceAllString(s, "*"), "${1}*")
		}
		segments[i] = s
	}
	return strings.Join(segments, "/")
}
