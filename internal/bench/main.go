// Command bench measures lessons against the numbers it has to reach, each as a
// ratio to a yardstick in the same run, because machines are noisy.
//
//	make bench
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
}

// place is what the measurements share: programs and a scratch folder.
type place struct {
	lessons, empty, scratch string
	runs                    int
}

func main() {
	lessons := flag.String("lessons", "bin/lessons", "the program")
	runs := flag.Int("runs", 40, "how often each process is started")
	flag.Parse()
	log.SetFlags(0)
	ok, err := measure(*lessons, *runs)
	if err != nil {
		log.Fatal("bench: ", err)
	}
	if !ok {
		os.Exit(1)
	}
}

func measure(lessons string, runs int) (bool, error) {
	bin, err := filepath.Abs(lessons)
	if err != nil {
		return false, err
	}
	scratch, err := os.MkdirTemp("", "lessons-bench-")
	if err != nil {
		return false, err
	}
	defer os.RemoveAll(scratch)
	p := &place{lessons: bin, scratch: scratch, runs: runs}
	if p.empty, err = buildEmpty(scratch); err != nil {
		return false, err
	}
	w := tabwriter.NewWriter(os.Stdout, 0, 4, 2, ' ', 0)
	fmt.Fprintln(w, "what\tmeasured\tmust be\t")
	good := true
	for _, b := range benches {
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
	}
	return good, w.Flush()
}
