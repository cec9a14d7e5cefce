package config

import (
	"github.com/lessons-cli/lessons/knowledge/entry"
	"github.com/lessons-cli/lessons/knowledge/lesson"
	"github.com/lessons-cli/lessons/knowledge/observe"
	"github.com/lessons-cli/lessons/knowledge/score"
)

// ScoringMode says how the lessons of a call are found and ranked.
const (
	scoringMatch = "match" // every declared hard slot matches; by priority, confidence, id
	scoringSeed  = "seed"  // a weighted sum over a threshold
)

// Where settings are, repository-relative.
const (
	File           = ".lessons/config.json"
	devflowFile    = ".memory/learning.json"
	fileType       = "lessons/config"
	currentVersion = 1
	schemaURL      = "https://raw.githubusercontent.com/lessons-cli/lessons/main/knowledge/schema/config.json"
)

// Config holds the settings of .lessons/config.json.
type Config struct {
	Version int          `json:"version"`
	Layout  entry.Layout `json:"layout"`
	Log     string       `json:"log"` // ignored or committed

	InjectionBudgetBytes           int     `json:"injectionBudgetBytes"`
	MaxLessonsPerInjection         int     `json:"maxLessonsPerInjection"`
	MinConfidence                  float64 `json:"minConfidence"`
	MinPriority                    int     `json:"minPriority"`
	CompactionReinjectionThreshold int     `json:"compactionReinjectionThreshold"`
	MaxAction                      string  `json:"maxAction"`
	Ask                            int     `json:"ask"`     // most asks a session; 0: none
	Holdout                        int     `json:"holdout"` // sessions of a hundred that a lesson is withheld from

	AutoScanIntervalHours int                `json:"autoScanIntervalHours"`
	MaxCandidatesPerScan  int                `json:"maxCandidatesPerScan"`
	AnalyzeAfter          int                `json:"analyzeAfter"` // calls of a session
	ScoringMode           string             `json:"scoringMode"`  // ranks lessons at a call; Weights are for observations
	Weights               score.Weights      `json:"scoring"`
	Thresholds            observe.Thresholds `json:"thresholds"`

	SoftStart   int      `json:"softStart"`   // active entries from which a notice is given
	Ceiling     int      `json:"ceiling"`     // active entries at which no more are rendered
	AggregateAt int      `json:"aggregateAt"` // active lessons of one tool that make a skill; 0: never
	Batch       int      `json:"batch"`       // sessions
	BatchLarge  int      `json:"batchLarge"`  // sessions, from 15 observations on
	Publish     []string `json:"publish"`     // agents whose folders get copies of skills; empty: those found
	PublishTo   []string `json:"publishTo"`   // kinds of files to which lessons publish writes; empty: none

	// The settings below belong to a person and are never read from a repository.
	ScanPaths    []string `json:"scanPaths"`
	LearnCommand []string `json:"learnCommand"` // program and arguments, without a shell
	LearnTimeout int      `json:"learnTimeout"` // seconds that one answer may take
	Model        string   `json:"model"`
	DailyCap     int      `json:"dailyCap"`
	Debug        bool     `json:"debug"`
}

// DefaultModel is the model of the model step where a person chose none. It is
// one agent's word; the others then take their own choice.
const DefaultModel = "sonnet"

// batchLargeFrom is the number of observations from which BatchLarge holds.
const batchLargeFrom = 15

// BatchSize is how many sessions the model step waits for (seed self-learning).
func (c Config) BatchSize(observations int) int {
	if observations >= batchLargeFrom {
		return c.BatchLarge
	}
	return c.Batch
}

// Default returns the settings of a repository that sets none.
func Default() Config {
	return Config{
		Version: currentVersion, Layout: entry.LayoutBook, Log: "ignored",
		InjectionBudgetBytes: 4096, MaxLessonsPerInjection: 3, MinConfidence: 0.5, MinPriority: 1,
		CompactionReinjectionThreshold: 7, MaxAction: lesson.ActionStopOnce, Ask: 2,
		AutoScanIntervalHours: 24, MaxCandidatesPerScan: 50, AnalyzeAfter: 20, ScoringMode: scoringMatch,
		Weights: score.DefaultWeights(), Thresholds: observe.DefaultThresholds(),
		SoftStart: 50, Ceiling: 100, AggregateAt: 5, Batch: 3, BatchLarge: 5,
		Publish: []string{}, PublishTo: []string{}, ScanPaths: []string{}, LearnCommand: []string{},
		LearnTimeout: 180, Model: DefaultModel, DailyCap: 5,
	}
}
