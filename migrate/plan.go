package migrate

import (
	"bytes"
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/artifact"
	"github.com/lessons-cli/lessons/knowledge/entry"
	"github.com/lessons-cli/lessons/knowledge/lesson"
	"github.com/lessons-cli/lessons/knowledge/manifest"
	"github.com/lessons-cli/lessons/knowledge/observe"
	"github.com/lessons-cli/lessons/knowledge/prose"
	"github.com/lessons-cli/lessons/knowledge/store"
	"github.com/lessons-cli/lessons/knowledge/verdict"
)

// Options of [NewPlan].
type Options struct {
	// UsedNumbers are the greatest entry numbers in git's history, by kind.
	UsedNumbers map[knowledge.Kind]int
	// Clean takes secrets and personal names out of a text; nil: nothing does.
	Clean func(string) string
	// Project names this repository as other tools do: the path of its folder.
	Project string
	Now     time.Time // the date of what tells none
}

// Outcome is what becomes of a thing.
type Outcome string

const (
	Imported Outcome = "imported"
	Known    Outcome = "known"   // it is here already
	Removed  Outcome = "removed" // people removed it: it does not come back
	Refused  Outcome = "refused"
)

// Item is a thing and what becomes of it.
type Item struct {
	Source  Source         `json:"source"`
	Kind    knowledge.Kind `json:"kind,omitempty"`
	Title   string         `json:"title,omitempty"`
	Outcome Outcome        `json:"outcome"`
	Place   string         `json:"place,omitempty"` // path, or path#ADR-001 of an entry
	Status  string         `json:"status,omitempty"`
	Reason  string         `json:"reason,omitempty"`
	Notes   []string       `json:"notes,omitempty"`
}

// Plan is what one import does.
type Plan struct {
	store.Transaction
	Items   []Item
	Notices []string
	// New are the rows of the manifest that it lacked.
	New []manifest.Row
	// Untrusted are paths of lessons that nobody here wrote: guards, as drafts.
	Untrusted []string
}

// Count says how many items have the outcome.
func (p Plan) Count(o Outcome) int {
	return lists.Count(p.Items, func(item Item) bool { return item.Outcome == o })
}

// fieldImported is the field of an entry, and the key of a lesson, that says
// where it came from.
const (
	fieldImported = "Imported"
	keyImported   = "imported"
)

// NewPlan works out what to write for the things that were read. It changes
// nothing, the snapshot included. A manifest that cannot be read is an error: it
// holds what people removed.
func NewPlan(s *store.Snapshot, things []Thing, o Options) (Plan, error) {
	if s.ManifestErr != nil {
		return Plan{}, fmt.Errorf("nothing is imported without the manifest, which holds what people removed: %w", s.ManifestErr)
	}
	p := newPlanner(s, o)
	for _, t := range slices.SortedStableFunc(slices.Values(things), func(a, b Thing) int { return a.Rank - b.Rank }) {
		p.admit(t)
	}
	for _, a := range p.admitted {
		p.write(a)
	}
	p.finish()
	return p.plan, nil
}

// maxNumber is the greatest number of an entry that is taken over as it is.
const maxNumber = 9999

// planner makes one plan.
type planner struct {
	s        *store.Snapshot
	options  Options
	present  present
	refs     references
	admitted []*admission
	observed []*observe.Observation
	rows     []manifest.Row
	shelves  map[knowledge.Kind]*shelf
	taken    map[string]bool // lower-case paths
	fires    map[string]*lesson.Lesson
	plan     Plan
}

// admission is a thing that will be written.
type admission struct {
	Thing
	id     string
	item   int // index into the plan's items
	number int
}

func newPlanner(s *store.Snapshot, o Options) *planner {
	if o.Clean == nil {
		o.Clean = func(text string) string { return text }
	}
	p := &planner{s: s, options: o, present: readPresent(s), refs: references{}, taken: map[string]bool{}, fires: map[string]*lesson.Lesson{}}
	p.shelves = readShelves(s, o.UsedNumbers)
	for _, a := range s.Artifacts {
		p.taken[strings.ToLower(a.Path)] = true
	}
	for _, r := range s.Manifest.Rows {
		p.taken[strings.ToLower(r.Path)] = true
	}
	for _, problem := range s.Problems {
		p.taken[strings.ToLower(problem.Path)] = true
	}
	for _, l := range s.Lessons {
		p.firing(l)
	}
	return p
}

