// Command golden writes down what the built programs do: what a scan finds in
// sessions, what render writes, what hooks answer, and what reconcile says about
// a table of situations in git. Two builds that write the same files behave alike.
//
//	go run ./tools/golden -lessons bin/lessons -hook bin/lessons-hook -out DIR
//
// The output holds nothing of the machine: paths, the present time and the hash
// of the work tree's place are replaced by words.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

type folders []string

func (f *folders) String() string     { return strings.Join(*f, ",") }
func (f *folders) Set(s string) error { *f = append(*f, s); return nil }

// options are what the command line says.
type options struct {
	lessons, hook, out, repo string
	sessions, payloads       folders
	most                     int
}

func main() {
	var o options
	flag.StringVar(&o.lessons, "lessons", "bin/lessons", "the program")
	flag.StringVar(&o.hook, "hook", "bin/lessons-hook", "the program that answers hooks")
	flag.StringVar(&o.out, "out", "", "folder to write into; it must be new or empty")
	flag.StringVar(&o.repo, "repo", ".", "the source tree, for the sessions and payloads of its tests")
	flag.Var(&o.sessions, "sessions", "another folder of sessions (may be repeated)")
	flag.Var(&o.payloads, "payloads", "another folder of hook payloads, one folder an agent (may be repeated)")
	flag.IntVar(&o.most, "most", 0, "store a file of more bytes as a line of `digests`; 0: store all")
	flag.Parse()
	if err := run(o); err != nil {
		fmt.Fprintln(os.Stderr, "golden:", err)
		os.Exit(1)
	}
}

func run(o options) error {
	if o.out == "" {
		return errors.New("-out names no folder")
	}
	if old, err := os.ReadDir(o.out); err == nil && len(old) > 0 {
		return fmt.Errorf("%s is not empty", o.out)
	}
	scratch, err := os.MkdirTemp("", "golden-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(scratch)
	m, err := newMachine(scratch, o.lessons, o.hook)
	if err != nil {
		return err
	}
	out := &output{dir: o.out, most: o.most}
	work := newPool(2)
	for _, step := range []func(options, *machine, *output, *pool) error{scanSessions, answerHooks, playScripts} {
		if err := step(o, m, out, work); err != nil {
			return errors.Join(err, work.wait())
		}
	}
	if err := work.wait(); err != nil {
		return err
	}
	return out.close()
}

// nameOf names a folder of the output after a folder of the command line, by its
// last two elements.
func nameOf(folder string) string {
	folder, err := filepath.Abs(folder)
	if err != nil {
		return "sessions"
	}
	return filepath.Base(filepath.Dir(folder)) + "-" + filepath.Base(folder)
}
