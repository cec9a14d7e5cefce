// Command train makes the weights by which package weigh tells what people state, and the
// list of words that are frequent, from examples: messages in which a rule and its reason
// are marked. A test of package statement measures them with messages that were held back.
//
//	go run ./tools/train
package main

import (
	"fmt"
	"log"
	"os"
	"path/filepath"
)

// Where examples and weights are, from the root of the repository.
const (
	examples = "tools/train/examples/*.jsonl"
	weights  = "knowledge/statement/weigh/weights"
	words    = "knowledge/statement/frequent"
)

func main() {
	log.SetFlags(0)
	if err := run(); err != nil {
		log.Fatal("train: ", err)
	}
}

func run() error {
	files, err := filepath.Glob(examples)
	if err != nil {
		return err
	}
	var all []*example
	for _, name := range files {
		more, err := read(name)
		if err != nil {
			return err
		}
		all = append(all, more...)
	}
	if err := os.WriteFile(words, []byte(frequent(all)), 0o644); err != nil {
		return err
	}
	m := train(all)
	if err := os.WriteFile(weights, []byte(m.Rows()), 0o644); err != nil {
		return err
	}
	fmt.Printf("%d examples, %d features\n", len(all), m.Features())
	return nil
}
