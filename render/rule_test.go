package render_test

import (
	"testing"

	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/observe"
)

// A rule of a linter is told by what all its messages say, and by the shortest of the edits
// that mended it.
func TestAPitfallAboutARule(t *testing.T) {
	const follow = "Follow errcheck: the error is not checked"
	o := seenIn(&observe.Observation{
		ID: "obs_rule0000001", Type: knowledge.Pitfall, Pattern: "The linter reports errcheck", QualityOK: true, Marks: []observe.Mark{observe.MarkRule},
		Details: "issue: errcheck: the error is not checked; resolution: " + follow, Mistake: "errcheck: the error is not checked", Fix: follow,
	}, 3, 1, 2)
	for _, test := range []struct {
		others            []observe.Pair
		issue, resolution string
	}{
		{nil, o.Mistake, follow},
		{
			[]observe.Pair{{Fix: "Write `_ = file.Close()` instead of `file.Close()`"}, {Fix: "Write `_ = f.Close()` instead of `f.Close()`"}, {Fix: "Write `if err := remove(dir); err != nil {` instead of `remove(dir)`"}},
			o.Mistake, "Write `_ = f.Close()` instead of `f.Close()`; Write `_ = file.Close()` instead of `file.Close()`",
		},
		{
			[]observe.Pair{{Mistake: "errcheck: the error of f.Close is not checked"}, {Mistake: "errcheck: the last error is not checked"}},
			"errcheck: the … error is not checked", "Follow errcheck: the … error is not checked",
		},
		{[]observe.Pair{{Mistake: "errcheck: use a type assertion with ok"}}, o.Mistake, follow},
	} {
		with := o.Clone()
		if with.Others = test.others; len(test.others) == 2 {
			with.Mistake, with.Fix = "errcheck: the first error is not checked", "Follow errcheck: the first error is not checked"
		}
		got := fieldsOf(t, with)
		if got["Issue"] != test.issue || got["Resolution"] != test.resolution {
			t.Errorf("issue %q, want %q; resolution %q, want %q", got["Issue"], test.issue, got["Resolution"], test.resolution)
		}
	}
}
