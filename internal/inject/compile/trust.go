package compile

import (
	"github.com/lessons-cli/lessons/internal/inject"
	"github.com/lessons-cli/lessons/knowledge"
)

// TrustedBy is [Options].Trust by what a person trusts: a lesson does what it
// wants to, or informs. Hash returns the content hash of a lesson's file; upstream
// says whether the file is as it is on the upstream's default branch, nil: none is.
func TrustedBy(t inject.Trust, root string, hash func(*knowledge.Lesson) string, upstream func(*knowledge.Lesson) bool) func(*knowledge.Lesson) string {
	return func(l *knowledge.Lesson) string {
		a := inject.Applicant{Hash: hash(l), Action: l.Action, Guard: requires(l), Upstream: upstream != nil && upstream(l)}
		if t.Trusts(root, a) {
			return ""
		}
		return knowledge.ActionInform
	}
}
