package render_test

import (
	"testing"

	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/observe"
)

// A rule of a linter is told by what its messages have in common, and by the edits that
// mended it: by those that are most like the others.
func TestAPitfallAboutARule(t *testing.T) {
	const mistake, check = "errcheck: the error is not checked", "Check with `make lint` before you finish"
	for _, test := range []struct {
		mistake           string
		others            []observe.Pair
		issue, resolution string
	}{
		{mistake, nil, mistake, check},
		{
			mistake,
			[]observe.Pair{{Fix: "Write `_ = file.Close()` instead of `file.Close()`"}, {Fix: "Write `_ = f.Close()` instead of `f.Close()`"}, {Fix: "Write `if err := remove(dir); err != nil {` instead of `remove(dir)`"}},
			mistake, "For example, write `_ = f.Close()` instead of `f.Close()`; write `_ = file.Close()` instead of `file.Close()`",
		},
		{
			mistake,
			[]observe.Pair{{Fix: "Delete `f.Close()`"}, {Fix: "Write `if err := remove(dir); err != nil {` instead of `remove(dir)`"}, {Fix: "Add `_ = err`"}},
			mistake, "For example, write `if err := remove(dir); err != nil {` instead of `remove(dir)`",
		},
		{
			"errcheck: the first error is not checked",
			[]observe.Pair{{Mistake: "errcheck: the error of f.Close is not checked"}, {Mistake: "errcheck: the last error is not checked"}},
			"errcheck: the … error is not checked", check,
		},
		{
			"errcheck: an error (line 12) of mode 0600 is not checked",
			[]observe.Pair{{Mistake: "errcheck: an error (line 7) of mode 0600 is not checked"}, {Mistake: "errcheck: an error (line 31) of mode 0600 is not checked"}},
			"errcheck: an error (line …) of mode 0600 is not checked", check,
		},
		{ // two kinds of message
			"errcheck: string `a` has 3 occurrences, make it a constant",
			[]observe.Pair{{Mistake: "errcheck: string `b` has 4 occurrences, make it a constant"}, {Mistake: "errcheck: string `a` has 3 occurrences, but such constant `A` already exists"}},
			"errcheck: string … has … occurrences, make it a constant", check,
		},
		{ // the edit that is like no other mended something else
			mistake,
			[]observe.Pair{{Fix: "Write `x` instead of `y`"}, {Fix: "Write `return fmt.Errorf(\"load: %w\", err)` instead of `return err`"}, {Fix: "Write `return nil, fmt.Errorf(\"save: %w\", saveErr)` instead of `return nil, saveErr`"}},
			mistake, "For example, write `return fmt.Errorf(\"load: %w\", err)` instead of `return err`; write `return nil, fmt.Errorf(\"save: %w\", saveErr)` instead of `return nil, saveErr`",
		},
		{mistake, []observe.Pair{{Fix: "Delete `func old() {`"}, {Fix: "Delete `func older() {`"}, {Fix: "Write `x` instead of `y`"}}, mistake, "Delete what it reports"},
		{mistake, []observe.Pair{{Mistake: "errcheck: use a type assertion with ok"}}, mistake, check},
	} {
		with := seenIn(&observe.Observation{
			ID: "obs_rule0000001", Type: knowledge.Pitfall, Pattern: "The linter reports errcheck", QualityOK: true, Marks: []observe.Mark{observe.MarkRule},
			Details: "issue: " + test.mistake + "; resolution: " + check, Mistake: test.mistake, Fix: check, Others: test.others,
		}, 3, 1, 2)
		got := fieldsOf(t, with)
		if got["Issue"] != test.issue || got["Resolution"] != test.resolution {
			t.Errorf("issue %q, want %q; resolution %q, want %q", got["Issue"], test.issue, got["Resolution"], test.resolution)
		}
	}
}
