package scan

import (
	"cmp"
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/internal/redact"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/fingerprint"
	"github.com/lessons-cli/lessons/knowledge/observe"
)

// Lengths of stored texts, in bytes after redaction.
const (
	maxTitle = 90
	maxText  = 600
	maxQuote = 160 // rulings 4
	maxItem  = 300
)

// signalOf is what the log takes of a finding.
func signalOf(f finding, r *redact.Redactor, session string, roots []string) observe.Signal {
	f.inPlainWords(r, roots)
	return f.signal(r, session, roots)
}

// inPlainWords puts what a finding says as any other clone could say it.
func (f *finding) inPlainWords(r *redact.Redactor, roots []string) {
	f.withinRoots(roots)
	f.phrase(r)
}

// signal is signalOf a finding that is in plain words.
func (f *finding) signal(r *redact.Redactor, session string, roots []string) observe.Signal {
	text := func(raw string, n int) redact.Text { return shorten(r, raw, n) }
	nameless := nameless
	if r.ByPerson() { // whose words stay as they are
		text = func(raw string, _ int) redact.Text { return r.Text(onOneLine(raw)) }
		nameless = func(raw string) string { return raw }
	}
	sig := observe.Signal{
		Type: f.typ, Origin: f.origin, Session: session, At: f.at,
		Mistake: text(nameless(cmp.Or(f.mistaken, f.mistake)), maxText), Fix: text(nameless(f.fix), maxText),
		Trigger: redactTrigger(f.trigger, r, roots), Marks: append(slices.Clone(f.marks), lossMarks(f)...),
		Kind: f.lessonKind, Level: f.level, Failure: f.failure,
	}
	sig.Tags = redactAll(tagsOf(f), r)
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

func redactFailure(f *fingerprint.Failure, r *redact.Redactor) *fingerprint.Failure {
	if f == nil {
		return nil
	}
	return &fingerprint.Failure{Tool: f.Tool, Command: r.Text(f.Command).String(), Class: f.Class, Text: r.Text(f.Text).String()}
}

// withinRoots makes the paths of the repository relative, so that clones in
// other places say the same. What lies elsewhere is no area of the repository.
func (f *finding) withinRoots(roots []string) {
	for _, root := range roots {
		root = strings.TrimRight(root, `/\`) + "/"
		for _, s := range []*string{&f.title, &f.mistake, &f.fix, &f.context, &f.rationale} {
			*s = strings.ReplaceAll(*s, root, "")
		}
		for _, list := range []*[]string{&f.quotes, &f.parts} {
			*list = lists.Map(*list, func(text string) string { return strings.ReplaceAll(text, root, "") })
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
func details(f *finding, sig observe.Signal, r *redact.Redactor) string {
	short := func(raw string) string { return shorten(r, raw, maxText).String() }
	mistake, fix := sig.Mistake.String(), sig.Fix.String()
	var further []string
	for i, text := range f.parts {
		if i%2 == 1 {
			text = short(text)
		}
		further = append(further, text)
	}
	parts := observe.FormatDetails(further...)
	switch f.typ {
	case knowledge.Decision:
		return observe.FormatDetails("context", short(f.context), "decision", fix, "rationale", short(f.rationale))
	case knowledge.Workflow, knowledge.Procedural:
		steps := lists.Map(sig.Items, redact.Text.String)
		return strings.TrimSpace(cmp.Or(strings.Join(steps, "\n"), fix) + "\n" + parts)
	default:
		told := observe.FormatDetails("area", short(f.area), "issue", mistake, "impact", short(f.context), "resolution", fix, "rationale", short(f.rationale))
		return strings.Trim(told+"; "+parts, "; ")
	}
}

// nameless leaves out a word of a command that stands in a sentence alone and
// looks drawn: without the word before it nobody can tell an id from a secret,
// and neither helps another session.
func nameless(text string) string {
	if strings.IndexByte(text, '`') < 0 {
		return text
	}
	var out strings.Builder
	done := 0
	for at, inside := 0, false; at < len(text); inside = !inside {
		end := len(text)
		if i := strings.IndexByte(text[at:], '`'); i >= 0 {
			end = at + i
		}
		if piece := text[at:end]; inside && !strings.ContainsAny(piece, " \t\n") && redact.LooksDrawn(strings.Trim(piece, ".,;:'\"")) {
			out.WriteString(text[done:at])
			out.WriteString("…")
			done = end
		}
		at = end + 1
	}
	if done == 0 {
		return text
	}
	out.WriteString(text[done:])
	return out.String()
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
func onOneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
