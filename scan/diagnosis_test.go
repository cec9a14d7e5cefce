package scan

import (
	"fmt"
	"testing"
)

func TestDiagnoses(t *testing.T) {
	describe := func(f finding) string { return fmt.Sprintf("%d->%d %s", f.errorLine, f.line, f.mistake) }
	broke := bash("go run .", fail, "Exit code 1\npanic: nil map")
	look := bash("cat app.go", ok, "package main")
	testDetector(t, diagnoses{}, describe, []detectorCase{
		{"a cause after a failure", story{broke, says("The issue is that the map is never made. Let me fix it.")}, []string{"2->3 The issue is that the map is never made"}},
		{"an admission after a complaint", story{user("that option is wrong"), says("I apologize, I made that up.")}, []string{"0->2 I apologize, I made that up"}},
		{"said twice, told once", story{broke, says("The issue is the map."), says("The problem is the map.")}, []string{"2->3 The issue is the map"}},
		{"a new failure is told of again", story{broke, says("The issue is the map."), broke, says("The real problem is the lock.")}, []string{"2->3 The issue is the map", "5->6 The real problem is the lock"}},
		{"what was found stands in the next sentence", story{broke, says("I see the issue. The map is made in one branch only.\n\nLet me fix it.")}, []string{"2->3 I see the issue. The map is made in one branch only"}},
		{"found, and said what", story{user("requests hang after a deploy"), look, says("Found it! The pool's timeout defaults to zero, so it waits for ever.")}, []string{"0->4 Found it! The pool's timeout defaults to zero, so it waits for ever"}},
		{"a broken file that a person's report leads to", story{user("the icons are not displayed"), look, says("The `logo.png` file is truncated, it ends after 12 bytes. I need to fetch it again.")}, []string{"0->4 The `logo.png` file is truncated, it ends after 12 bytes"}},
		{"what the agent undoes", story{look, says("The reset dropped the new fixture as well. Let me restore it and check another way:")}, []string{"0->3 The reset dropped the new fixture as well. Let me restore it and check another way"}},
		{"a fault in an edit of its own", story{edit("/home/dev/app/a.rs", "x", "y"), says("There's a borrow error - `buf` is moved into the closure. Let me fix that.")}, []string{"0->3 There's a borrow error - `buf` is moved into the closure"}},
		{"why a test fails", story{broke, says("The two specs fail because the clock is not frozen.")}, []string{"2->3 The two specs fail because the clock is not frozen"}},
		{
			"words before the first change explain the person's report",
			story{user("CartTest is failing"), look, says("`Cart.total` takes cents now, so the test no longer gets euros. It has to multiply."), edit("/home/dev/app/cart_test.rb", "1", "100")},
			[]string{"0->4 `Cart.total` takes cents now, so the test no longer gets euros"},
		},

		{"a cause of nothing that went wrong", story{user("explain maps"), says("The issue is that maps need make.")}, nil},
		{"a failure without a cause", story{broke, says("Let me look at it.")}, nil},
		{"a place that was found", story{user("where do we write the config?"), look, says("Found it. Let me read the writer next.")}, nil},
		{"a summary of what is done", story{broke, says("Done. The issue was that the map was never made.")}, nil},
		{"a summary of what passes", story{broke, says("All tests pass. The problem was the map.")}, nil},
		{"a question in the course of a measurement", story{look, says("Wait, that's only 16 ms? Let me run it again.")}, nil},
		{"somebody else's trouble", story{broke, says("The lint errors are pre-existing because of an older change.")}, nil},
		{"diagnostics that are old", story{edit("/home/dev/app/a.go", "x", "y"), says("The diagnostics look stale. Let me run the tests.")}, nil},
		{"a failure that was wanted", story{broke, says("The tests fail as expected because the class does not exist yet.")}, nil},
		{"agreeing is no admission", story{user("the warnings are elsewhere"), says("You're right — they come from the backend. Let me look there.")}, nil},
		{"words about a question", story{user("how does login work?"), look, says("The token is missing in older versions, so it can't be checked."), edit("/home/dev/app/doc.md", "a", "b")}, nil},
	})
}

