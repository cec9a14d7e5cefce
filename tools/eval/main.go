// Command eval measures scan on sessions in which a person marked what there is
// to learn: how much of it is found, how much of what is found is true, and
// whether the triggers fire on failing calls alone. The heuristics of the
// documents that lessons grew from stand beside it.
//
//	make eval CORPUS=DIR
//
// DIR holds labels.jsonl, and may hold negatives.jsonl, recurring.jsonl and the
// sessions in transcripts/<agent>/<project>/.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"time"

	"github.com/lessons-cli/lessons/internal/fsx"
	"github.com/lessons-cli/lessons/internal/project"
	"github.com/lessons-cli/lessons/scan"
)

func main() {
	misses := flag.Bool("misses", false, "name the events that were missed, the findings that are none, and the counterexamples")
	flag.Parse()
	log.SetFlags(0)
	if flag.NArg() != 1 || flag.Arg(0) == "" {
		log.Fatal("eval: name a labelled corpus, a folder with labels.jsonl: make eval CORPUS=DIR")
	}
	if err := evaluate(os.Stdout, flag.Arg(0), *misses); err != nil {
		log.Fatal("eval: ", err)
	}
}

func evaluate(w io.Writer, root string, misses bool) error {
	c, err := readCorpus(root)
	if err != nil {
		return err
	}
	result, err := project.Inspect(context.Background(), project.Machine{
		Env: func(string) string { return "" }, Now: time.Now, FS: fsx.OS{},
	}, project.ScanOptions{Paths: []string{c.sessions()}, DryRun: true})
	if err != nil {
		return err
	}
	ours := map[string][]finding{}
	for _, k := range result.Candidates {
		f := findingOf(c, k)
		ours[f.File] = append(ours[f.File], f)
	}
	r := &report{corpus: c, ours: ours, seeds: map[string][]finding{}, problems: len(result.Problems), unread: result.Unknown}
	for _, file := range c.labelled() {
		if r.seeds[file], err = baseline(c.path(file), file); err != nil {
			return err
		}
	}
	if r.fates, err = fatesOf(result.Log); err != nil {
		return err
	}
	if r.triggers, err = testTriggers(c, result.Candidates); err != nil {
		return err
	}
	r.score()
	r.print(w)
	if misses {
		r.details(w)
	}
	return nil
}

func findingOf(c *corpus, k scan.Candidate) finding {
	f := finding{File: c.relative(k.File), Line: k.Line, ErrorLine: noLine, Kind: kindOf(string(k.Kind)), Observation: k.Observation, Words: k.Mistake}
	if k.ErrorLine != nil {
		f.ErrorLine = *k.ErrorLine
	}
	return f
}

// agentOf and projectOf read transcripts/<agent>/<project>/<session>.
func agentOf(file string) string { return part(file, 1) }

func projectOf(file string) string { return fmt.Sprint(part(file, 1), "/", part(file, 2)) }
