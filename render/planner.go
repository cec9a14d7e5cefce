package render

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"

	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/artifact"
	"github.com/lessons-cli/lessons/knowledge/config"
	"github.com/lessons-cli/lessons/knowledge/entry"
	"github.com/lessons-cli/lessons/knowledge/lesson"
	"github.com/lessons-cli/lessons/knowledge/manifest"
	"github.com/lessons-cli/lessons/knowledge/observe"
	"github.com/lessons-cli/lessons/knowledge/state"
	"github.com/lessons-cli/lessons/knowledge/store"
	"github.com/lessons-cli/lessons/knowledge/verdict"
)

// planner makes one plan. It changes copies of log and manifest only.
type planner struct {
	options  Options
	config   config.Config
	ledger   []verdict.Event
	log      *observe.Log // the snapshot's until something in it changes
	copied   bool
	old      *manifest.Manifest // as it was
	manifest *manifest.Manifest // as it will be
	files    *files
	shelves  map[knowledge.Kind]*shelf
	lessons  map[string]*lesson.Lesson // by path, planned ones included
	marked   map[knowledge.Key][]artifact.Artifact
	known    known
	again    []*observe.Observation // to look at once more: they were given evidence
	drafts   drafts
	plan     Plan

	unwritten []unwritten
}

// unwritten is what cannot be written as it is.
type unwritten struct {
	m    material
	kind knowledge.Kind
}

// toldByOthers are the observations that cannot be written, and say the same as one that was
// written after they were looked at.
func (p *planner) toldByOthers() []*observe.Observation {
	var told []*observe.Observation
	for _, u := range p.unwritten {
		if path, _ := p.known.find(u.m, u.kind, p.manifest, p.options.View); path != "" {
			told = append(told, u.m.o)
		}
	}
	return told
}

// outcome is what became of one artifact of an observation.
type outcome int

const (
	waiting  outcome = iota // not due
	refused                 // due, but not to be written
	standing                // it is there, or another one says the same
	written
)

func newPlanner(s *store.Snapshot, o Options) *planner {
	p := &planner{
		options: o, config: s.Config, ledger: s.Ledger, drafts: drafts{most: o.MostDrafts},
		log: &observe.Log{}, old: &manifest.Manifest{}, manifest: &manifest.Manifest{},
		files: &files{before: map[string][]byte{}, after: map[string][]byte{}, taken: map[string]bool{}}, lessons: map[string]*lesson.Lesson{}, marked: map[knowledge.Key][]artifact.Artifact{},
	}
	if s.Log != nil {
		p.log = s.Log
	}
	if s.Manifest != nil {
		p.old, p.manifest = s.Manifest, s.Manifest.Clone()
	}
	p.readArtifacts(s)
	p.shelves = readShelves(s, p.manifest, o.UsedNumbers)
	for _, shelf := range p.shelves {
		if shelf.book != nil && shelf.book.Bytes() != nil {
			p.files.add(shelf.book.Path, shelf.book.Bytes())
		}
	}
	p.known = readKnown(p)
	return p
}

// readArtifacts takes in what the artifact folders hold: texts, taken names and
// the places of our markers. Published copies are outputs and never a place.
func (p *planner) readArtifacts(s *store.Snapshot) {
	copies := map[string]bool{}
	for _, r := range p.old.Rows {
		if !p.options.View.Lost[r.Key()] {
			p.files.reserve(r.Path) // also where the artifact is not in this work tree
		}
		for _, c := range r.Copies {
			copies[c] = true
		}
	}
	for _, t := range p.old.Tombstones {
		for _, c := range t.Copies {
			copies[c] = true
		}
	}
	for _, problem := range s.Problems {
		p.files.reserve(problem.Path) // what cannot be read is not free either
	}
	for _, a := range s.Artifacts {
		if a.Anchor == "" {
			p.files.add(a.Path, a.Text)
		} else if data := s.Before(a.Path); data != nil {
			p.files.add(a.Path, data)
		} else {
			p.files.reserve(a.Path)
		}
		if a.Source != "" && !copies[a.Path] {
			key := knowledge.Key{Observation: a.Source, Kind: a.Kind}
			p.marked[key] = append(p.marked[key], a)
		}
	}
	for i := range s.Lessons {
		l := s.Lessons[i]
		p.lessons[l.Path] = l
	}
}

// due says what an observation calls for: its main artifact, a lesson.
func (p *planner) due(o *observe.Observation) (main, lesson bool) {
	main = mainKind(o) != "" && (state.Suffices(o, p.config.Thresholds) || proposes(o))
	return main, asksForLesson(o) && lessonDue(o)
}

