package render_test

import (
	"testing"

	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/observe"
)

// A rule of a linter is told by what all its messages say, and by the shortest of the edits
// that mended it.
func TestAPitfallAboutARule(t *testing.T) {
	const mistake = "errcheck: the error is not checked"
	for _, test := range []struct {
		mistake           string
		others            []observe.Pair
		issue, resolution string
	}{
		{mistake, nil, mistake, "Follow " + mistake},
		{
			mistake,
			[]observe.Pair{{Fix: "Write `_ = file.Close()` instead of `file.Close()`"}, {Fix: "Write `_ = f.Close()` instead of `f.Close()`"}, {Fix: "Write `if err := remove(dir); err != nil {` instead of `remove(dir)`"}},
			mistake, "Write `_ = f.Close()` instead of `f.Close()`; Write `_ = file.Close()` instead of `file.Close()`",
		},
		{
			"errcheck: the first error is not checked",
			[]observe.Pair{{Mistake: "errcheck: the error of f.Close is not checked"}, {Mistake: "errcheck: the last error is not checked"}},
			"errcheck: the … error is not checked", "Follow errcheck: the … error is not checked",
		},
		{
			"errcheck: an error (line 12) of mode 0600 is not checked",
			[]observe.Pair{{Mistake: "errcheck: an error (line 7) of mode 0600 is not checked"}, {Mistake: "errcheck: an error (line 31) of mode 0600 is not checked"}},
			"errcheck: an error (line …) of mode 0600 is not checked", "Follow errcheck: an error (line …) of mode 0600 is not checked",
		},
		{mistake, []observe.Pair{{Mistake: "errcheck: use a type assertion with ok"}}, mistake, "Follow " + mistake},
	} {
		follow := "Follow " + test.mistake
		with := seenIn(&observe.Observation{
			ID: "obs_rule0000001", Type: knowledge.Pitfall, Pattern: "The linter reports errcheck", QualityOK: true, Marks: []observe.Mark{observe.MarkRule},
			Details: "issue: " + test.mistake + "; resolution: " + follow, Mistake: test.mistake, Fix: follow, Others: test.others,
		}, 3, 1, 2)
		got := fieldsOf(t, with)
		if got["Issue"] != test.issue || got["Resolution"] != test.resolution {
			t.Errorf("issue %q, want %q; resolution %q, want %q", got["Issue"], test.issue, got["Resolution"], test.resolution)
		}
	}
}
