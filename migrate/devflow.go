package migrate

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/entry"
	"github.com/lessons-cli/lessons/knowledge/markdown"
	"github.com/lessons-cli/lessons/knowledge/observe"
	"github.com/lessons-cli/lessons/knowledge/prose"
)

// devflow reads what devflow wrote, in all four generations of its files:
//
//	.memory/knowledge/{decisions,pitfalls}.md, .memory/learning-log.jsonl
//	.memory/decisions/…, the same log
//	.devflow/decisions/… with decisions-log.jsonl, later decisions-ledger.jsonl
//	.devflow/learning/… with both
//
// The files of the first are this tool's own where they lie in the repository:
// init takes them over in place. Of a decision that stands in several files the
// book is taken, then the ledger, which keeps the retired ones, then the log.
var devflow = Format{
	Name: "devflow", About: "devflow's decisions and pitfalls, its ledger and its logs, of all four generations",
	Places: []string{".memory/decisions", ".devflow/learning", ".devflow/decisions"},
	Takes: func(name string) bool {
		base := path.Base(name)
		return base == "index.md" || extension(".md", ".jsonl")(name) &&
			(strings.Contains(base, "decisions") || strings.Contains(base, "pitfalls") || strings.Contains(base, "learning-log"))
	},
	Detect: func(name string, head []byte) bool {
		if strings.EqualFold(path.Ext(name), ".jsonl") {
			return bytes.Contains(head, []byte(`"id":"obs_`)) || bytes.Contains(head, []byte(`"id": "obs_`))
		}
		return bytes.Contains(head, []byte("<!-- TL;DR:")) || bytes.Contains(head, []byte("\n## ADR-")) || bytes.Contains(head, []byte("\n## PF-"))
	},
	read: readDevflow,
}

// Ranks of devflow's files.
const (
	rankBook = iota
	rankLedger
	rankLog
)

func readDevflow(f *file) {
	if !f.isText() {
		return
	}
	switch {
	case ownFile(f.path):
		f.refuseAll(1, "it is this repository's own: lessons init takes it over in place")
	case f.base() == "index.md":
		f.refuseAll(1, "an index is made from the entries: there is nothing in it to import")
	case strings.EqualFold(path.Ext(f.path), ".jsonl"):
		readDevflowRows(f)
	default:
		readDevflowBook(f)
	}
}

// ownFile says whether a path is one at which this tool keeps its own files.
func ownFile(name string) bool {
	return name == entry.BookPath(knowledge.KindADR) || name == entry.BookPath(knowledge.KindPF) || name == observe.LogPath
}

func readDevflowBook(f *file) {
	book, problems := entry.ParseBook(f.path, f.data)
	for _, p := range problems {
		f.refuseAll(p.Line, p.Text+": nothing of the file was imported")
	}
	if len(problems) > 0 {
		return
	}
	for _, e := range book.Entries {
		t, reason := devflowEntry(e, f.source(e.Line, cmp.Or(e.Source, strings.ToLower(e.ID()))))
		if reason != "" {
			f.refuse(e.Line, e.ID(), reason)
			continue
		}
		t.Identity, t.Rank = e.Source, rankBook
		f.add(t)
	}
	if len(book.Entries) == 0 {
		f.refuseAll(1, "it has no entry: none of its headings is \"## ADR-001: …\" or \"## PF-001: …\"")
	}
}

// devflowEntry makes a thing of an entry. One without bullets, as a ledger may
// keep it, has labels in bold and sections instead.
func devflowEntry(e entry.Entry, from Source) (Thing, string) {
	t := Thing{Source: from, Kind: e.Kind, Title: prose.OneLine(e.Title), Number: e.Number, Names: []string{plainNumber(e.Kind, e.Number)}}
	fields := e.Fields
	if len(fields) == 0 {
		fields = looseFields(e)
	}
	for _, f := range fields {
		switch {
		case strings.EqualFold(f.Name, entry.FieldDate):
			t.Date = date(f.Value)
		case strings.EqualFold(f.Name, entry.FieldStatus):
			t.status(f.Value)
		case strings.EqualFold(f.Name, entry.FieldSource):
		default:
			t.field(otherField(f.Name), prose.OneLine(f.Value))
		}
	}
	switch {
	case t.Title == "":
		return t, "it has no title"
	case len(t.Fields) == 0:
		return t, "it has a heading and nothing below it"
	}
	if t.Status == "" {
		t.status("")
	}
	return t, ""
}

