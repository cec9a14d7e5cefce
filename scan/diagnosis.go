package scan

import (
	"strings"
	"sync"

	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/scan/transcript"
)

// diagnoses finds sentences in which the agent names a cause or admits a
// mistake, where something had gone wrong before. They are shown and not kept:
// what is worth keeping is the fix, which other detectors see.
type diagnoses struct{}

func (diagnoses) Kind() Kind { return SelfDiagnosis }

var diagnosis = sync.OnceValue(func() *pattern {
	return newPattern(`(?i)(?:^|[.!:\n]\s*)\W{0,4}(?:(?:ah|oh|hmm|aha|now|so|ok(?:ay)?|right|wait|actually|and|but)[\s,.!—-]+){0,3}` +
		`(?:found (?:it|the (?:issue|problem|bug|root cause|cause|culprit))\b|i (?:found|see|understand|think i found) (?:the|an?) (?:issue|problem|bug|root cause|cause|error)|` +
		`the (?:root cause|(?:real |actual |main |core )?(?:issue|problem|bug|cause|culprit)) (?:is|was|here)\b|my mistake|i (?:made (?:that|it) up|apologi[sz]e|was wrong|made (?:a|an) (?:mistake|error))|` +
		`there'?s (?:a|an|the) (?:\w+ )?(?:error|bug|mismatch|problem|issue) (?:in|with|-|—)|that (?:explains|is why)|this (?:explains|is because)|root cause:|(?:you'?re|you are) (?:absolutely )?right)`)
})

func (diagnoses) Detect(w *Window) []finding {
	now := w.Last()
	if now.Kind != transcript.Assistant {
		return nil
	}
	at := diagnosis().FindStringIndex(now.Text)
	if at == nil || strings.Count(now.Text[:at[0]], "\n") > 12 {
		return nil
	}
	wrong := w.wentWrong(now)
	if wrong == nil {
		return nil
	}
	said := sentence(strings.TrimLeft(now.Text[at[0]:], ".!:\n *_#"))
	out := finding{
		kind: SelfDiagnosis, typ: knowledge.Pitfall, origin: knowledge.OriginErrorFix,
		line: now.Line, at: now.Time, mistake: said, quotes: []string{said},
		marks: []knowledge.Mark{knowledge.MarkCausal},
	}
	if wrong.Kind != transcript.User {
		out.errorLine, out.tool = wrong.Line, wrong.Tool
	}
	return []finding{out}
}

// wentWrong returns the failure or the complaint that a statement of the agent
// can be about: nearby, in this turn, and not stated before.
func (w *Window) wentWrong(now *Step) *Step {
	n := 0
	for s := range w.before(now, now.Agent) {
		switch s.Kind {
		case transcript.Compaction:
			return nil
		case transcript.Assistant:
			if diagnosis().MatchString(s.Text) && n < 4 {
				return nil // said already
			}
		case transcript.ToolResult:
			if n++; w.judge(s) != nil {
				return s
			}
		case transcript.User, transcript.Rejection:
			if words := ownWords(s.Text); personPatterns().complaint.MatchString(words) || complains(words) {
				return s
			}
			return nil
		}
		if n > 3*lookCalls {
			return nil
		}
	}
	return nil
}
