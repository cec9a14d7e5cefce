package project

import (
	"bytes"
	"cmp"
	"errors"
	"slices"

	"github.com/lessons-cli/lessons/internal/fsx"
	"github.com/lessons-cli/lessons/internal/inject"
	"github.com/lessons-cli/lessons/internal/jsonlines"
	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/knowledge/calls"
)

// deliveriesPath holds which lessons sessions were told: what hooks recorded, kept longer
// than the sessions' own folders. Losing it loses counts.
func (p *Project) deliveriesPath() string { return p.shared("deliveries.jsonl") }

// Deliveries are the lessons that sessions of this clone were told or would have been, in
// the order of time: those that were kept, and those that only the hooks' records have. The
// sessions have the names that they have in the log.
func (p *Project) Deliveries(log []calls.Session) ([]inject.Trace, error) {
	all, err := p.recordedCalls()
	all = worthKeeping(all, nothing)
	names := logNames(all, log)
	all = lists.Filter(all, isDelivery)
	for i := range all {
		all[i].Session = names[all[i].Session]
	}
	return all, err
}

// logNames says how the log names the sessions of records. Some agents' sessions are known
// there by their first message, so that copies are one: the calls tell which it is.
func logNames(records []inject.Trace, log []calls.Session) map[string]string {
	names, of := map[string]string{}, map[string]string{} // of: a call's session in the records
	for _, t := range records {
		names[t.Session] = t.Session
		if t.Call != "" {
			of[t.Call] = t.Session
		}
	}
	for i := range log {
		if names[log[i].Name] != "" {
			continue
		}
		for _, c := range log[i].Calls {
			if session := of[c.ID]; session != "" {
				names[session] = log[i].Name
				break
			}
		}
	}
	return names
}

func (p *Project) keptRecords() ([]inject.Trace, error) {
	data, err := p.readOwn(p.deliveriesPath())
	return inject.ParseTraces(data), err
}

func isDelivery(t inject.Trace) bool { return t.Act == inject.ActTold || t.Act == inject.ActWithheld }

// worthKeeping are the deliveries among records, a call of each such session, by which the
// log knows it, and the calls that are wanted.
func worthKeeping(all []inject.Trace, wanted func(inject.Trace) bool) []inject.Trace {
	told, named := map[string]bool{}, map[string]bool{}
	for _, t := range all {
		told[t.Session] = told[t.Session] || isDelivery(t)
	}
	return lists.Filter(all, func(t inject.Trace) bool {
		first := told[t.Session] && t.Call != "" && !named[t.Session]
		named[t.Session] = named[t.Session] || first
		return first || isDelivery(t) || t.Call != "" && wanted(t)
	})
}

func nothing(inject.Trace) bool { return false }

// lacking says which recorded calls the log lacks, as far back as outcomes are kept: their
// session still runs, or nobody can read its transcript.
func (p *Project) lacking(log []calls.Session) func(inject.Trace) bool {
	known, oldest := map[string]bool{}, p.Now().AddDate(0, 0, -p.retention().Days).UnixMilli()
	for i := range log {
		for j := range log[i].Calls {
			known[log[i].Calls[j].ID] = true
		}
	}
	return func(t inject.Trace) bool { return t.At >= oldest && !known[t.Call] }
}

// recordedCalls are the calls that hooks recorded, in the order of time.
func (p *Project) recordedCalls() ([]inject.Trace, error) {
	kept, err := p.keptRecords()
	return united(kept, inject.Recorded(p.sessionPlaces())), err
}

// united is the union of two records of deliveries: what both have counts once.
func united(a, b []inject.Trace) []inject.Trace {
	all, seen := []inject.Trace{}, map[string]bool{}
	for _, t := range slices.Concat(a, b) {
		if key := string(jsonlines.Line(t)); !seen[key] {
			seen[key] = true
			all = append(all, t)
		}
	}
	slices.SortStableFunc(all, func(a, b inject.Trace) int {
		return cmp.Or(cmp.Compare(a.At, b.At), cmp.Compare(a.Session, b.Session), cmp.Compare(a.Lesson, b.Lesson))
	})
	return all
}

// takeRecords takes over what hooks recorded of sessions, before their folders are swept:
// deliveries and calls that the call log lacks into a file of their own, how long calls took
// into the call log. Taking the same twice changes nothing.
func (p *Project) takeRecords() error {
	recorded := inject.Recorded(p.sessionPlaces())
	if len(recorded) == 0 {
		return nil
	}
	return p.locked(p.deliveriesPath()+".lock", toldWait, func() error {
		kept, err := p.keptRecords()
		if err != nil {
			return err
		}
		log, _, err := p.Calls()
		if err != nil {
			return err
		}
		before, after := jsonlines.Write(kept), jsonlines.Write(worthKeeping(united(kept, recorded), p.lacking(log)))
		if !bytes.Equal(before, after) {
			err = fsx.WriteFile(p.FS, p.deliveriesPath(), after)
		}
		return errors.Join(err, p.timeCalls(recorded, log))
	})
}

// timeCalls notes in the call log how long calls took by the agent's own word. A transcript
// tells only when a call and its result were written, and people may have been asked between.
func (p *Project) timeCalls(recorded []inject.Trace, log []calls.Session) error {
	took := map[string]int64{}
	for _, t := range recorded {
		if t.Took > 0 && t.Call != "" {
			took[t.Call] = t.Took
		}
	}
	if len(took) == 0 {
		return nil
	}
	var err error
	writer := p.newCallWriter()
	for i := range log {
		var lines []byte
		for _, c := range log[i].Calls {
			if ms := took[c.ID]; ms > 0 && ms != c.Took {
				c.Took = ms
				lines = calls.AppendLine(lines, &c)
			}
		}
		if len(lines) > 0 {
			err = errors.Join(err, writer.add(log[i].Name, lines, false))
		}
	}
	return errors.Join(err, writer.sync())
}
