package observe

import (
	"slices"
	"strings"
	"testing"

	"github.com/lessons-cli/lessons/internal/test/kit"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/lesson"
)

func TestObservationID(t *testing.T) {
	trigger := &lesson.Trigger{Tools: []string{"Bash"}, Commands: []string{"pytest"}}
	id := observationID(knowledge.Pitfall, trigger, "A title", "h1")
	if !derivedID(id) || len(id) != 14 {
		t.Errorf("id %q", id)
	}
	for name, same := range map[string]string{
		"title, as there is a trigger": observationID(knowledge.Pitfall, trigger, "Other", "h1"),
		"order in the trigger":         observationID(knowledge.Pitfall, &lesson.Trigger{Tools: []string{" Bash ", "Bash"}, Commands: []string{"pytest"}, Unless: []string{"-x"}}, "", "h1"),
	} {
		if same != id {
			t.Errorf("%s changes the id", name)
		}
	}
	for name, other := range map[string]string{
		"type":     observationID(knowledge.Decision, trigger, "A title", "h1"),
		"trigger":  observationID(knowledge.Pitfall, &lesson.Trigger{Commands: []string{"pytest"}}, "A title", "h1"),
		"evidence": observationID(knowledge.Pitfall, trigger, "A title", "h0"),
	} {
		if other == id {
			t.Errorf("another %s gives the same id", name)
		}
	}
	if observationID(knowledge.Decision, nil, "Use  `Result`!", "h") != observationID(knowledge.Decision, &lesson.Trigger{}, "use result", "h") {
		t.Error("titles that normalise alike give different ids")
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
	a := SessionHash("3f1c0f5e-0000-4000-8000-000000000001")
	if len(a) != 12 || a == SessionHash("3f1c0f5e-0000-4000-8000-000000000002") || strings.Contains(a, "3f1c") {
		t.Errorf("hash %q", a)
	}
	if SessionHash("") != "" {
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
