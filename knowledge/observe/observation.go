// Package observe joins what sessions say to observations and keeps them in the log.
package observe

import (
	"bytes"
	"slices"
	"time"

	"github.com/lessons-cli/lessons/internal/automata"
	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/internal/redact"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/fingerprint"
	"github.com/lessons-cli/lessons/knowledge/internal/fields"
	"github.com/lessons-cli/lessons/knowledge/internal/ordered"
	"github.com/lessons-cli/lessons/knowledge/lesson"
)

// Observation is evidence from sessions, one JSON object a line in the log. Fields
// that are not known here survive in the log's raw bytes.
type Observation struct {
	ID              string         `json:"id"`
	Type            knowledge.Type `json:"type"`
	Pattern         string         `json:"pattern"`
	Details         string         `json:"details"`
	Evidence        []string       `json:"evidence"`
	Observations    int            `json:"observations"`
	Confidence      float64        `json:"confidence"`
	FirstSeen       time.Time      `json:"first_seen"`
	LastSeen        time.Time      `json:"last_seen"`
	Status          Status         `json:"status"`
	QualityOK       bool           `json:"quality_ok"`
	Unfit           string         `json:"unfit,omitempty"` // what the words lack, where the quality does not do
	ArtifactPath    string         `json:"artifact_path,omitempty"`
	NeedsReview     bool           `json:"needsReview,omitempty"`
	MayBeStale      bool           `json:"mayBeStale,omitempty"`
	StaleReason     string         `json:"staleReason,omitempty"`
	SoftCapExceeded bool           `json:"softCapExceeded,omitempty"`
	DeprecatedAt    string         `json:"deprecated_at,omitempty"`

	Sessions []string `json:"sessions,omitempty"` // hash prefixes, sorted, a set
	Against  []string `json:"against,omitempty"`  // likewise: of sessions with a counterexample
	Aliases  []string `json:"aliases,omitempty"`  // ids of cluster members that were folded in, sorted
	Keys     []string `json:"keys,omitempty"`     // content keys of cluster members that differ from its own, sorted
	// Shapes is what near-duplicates of the members are known by, Fingerprints the
	// kinds of failure that were seen ("fp1:…"). Both are sorted sets.
	Shapes       []string `json:"shapes,omitempty"`
	Fingerprints []string `json:"fingerprints,omitempty"`
	// TakenBack are the sessions whose report the agent cancelled. They stay, so
	// that scanning an older copy of such a session does not bring it back.
	TakenBack []string        `json:"takenBack,omitempty"`
	Trigger   *lesson.Trigger `json:"trigger,omitempty"`
	Examples  lesson.Examples `json:"examples,omitempty"` // of the trigger
	Mistake   string          `json:"mistake,omitempty"`
	Fix       string          `json:"fix,omitempty"`
	Others    []Pair          `json:"others,omitempty"` // what members told beside mistake and fix, sorted, a set
	Tags      []string        `json:"tags,omitempty"`   // category:value, sorted, a set
	Origin    Origin          `json:"origin,omitempty"`
	Marks     []Mark          `json:"marks,omitempty"`    // what was seen of it, sorted, a set: input to the scores
	Projects  int             `json:"projects,omitempty"` // distinct projects that met it, as known here
	Priority  int             `json:"priority,omitempty"`
	// Kind, Level and Items are what a block or a person declared; empty: infer.
	Kind  lesson.Kind  `json:"kind,omitempty"`
	Level lesson.Level `json:"level,omitempty"`
	Items []string     `json:"items,omitempty"`
	// Action is what a person wants done at such calls, Passed are the commands that have
	// to pass before one; empty: as lessons do.
	Action string   `json:"action,omitempty"`
	Passed []string `json:"passed,omitempty"`
	// Recorded is "manual" when a person promoted it whatever the count.
	Recorded string `json:"recorded,omitempty"`
	// Phrased are a model's words, by the words that they stand for, sorted.
	Phrased []Phrasing `json:"phrased,omitempty"`
}

