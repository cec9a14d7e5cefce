package transcript

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// readAs reads a text as the file of that name, which must be readable.
func readAs(t testing.TB, name, text string, opts Options) ([]Event, Stats) {
	t.Helper()
	var events []Event
	stats, err := Read(name, strings.NewReader(text), opts, func(e Event) error {
		events = append(events, e)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return events, stats
}

// recorded are sessions that the real clients wrote.
func recorded(t testing.TB) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, pattern := range []string{"codex/*.jsonl", "copilot/*.jsonl", "gemini/*.jsonl", "gemini/chats/*/*.jsonl", "opencode/*.json"} {
		names, err := filepath.Glob("testdata/" + pattern)
		if err != nil || len(names) == 0 {
			t.Fatal("no recorded sessions", pattern, err)
		}
		for _, name := range names {
			data, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			all[filepath.ToSlash(name)] = string(data)
		}
	}
	return all
}

func TestRecordedSessionsOfOtherAgents(t *testing.T) {
	for name, data := range recorded(t) {
		t.Run(strings.TrimPrefix(name, "testdata/"), func(t *testing.T) {
			events, stats := readAs(t, name, data, Options{})
			m := stats.Meta
			got := show(events) + fmt.Sprintf("session %s agent %q in %s on %q version %s, %d machine, %d bad, %d unknown\n",
				m.Session, m.Agent, m.Cwd, m.Branch, m.Version, stats.Machine, stats.Bad, stats.Unknown)
			golden := strings.TrimSuffix(name, filepath.Ext(name)) + ".golden"
			if *update {
				if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), got); diff != "" {
				t.Error(diff)
			}
			for _, e := range events {
				if e.Time.IsZero() || e.Session == "" || e.ID == "" && e.Kind != Compaction {
					t.Errorf("line %d: %+v lacks what the file has", e.Line, e)
				}
			}
		})
	}
}

// Whatever the end of a file is cut off to, what stands before is read the same.
func TestTruncatedSessions(t *testing.T) {
	for name, data := range recorded(t) {
		want, _ := readAs(t, name, data, Options{})
		whole := show(want)
		object := strings.HasSuffix(name, ".json")
		rapid.Check(t, func(t *rapid.T) {
			cut := rapid.IntRange(0, len(data)).Draw(t, "cut")
			head := []byte(data[:min(cut, HeadSize)])
			layout, err := Identify(name, head)
			if err != nil {
				return // too little to know it
			}
			layout.Object = object
			var events []Event
			if _, err := layout.Read(strings.NewReader(data[:cut]), Options{Name: name}, func(e Event) error {
				events = append(events, e)
				return nil
			}); err != nil {
				var refused *ErrFormat
				if !errors.As(err, &refused) {
					t.Fatal(err)
				}
			}
			if got := show(events); !strings.HasPrefix(whole, got) {
				t.Fatalf("cut at %d: %s", cut, cmp.Diff(whole, got))
			}
		})
	}
}

// Line ends, a mark at the beginning and zeros that a crash left change nothing.
func TestOtherSpellings(t *testing.T) {
	for name, data := range recorded(t) {
		want, _ := readAs(t, name, data, Options{})
		for spelling, text := range map[string]string{
			"carriage returns": strings.ReplaceAll(data, "\n", "\r\n"),
			"byte order mark":  "\uFEFF" + data,
			"no last newline":  strings.TrimRight(data, "\n"),
			"zeros":            data + "\x00\x00\x00",
		} {
			got, _ := readAs(t, name, text, Options{Whole: true})
			if diff := cmp.Diff(show(want), show(got)); diff != "" {
				t.Errorf("%s, %s: %s", name, spelling, diff)
			}
		}
	}
}

// A part of a rollout that begins at a line reads as it does in the whole, given
// what the beginning says.
func TestRolloutsGoOnWhereReadingStopped(t *testing.T) {
	for name, data := range recorded(t) {
		layout, err := Identify(name, []byte(data[:min(len(data), HeadSize)]))
		if err != nil || !layout.Resumes() {
			continue
		}
		all, _ := readAs(t, name, data, Options{})
		meta, err := layout.Header(strings.NewReader(data), Options{Name: name})
		if err != nil || meta.Session == "" || meta.Cwd == "" {
			t.Fatalf("%s: header %+v, %v", name, meta, err)
		}
		lines := strings.SplitAfter(data, "\n")
		for n := range lines {
			from := Position{Line: n, Offset: int64(len(strings.Join(lines[:n], "")))}
			var got []Event
			if _, err := layout.Read(strings.NewReader(data[from.Offset:]), Options{From: from, Meta: meta}, func(e Event) error {
				got = append(got, e)
				return nil
			}); err != nil {
				t.Fatal(err)
			}
			// What is said twice may come again where the first time was cut off.
			const settled = 4
			var want, have []Event
			for _, e := range all {
				if e.Line > n+settled {
					want = append(want, e)
				}
			}
			for _, e := range got {
				if e.Session == "" || e.Cwd == "" {
					t.Fatalf("%s from line %d: %+v forgot its session", name, n, e)
				}
				if e.Line > n+settled && (e.Kind == User || e.Kind == Assistant || e.Kind == ToolCall) {
					have = append(have, e)
				}
			}
			var calls []Event
			for _, e := range want {
				if e.Kind == User || e.Kind == Assistant || e.Kind == ToolCall {
					calls = append(calls, e)
				}
			}
			if diff := cmp.Diff(show(calls), show(have)); diff != "" {
				t.Fatalf("%s from line %d: %s", name, n, diff)
			}
		}
	}
}
