package observe

import (
	"slices"
	"strings"
	"testing"

	"github.com/lessons-cli/lessons/internal/redact"
	"github.com/lessons-cli/lessons/internal/test/kit"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/lesson"
)

func TestTheIDComesFromTheSignatureAlone(t *testing.T) {
	base := signal(1)
	id := observationOf(base).ID
	if !derivedID(id) || len(id) != 14 {
		t.Errorf("id %q", id)
	}
	for _, c := range []struct {
		name   string
		change func(*Signal)
		same   bool
	}{
		{"another session, day and quote", func(s *Signal) { *s = signal(7) }, true},
		{"another title, as there is a trigger", func(s *Signal) { s.Title = text("Other") }, true},
		{"the fix in other words", func(s *Signal) { s.Fix = text("Run gh pr diff --name-only.") }, true},
		{"another order in the trigger", func(s *Signal) {
			s.Trigger = &lesson.Trigger{Tools: []string{" Bash ", "Bash"}, Commands: s.Trigger.Commands}
		}, true},
		{"another type", func(s *Signal) { s.Type = knowledge.Decision }, false},
		{"another trigger", func(s *Signal) { s.Trigger = &lesson.Trigger{Commands: []string{"pytest"}} }, false},
		{"another fix", func(s *Signal) { s.Fix = text("gh pr view") }, false},
	} {
		s := base
		c.change(&s)
		if got := observationOf(s).ID; (got == id) != c.same {
			t.Errorf("%s: id %s, first %s", c.name, got, id)
		}
	}
	title := func(words string) string {
		return observationOf(Signal{Type: knowledge.Decision, Title: text(words), Evidence: []redact.Text{text(words)}}).ID
	}
	if title("Use  `Result`!") != title("use result") {
		t.Error("titles that normalise alike give different ids")
	}
	if title("") == observationOf(Signal{Type: knowledge.Decision, Fix: text("x")}).ID {
		t.Error("what has neither trigger nor title is one observation")
	}
}

// Two clones that meet one mistake in different words name it alike, whichever
// sessions they scanned, and one that has an id of an older form keeps it as an alias.
func TestAnOlderIDBecomesAnAlias(t *testing.T) {
	older := observationOf(signal(1))
	older.ID = "obs_aaaaaaaaaa"
	for _, rendered := range []bool{false, true} {
		var l Log
		if rendered {
			older.ArtifactPath = ".lessons/x.md"
		}
		l.Put(older)
		got, want := l.Add(signal(2), DefaultThresholds()), observationOf(signal(2)).ID
		other := older.ID
		if rendered {
			want, other = other, want
		}
		if got.ID != want || !slices.Equal(got.Aliases, []string{other}) || l.Get(other) == nil {
			t.Errorf("rendered %v: id %s, aliases %v, want %s and %s", rendered, got.ID, got.Aliases, want, other)
		}
	}
}

func TestDerivedID(t *testing.T) {
	for id, want := range map[string]bool{
		"obs_abcdefghij": true, "obs_2345672345": true,
		"obs_a1b2c3": false, "manual_abcdefghij": false, "obs_abcdefghi1": false, "obs_ABCDEFGHIJ": false, "obs_": false, "": false,
	} {
		if got := derivedID(id); got != want {
			t.Errorf("derivedID(%q) = %v", id, got)
		}
	}
}

func TestSessionHash(t *testing.T) {
	a := knowledge.SessionHash("3f1c0f5e-0000-4000-8000-000000000001")
	if len(a) != 12 || a == knowledge.SessionHash("3f1c0f5e-0000-4000-8000-000000000002") || strings.Contains(a, "3f1c") {
		t.Errorf("hash %q", a)
	}
	if knowledge.SessionHash("") != "" {
		t.Error("no session has a hash")
	}
}

func TestNormaliseFix(t *testing.T) {
	for _, group := range [][]string{
		{"Use `gh pr diff 88 --name-only`", "gh pr diff 104 --name-only", "run gh  pr diff 1 --name-only."},
		{"grep -r x"},
		{"grep -R x"},
		{"use"},
		{"7", "**42**", "run \"42\"!"},
		{""},
	} {
		for _, fix := range group {
			if NormaliseFix(fix) != NormaliseFix(group[0]) {
				t.Errorf("%q and %q differ", fix, group[0])
			}
		}
	}
	if NormaliseFix("grep -r x") == NormaliseFix("grep -R x") {
		t.Error("flags lose their case")
	}
}

func TestContentKeysOfAClusterAreKept(t *testing.T) {
	var l Log
	first, second := signal(1), signal(2)
	second.Title = text("another title")
	l.Add(first, DefaultThresholds())
	l.Add(second, DefaultThresholds())
	o := l.Observations()[0]
	for _, s := range []Signal{first, second} {
		for _, key := range ContentKeys(observationOf(s)) {
			if !slices.Contains(ContentKeys(o), key) {
				t.Errorf("key %s of a member is lost", key)
			}
		}
	}
	third := Signal{Type: knowledge.Pitfall, Session: "s3", At: kit.Day(3), Title: second.Title}
	if l.Add(third, DefaultThresholds()); len(l.Observations()) != 1 {
		t.Errorf("a title of a member is not found:\n%s", l.Bytes())
	}
}
