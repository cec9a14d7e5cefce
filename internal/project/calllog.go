package project

import (
	"bytes"
	"errors"
	"io/fs"
	"path/filepath"

	"github.com/lessons-cli/lessons/internal/fsx"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/calls"
)

// callsDir holds the call log: one file a session. All work trees of the clone share it.
func (p *Project) callsDir() string { return filepath.Join(p.Store.Places.Shared, "calls") }

// maxCallFile is how large a session's file may be, in bytes.
const maxCallFile = 64 << 20

// storeCalls unites the calls of a session with those that the log has. Two scans that
// begin a file at once leave both their lines, which are one set when they are read.
func (p *Project) storeCalls(session string, fresh []calls.Call) error {
	name := session + calls.Extension
	path := filepath.Join(p.callsDir(), name)
	begun := calls.Encode(calls.Merge(nil, fresh))
	data, err := fsx.ReadBelow(p.FS, p.callsDir(), name, maxCallFile)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fsx.Append(p.FS, path, begun)
	case err != nil:
		return err
	case bytes.Equal(data, begun): // a copy of the session
		return nil
	}
	old, _ := calls.Parse(name, data)
	return fsx.WriteFile(p.FS, path, calls.Encode(calls.Merge(old.Calls, fresh)))
}

func (p *Project) readCalls(name string) (calls.Session, []knowledge.Problem, error) {
	data, err := fsx.ReadBelow(p.FS, p.callsDir(), name, maxCallFile)
	if err != nil {
		return calls.Session{}, nil, err
	}
	s, problems := calls.Parse(name, data)
	return s, problems, nil
}

// Calls returns the call log, in the order in which the sessions began.
func (p *Project) Calls() ([]calls.Session, []knowledge.Problem, error) {
	entries, err := p.FS.ReadDir(p.callsDir())
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, err
	}
	var all []calls.Session
	var problems []knowledge.Problem
	for _, e := range entries {
		if filepath.Ext(e.Name()) != calls.Extension {
			continue
		}
		s, bad, err := p.readCalls(e.Name())
		if err != nil {
			bad = append(bad, knowledge.Problem{Path: filepath.Join(p.callsDir(), e.Name()), Rule: "call-log", Text: "This file of the call log cannot be read: " + err.Error() + "."})
		}
		all, problems = append(all, s), append(problems, bad...)
	}
	calls.Sort(all)
	return all, problems, nil
}

// callSink takes the calls of a scan; a dry run keeps none.
func (p *Project) callSink(o ScanOptions) func(string, []calls.Call) error {
	if o.DryRun {
		return nil
	}
	return p.storeCalls
}
