package gitstate

import (
	"context"
	"errors"
	"strings"

	"github.com/lessons-cli/lessons/internal/gitstate/gitdir"
)

// reader answers questions about objects with long-lived cat-file processes.
type reader struct {
	program *program
	stamp   func() string // of the index file: a process reads the index once
	running map[string]*catFile
	legacy  bool // git before 2.36: two processes, one for headers, one for contents
	deaths  int  // by objects asked for by id
}

// maxDeaths is how often an object may kill the process before no more of its
// kind are asked for.
const maxDeaths = 3

// objects answers each name in order. An object that kills the process, because
// it is damaged or would have to be fetched (before git 2.45), is missing; the
// others are still answered.
func (r *reader) objects(ctx context.Context, names []string, contents bool) ([]Object, error) {
	all := make([]Object, len(names))
	var asked []int // what git is asked
	for i, name := range names {
		all[i] = Object{Name: name, Missing: true}
		switch {
		case name == "", strings.ContainsAny(name, "\n\x00"), gitdir.IsOID(name) && r.deaths >= maxDeaths:
		default:
			asked = append(asked, i)
		}
	}
	for deaths := 0; len(asked) > 0; {
		now := asked[:min(len(asked), flushEvery)]
		got, err := r.askProcess(ctx, all, now, contents)
		asked = asked[got:]
		if err == nil {
			continue
		}
		if !errors.Is(err, errDied) {
			return nil, err
		}
		if deaths++; gitdir.IsOID(names[asked[0]]) {
			r.deaths++
		}
		if asked = asked[1:]; deaths == maxDeaths {
			break
		}
	}
	return all, nil
}

// askProcess asks one process for the names at the given places and returns how many
// it answered.
func (r *reader) askProcess(ctx context.Context, all []Object, places []int, contents bool) (int, error) {
	names := make([]string, len(places))
	index := false
	for i, p := range places {
		names[i] = all[p].Name
		index = index || strings.HasPrefix(names[i], ":")
	}
	c, err := r.process(contents, index)
	if err != nil {
		return 0, err
	}
	answers := make([]Object, len(names))
	n, err := c.ask(ctx, names, contents, answers)
	for i, o := range answers[:n] {
		all[places[i]] = o
	}
	if err == nil {
		return n, nil
	}
	r.drop(c)
	if exited(err, 129) && c.commands() { // usage: an older git
		r.legacy = true
		return 0, nil
	}
	return n, err
}

// process returns a running process for the question, a new one if the index
// has changed since the old one read it.
func (r *reader) process(contents, index bool) (*catFile, error) {
	args := batchCommand
	switch {
	case r.legacy && contents:
		args = []string{"cat-file", "--batch"}
	case r.legacy:
		args = []string{"cat-file", "--batch-check"}
	}
	c := r.running[args[1]]
	now := ""
	if index {
		now = r.stamp()
	}
	if c != nil && index && c.sawIndex != "" && c.sawIndex != now {
		r.drop(c)
		c = nil
	}
	if c == nil {
		var err error
		if c, err = startCatFile(r.program, args); err != nil {
			return nil, err
		}
		if r.running == nil {
			r.running = map[string]*catFile{}
		}
		r.running[args[1]] = c
	}
	if index && c.sawIndex == "" {
		c.sawIndex = now
	}
	return c, nil
}

func (r *reader) drop(c *catFile) {
	c.close()
	delete(r.running, c.args[1])
}

func (r *reader) close() {
	for _, c := range r.running {
		r.drop(c)
	}
}