// observation plans everything that one observation calls for now.
func (p *planner) observation(o *observe.Observation) {
	kind := mainKind(o)
	lesson := asksForLesson(o)
	settled := kind == "" || state.Suffices(o, p.config.Thresholds)
	mainDue, lessonDue := p.due(o)
	if !mainDue && !lessonDue {
		return
	}
	if p.elsewhere(o) {
		if len(p.options.Only) > 0 {
			p.skip(o, "it was rendered before, and what was written is not in this work tree")
		}
		return
	}
	if p.toldOtherwise(o) && !p.requested(o) {
		return
	}
	m := prepare(o).phrased()
	before := o.Clone()
	o.NeedsReview = o.NeedsReview || diverges(o)
	main, lessonState := standing, standing
	var path, lessonPath string
	if kind != "" {
		path, main = p.artifact(m, kind, mainDue)
	}
	if lesson {
		lessonPath, lessonState = p.artifact(m, knowledge.KindLesson, lessonDue)
	}
	if kind == "" {
		path, main = lessonPath, lessonState
	}
	if o.ArtifactPath == "" || o.Status == observe.Ready {
		o.ArtifactPath = cmp.Or(path, cmp.Or(lessonPath, o.ArtifactPath))
	}
	if main >= standing && lessonState != waiting && settled && o.Status != observe.Created {
		o.Status = observe.Created
	}
	if o.Status != before.Status || o.ArtifactPath != before.ArtifactPath || o.NeedsReview != before.NeedsReview || o.SoftCapExceeded != before.SoftCapExceeded {
		p.store(o)
	}
}

// store puts a changed observation into the plan's own copy of the log.
func (p *planner) store(o *observe.Observation) {
	if !p.copied {
		p.log, p.copied = p.log.Clone(), true
	}
	p.log.Put(o)
}

// row returns the row of one artifact of an observation.
func (p *planner) row(o *observe.Observation, kind knowledge.Kind) (manifest.Row, bool) {
	for _, id := range o.Names() {
		if r, ok := p.manifest.Row(knowledge.Key{Observation: id, Kind: kind}); ok {
			return r, true
		}
	}
	return manifest.Row{}, false
}

// places returns where the observation's marker stands.
func (p *planner) places(o *observe.Observation, kind knowledge.Kind) []artifact.Artifact {
	return lists.Flat(o.Names(), func(id string) []artifact.Artifact { return p.marked[knowledge.Key{Observation: id, Kind: kind}] })
}

// elsewhere says whether the observation was rendered on a branch that this
// work tree does not have: neither a row nor an artifact is here, and nobody
// rejected it.
func (p *planner) elsewhere(o *observe.Observation) bool {
	if o.ArtifactPath == "" && o.Status != observe.Created {
		return false
	}
	for _, kind := range []knowledge.Kind{mainKind(o), knowledge.KindLesson} {
		if _, ok := p.row(o, kind); ok || len(p.places(o, kind)) > 0 {
			return false
		}
	}
	if p.lost(o) {
		return false
	}
	return verdict.Rejected(o, p.old, p.ledger) == verdict.NotRejected
}

// lost says whether an artifact of the observation was rendered and went before any
// commit had it.
func (p *planner) lost(o *observe.Observation) bool {
	for key := range p.options.View.Lost {
		if slices.Contains(o.Names(), key.Observation) {
			return true
		}
	}
	return false
}

// toldOtherwise says whether an observation has its artifact, of another kind than
// its words ask for now: who told it later told it as something else, and one thing
// is written once.
func (p *planner) toldOtherwise(o *observe.Observation) bool {
	stands := func(kind knowledge.Kind) bool {
		row, ok := p.row(o, kind)
		return ok && !p.gone(row)
	}
	entry := stands(knowledge.KindADR) || stands(knowledge.KindPF)
	switch mainKind(o) {
	case knowledge.KindADR, knowledge.KindPF:
		return stands(knowledge.KindLesson) && !entry && !asksForLesson(o)
	case "":
		return entry && !stands(knowledge.KindLesson)
	}
	return false
}

// artifact plans one artifact and says where it is.
func (p *planner) artifact(m material, kind knowledge.Kind, due bool) (string, outcome) {
	row, registered := p.row(m.o, kind)
	if registered && p.options.View.Lost[row.Key()] {
		row, registered = manifest.Row{}, false
	}
	if registered && slices.Contains(p.options.Rebuilt, row.Key()) && (kind == knowledge.KindLesson || m.o.Status == observe.Ready || proposes(m.o)) {
		p.manifest.DropRow(row.Key())
		registered = false
	}
	if registered && !p.gone(row) {
		if row.ContentKey == "" && slices.Contains(p.options.Rebuilt, row.Key()) {
			row.ContentKey = observe.ContentKey(m.o) // an artifact does not tell it
			p.manifest.DropRow(row.Key())            // it is no further revision
			p.manifest.PutRow(row)
		}
		switch kind {
		case knowledge.KindLesson:
			p.refresh(m, row)
		case knowledge.KindADR:
			p.accept(m, row)
		}
		return row.Place(), standing
	}
	if found := p.places(m.o, kind); len(found) > 0 {
		return p.adopt(m, kind, found)
	}
	if !due {
		return "", waiting
	}
	if reason := p.refusal(m, kind, row); reason != "" {
		if m.o.Status == observe.Ready {
			p.skip(m.o, reason)
		}
		return "", refused
	}
	if path, id := p.known.find(m, kind, p.manifest, p.options.View); path != "" && !m.o.Apart() {
		p.shareEvidence(m.o, id)
		if p.proposed(m, kind) {
			return "", waiting // of what stands nothing is proposed
		}
		if says := p.known.says[path]; says != "" && observe.Diverge(says, m.says(kind)) {
			m.o.NeedsReview = true // one title, and something else below it
		}
		p.skip(m.o, "it says the same as "+path)
		return path, standing
	}
	if p.isDraft(m, kind) && !p.drafts.room(m.o) {
		return "", waiting
	}
	path, out := p.write(m, kind)
	if out == refused {
		p.unwritten = append(p.unwritten, unwritten{m, kind})
	}
	return path, out
}

