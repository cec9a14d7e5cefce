package scan

import (
	"fmt"
	"testing"
)

func TestRoutines(t *testing.T) {
	describe := func(f finding) string { return fmt.Sprintf("%d %s", f.line, f.title) }
	testDetector(t, routines{}, describe, []detectorCase{
		{"three requests", story{user("run the tests"), says("Green."), user("commit this"), says("Done."), user("push it please")}, []string{"5 Run tests, commit, push"}},
		{"other words", story{user("ok, run the whole suite"), user("great, thanks"), user("commit"), user("now push")}, []string{"4 Run tests, commit, push"}},
		{"two at once", story{user("build it"), user("commit and push")}, []string{"2 Build, commit, push"}},
		{"all at once", story{user("commit, push and open a pull request")}, []string{"1 Commit, push, open a pull request"}},
		{"a sequence moves on", story{user("lint"), user("commit"), user("push"), user("open a pr")}, []string{"3 Lint, commit, push", "4 Commit, push, open a pull request"}},

		{"two requests", story{user("commit"), user("push")}, nil},
		{"the same again", story{user("run the tests"), user("run the tests"), user("run the tests again")}, nil},
		{"work in between", story{user("run the tests"), user("now the parser should keep comments"), user("commit"), user("push")}, nil},
		{"a description is the other's", story{user("first run the linter, then run the tests, and finally push")}, nil},
		{"questions", story{user("did you run the tests?"), user("did you commit?"), user("did you push?")}, nil},
		{"work on one thing", story{user("fix the tests in api"), user("commit message is too long"), user("push notifications do not arrive")}, nil},
	})
}

// The same way of working has one title, so that sessions count together.
func TestOneWayOfWorkingHasOneTitle(t *testing.T) {
	for _, same := range [][]story{
		{
			{user("Write the tests first. After implementing the feature, make sure all tests pass.")},
			{user("start with failing tests, then implement it, then run the suite")},
			{user("1. add tests\n2. implement\n3. run all tests")},
		},
		{
			{user("First format, then lint, then run the tests, and finally commit.")},
			{user("format the code → run the linter → execute the unit tests → make a commit")},
			{user("before every commit: formatting, linting, testing. then commit")},
		},
		{
			{user("run the tests"), user("commit"), user("push")},
			{user("first run the tests, then commit, finally push")},
			{user("make sure the tests pass, then commit your changes, then push the branch")},
		},
	} {
		titles := map[string]bool{}
		for _, s := range same {
			for _, d := range []Detector{workflows{}, routines{}} {
				for _, f := range found(d, s) {
					titles[f.title] = true
				}
			}
		}
		if len(titles) != 1 {
			t.Errorf("%v", titles)
		}
	}
}
