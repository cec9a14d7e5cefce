package main

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/knowledge/config"
	"github.com/lessons-cli/lessons/knowledge/observe"
	"github.com/lessons-cli/lessons/knowledge/store"
	"github.com/lessons-cli/lessons/render"
)

// fate is how far an event came.
type fate int

const (
	lost   fate = iota // found, and not in the log
	logged             // in the log alone
	draft              // in a file that waits for a person or for more evidence
	active             // in a file that agents are shown
)

// fates says what became of observations in a repository that had nothing before.
type fates struct {
	log     *observe.Log      // after rendering
	texts   map[string][]byte // of the files, by path
	skipped map[string]string // why what was due was not written, by observation
}

func fatesOf(log *observe.Log) (fates, error) {
	plan, err := render.NewPlan(&store.Snapshot{Config: config.Default(), Log: log}, render.Options{})
	if err != nil {
		return fates{}, err
	}
	f := fates{log: plan.Log, texts: map[string][]byte{}, skipped: map[string]string{}}
	for _, c := range plan.Changes {
		f.texts[c.Path] = c.After
	}
	for _, s := range plan.Skipped {
		f.skipped[s.Observation] = s.Reason
	}
	return f, nil
}

// of says how far an observation came, and why no further.
func (f fates) of(id string) (fate, string) {
	o := f.log.Get(id)
	if o == nil {
		return lost, "it is not in the log"
	}
	path, _, _ := strings.Cut(o.ArtifactPath, "#")
	switch text := f.texts[path]; {
	case path == "":
		return logged, cmp.Or(o.Lacks(), f.skipped[o.ID], "too few sessions met it")
	case bytes.Contains(text, []byte("\nstatus: draft\n")), bytes.Contains(text, []byte("**Status**: Proposed")):
		return draft, "too few sessions met it"
	}
	return active, ""
}

// best is the fate of the finding of an event that came furthest; false: the event was not found.
func (f fates) best(l label, found []finding) (best fate, why string, ok bool) {
	for _, x := range found {
		if !l.hits(x) {
			continue
		}
		if now, reason := f.of(x.Observation); !ok || now > best {
			best, why, ok = now, reason, true
		}
	}
	return best, why, ok
}

// printFates says what becomes of the events that were found, by kind and in all.
func (r *report) printFates(w io.Writer) {
	const all = "all"
	counts, reasons := map[string][active + 1]int{}, map[string]int{}
	for _, l := range r.corpus.labels {
		best, why, ok := r.fates.best(l, r.ours[l.File])
		if !ok {
			continue
		}
		for _, kind := range []string{l.Kind, all} {
			c := counts[kind]
			c[best]++
			counts[kind] = c
		}
		if best < active {
			reasons[why]++
		}
	}
	fmt.Fprintln(w, "what becomes of the events found\tin the log alone\tdraft\tactive\tlost")
	for _, kind := range append(slices.DeleteFunc(slices.Sorted(maps.Keys(counts)), func(k string) bool { return k == all }), all) {
		c := counts[kind]
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\n", kind, c[logged], c[draft], c[active], c[lost])
	}
	fmt.Fprintln(w, "\nwhy no further\tevents")
	for _, why := range slices.SortedFunc(maps.Keys(reasons), func(a, b string) int {
		return cmp.Or(cmp.Compare(reasons[b], reasons[a]), cmp.Compare(a, b))
	}) {
		fmt.Fprintf(w, "%s\t%d\n", why, reasons[why])
	}
	fmt.Fprintln(w)
}