// Met is in how many sessions it was met, as far as the log tells.
func (o *Observation) Met() int { return max(o.Observations, len(o.Sessions)) }

// Names are the ids under which the observation is known, and may have been rendered.
func (o *Observation) Names() []string { return append([]string{o.ID}, o.Aliases...) }

// FailedBefore ends the sentence about a failure whose error stands beside it.
const FailedBefore = " failed here before."

// Pair is what went wrong and what mended it, in the words of one session, and the
// call at which to tell it.
type Pair struct {
	Mistake string          `json:"mistake,omitempty"`
	Fix     string          `json:"fix,omitempty"`
	Trigger *lesson.Trigger `json:"trigger,omitempty"`
}

// Pairs returns everything that members told, its own words first.
func (o *Observation) Pairs() []Pair {
	return append([]Pair{o.own()}, o.Others...)
}

func (o *Observation) own() Pair { return Pair{o.Mistake, o.Fix, o.Trigger} }

// Fixes are the words for what mended it, one of each member.
func (o *Observation) Fixes() []string {
	return lists.Map(o.Pairs(), func(p Pair) string { return p.Fix })
}

// maxCommands is how many commands of members one trigger takes in.
const maxCommands = 4

// Delivery is the trigger by which a lesson of the observation reaches an agent: the
// one of its own words, or of a member's where that names no call. Who tells a thing
// best, and who met the call, may be two. It takes in the commands of members that
// differ from its own in the values of flags alone. Where none was found it is the one
// that a model chose for the present words.
func (o *Observation) Delivery() *lesson.Trigger {
	if o.Type == knowledge.Decision {
		return o.Trigger
	}
	pairs := o.Pairs()
	i := slices.IndexFunc(pairs, func(p Pair) bool {
		return p.Trigger != nil && len(p.Trigger.Commands)+len(p.Trigger.CommandPatterns)+len(p.Trigger.Paths) > 0
	})
	if i < 0 {
		if p, ok := o.Phrasing(); ok && p.QualityOK && p.Trigger != nil {
			return p.Trigger
		}
		return o.Trigger
	}
	all := pairs[i].Trigger.Clone()
	for _, p := range pairs[i+1:] {
		if p.Trigger != nil && bytes.Equal(withoutValues(all), withoutValues(p.Trigger)) {
			all.Commands = append(all.Commands, ordered.Without(p.Trigger.Commands, all.Commands)...)
		}
	}
	if len(all.Commands) > max(maxCommands, len(pairs[i].Trigger.Commands)) {
		return pairs[i].Trigger
	}
	return all
}

var flagValue = automata.Lazily(`=\S+`)

// withoutValues is what of a trigger is the same whatever values its flags have.
func withoutValues(t *lesson.Trigger) []byte {
	masked := *t
	masked.Commands = nil
	masked.Commands = append(masked.Commands, lists.Map(t.Commands, func(c string) string { return flagValue().ReplaceAllString(c, "=") })...)
	masked.Commands = ordered.Set(masked.Commands)
	return fields.JSON(masked)
}

// Seen is the evidence that an artifact of the observation carries: none where a person
// wrote it down and no session met it.
func (o *Observation) Seen() lesson.Seen {
	if o.Origin == OriginManual && len(o.Sessions) == 0 {
		return lesson.Seen{Against: o.Against}.Join(lesson.Seen{})
	}
	return lesson.Seen{
		Sessions: o.Met(), Hashes: ordered.Set(o.Sessions), Against: o.Against,
		First: o.FirstSeen.UTC().Truncate(time.Second), Last: o.LastSeen.UTC().Truncate(time.Second), // what JSON keeps
	}.Join(lesson.Seen{})
}

// Mark is one boolean fact about an observation that the PRD's scores use.
type Mark string