// admit decides whether a thing is written, and gives entries their numbers, so
// that things can name each other.
func (p *planner) admit(t Thing) {
	t.Title = p.clean(t.Title)
	id := t.ID()
	item := Item{Source: t.Source, Kind: t.Kind, Title: t.Title, Outcome: Imported, Notes: t.Notes}
	key := knowledge.Key{Observation: id, Kind: t.Kind}
	a := &admission{Thing: t, id: id, item: len(p.plan.Items)}
	switch place, outcome, reason := p.present.find(key, t); {
	case outcome != "":
		item.Outcome, item.Place, item.Reason = outcome, place, reason
		if p.present.places[key] == place && place != "" && outcome == Known && !p.present.logged[id] {
			p.observe(a, place, observe.Created) // a crash came between artifact and log
		}
		if _, anchor := knowledge.CutPlace(place); anchor != "" && outcome == Known {
			p.refs.add(t, anchor)
		}
	case t.Scope != "" && !scoped(t.Scope, p.options.Project):
		item.Outcome, item.Reason = Refused, fmt.Sprintf("it is for another project, %q", t.Scope)
	case p.shelves[t.Kind] != nil && p.shelves[t.Kind].broken != "":
		item.Outcome, item.Reason = Refused, p.shelves[t.Kind].broken
	default:
		if shelf := p.shelves[t.Kind]; shelf != nil {
			a.number = max(shelf.next, min(t.Number, maxNumber))
			shelf.next = a.number + 1
			p.refs.add(t, entry.ID(t.Kind, a.number))
		}
		p.present.add(key, t)
		p.admitted = append(p.admitted, a)
	}
	p.plan.Items = append(p.plan.Items, item)
}

// write plans the artifact of a thing, its row and its observation.
func (p *planner) write(a *admission) {
	switch a.Kind {
	case knowledge.KindADR, knowledge.KindPF:
		p.entry(a)
	case knowledge.KindLesson:
		p.lesson(a)
	case "":
		p.observe(a, "", observe.Observing)
	case knowledge.KindSkill, knowledge.KindCommand:
		p.file(a)
	default:
		p.refuse(a, "there is no place for a "+string(a.Kind))
	}
}

func (p *planner) refuse(a *admission, reason string) {
	item := &p.plan.Items[a.item]
	item.Outcome, item.Reason = Refused, reason
}

func (p *planner) note(a *admission, format string, args ...any) {
	item := &p.plan.Items[a.item]
	item.Notes = append(item.Notes, fmt.Sprintf(format, args...))
}

// clean is a text of another tool as it may be written here, on one line.
func (p *planner) clean(text string) string { return p.options.Clean(prose.OneLine(text)) }

// register adds row and observation of a written artifact.
func (p *planner) register(a *admission, path, anchor string, text []byte) {
	place := knowledge.Place(path, anchor)
	o := p.observe(a, place, observe.Created)
	p.rows = append(p.rows, manifest.Row{
		ObservationID: a.id, Type: knowledge.RowType(a.Kind), Path: path, Anchor: anchor, ContentHash: knowledge.ContentHash(text),
		RenderedAt: o.LastSeen, N: o.Observations, ContentKey: observe.ContentKey(o), Title: a.Title,
	})
	p.plan.Items[a.item].Place = place
}

// observe adds the observation of a thing.
func (p *planner) observe(a *admission, place string, status observe.Status) *observe.Observation {
	o := &observe.Observation{Observations: 1}
	if a.Observation != nil {
		o = a.Observation.Clone()
	}
	o.ID, o.Pattern, o.Status, o.ArtifactPath, o.Origin = a.id, a.Title, status, place, observe.OriginManual
	o.Type = cmp.Or(o.Type, a.Kind.Type(), knowledge.Pitfall)
	if o.LastSeen.IsZero() {
		if o.LastSeen = a.Date; o.LastSeen.IsZero() {
			o.LastSeen = p.options.Now.UTC().Truncate(time.Second)
		}
	}
	if o.FirstSeen.IsZero() {
		o.FirstSeen = o.LastSeen
	}
	if a.Lesson != nil {
		trigger := a.Lesson.Triggers
		o.Trigger, o.Tags, o.Priority, o.Kind = &trigger, a.Lesson.Tags, a.Lesson.Priority, a.Lesson.Kind
		o.Mistake, o.Fix = p.clean(a.Problem), p.clean(a.Fix)
	}
	o.Confidence = observe.CountConfidence(o.Type, o.Observations, p.s.Config.Thresholds)
	o.Details = p.clean(o.Details)
	for i, quote := range o.Evidence {
		o.Evidence[i] = p.clean(quote)
	}
	p.observed = append(p.observed, o)
	return o
}

