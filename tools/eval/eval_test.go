package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lessons-cli/lessons/knowledge/lesson"
	"github.com/lessons-cli/lessons/scan"
	"github.com/lessons-cli/lessons/scan/transcript"
)

func line(n int) *int { return &n }

// The rules by which a finding means a label.
func TestHits(t *testing.T) {
	correction := label{File: "a.jsonl", Line: 100, Kind: "user_correction"}
	mended := label{File: "a.jsonl", Line: 50, ErrorLine: line(40), Kind: "error_correction"}
	message := label{File: "a.json", Line: 10, Kind: "decision"}
	for _, tt := range []struct {
		name  string
		label label
		found finding
		want  bool
	}{
		{"same line", correction, finding{Line: 100, ErrorLine: noLine, Kind: "user_correction"}, true},
		{"six lines", correction, finding{Line: 94, ErrorLine: noLine, Kind: "user_correction"}, true},
		{"seven lines", correction, finding{Line: 107, ErrorLine: noLine, Kind: "user_correction"}, false},
		{"another kind", correction, finding{Line: 100, ErrorLine: noLine, Kind: "decision"}, false},
		{"scan's name of the kind", correction, finding{Line: 100, ErrorLine: noLine, Kind: kindOf("user-correction")}, true},
		{"the error's line", mended, finding{Line: 70, ErrorLine: 41, Kind: "error_correction"}, true},
		{"the fix near the error", mended, finding{Line: 45, ErrorLine: noLine, Kind: "retry_loop"}, true},
		{"another view of the error", mended, finding{Line: 50, ErrorLine: noLine, Kind: "self_diagnosis"}, true},
		{"a correction is no error", mended, finding{Line: 50, ErrorLine: noLine, Kind: "user_correction"}, false},
		{"three messages", message, finding{Line: 13, ErrorLine: noLine, Kind: "decision"}, true},
		{"four messages", message, finding{Line: 14, ErrorLine: noLine, Kind: "decision"}, false},
		{"no error line is not line -1", label{File: "a.jsonl", Line: 2, Kind: "decision"}, finding{Line: 90, ErrorLine: noLine, Kind: "decision"}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := tt.label.hits(tt.found); got != tt.want {
				t.Errorf("hits is %v", got)
			}
		})
	}
}

func TestScoreFile(t *testing.T) {
	c := &corpus{
		labels: []label{
			{File: "a.jsonl", Line: 10, Kind: "error_correction", Worth: true},
			{File: "a.jsonl", Line: 40, Kind: "hang_timeout"},
			{File: "a.jsonl", Line: 60, Kind: "decision", Worth: true},
			{File: "b.jsonl", Line: 10, Kind: "decision"},
		},
		negatives: []negative{{File: "a.jsonl", From: 80, To: 90}, {File: "a.jsonl", From: 8, To: 12}, {File: "a.jsonl", From: 95, To: 99}},
	}
	found := []finding{
		{Line: 12, ErrorLine: noLine, Kind: "retry_loop"},
		{Line: 80, ErrorLine: noLine, Kind: "error_correction"},
		{Line: 90, ErrorLine: noLine, Kind: "user_correction"},
		{Line: 61, ErrorLine: noLine, Kind: "decision"},
	}
	got := c.scoreFile("a.jsonl", found)
	for _, tt := range []struct {
		name string
		got  share
		want share
	}{
		{"error_correction", got.recall["error_correction"], share{1, 1}},
		{"hang_timeout", got.recall["hang_timeout"], share{0, 1}},
		{"tool errors", got.recall[toolErrors], share{1, 2}},
		{"decision", got.recall["decision"], share{1, 1}},
		{"all", got.all, share{2, 3}},
		{"worth", got.worth, share{2, 2}},
		{"precision of errors", got.precision[toolErrors], share{1, 2}},
		{"precision of corrections", got.precision["user_correction"], share{0, 1}},
		{"negatives: twice in one range counts once, an event in one does not", got.negatives, share{1, 3}},
	} {
		if tt.got != tt.want {
			t.Errorf("%s: %v, not %v", tt.name, tt.got, tt.want)
		}
	}
}

