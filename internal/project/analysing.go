package project

import (
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/internal/outcomes"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/calls"
	"github.com/lessons-cli/lessons/knowledge/observe"
	"github.com/lessons-cli/lessons/knowledge/pattern"
	"github.com/lessons-cli/lessons/knowledge/store"
	"github.com/lessons-cli/lessons/scan"
)

// patternUnfit is what a pattern lacks: that two things go together is no reason yet.
const patternUnfit = "a pattern in how calls ended: a person says whether it holds, by lessons promote"

// minPatternConfidence is from which confidence on a pattern is kept.
const minPatternConfidence = 0.7

// Analyze looks for patterns in the whole call log. What is found is kept as observations
// that bind nobody, with the sessions behind them, unless it is a dry run.
func (p *Project) Analyze(dryRun bool) (pattern.Result, error) {
	log, _, err := p.Calls()
	if err != nil {
		return pattern.Result{}, err
	}
	found := pattern.Find(log)
	if dryRun || len(found.Patterns) == 0 {
		return found, nil
	}
	return found, p.keepPatterns(found.Patterns, log)
}

func (p *Project) keepPatterns(found []pattern.Pattern, log []calls.Session) error {
	_, err := attempt(p, func(s *store.Snapshot) (struct{}, error) {
		for _, one := range found {
			if one.Confidence >= minPatternConfidence {
				p.addPattern(s, one, log)
			}
		}
		return struct{}{}, p.Store.Apply(store.Transaction{Log: s.Log})
	})
	return err
}

// addPattern adds a signal of each session behind a pattern that its observation lacks.
func (p *Project) addPattern(s *store.Snapshot, one pattern.Pattern, log []calls.Session) {
	redactor := p.Redactor()
	signal := observe.Signal{
		Type: knowledge.Procedural, Origin: observe.Origin(pattern.Source + string(one.Kind)), Unfit: patternUnfit,
		Title: redactor.Text(one.Title()), Details: redactor.Text(one.Title() + ". So said the ends of calls of past sessions (created by outcome-analyzer; tools: Bash)."),
		Marks: []observe.Mark{observe.MarkApart}, // two patterns are alike in everything but their names
	}
	known := s.Log.Get(signal.Alone().ID)
	for _, session := range log {
		if !slices.Contains(one.Sessions, session.Name) || known != nil && slices.Contains(known.Sessions, session.Name) {
			continue
		}
		signal.Session, signal.At = session.Name, time.UnixMilli(session.Start())
		s.Log.Add(signal, s.Config.Thresholds)
	}
}

// AfterScan brings the outcomes up to date with what a scan in the background read, and
// analyses where a session made enough calls since the last time. ended is the session
// that came to its end, hashed; empty: none did. The database only says when: what it
// says nothing of is analysed when a session ends.
func (p *Project) AfterScan(ended string) {
	if ended != "" {
		_ = p.takeRecords() // the next compile tries again
	}
	db, err := p.Outcomes()
	if err != nil {
		if ended != "" {
			_, _ = p.Analyze(false)
		}
		return
	}
	defer db.DB.Close()
	if p.claimBatches(db) || ended != "" {
		_, _ = p.Analyze(false) // the next one finds the same
	}
	if ended == "" {
		return
	}
	_ = db.Drop(p.nameInLog(ended))
	if db.PruneIsDue() && !p.envOff("AGENT_MEMORY_OUTCOME_PRUNE_ENABLED") {
		_, _ = db.Prune()
	}
}

// nameInLog is how the call log names a session that its agent knows by an id, hashed. It is the
// same but for Claude Code: there it follows from the first message, and the file has the id.
func (p *Project) nameInLog(session string) string {
	for name, files := range scan.SessionFiles(p.scanState(ScanOptions{})) {
		for _, file := range files {
			id := strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))
			if knowledge.SessionHash(id) == session {
				return name
			}
		}
	}
	return session
}

// claimBatches takes the batches of calls that are due for an analysis, and says whether there
// is one that has enough successes.
func (p *Project) claimBatches(db *outcomes.Store) bool {
	if p.envOff("AGENT_MEMORY_PERIODIC_ANALYSIS_ENABLED") {
		return false
	}
	after := 20
	if s, err := p.Store.Load(); err == nil {
		after = s.Config.AnalyzeAfter
	}
	sessions, err := db.Due(p.envNumber("AGENT_MEMORY_PERIODIC_ANALYSIS_THRESHOLD", after, 5))
	least := p.envNumber("AGENT_MEMORY_PERIODIC_ANALYSIS_MIN_SUCCESS", 5, 1)
	enough := false
	if err == nil {
		for _, session := range sessions {
			enough = p.claimBatch(db, session, least) || enough
		}
	}
	again, err := db.Reclaim()
	if err == nil && again != "" {
		_ = db.Finish(again)
		enough = true
	}
	return enough
}

// claimBatch takes one session's batch; false: another process has it, or too little in it worked.
func (p *Project) claimBatch(db *outcomes.Store, session string, least int) bool {
	seen, err := db.Snapshot(session)
	if err != nil {
		return false
	}
	if mine, err := db.Claim(session, seen); err != nil || !mine {
		return false
	}
	defer func() { _ = db.Finish(session) }()
	batch, err := db.List(outcomes.Query{Session: session, N: seen.Since()})
	worked := lists.Count(batch, func(o outcomes.Outcome) bool { return o.Outcome == outcomes.Success })
	return err == nil && worked >= least
}
