// Command demo shows in a minute what lessons does, in a throw-away repository, on
// sessions that the real Claude Code recorded (testdata/demo): a mistake, its lesson,
// the stop in the next session, a deletion that stays, a merge. What it prints comes
// from the programs that it runs, and it fails where they do something else.
//
//	make demo
package main

import (
	"flag"
	"fmt"
	"log"
	"os"
	"path/filepath"
)

func main() {
	lessons := flag.String("lessons", "bin/lessons", "the program")
	data := flag.String("data", "testdata/demo", "recorded sessions and the project they were recorded in")
	keep := flag.Bool("keep", false, "keep the repository, and say where it is")
	flag.Parse()
	log.SetFlags(0)
	s, err := newSandbox(*lessons, *data)
	if err == nil {
		err = play(s)
	}
	if s != nil && (*keep || err != nil) {
		fmt.Println("\nThe repository is in", s.root)
	} else if s != nil {
		_ = os.RemoveAll(s.scratch)
	}
	if err != nil {
		log.Fatal("demo: ", err)
	}
}

// play tells the story.
func play(s *sandbox) error {
	for _, step := range []func(*sandbox) error{setUp, mistake, lesson, stop, deletion, merge} {
		if err := step(s); err != nil {
			return err
		}
	}
	return nil
}

func setUp(s *sandbox) error {
	fmt.Println("A small Go project. `lessons init` has set up hooks for the coding agent.")
	if err := s.quiet("git", "init", "-q", "-b", "main"); err != nil {
		return err
	}
	if err := s.quiet("lessons", "init", "--yes", "--agent", "claude"); err != nil {
		return err
	}
	return s.commit("Add the shop, and lessons")
}

func mistake(s *sandbox) error {
	s.title("A coding agent makes a mistake, and mends it")
	calls, err := s.session(1)
	if err != nil {
		return err
	}
	for _, c := range calls {
		s.show(c.command, c.outcome)
	}
	_, err = s.session(2)
	return err
}

func lesson(s *sandbox) error {
	s.title("When the session ends, a hook writes down what was learned")
	if err := s.quiet("lessons", "scan"); err != nil {
		return err
	}
	if err := s.run("lessons", "render"); err != nil {
		return err
	}
	file, err := s.file(".lessons/go-test-*.md")
	if err != nil {
		return err
	}
	fmt.Println("\n  Each is a Markdown file for your next pull request. One of them says:")
	if err := s.body(file); err != nil {
		return err
	}
	return s.commit("Keep what the agent learned")
}

// stop puts the calls of the third session to the hook, as Claude Code does.
func stop(s *sandbox) error {
	s.title("The next session begins to make it again, with another number")
	calls, err := s.session(3)
	if err != nil {
		return err
	}
	reason, err := s.ask(calls[0].command)
	if err != nil {
		return err
	}
	if reason == "" {
		return fmt.Errorf("the hook let the mistake pass: %s", calls[0].command)
	}
	s.show(calls[0].command, "stopped before it runs. The agent reads:")
	s.print(reason, "      ")
	reason, err = s.ask(calls[1].command)
	if err != nil {
		return err
	}
	if reason != "" {
		return fmt.Errorf("the hook stopped the right call: %s", reason)
	}
	s.show(calls[1].command, calls[1].outcome)
	return nil
}

func deletion(s *sandbox) error {
	s.title("You delete a lesson. That is a verdict, and it holds for everybody who pulls")
	file, err := s.file(".lessons/change-*.md")
	if err != nil {
		return err
	}
	if err := s.run("git", "rm", "-q", file); err != nil {
		return err
	}
	if err := s.commit("We know how to change prices"); err != nil {
		return err
	}
	if err := s.quiet("lessons", "scan", "--all"); err != nil { // the same sessions tell the same again
		return err
	}
	if err := s.run("lessons", "render"); err != nil {
		return err
	}
	if _, err := os.Stat(filepath.Join(s.root, file)); err == nil {
		return fmt.Errorf("%s came back", file)
	}
	if err := s.commit("Update what is known"); err != nil {
		return err
	}
	return s.run("lessons", "reconcile")
}

func merge(s *sandbox) error {
	s.title("Two branches write down a decision each, and merge")
	if err := s.quiet("git", "switch", "-q", "-c", "colleague"); err != nil {
		return err
	}
	if err := s.decide("Prices come from the catalog", "copies went stale"); err != nil {
		return err
	}
	if err := s.quiet("git", "switch", "-q", "main"); err != nil {
		return err
	}
	if err := s.decide("Discounts are a list", "they are combined"); err != nil {
		return err
	}
	if err := s.run("git", "merge", "-q", "--no-edit", "colleague"); err != nil {
		return err
	}
	return s.run("lessons", "index")
}