// status maps the status of an entry; what is none that is known is kept beside
// the mildest one.
func (t *Thing) status(text string) {
	standard, unknown := "Accepted", "Proposed"
	if t.Kind == knowledge.KindPF {
		standard, unknown = "Active", "Active"
	}
	text = prose.OneLine(text)
	status, ok := entryStatus(text)
	switch {
	case text == "":
		t.Status = standard
	case !ok:
		t.Status = unknown + " (" + text + ")"
		t.note("the status %q is none that is known: %s", text, unknown)
	case t.Kind == knowledge.KindPF && strings.HasPrefix(status, "Accepted"):
		t.Status = standard
	default:
		t.Status = status
	}
}

// looseFields reads labels in bold and sections of level 3 as bullets.
func looseFields(e entry.Entry) []entry.Field {
	var fields []entry.Field
	add := func(name, value string) {
		if value = flatten(value); value != "" {
			fields = append(fields, entry.Field{Name: name, Value: value})
		}
	}
	for _, s := range markdown.Sections(e.Text, e.Line) {
		if s.Level > 2 {
			add(s.Title, s.Text)
			continue
		}
		rest := ""
		for line := range strings.Lines(s.Text) {
			if m := labelLine().FindStringSubmatch(strings.TrimSpace(line)); m != nil {
				add(strings.TrimSpace(m[1]), m[2])
			} else {
				rest += line
			}
		}
		if flatten(rest) != "" {
			main := entry.FieldContext
			if e.Kind == knowledge.KindPF {
				main = entry.FieldIssue
			}
			add(main, rest)
		}
	}
	return fields
}

// devflowRow is a line of the ledger or of a log.
type devflowRow struct {
	ID           string          `json:"id"`
	Type         string          `json:"type"`
	Pattern      string          `json:"pattern"`
	Details      string          `json:"details"`
	Anchor       string          `json:"anchor_id"`
	Decided      string          `json:"decisions_status"`
	Date         string          `json:"date"`
	RawBody      string          `json:"raw_body"`
	Amendments   json.RawMessage `json:"amendments"`
	Status       string          `json:"status"`
	Evidence     []string        `json:"evidence"`
	Observations int             `json:"observations"`
	Count        int             `json:"count"`
	FirstSeen    string          `json:"first_seen"`
	LastSeen     string          `json:"last_seen"`
	QualityOK    bool            `json:"quality_ok"`
	ArtifactPath string          `json:"artifact_path"`
}

func readDevflowRows(f *file) {
	var list []element
	line, whole := 0, true
	for raw := range bytes.Lines(f.data) {
		line++
		if raw = bytes.TrimSpace(raw); len(raw) > 0 {
			list = append(list, element{Line: line, Data: raw})
			whole = whole && json.Valid(raw)
		}
	}
	for e, row := range decoded[devflowRow](f, list, "line") {
		t, reason := row.thing(f.source(e.Line, row.ID))
		if reason != "" {
			f.refuse(e.Line, row.ID, reason)
			continue
		}
		f.add(t)
	}
	switch {
	case !whole: // a torn file: what people put away may be in what is missing
		f.things = nil
		for i := range f.refused {
			f.refused[i].Reason += "; nothing of the file was imported"
		}
	case len(list) == 0:
		f.refuseAll(1, "it has no line to import")
	}
}

func (r *devflowRow) thing(from Source) (Thing, string) {
	title := prose.OneLine(r.Pattern)
	switch {
	case !strings.HasPrefix(r.ID, "obs_"):
		return Thing{}, "its id does not begin with obs_: it is no row of devflow"
	case title == "":
		return Thing{}, "it has no pattern, which is its title"
	case r.Anchor == "" && strings.EqualFold(r.Status, "deprecated"):
		return Thing{}, "devflow had put it away (deprecated)"
	case r.Type != "decision" && r.Type != "pitfall" && strings.EqualFold(r.Status, "created"):
		return Thing{}, "its file is taken over as it is: lessons import command, or lessons import skill"
	}
	kind, n := knowledge.KindADR, 0
	if r.Type == "pitfall" {
		kind = knowledge.KindPF
	}
	ledger := r.Anchor != ""
	if !ledger {
		if _, anchor := knowledge.CutPlace(r.ArtifactPath); anchor != "" && strings.EqualFold(r.Status, "created") {
			r.Anchor = anchor
		}
	}
	if r.Anchor == "" {
		return r.observation(from), r.typeFault()
	}
	anchored, n, ok := entry.ParseID(r.Anchor)
	if !ok || anchored != kind {
		return Thing{}, fmt.Sprintf("its anchor %q and its type %q do not belong together", r.Anchor, r.Type)
	}
	t := r.entry(kind, n, from)
	t.Rank = rankLog
	if ledger {
		t.Rank = rankLedger
	}
	return t, ""
}

