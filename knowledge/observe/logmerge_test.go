package observe

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// A merge, which holds no observation, writes what joining the logs in memory gives.
func TestAMergeWritesWhatAJoinGives(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		some := func(name string) *Log {
			return logOf(rapid.SliceOfN(rapid.Custom(someSignal), 0, 10).Draw(t, name))
		}
		both, ours, theirs := some("both"), some("ours"), some("theirs")
		ours.Join(both)
		theirs.Join(both)
		joined := &Log{}
		joined.Join(reread(ours))
		joined.Join(reread(theirs))
		joined.Settle(DefaultThresholds())
		if diff := cmp.Diff(string(joined.Bytes()), string(merged(ours, theirs))); diff != "" {
			t.Fatal(diff)
		}
	})
}

func TestWhatOneSideForgotStaysForgotten(t *testing.T) {
	line := func(id, rest string) string {
		return fmt.Sprintf(`{"id":%q,"type":"pitfall","pattern":"about %s","details":"d","evidence":[],"observations":1,"confidence":0.5,"first_seen":"2026-01-01T00:00:00Z","last_seen":"2026-01-01T00:00:00Z","status":"observing","quality_ok":true%s}`+"\n", id, id, rest)
	}
	a, b := line("obs_a", ""), line("obs_b", "")
	aAgain := line("obs_a", `,"sessions":["s1"]`)
	aInOtherBytes := strings.Replace(a, `"id":"obs_a",`, `"id": "obs_a", `, 1)
	for name, c := range map[string]struct {
		base, ours, theirs string
		ids                []string
	}{
		"one forgets":                       {a + b, b, a + b, []string{"obs_b"}},
		"the other forgets":                 {a + b, a + b, b, []string{"obs_b"}},
		"both forget":                       {a + b, b, b, []string{"obs_b"}},
		"forgotten, and met again there":    {a + b, b, aAgain + b, []string{"obs_a", "obs_b"}},
		"forgotten, and laid out anew":      {a + b, b, aInOtherBytes + b, []string{"obs_b"}},
		"forgotten, and found by its alias": {a + b, line("obs_c", `,"aliases":["obs_a"]`), a + b, []string{"obs_a"}},
		"new on one side":                   {b, b, a + b, []string{"obs_a", "obs_b"}},
		"unchanged on both":                 {a + b, a + b, a + b, []string{"obs_a", "obs_b"}},
	} {
		t.Run(name, func(t *testing.T) {
			l := logOfText(mergeLogFiles([]byte(c.base), []byte(c.ours), []byte(c.theirs), DefaultThresholds()))
			var ids []string
			for h := range l.Heads() {
				ids = append(ids, h.ID)
			}
			if !slices.Equal(ids, c.ids) {
				t.Errorf("got %q, want %q", ids, c.ids)
			}
		})
	}
}

// A merge ends at once when it is interrupted, wherever it is.
func TestAMergeOfLogsEndsWhenItIsInterrupted(t *testing.T) {
	var log bytes.Buffer
	for i := range 3 * often {
		fmt.Fprintf(&log, `{"id":"obs_%d","type":"pitfall","pattern":"thing %d","details":"","evidence":[],"observations":1,"confidence":0.5,"first_seen":"2026-01-01T00:00:00Z","last_seen":"2026-01-01T00:00:00Z","status":"observing","quality_ok":true}`+"\n", i, i)
	}
	text := TextOf(log.Bytes())
	stopped, stop := context.WithCancel(t.Context())
	stop()
	if _, err := MergeLogs(stopped, Text{}, text, text, DefaultThresholds()); !errors.Is(err, context.Canceled) {
		t.Errorf("planned: %v", err)
	}
	m, err := MergeLogs(t.Context(), Text{}, text, text, DefaultThresholds())
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Write(stopped, io.Discard); !errors.Is(err, context.Canceled) {
		t.Errorf("written: %v", err)
	}
}

// mergeLogFiles is [MergeLogs] of texts in memory.
func mergeLogFiles(base, ours, theirs []byte, t Thresholds) []byte {
	var out bytes.Buffer
	m, err := MergeLogs(context.Background(), TextOf(base), TextOf(ours), TextOf(theirs), t)
	if err == nil {
		err = m.Write(context.Background(), &out)
	}
	if err != nil {
		panic(err) // nothing interrupts it, and memory can be read and written
	}
	return out.Bytes()
}
