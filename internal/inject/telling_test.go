package inject

import "testing"

func TestANoticeIsNotToldWhereAllThatHasToRunFirstRan(t *testing.T) {
	notice := Lesson{ID: "N", Kind: KindNotice, Text: "text", Action: "inform", Extra: Telling{Ran: []string{"docker compose up", "sqlc generate"}}.Encode()}
	for _, c := range []struct {
		ran  []string
		told bool
	}{
		{nil, true},
		{[]string{"docker compose up -d db"}, true},
		{[]string{"docker compose up -d --wait", "cd db && sqlc generate -f x.yaml"}, false},
		{[]string{"docker compose down", "sqlc generate"}, true},
	} {
		in := input(t, notice)
		var traces []Trace
		for _, line := range c.ran {
			traces = append(traces, Trace{Act: ActRun, Outcome: OK, Runs: in.Session.Runs(line)})
		}
		in.Facts = &evidence{s: in.Session, traces: traces}
		if d := Decide(in); (d.Context != "") != c.told {
			t.Errorf("behind %q: told %q", c.ran, d.Context)
		}
		in.At = AfterFailure
		in.Session = OpenSession(Places{GitDir: t.TempDir()}, "s", "")
		if d := Decide(in); d.Context == "" {
			t.Errorf("behind %q, the call failed: nothing is told", c.ran)
		}
	}
}

func TestALineThatPreparesItself(t *testing.T) {
	notice := Lesson{Kind: KindNotice, Extra: Telling{Again: 10, Ran: []string{"docker compose up"}}.Encode()}
	for line, want := range map[string]bool{"docker compose up -d && go test ./...": true, "go test ./...": false} {
		if notice.Prepares(line) != want {
			t.Errorf("%s: %v", line, !want)
		}
	}
	if (Lesson{Kind: KindNotice}).Prepares("go test ./...") {
		t.Error("a notice that needs nothing is silent")
	}
}