// plainPattern is a pattern without the id that migrated rows have before it.
func plainPattern(text string) string {
	text = prose.OneLine(text)
	if id, rest, ok := strings.Cut(text, " — "); ok && strings.HasPrefix(id, "obs_") && !strings.Contains(id, " ") && rest != "" {
		return rest
	}
	return text
}

func (r *devflowRow) typeFault() string {
	if slices.Contains([]string{"workflow", "procedural", "decision", "pitfall"}, r.Type) {
		return ""
	}
	return fmt.Sprintf("its type %q is none of workflow, procedural, decision and pitfall", r.Type)
}

// entry makes a decision or a pitfall of a row: from the text that was kept, else
// from its details.
func (r *devflowRow) entry(kind knowledge.Kind, number int, from Source) Thing {
	t := Thing{Source: from}
	if r.RawBody != "" {
		book, problems := entry.ParseBook(entry.BookPath(kind), []byte(r.RawBody))
		if len(problems) == 0 && len(book.Entries) == 1 {
			if kept, reason := devflowEntry(book.Entries[0], from); reason == "" {
				t = kept
			}
		}
		if t.Title == "" {
			t.note("the text that the row keeps cannot be read: its details stand for it")
		}
	}
	t.Kind, t.Title, t.Number = kind, plainPattern(r.Pattern), number
	t.Names = []string{plainNumber(kind, number)}
	if len(t.Fields) == 0 {
		t.details(r.Details)
	}
	if !isEmptyJSON(r.Amendments) {
		t.field("Amendments", prose.OneLine(string(r.Amendments)))
	}
	if d := date(cmp.Or(r.Date, r.FirstSeen)); t.Date.IsZero() && kind == knowledge.KindADR {
		t.Date = d
	}
	if t.Status == "" || r.Decided != "" {
		t.status(r.Decided)
	}
	t.Identity, t.Observation = r.ID, r.evidence()
	return t
}

func isEmptyJSON(raw json.RawMessage) bool {
	return slices.Contains([]string{"", "null", "[]", "{}", `""`}, string(bytes.TrimSpace(raw)))
}

// details adds the parts of a row's details under the names of an entry; what is
// missing is filled as devflow fills it.
func (t *Thing) details(text string) {
	parts := observe.ParseDetails(text)
	for name, value := range parts {
		parts[name] = prose.OneLine(value)
	}
	if t.Kind == knowledge.KindPF {
		t.field(entry.FieldArea, parts["area"])
		t.field(entry.FieldIssue, cmp.Or(parts["issue"], cmp.Or(parts[""], t.Title)))
		t.field(entry.FieldImpact, parts["impact"])
		t.field(entry.FieldResolution, parts["resolution"])
		return
	}
	t.field(entry.FieldContext, cmp.Or(parts["context"], cmp.Or(parts[""], prose.OneLine(text))))
	t.field(entry.FieldDecision, cmp.Or(parts["decision"], t.Title))
	t.field(entry.FieldBecause, parts["rationale"])
	t.field(entry.FieldConsequences, parts["consequences"])
}

// observation is a row that became no file: what devflow was still counting.
func (r *devflowRow) observation(from Source) Thing {
	t := Thing{Source: from, Title: prose.OneLine(r.Pattern), Identity: r.ID, Rank: rankLog, Observation: r.evidence()}
	t.Observation.Type, t.Observation.Details, t.Observation.QualityOK = knowledge.Type(r.Type), prose.OneLine(r.Details), r.QualityOK
	return t
}

func (r *devflowRow) evidence() *observe.Observation {
	o := &observe.Observation{Observations: min(max(r.Observations, r.Count, 1), maxSeen), FirstSeen: date(r.FirstSeen), LastSeen: date(r.LastSeen)}
	for _, quote := range r.Evidence {
		if quote = prose.OneLine(quote); quote != "" && len(o.Evidence) < 10 {
			o.Evidence = append(o.Evidence, quote)
		}
	}
	return o
}

// maxSeen bounds how often another tool may say that it met something.
const maxSeen = 100_000