// The claims are those of many people and many kinds of projects.
func TestClaims(t *testing.T) {
	for text, want := range map[string]claim{
		"My mistake, the handler lives in the gateway.":                          admitsFault,
		"I misread the stack trace: the panic is in the worker.":                 admitsFault,
		"I should have run the migration first.":                                 admitsFault,
		"I was looking at the wrong branch.":                                     admitsFault,
		"My earlier fix broke the Windows build.":                                admitsFault,
		"My regex wouldn't match multi-line strings.":                            admitsFault,
		"I forgot to export the type from index.ts.":                             admitsFault,
		"Hmm, the problem is that Gradle caches the old jar.":                    namesCause,
		"Now I see the problem: the volume is mounted read-only.":                namesCause,
		"The root cause is a missing index on orders.user_id.":                   namesCause,
		"Root cause: the lockfile was generated with npm 6.":                     namesCause,
		"Ah, that's why the pods restart: the probe hits the wrong port.":        namesCause,
		"That explains the 401, the header is stripped by nginx.":                namesCause,
		"It turns out `mix deps.get` needs the hex mirror.":                      namesCause,
		"The build fails because the SDK is pinned to 6.0.":                      namesCause,
		"This error occurs since `useEffect` runs twice in strict mode.":         namesCause,
		"The timeout was caused by the proxy.":                                   namesCause,
		"The cache is stale, it still holds the previous schema.":                namesCause,
		"The virtual environment is broken: it points at python 3.9.":            namesCause,
		"The issue is `excludes` needs an absolute path.":                        namesCause,
		"There's a type mismatch - `id` is a string here. Let me fix that.":      namesSlip,
		"Wait, that breaks the public API. I'll change it back to the old name.": namesSlip,
		"The rebase took the fixture with it. Let me undo that.":                 takesBackOwn,
		"That dropped the column. Let me revert this and use a view.":            takesBackOwn,
		"Sed mangled the quotes. Let me try a different approach.":               takesBackOwn,
		"Let me check how the parser works.":                                     noClaim,
		"Now let me run the tests.":                                              noClaim,
		"The function returns early because the list is empty, which is fine.":   noClaim,
		"All 12 tests pass because the fixture is right now.":                    noClaim,
		"Is the issue the cache?":                                                noClaim,
		"I'll add a cache because it is slow.":                                   noClaim,
		"We use an error channel because panics cross goroutines.":               noClaim,
		"The reason field is optional.":                                          noClaim,
		"There are three files to change.":                                       noClaim,
		"Here's the summary of the issue.":                                       noClaim,
	} {
		if got, _ := claimIn(text); got != want {
			t.Errorf("%q is claim %d, want %d", text, got, want)
		}
	}
}

// What was found is the title, and not that something was: equal titles make one
// observation.
func TestTitleOfADiagnosis(t *testing.T) {
	broke := bash("go run .", fail, "Exit code 1\npanic: nil map")
	for said, want := range map[string]string{
		"I see the issue. The map is made in one branch only.":      "The map is made in one branch only",
		"Now I understand the problem! The lock is taken twice.":    "The lock is taken twice",
		"Found it! The timeout is zero. It waits for ever.":         "The timeout is zero",
		"I see the issue in `load`. The map is made in one branch.": "I see the issue in `load`",
		"The issue is that the map is never made. Let me fix it.":   "The issue is that the map is never made",
	} {
		got := found(diagnoses{}, story{broke, says(said)})
		if len(got) != 1 || got[0].title != want {
			t.Errorf("%s: %d findings", said, len(got))
			for _, f := range got {
				t.Errorf("%q, want %q", f.title, want)
			}
		}
	}
}
