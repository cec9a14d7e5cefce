package trace

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

var noon = time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)

func violation(n int, what string) Trace {
	return Trace{
		Type: Violation, Source: Auto, Timestamp: noon.Add(time.Duration(n) * time.Hour), Session: fmt.Sprint("s", n),
		Context: Context{Agent: "coding-agent", Feature: fmt.Sprint("PT-00", n)},
		Event:   Event{Happened: what, Correct: "verify first", Why: "an empty answer is a failure"},
	}.Identified()
}

// The seed's levels: what each returns, and that an answer stays within its budget.
func TestLevelsAndTheirBudgets(t *testing.T) {
	var many []Trace
	for n := range 200 {
		many = append(many, violation(n, "agent marked tested:true with empty data "+strings.Repeat("and so on ", 10)))
	}
	for level, c := range map[Level]struct {
		tokens     int
		has, hasNo string
	}{
		Metadata: {500, `"agent":"coding-agent"`, "empty data"},
		Summary:  {1000, `"what":"agent marked`, "verify first"},
		Full:     {2000, `"what_was_correct":"verify first"`, `"what":`},
	} {
		a, err := Within(many, level)
		size := 0
		for _, one := range a.Traces {
			size += len(one)
		}
		if err != nil || size > 4*c.tokens || size < 3*c.tokens || a.LeftOut != 200-len(a.Traces) {
			t.Errorf("%s: %d bytes of %d, %d traces, %d left out, %v", level, size, 4*c.tokens, len(a.Traces), a.LeftOut, err)
		}
		if one := string(a.Traces[0]); !strings.Contains(one, c.has) || strings.Contains(one, c.hasNo) {
			t.Errorf("%s tells %s", level, one)
		}
	}
	if _, err := Within(many, "all"); err == nil {
		t.Error("an unknown level is taken")
	}
}

func TestPatternsOfRepeatedViolations(t *testing.T) {
	all := []Trace{
		violation(1, "Agent marked tested:true for PT-001 with empty data"), violation(2, "agent marked tested:true for PT-002 with empty data"),
		violation(3, "The agent marked tested:true with empty data"), violation(4, "agent skipped the linter"),
	}
	force := func(n int, command string) Trace {
		v := violation(n, "it pushed "+command)
		v.Context.Command = command
		return v.Identified()
	}
	all = append(all, force(5, "git push --force origin main"), force(6, "cd web && git push origin dev --force"), force(7, "git push origin dev"))
	decided := violation(8, "agent skipped the linter")
	decided.Type = Decision
	all = append(all, decided)
	got := Patterns(all, MinRepeats)
	if len(got) != 2 || got[0].Count != 3 || got[0].Sessions != 3 || got[1].Command != "git push --force" || got[1].Count != 2 || got[1].Correct != "verify first" {
		t.Fatalf("%+v", got)
	}
	for i, j := 0, len(all)-1; i < j; i, j = i+1, j-1 {
		all[i], all[j] = all[j], all[i]
	}
	again := Patterns(all, MinRepeats)
	if fmt.Sprint(again) != fmt.Sprint(got) {
		t.Errorf("another order gives %+v", again)
	}
}

func TestTracesThatTeachNothingAreRefused(t *testing.T) {
	for name, change := range map[string]func(*Trace){
		"type":          func(v *Trace) { v.Type = "remark" },
		"source":        func(v *Trace) { v.Source = "me" },
		"what_happened": func(v *Trace) { v.Event.Happened = " " },
		"needs":         func(v *Trace) { v.Event.Correct, v.Event.Why = "", "" },
	} {
		v := violation(1, "agent marked tested")
		change(&v)
		if err := v.Check(); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := violation(1, "agent marked tested").Check(); err != nil {
		t.Error(err)
	}
}
