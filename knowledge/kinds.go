package knowledge

// Type is what an observation is about (seed self-learning, "Observation
// Types"). It decides which artifact the observation is rendered to.
type Type string

const (
	Workflow   Type = "workflow"   // a slash command
	Procedural Type = "procedural" // a skill
	Decision   Type = "decision"   // an ADR entry
	Pitfall    Type = "pitfall"    // a PF entry
)

// Kind is the kind of an artifact. Together with the observation id it is the
// identity of a rendered artifact: one observation may have several artifacts.
type Kind string

const (
	KindCommand Kind = "command"
	KindSkill   Kind = "skill"
	KindADR     Kind = "adr"
	KindPF      Kind = "pf"
	KindLesson  Kind = "lesson"
)

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
	OriginErrorFix       Origin = "error-fix"
	OriginUserCorrection Origin = "user-correction"
	OriginRetry          Origin = "retry"
	OriginHang           Origin = "hang"
	OriginDecision       Origin = "decision"
	OriginManual         Origin = "manual"
	OriginLLM            Origin = "llm"
	OriginOutcome        Origin = "outcome"
)

// Problem is something wrong in a stored file. Reading goes on behind it.
type Problem struct {
	Path string `json:"path"`           // repository-relative, or absolute outside of the work tree
	Line int    `json:"line,omitempty"` // 1-based; 0: the whole file
	Rule string `json:"rule"`           // a stable short name, such as "log-line"
	Text string `json:"text"`           // one sentence for a person
}
