// Command bench measures lessons against the numbers it has to reach, each as a
// ratio to a yardstick in the same run, because machines are noisy.
//
//	make bench
//	make bench CORPUS=folder
package main

import (
	"flag"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"text/tabwriter"
)

// row is one line of the table.
type row struct {
	what     string
	measured string
	limit    string
	holds    bool
}

// bench is one measurement.
type bench struct {
	name string
	run  func(*place) ([]row, error)
}

var benches = []bench{
	{"index", benchIndex},
	{"render", benchRender},
	{"init", benchInit},
	{"hook", benchHook},
	{"registered", benchRegistered},
	{"large", benchLarge},
	{"many", benchMany},
	{"review", benchReview},
	{"scan", benchScan},
	{"unchanged", benchUnchanged},
	{"reconcile", benchReconcile},
	{"stale", benchStale},
	{"import", benchImport},
	{"tally", benchTally},
}

// place is what the measurements share: programs and a scratch folder.
type place struct {
	lessons, empty, scratch string
	runs                    int
	corpus                  string // folder of recorded sessions; empty: the repository's own
	megabytes               int    // how much is scanned
}

func main() {
	log.SetFlags(0)
	if len(os.Args) > 2 && os.Args[1] == "-measure" {
		if err := measureProcess(os.Args[2:]); err != nil {
			log.Fatal("bench: ", err)
		}
		return
	}
	lessons := flag.String("lessons", "bin/lessons", "the program")
	runs := flag.Int("runs", 40, "how often each process is started")
	corpus := flag.String("corpus", "", "a folder with recorded sessions in transcripts/, for the scan; default: the repository's own")
	megabytes := flag.Int("mb", 0, "how much is scanned; default: 1000 of a corpus, 64 of the repository's own sessions")
	only := flag.String("only", "", "one of the benchmarks")
	flag.Parse()
	if *megabytes == 0 {
		*megabytes = defaultScanSize
		if *corpus != "" {
			*megabytes = corpusScanSize
		}
	}
	ok, err := measure(&place{lessons: *lessons, runs: *runs, corpus: *corpus, megabytes: *megabytes}, *only)
	if err != nil {
		log.Fatal("bench: ", err)
	}
	if !ok {
		os.Exit(1)
	}
}

func measure(p *place, only string) (bool, error) {
	var err error
	if p.lessons, err = filepath.Abs(p.lessons); err != nil {
		return false, err
	}
	scratch, err := os.MkdirTemp("", "lessons-bench-")
	if err != nil {
		return false, err
	}
	defer os.RemoveAll(scratch)
	p.scratch = scratch
	if p.empty, err = buildEmpty(scratch); err != nil {
		return false, err
	}
	w := tabwriter.NewWriter(os.Stdout, 0, 4, 2, ' ', 0)
	fmt.Fprintln(w, "what\tmeasured\tmust be\t")
	good := true
	for _, b := range benches {
		if only != "" && only != b.name {
			continue
		}
		rows, err := b.run(p)
		if err != nil {
			return false, fmt.Errorf("%s: %w", b.name, err)
		}
		for _, r := range rows {
			word := "holds"
			if !r.holds {
				word, good = "DOES NOT HOLD", false
			}
			fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", r.what, r.measured, r.limit, word)
		}
		if err := w.Flush(); err != nil { // who has no time for the rest has these
			return false, err
		}
	}
	return good, nil
}
