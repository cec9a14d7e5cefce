package project

import (
	"slices"
	"time"

	"github.com/lessons-cli/lessons/internal/agent"
	"github.com/lessons-cli/lessons/internal/learn"
	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/knowledge/calls"
	"github.com/lessons-cli/lessons/knowledge/observe"
	"github.com/lessons-cli/lessons/scan"
)

// excerpts reads what happened in sessions: from their transcripts where those are still
// there, else from the call log.
type excerpts struct {
	paths map[string][]string  // of the transcripts, by session
	open  map[string]scan.File // those that are no plain files, by path
	log   map[string]*calls.Session
}

func (p *Project) excerpts(log []calls.Session) *excerpts {
	files, _, _ := p.Sessions(ScanOptions{Clients: agent.All}) // what is gone is told from the log
	x := &excerpts{
		paths: scan.SessionFiles(p.scanState(ScanOptions{})), open: lists.By(files, func(f scan.File) string { return f.Path }), log: map[string]*calls.Session{},
	}
	for i, s := range log {
		x.log[s.Name] = &log[i]
	}
	return x
}

// of are the excerpts of an observation: around the first and the last time at which it
// was seen.
func (x *excerpts) of(o *observe.Observation) []learn.Excerpt {
	var all []learn.Excerpt
	for _, at := range []time.Time{o.FirstSeen, o.LastSeen} {
		if at.IsZero() || len(all) > 0 && at.Equal(o.FirstSeen) {
			continue
		}
		if found := x.around(o.Sessions, at); len(found.Steps) > 0 {
			all = append(all, found)
		}
	}
	return all
}

// around is the excerpt of the one of some sessions that has a moment.
func (x *excerpts) around(sessions []string, at time.Time) learn.Excerpt {
	sessions = slices.DeleteFunc(slices.Clone(sessions), func(name string) bool { return x.log[name] != nil && !x.log[name].Spans(at) })
	for _, session := range sessions {
		for _, path := range x.paths[session] {
			if found := x.read(path, at); len(found.Steps) > 0 {
				return found
			}
		}
	}
	for _, session := range sessions {
		if s := x.log[session]; s != nil {
			return learn.Logged(s, at)
		}
	}
	return learn.Excerpt{}
}

func (x *excerpts) read(path string, at time.Time) learn.Excerpt {
	file, ok := x.open[path]
	if !ok {
		file = diskFile(path)
	}
	f, _, err := file.Open()
	if err != nil {
		return learn.Excerpt{}
	}
	defer f.Close()
	found, _ := learn.Around(path, f, at) // what is damaged is as good as gone
	return found
}
