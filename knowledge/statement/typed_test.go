package statement

import "testing"

// Quick typing, and rules that the next sentence calls one.
func TestTypedQuickly(t *testing.T) {
	testExamples(t, []example{
		{"pls dont squash release branches, ever", []string{"instruction!: don't squash release branches, ever"}},
		{"we dont ship sourcemaps, only stack traces", []string{"instruction!: we don't ship sourcemaps, only stack traces"}},
		{"tabs in the makefiles, spaces elsewhere. that's our house style", []string{"instruction!: tabs in the makefiles, spaces elsewhere"}},
		{"Generated clients (all of src/api) are off limits.", []string{"instruction!: Generated clients (all of src/api) are off limits"}},
		{"when you're not sure what a pin does look in docs/board.md instead of guessing", []string{"instruction!: when you're not sure what a pin does look in docs/board.md instead of guessing"}},
		{"no more singletons in the engine", []string{"instruction!: no more singletons in the engine"}},
		{"one thing in general: we write dates as ISO 8601 in logs", []string{"instruction!: we write dates as ISO 8601 in logs"}},
		{"new routes get an entry in docs/http.md, the docs rot otherwise", []string{"instruction!: new routes get an entry in docs/http.md, the docs rot otherwise"}},
		{"helm charts: images come from our mirror, not from docker.io", []string{"instruction!: helm charts: images come from our mirror, not from docker.io"}},
		{"never edit lib/legacy even if the linter complains", []string{"instruction!: never edit lib/legacy even if the linter complains"}},
		{"let's go valkey. redis changed its licence", []string{"decision: go valkey <- redis changed its licence"}},
		{"sticking w/ cmake here, bazel was slower on the mac runners", []string{"decision: sticking with cmake here <- bazel was slower on the mac runners"}},
		{"going for a 14 day retention. Nobody looked at older traces last year", []string{"decision: going for a 14 day retention <- Nobody looked at older traces last year"}},
		{"protobuf for the queue. json doubled the bill", []string{"decision: protobuf for the queue <- json doubled the bill"}},
		{"Could you write me a summary so I can paste it in the ticket", nil},
		{"my old company had a rule that every PR needs two approvals", nil},
		{"thought about it. we keep the monorepo. two repos would mean two reviews for each change", []string{"decision: we keep the monorepo <- two repos would mean two reviews for each change"}},
		{"let's go on. the build is green", nil},
	})
}