const (
	MarkSelfReport     Mark = "self-report"     // well-formed #lesson
	MarkBlock          Mark = "block"           // complete [PROCESS_KNOWLEDGE]
	MarkErrorFix       Mark = "error-fix"       // tool error, fix, success
	MarkUserCorrection Mark = "user-correction" // the user corrected the agent
	MarkFixConfirmed   Mark = "fix-confirmed"   // the fix was followed by success
	MarkHang           Mark = "hang"            // hang or time-out
	MarkDataLoss       Mark = "data-loss"       // data loss or silent failure
	MarkCausal         Mark = "causal"          // "because", "root cause", "the issue is"
	MarkRetryLoop      Mark = "retry-loop"
	MarkRule           Mark = "rule"     // a rule of a linter or compiler was broken
	MarkCompiler       Mark = "compiler" // it is a compiler's: mostly the work at hand
	MarkFirst          Mark = "first"    // the fix is what has to run first
	MarkRepeated       Mark = "repeated" // made again although its lesson existed
	MarkManual         Mark = "manual"
	MarkApart          Mark = "apart"  // a person keeps it beside something similar: it is known by all its words alone
	MarkStated         Mark = "stated" // a person said it as a rule or a choice that holds for later
)

// IsRule says whether it is about a rule of a linter or compiler.
func (o *Observation) IsRule() bool { return slices.Contains(o.Marks, MarkRule) }

// Instructs says whether a person said it as a standing instruction, or objected in a way
// that a model reads as one. It is one lesson, with or without a trigger.
func (o *Observation) Instructs() bool {
	p, ok := o.Phrasing()
	read := ok && p.QualityOK && p.Nature == Instruction && slices.Contains(o.Marks, MarkUserCorrection)
	return o.Type == knowledge.Pitfall && (read || o.Kind == lesson.Requirement && slices.Contains(o.Marks, MarkStated))
}

// Signal is what one session (or one person) contributes to an observation.
// Its texts are redacted by type. Joining signals is commutative and
// idempotent, so any order and any repetition of scans gives the same log.
type Signal struct {
	Type      knowledge.Type
	Origin    Origin
	Session   string // hash prefix of the session id; never the id itself
	At        time.Time
	Title     redact.Text // becomes the pattern
	Details   redact.Text // "context: …; decision: …; rationale: …" or "area: …; issue: …; impact: …; resolution: …"
	Mistake   redact.Text
	Fix       redact.Text
	Evidence  []redact.Text   // quotes
	Trigger   *lesson.Trigger // redacted by the producer through the same Redactor
	Examples  lesson.Examples // of the trigger; redacted likewise
	Tags      []string
	Marks     []Mark
	QualityOK bool
	Unfit     string               // why the quality does not do
	Failure   *fingerprint.Failure // of a call that failed
	Projects  int                  // that met the trigger, as known here; below 2: not told
	TakenBack bool                 // the session cancelled it
	// Kind, Level and Items are declared by [PROCESS_KNOWLEDGE] blocks and by
	// people; zero values mean "infer".
	Kind  lesson.Kind
	Level lesson.Level
	Items []redact.Text
	// Action and Passed are a person's, see [Observation].
	Action string
	Passed []string
}

// Status is the state of an observation.
type Status string

const (
	Observing  Status = "observing"
	Ready      Status = "ready"
	Created    Status = "created"
	Deprecated Status = "deprecated"
)

// Origin is how an observation was found.
type Origin string

const (
	OriginSelfReport     Origin = "self-report"
	OriginBlock          Origin = "block"
	OriginNote           Origin = "note"
	OriginErrorFix       Origin = "error-fix"
	OriginUserCorrection Origin = "user-correction"
	OriginRetry          Origin = "retry"
	OriginHang           Origin = "hang"
	OriginDecision       Origin = "decision"
	OriginManual         Origin = "manual"
	OriginLLM            Origin = "llm"
	OriginOutcome        Origin = "outcome"
	OriginBestPractice   Origin = "pattern:best_practice"
	OriginRecovery       Origin = "pattern:recovery"
	OriginSequence       Origin = "pattern:sequence"
	OriginEfficiency     Origin = "pattern:efficiency"
)