func TestBootstrap(t *testing.T) {
	all := func(t tally) share { return t.all }
	same := []tally{{all: share{1, 2}}, {all: share{2, 4}}}
	if got := bootstrap(same, all); got.low > 0.2 || got.high < 0.8 {
		t.Errorf("three of six events in equal sessions give %v", got)
	}
	if got := bootstrap([]tally{{all: share{28, 28}}}, all); got.low < 0.87 || got.low > 0.89 || got.high < 0.999 {
		t.Errorf("28 of 28 give %v", got)
	}
	apart := []tally{{all: share{0, 5}}, {all: share{5, 5}}}
	if got := bootstrap(apart, all); got != (interval{0, 1}) {
		t.Errorf("sessions apart give %v", got)
	}
	if got := bootstrap([]tally{{}}, all); got != (interval{}) {
		t.Errorf("nothing to count gives %v", got)
	}
}

// What the seeds' heuristics make of the small corpus, and what they are fooled
// by: a farewell that begins with "No", and three commands in a row.
func TestBaseline(t *testing.T) {
	const file = "transcripts/claude/shop/one.jsonl"
	got, err := baseline(filepath.Join("testdata", "corpus", filepath.FromSlash(file)), file)
	if err != nil {
		t.Fatal(err)
	}
	want := []finding{
		{File: file, Line: 4, ErrorLine: 3, Kind: "error_correction"},
		{File: file, Line: 7, ErrorLine: noLine, Kind: "user_correction"},
		{File: file, Line: 12, ErrorLine: noLine, Kind: "retry_loop"},
		{File: file, Line: 15, ErrorLine: noLine, Kind: "user_correction"},
	}
	if len(got) != len(want) {
		t.Fatalf("%+v", got)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("%+v, not %+v", got[i], want[i])
		}
	}
}

// The whole program on the small corpus. What it says of scan is what any scan
// must reach: one mistake, met twice, with its trigger.
func TestEvaluate(t *testing.T) {
	var out bytes.Buffer
	if err := evaluate(&out, filepath.Join("testdata", "corpus"), true); err != nil {
		t.Fatal(err)
	}
	text := strings.Join(strings.Fields(out.String()), " ")
	for _, want := range []string{
		"2 labelled sessions, 3 events, 1 negative ranges; files in no known format: 0, problems: 0",
		"recall: error_correction 2/2 1.00 0.34-1.00 2/2 1.00",
		"of their matches over 5 commands, on failing calls 2/2 1.00",
		"counterexamples: matches on calls that succeeded 0",
		"by agent sessions", "claude 2", "claude/shop 2",
		"error_correction 0 0 2 0", "all 0 0 2 0",
		"python-name 2 2 2 groups that are one observation 1/1 1.00",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
}

func TestTriggerTestKnowsCounterexamples(t *testing.T) {
	c, err := readCorpus(filepath.Join("testdata", "corpus"))
	if err != nil {
		t.Fatal(err)
	}
	calls, err := shellCalls(c)
	if err != nil {
		t.Fatal(err)
	}
	broad, err := testTrigger(candidateOn("python3"), append(calls,
		shellCall{command: "python3 x.py", outcome: transcript.Masked}, shellCall{command: "python3 x.py", outcome: transcript.Rejected}))
	if err != nil {
		t.Fatal(err)
	}
	if len(broad.wrong) != 2 || len(broad.stopped) != 0 {
		t.Errorf("a trigger on what worked twice has %d counterexamples and %d matches on failures", len(broad.wrong), len(broad.stopped))
	}
}

func TestCorpusErrorsSayWhere(t *testing.T) {
	dir := t.TempDir()
	if _, err := readCorpus(dir); err == nil || !strings.Contains(err.Error(), "CORPUS=DIR") {
		t.Errorf("without labels: %v", err)
	}
	name := filepath.Join(dir, "labels.jsonl")
	for text, want := range map[string]string{
		`{"file":"gone.jsonl","line":1,"kind":"decision"}`: "labels.jsonl:1: the session is not there",
		"\n{":                       "labels.jsonl:2: unexpected end",
		`{"file":"x","line":"one"}`: "labels.jsonl:1: ",
	} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := readCorpus(dir); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func candidateOn(command string) scan.Candidate {
	return scan.Candidate{Kind: scan.ErrorFix, Trigger: &lesson.Trigger{Tools: []string{"Bash"}, Commands: []string{command}}}
}
