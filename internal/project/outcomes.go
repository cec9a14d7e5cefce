package project

import (
	"cmp"
	"context"
	"errors"
	"path/filepath"
	"strconv"
	"time"

	"github.com/oklog/ulid/v2"

	"github.com/lessons-cli/lessons/internal/agent"
	"github.com/lessons-cli/lessons/internal/database"
	"github.com/lessons-cli/lessons/internal/fsx"
	"github.com/lessons-cli/lessons/internal/inject"
	"github.com/lessons-cli/lessons/internal/outcomes"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/calls"
)

// DatabasePath is the database that is made of the call log. All work trees of the clone
// share it; it may be deleted at any time.
func (p *Project) DatabasePath() string { return p.shared("outcomes.db") }

// Outcomes opens the database of how calls ended, up to date with the call log. The
// caller closes it.
func (p *Project) Outcomes() (*outcomes.Store, error) {
	db, err := database.Open(p.DatabasePath())
	if err != nil {
		return nil, err
	}
	s := &outcomes.Store{DB: db, Project: knowledge.Digest("", 12, "project", p.Store.Places.Shared), Now: p.Now, Keep: p.retention()}
	files, err := p.callFiles()
	if err == nil && !db.ReadOnly {
		err = errors.Join(s.Ingest(files), p.recordOutcomes(s))
	}
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return s, nil
}

// recordOutcomes adds the calls of which hooks alone know.
func (p *Project) recordOutcomes(s *outcomes.Store) error {
	recorded, err := p.recordedCalls()
	if err != nil {
		return err
	}
	return s.Record(recorded, p.Redactor(), func(t inject.Trace) *calls.Failure {
		if t.In+t.Out == "" {
			return nil
		}
		failure, err := p.failure(context.Background(), agent.Call{Tool: t.Tool, Command: t.In, Paths: t.Paths}, t.Out)
		if err != nil {
			return nil // it failed all the same
		}
		return failure
	})
}

// retention is how long outcomes are kept: as the environment says, else as usual.
func (p *Project) retention() outcomes.Retention {
	keep := outcomes.DefaultRetention
	keep.Days = p.envNumber("AGENT_MEMORY_OUTCOME_RETENTION_DAYS", keep.Days, 1)
	keep.Rows = p.envNumber("AGENT_MEMORY_OUTCOME_MAX_PER_PROJECT", keep.Rows, 1)
	return keep
}

// envNumber is a number of the environment that is at least so large, else usual.
func (m Machine) envNumber(name string, usual, least int) int {
	if n, err := strconv.Atoi(m.Env(name)); err == nil && n >= least {
		return n
	}
	return usual
}

// envOff says whether the environment turns something off.
func (m Machine) envOff(name string) bool {
	on, err := strconv.ParseBool(cmp.Or(m.Env(name), "true"))
	return err == nil && !on
}

// callFiles lists the files of the call log.
func (p *Project) callFiles() ([]outcomes.File, error) {
	entries, err := p.callEntries()
	var files []outcomes.File
	for _, e := range entries {
		info, gone := e.Info()
		if gone != nil {
			continue
		}
		files = append(files, outcomes.File{
			Name: e.Name(), Size: info.Size(), Modified: info.ModTime().UnixNano(),
			Read: func() (calls.Session, error) {
				s, _, err := p.readCalls(e.Name())
				return s, err
			},
		})
	}
	return files, err
}

// ToolOutcome is the outcome of a call as somebody tells it who keeps no transcript.
type ToolOutcome struct {
	Session string // as the agent names it
	Tool    string
	Outcome outcomes.Result
	Kind    string // of a failure
	Input   string
	Output  string
	Took    time.Duration
}

// ErrTold says that an outcome lacks what every outcome has.
var ErrTold = errors.New("an outcome needs a session, a tool, and one of success, failure, partial")

// RecordOutcome adds a call to the call log, and returns its id. When it returns, the
// call is durable. Texts are redacted before they are cut.
func (p *Project) RecordOutcome(ctx context.Context, t ToolOutcome) (string, error) {
	c := calls.Call{ID: ulid.Make().String(), At: p.Now().UnixMilli(), Took: t.Took.Milliseconds(), Bytes: len(t.Output), Tool: t.Tool, Outcome: calls.OK}
	input, output, kind := p.Redactor().Text(t.Input), p.Redactor().Text(t.Output), p.Redactor().Text(t.Kind)
	c.Input, c.Out = input.Cut(maxTold).String(), output.Cut(maxTold).String()
	switch {
	case t.Session == "" || t.Tool == "":
		return "", ErrTold
	case t.Outcome == outcomes.Failure:
		c.Outcome = calls.Failed
		failure, err := p.failure(ctx, agent.Call{Tool: t.Tool, Command: input.String()}, output.String())
		if err != nil {
			return "", err
		}
		if c.Failure = failure; failure == nil {
			c.Failure = &calls.Failure{Line: output.Cut(maxTold).String()}
		}
		c.Failure.Class = cmp.Or(kind.Cut(maxTold).String(), c.Failure.Class)
	case t.Outcome == outcomes.Partial:
		c.Warned = true
	case t.Outcome != outcomes.Success:
		return "", ErrTold
	}
	session := knowledge.SessionHash(t.Session)
	if err := fsx.MkdirAll(p.FS, p.callsDir()); err != nil {
		return "", err
	}
	return outcomes.IDOf(session, c.ID), p.locked(p.shared("calls.lock"), toldWait, func() error {
		return fsx.Append(p.FS, filepath.Join(p.callsDir(), session+calls.Extension), calls.AppendLine(nil, &c))
	})
}

// How long a told text may be, in bytes, and how long a process waits for others that tell.
const (
	maxTold  = 600
	toldWait = time.Minute
)