func (p *planner) finish() {
	for _, kind := range []knowledge.Kind{knowledge.KindADR, knowledge.KindPF} {
		p.plan.Changes = append(p.plan.Changes, p.shelves[kind].changes(p.s)...)
		if notice := p.shelves[kind].crowded(p.s.Config); notice != "" {
			p.plan.Notices = append(p.plan.Notices, notice)
		}
	}
	p.plan.Log = p.log()
	if len(p.rows) > 0 {
		p.plan.Manifest = p.s.Manifest.Clone()
		p.plan.Manifest.AddRows(p.rows...)
		p.plan.New = p.rows
	}
}

// log is the log with what was observed; nil: nothing was. The last id goes in
// first, so that the next one finds its place at the front.
func (p *planner) log() *observe.Log {
	if len(p.observed) == 0 {
		return nil
	}
	log := &observe.Log{}
	if p.s.Log != nil {
		log = p.s.Log.Clone()
	}
	slices.SortFunc(p.observed, func(a, b *observe.Observation) int { return strings.Compare(b.ID, a.ID) })
	for _, o := range p.observed {
		if old := log.Get(o.ID); old != nil { // its artifact went without a verdict: an undone import, or another branch's
			old.Status, old.ArtifactPath = o.Status, o.ArtifactPath
			o = old
		}
		log.Put(o)
	}
	return log
}

