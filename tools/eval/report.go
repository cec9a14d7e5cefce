package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"
)

// report is everything that is printed.
type report struct {
	corpus      *corpus
	ours, seeds map[string][]finding // by session
	triggers    triggerTests
	fates       fates
	problems    int // lines and files that scan could not read
	unread      int // files in no known format

	files               []string // labelled sessions
	ourScore, seedScore []tally  // one a session, in the order of files
}

func (r *report) score() {
	r.files = r.corpus.labelled()
	for _, file := range r.files {
		r.ourScore = append(r.ourScore, r.corpus.scoreFile(file, r.ours[file]))
		r.seedScore = append(r.seedScore, r.corpus.scoreFile(file, r.seeds[file]))
	}
}

// row is a line of the main table.
type row struct {
	name string
	pick func(tally) share
}

func recallOf(kind string) func(tally) share {
	return func(t tally) share { return t.recall[kind] }
}

func precisionOf(kind string) func(tally) share {
	return func(t tally) share { return t.precision[kind] }
}

func (r *report) rows() []row {
	total := sum(r.ourScore)
	var rows []row
	for _, kind := range slices.Sorted(maps.Keys(total.recall)) {
		if kind != toolErrors {
			rows = append(rows, row{"recall: " + kind, recallOf(kind)})
		}
	}
	return append(rows,
		row{"recall: all four kinds of tool errors", recallOf(toolErrors)},
		row{"recall: all", func(t tally) share { return t.all }},
		row{"recall: worth a lesson", func(t tally) share { return t.worth }},
		row{"precision: tool errors", precisionOf(toolErrors)},
		row{"precision: user_correction", precisionOf("user_correction")},
		row{"precision: decision (labels not complete)", precisionOf("decision")},
		row{"precision: workflow (labels not complete)", precisionOf("workflow")},
		row{"negative ranges hit", func(t tally) share { return t.negatives }},
	)
}

func (r *report) print(w io.Writer) {
	fmt.Fprintf(w, "%d labelled sessions, %d events, %d negative ranges; files in no known format: %d, problems: %d\n", len(r.files), len(r.corpus.labels), len(r.corpus.negatives), r.unread, r.problems)
	fmt.Fprintf(w, "95 %%: percentile bootstrap over the %d sessions; Wilson's interval over the events where all sessions agree. So few sessions leave much open.\n\n", len(r.files))
	t := tabwriter.NewWriter(w, 0, 4, 2, ' ', 0)
	fmt.Fprintln(t, "\tlessons\t\t95 %\tseeds' heuristics\t\t95 %")
	ours, seeds := sum(r.ourScore), sum(r.seedScore)
	for _, row := range r.rows() {
		fmt.Fprintf(t, "%s\t%s\t%s\n", row.name, cells(row.pick(ours), bootstrap(r.ourScore, row.pick)), cells(row.pick(seeds), bootstrap(r.seedScore, row.pick)))
	}
	fmt.Fprintln(t)
	r.slices(t, "agent", agentOf)
	r.slices(t, "project", projectOf)
	r.printFates(t)
	r.printTriggers(t)
	r.printGroups(t)
	t.Flush()
}

func cells(s share, i interval) string {
	if s.of == 0 {
		return "-\t\t"
	}
	return fmt.Sprintf("%d/%d\t%.2f\t%.2f-%.2f", s.n, s.of, s.value(), i.low, i.high)
}

// slices prints a row for each agent or project.
func (r *report) slices(w io.Writer, what string, of func(string) string) {
	fmt.Fprintf(w, "by %s\tsessions\trecall: all\tworth a lesson\tprecision: tool errors\tprecision: user_correction\tnegatives hit\n", what)
	byName := map[string][]tally{}
	for i, file := range r.files {
		byName[of(file)] = append(byName[of(file)], r.ourScore[i])
	}
	for _, name := range slices.Sorted(maps.Keys(byName)) {
		s := sum(byName[name])
		fmt.Fprintf(w, "%s\t%d\t%s\t%s\t%s\t%s\t%s\n", name, len(byName[name]), s.all, s.worth, s.precision[toolErrors], s.precision["user_correction"], s.negatives)
	}
	fmt.Fprintln(w)
}

func (s share) String() string {
	if s.of == 0 {
		return "-"
	}
	return fmt.Sprintf("%d/%d %.2f", s.n, s.of, s.value())
}

func (r *report) printTriggers(w io.Writer) {
	var fires share
	quiet, silent := 0, 0
	for _, t := range r.triggers.tests {
		fires = fires.plus(share{len(t.stopped), len(t.stopped) + len(t.wrong)})
		if len(t.wrong) == 0 {
			quiet++
		}
		if len(t.stopped) == 0 {
			silent++
		}
	}
	fmt.Fprintf(w, "triggers on commands\t%d\n", len(r.triggers.tests))
	fmt.Fprintf(w, "of their matches over %d commands, on failing calls\t%s\n", r.triggers.commands, fires)
	fmt.Fprintf(w, "counterexamples: matches on calls that succeeded\t%d\n", fires.of-fires.n)
	fmt.Fprintf(w, "triggers without a counterexample\t%s\n", share{quiet, len(r.triggers.tests)})
	fmt.Fprintf(w, "triggers that fire on no failing call\t%d\n\n", silent)
}

// printGroups says for each lesson that several events teach how many of the
// events one observation holds.
func (r *report) printGroups(w io.Writer) {
	if len(r.corpus.groups) == 0 {
		return
	}
	fmt.Fprintln(w, "one lesson from several places\tevents\tfound\tin one observation")
	whole := share{}
	for _, g := range r.corpus.groups {
		found, most := r.gathered(g)
		whole.count(most == len(g.Events))
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\n", g.Name, len(g.Events), found, most)
	}
	fmt.Fprintf(w, "groups that are one observation\t%s\n", whole)
}

// gathered counts a group's events that any finding is near to, and those that
// the observation with the most of them holds.
func (r *report) gathered(g group) (found, most int) {
	held := map[string]int{}
	for _, e := range g.Events {
		near := map[string]bool{}
		for _, f := range r.ours[e.file] {
			if f.near(e.file, e.line) {
				near[f.Observation] = true
			}
		}
		if len(near) > 0 {
			found++
		}
		for id := range near {
			if id != "" {
				held[id]++
				most = max(most, held[id])
			}
		}
	}
	return found, most
}

// details names what the numbers count.
func (r *report) details(w io.Writer) {
	fmt.Fprintln(w)
	for _, l := range r.corpus.labels {
		if !l.among(r.ours[l.File]) {
			fmt.Fprintf(w, "missed %s:%d %s: %.90s\n", l.File, l.Line, l.Kind, oneLine(l.Words))
		}
	}
	for _, file := range r.files {
		var labels []label
		for _, l := range r.corpus.labels {
			if l.File == file {
				labels = append(labels, l)
			}
		}
		for _, f := range r.ours[file] {
			if !f.among(labels) {
				fmt.Fprintf(w, "no event %s:%d %s: %.90s\n", file, f.Line, f.Kind, oneLine(f.Words))
			}
		}
	}
	for _, t := range r.triggers.tests {
		for _, call := range t.wrong {
			fmt.Fprintf(w, "counterexample %s:%d %q fires on %.90q\n", call.file, call.line, t.trigger.Commands, call.command)
		}
	}
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