// gone says whether this work tree has the verdict that people removed the
// artifact of a row.
func (p *planner) gone(r manifest.Row) bool {
	return p.options.View.Gone[r.Key()] && len(p.marked[r.Key()]) == 0
}

// stands says whether this person stands for a text: the plan makes it, or they wrote or
// trusted it.
func (p *planner) stands(path string, text []byte) bool {
	planned, ok := p.files.after[path]
	return ok && bytes.Equal(planned, text) || p.options.Stands == nil || p.options.Stands(path, text)
}

func (p *planner) skip(o *observe.Observation, reason string) {
	p.plan.Skipped = append(p.plan.Skipped, Skipped{o.ID, reason})
}

func (p *planner) notice(text string) {
	p.plan.Notices = lists.With(p.plan.Notices, text)
}

func (p *planner) rendered(path string) {
	p.plan.Rendered = lists.With(p.plan.Rendered, path)
}

const removedByPeople = "people removed it; it comes back on twice the evidence"

// refusal says why an artifact that is due is not written, or nothing. row is
// that of an artifact which people removed; its zero value is no row.
func (p *planner) refusal(m material, kind knowledge.Kind, row manifest.Row) string {
	o := m.o
	switch {
	case p.requested(o), p.undone(o, kind): // a person wants it now, whatever they removed before
	case verdict.Rejected(o, p.old, p.ledger, kind) == verdict.Blocked, row.Path != "" && verdict.Rejected(o, p.old, p.ledger, kind) != verdict.Returned && o.Observations < 2*max(row.N, 1):
		return removedByPeople
	case (kind == knowledge.KindCommand || kind == knowledge.KindSkill) && p.removal(o, kind) != "": // what agents load is no draft
		o.NeedsReview = true
		p.notice(fmt.Sprintf("%q was %s, and was met twice as often since: lessons promote %s writes it again", o.Pattern, p.removal(o, kind), o.ID))
		return removedByPeople
	case kind == knowledge.KindADR && o.Recorded != observe.RecordedManual && !givesReason(m):
		return "the decision gives no reason; lessons promote " + o.ID + " writes it all the same"
	}
	shelf, ok := p.shelves[kind]
	if !ok {
		return p.obstacle(folderOf(kind))
	}
	if shelf.broken != "" {
		return shelf.broken
	}
	if why := p.obstacle(shelf.folder()); why != "" {
		return why
	}
	if p.proposed(m, kind) {
		return ""
	}
	return p.full(o, shelf)
}

// full says why no further entry may hold, or nothing.
func (p *planner) full(o *observe.Observation, shelf *shelf) string {
	active := shelf.active()
	if p.config.Ceiling <= 0 || active < p.config.Ceiling {
		return ""
	}
	o.SoftCapExceeded, o.NeedsReview = true, true
	p.notice(fmt.Sprintf("%d active %s are the most that are kept: nothing is lost, what is ready waits until some are deprecated", active, entry.Noun(shelf.kind)))
	return fmt.Sprintf("there are %d active %s already", active, entry.Noun(shelf.kind))
}

// obstacle says why nothing can be written below a folder, or nothing.
func (p *planner) obstacle(folder string) string {
	name := p.files.obstacle(folder)
	if name == "" {
		return ""
	}
	return name + " is in the way: it must be a folder of this repository, not a file or a link"
}

// requested says whether a person has just asked for exactly this observation.
func (p *planner) requested(o *observe.Observation) bool {
	return o.Recorded == observe.RecordedManual && p.named(o)
}

func (p *planner) named(o *observe.Observation) bool {
	return slices.ContainsFunc(o.Names(), func(id string) bool { return slices.Contains(p.options.Only, id) })
}

// undone says whether a person asks for an artifact that was removed in this clone
// alone, before any commit had it.
func (p *planner) undone(o *observe.Observation, kind knowledge.Kind) bool {
	return p.named(o) && verdict.Local(o, p.old, p.ledger, kind)
}

// markCrowded marks an entry that is written although many are there already.
func (p *planner) markCrowded(o *observe.Observation, s *shelf) {
	if p.config.SoftStart <= 0 || s.active() < p.config.SoftStart {
		return
	}
	o.SoftCapExceeded, o.NeedsReview = true, true
	p.notice(fmt.Sprintf("%d or more active %s: an index this long is read less; lessons deprecate those that no longer hold (%d are the most)", p.config.SoftStart, entry.Noun(s.kind), p.config.Ceiling))
}