// scoped says whether a project is the one that another tool names, by a path
// with dashes in place of slashes.
func scoped(scope, project string) bool {
	dashed := strings.Trim(strings.NewReplacer("/", "-", `\`, "-", ":", "", "_", "-", ".", "-").Replace(project), "-")
	scope = strings.Trim(strings.NewReplacer("/", "-", "_", "-", ".", "-").Replace(scope), "-")
	base := dashed[strings.LastIndexByte(dashed, '-')+1:]
	if at := strings.LastIndexAny(project, `/\`); at >= 0 {
		base = strings.NewReplacer("_", "-", ".", "-").Replace(project[at+1:])
	}
	return scope == dashed || strings.HasPrefix(dashed, scope+"-") || base != "" && (scope == base || strings.HasSuffix(scope, "-"+base))
}

// maxTaken is how large a skill or a command may be, in bytes: what is larger
// would not be read again.
const maxTaken = 1 << 20

// skills takes over SKILL.md files.
var skills = Format{
	Name: "skill", About: "skills of agents: SKILL.md files, taken over as they are",
	Places: []string{".claude/skills", ".agents/skills"},
	Takes:  func(name string) bool { return path.Base(name) == "SKILL.md" },
	Detect: func(string, []byte) bool { return true },
	read:   readSkill,
}

// commands takes over slash commands.
var commands = Format{
	Name: "command", About: "slash commands: Markdown files in a folder commands, taken over as they are",
	Places: []string{".claude/commands"},
	Takes:  extension(".md"),
	Detect: func(name string, _ []byte) bool {
		return strings.Contains("/"+path.Dir(name)+"/", "/commands/")
	},
	read: readCommand,
}

func readSkill(f *file) {
	dir := path.Base(path.Dir(f.path))
	takeOver(f, Thing{Source: f.source(0, dir), Kind: knowledge.KindSkill, Name: dir})
}

func readCommand(f *file) {
	name := f.stem()
	name = strings.Trim(name[strings.LastIndex(name, "__")+1:], "_")
	takeOver(f, Thing{Source: f.source(0, f.base()), Kind: knowledge.KindCommand, Name: name})
}

// takeOver makes a thing of a whole file. Its front matter belongs to the agents
// and is not read by our rules: it only has to end.
func takeOver(f *file, t Thing) {
	if !f.isText() {
		return
	}
	body, matter := f.data, []byte(nil)
	if end := matterEnd(f.data); end > 0 {
		matter = f.data[:end]
		_, body, _ = bytes.Cut(f.data[end:], []byte("\n"))
	}
	if reason := notTaken(f, t.Kind, matter, body); reason != "" {
		f.refuseAll(1, reason)
		return
	}
	t.File, t.Title = f.data, cmp.Or(prose.OneLine(artifact.FirstHeading(body)), t.Name)
	if inPlace(t.Kind, f.path) { // it stays what it is, whatever is written into it
		t.Identity = f.path
	}
	f.add(t)
}

// notTaken says why a file is not taken over; empty: it is.
func notTaken(f *file, kind knowledge.Kind, matter, body []byte) string {
	switch {
	case matter == nil && beginsMatter(f.data):
		return "its front matter is not closed by a line ---: it is not whole"
	case len(f.data) > maxTaken:
		return "it is larger than a megabyte"
	case len(bytes.TrimSpace(body)) == 0:
		return "it has no text"
	case artifact.MarkerOf(f.data) != "":
		return "lessons wrote it: there is nothing to take over"
	case kind == knowledge.KindCommand && subAgent(f.path, matter):
		return "it describes a sub-agent, which is neither a command nor a skill"
	}
	return ""
}

// subAgent says whether a Markdown file describes a sub-agent: it lies in a
// folder of them, or its front matter has what only they have.
func subAgent(name string, matter []byte) bool {
	if strings.Contains("/"+name, "/agents/") || strings.HasPrefix(path.Base(name), "agents__") {
		return true
	}
	return bytes.Contains(matter, []byte("\ncolor:")) && bytes.Contains(matter, []byte("\nname:"))
}

// present is what the repository holds already, and what was removed from it.
type present struct {
	places  map[knowledge.Key]string // of rows and markers
	removed map[knowledge.Key]bool
	logged  map[string]bool   // ids in the log
	sources map[string]string // place by provenance
}

func readPresent(s *store.Snapshot) present {
	p := present{places: map[knowledge.Key]string{}, logged: map[string]bool{}, sources: map[string]string{}}
	for _, r := range s.Manifest.Rows {
		p.places[r.Key()] = r.Place()
	}
	for _, a := range s.Artifacts {
		if a.Source != "" {
			p.places[knowledge.Key{Observation: a.Source, Kind: a.Kind}] = a.Place()
		}
	}
	p.removed = lists.SetOf(s.Manifest.Tombstones, manifest.Tombstone.Key)
	for key, verdicts := range verdict.Open(s.Ledger) {
		p.removed[key] = p.removed[key] || len(verdicts) > 0
	}
	if s.Log != nil {
		for h := range s.Log.Heads() {
			p.logged[h.ID] = true
		}
	}
	for _, e := range s.Entries() {
		if from := e.Field(fieldImported); from != "" {
			p.sources[from] = e.Place()
		}
	}
	for _, l := range s.Lessons {
		for _, u := range l.Unknown {
			if from, ok := strings.CutPrefix(u.YAML, keyImported+": "); ok && u.Name == keyImported {
				p.sources[strings.Trim(strings.TrimSpace(from), `"'`)] = l.Path
			}
		}
	}
	return p
}

// find says whether a thing is here or was removed; no outcome: neither.
func (p present) find(key knowledge.Key, t Thing) (place string, outcome Outcome, reason string) {
	place, here := p.places[key]
	switch {
	case p.removed[key]:
		return "", Removed, "people removed it; it does not come back by an import"
	case here && strings.HasPrefix(place, inThisImport):
		return "", Known, "it says the same as " + strings.TrimPrefix(place, inThisImport)
	case here:
		return place, Known, "imported before"
	case key.Kind == "" && p.logged[key.Observation]:
		return "", Known, "imported before"
	}
	if place := p.sources[t.Source.String()]; place != "" && !strings.HasPrefix(place, inThisImport) {
		return place, Known, fmt.Sprintf("imported before as %s, and changed at its source since: that stays yours to take over", place)
	}
	return "", "", ""
}

// inThisImport marks the place of a thing that this import is about to write.
const inThisImport = "\x00"

func (p present) add(key knowledge.Key, t Thing) { p.places[key] = inThisImport + t.Source.Place() }
