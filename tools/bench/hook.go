package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// What a hook may cost, beside an empty Go program.
const (
	maxHookSilent = 2.0
	maxHookAnswer = 3.0
	maxHookGrowth = 1.3  // of 10,000 lessons over 1,000
	maxHookRead   = 10.0 // at a prompt that is read
)

// benchHook times the hook program at a tool call, by the number of lessons: no
// match, a match with its claim and answer, and the recording of outcomes.
func benchHook(p *place) ([]row, error) {
	var rows []row
	base := map[string]time.Duration{}
	for _, n := range []int{0, 100, 1000, 10000} {
		dir, err := p.repository(fmt.Sprintf("hook-%d", n))
		if err != nil {
			return nil, err
		}
		if err := writeLessons(dir, n, "active"); err != nil {
			return nil, err
		}
		if err := p.do(dir, p.lessons, "compile"); err != nil {
			return nil, err
		}
		session := 0
		other := func() string { return payload(1, "PreToolUse", "ls -la", false) }
		match := func() string {
			session++
			return payload(session, "PreToolUse", fmt.Sprintf("tool%d --flag%d x", 7, 7), false)
		}
		after := func() string { return payload(1, "PostToolUse", "ls -la", true) }
		plain := func() string { return prompt(1, "Please fix the build, and show me the tests of the parser.") }
		stated := func() string {
			session++
			return prompt(session, "From now on use pnpm in this repository, never npm.")
		}
		failed := func() string { return failure(1, "make test", strings.Repeat("compiling another part of it\n", 1000)) }
		times, err := p.hookTimes(dir, other, match, after, plain, stated, failed)
		if err != nil {
			return nil, err
		}
		ratio := func(i int) float64 { return float64(times[i].p50) / float64(times[0].p50) }
		silent := row{
			what:     fmt.Sprintf("hook, %d lessons, no match", n),
			measured: fmt.Sprintf("%.1f x (p50 %v, p99 %v)", ratio(1), times[1].p50, times[1].p99),
			limit:    fmt.Sprintf("<= %.0f x", maxHookSilent), holds: ratio(1) <= maxHookSilent,
		}
		rows = append(rows, silent)
		if n > 0 {
			rows = append(rows, row{
				what:     fmt.Sprintf("hook, %d lessons, match, claim and answer", n),
				measured: fmt.Sprintf("%.1f x (p50 %v, p99 %v)", ratio(2), times[2].p50, times[2].p99),
				limit:    fmt.Sprintf("<= %.0f x", maxHookAnswer), holds: ratio(2) <= maxHookAnswer,
			})
		}
		if n == 1000 {
			rows = append(rows, row{
				what:     "hook recording an outcome",
				measured: fmt.Sprintf("%.1f x (p50 %v, p99 %v)", ratio(3), times[3].p50, times[3].p99),
				limit:    fmt.Sprintf("<= %.0f x", maxHookAnswer), holds: ratio(3) <= maxHookAnswer,
			})
			rows = append(rows, row{
				what:     "hook recording a failure with 30 kB of output",
				measured: fmt.Sprintf("%.1f x (p50 %v, p99 %v)", ratio(6), times[6].p50, times[6].p99),
				limit:    fmt.Sprintf("<= %.0f x", maxHookAnswer), holds: ratio(6) <= maxHookAnswer,
			})
			rows = append(rows, row{
				what:     "hook at a prompt without a cue",
				measured: fmt.Sprintf("%.1f x (p50 %v, p99 %v)", ratio(4), times[4].p50, times[4].p99),
				limit:    fmt.Sprintf("<= %.0f x", maxHookSilent), holds: ratio(4) <= maxHookSilent,
			}, row{
				what:     "hook at a prompt that is read, and asked about",
				measured: fmt.Sprintf("%.1f x (p50 %v, p99 %v)", ratio(5), times[5].p50, times[5].p99),
				limit:    fmt.Sprintf("<= %.0f x", maxHookRead), holds: ratio(5) <= maxHookRead,
			})
			base["match"] = times[2].p50 - times[0].p50
		}
		if n == 10000 {
			growth := float64(times[2].p50) / float64(base["match"]+times[0].p50)
			rows = append(rows, row{
				what: "hook, 10,000 lessons over 1,000", measured: fmt.Sprintf("%.2f x", growth),
				limit: fmt.Sprintf("<= %.1f x", maxHookGrowth), holds: growth <= maxHookGrowth,
			})
		}
	}
	return rows, nil
}

type quantiles struct{ p50, p99 time.Duration }

// hookRuns is how often each hook is started.
const hookRuns = 200

// hookTimes runs the empty program and the hook with each input in turn.
func (p *place) hookTimes(dir string, inputs ...func() string) ([]quantiles, error) {
	hook := filepath.Join(filepath.Dir(p.lessons), "lessons-hook")
	times := make([][]time.Duration, len(inputs)+1)
	for range hookRuns {
		for i := range times {
			cmd := exec.Command(p.empty)
			if i > 0 {
				input := inputs[i-1]()
				event := "PreToolUse"
				for _, other := range []string{"PostToolUse", "PostToolUseFailure", "UserPromptSubmit"} {
					if strings.Contains(input, other) {
						event = other
					}
				}
				cmd = exec.Command(hook, "claude", event)
				cmd.Stdin = strings.NewReader(input)
			}
			cmd.Dir, cmd.Env = dir, p.env()
			var out bytes.Buffer
			cmd.Stdout = &out
			start := time.Now()
			if err := cmd.Run(); err != nil {
				return nil, err
			}
			times[i] = append(times[i], time.Since(start))
			if i == 2 && out.Len() == 0 && !strings.HasSuffix(dir, "-0") {
				return nil, fmt.Errorf("the matching lesson was not delivered in %s", dir)
			}
		}
	}
	var q []quantiles
	for _, t := range times {
		slices.Sort(t)
		q = append(q, quantiles{t[len(t)/2], t[len(t)*99/100]})
	}
	return q, nil
}

func prompt(session int, words string) string {
	return fmt.Sprintf(`{"session_id":"s%d","hook_event_name":"UserPromptSubmit","prompt":%q}`, session, words)
}

func payload(session int, event, command string, after bool) string {
	response := ""
	if after {
		response = `,"tool_response":{"stdout":"a","stderr":""}`
	}
	return fmt.Sprintf(`{"session_id":"s%d","hook_event_name":%q,"tool_name":"Bash","tool_use_id":"t","tool_input":{"command":%q}%s}`, session, event, command, response)
}

func failure(session int, command, output string) string {
	return fmt.Sprintf(`{"session_id":"s%d","hook_event_name":"PostToolUseFailure","tool_name":"Bash","tool_use_id":"t","tool_input":{"command":%q},"error":%q}`, session, command, output)
}

// writeLessons writes n lessons of a status, each about a program of its own.
func writeLessons(dir string, n int, status string) error {
	folder := filepath.Join(dir, ".lessons")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	for i := range n {
		text := fmt.Sprintf("---\nid: 01M7YN1AEC%016d\nkind: warning\npriority: high\nstatus: %s\nconfidence: 0.9\naction: auto\ntriggers:\n  tools: [Bash]\n  commands: [\"tool%d --flag%d\"]\nsource: self-learning:obs_bench%05d\ncreated: 2026-01-01\nseen: {sessions: 2, first: 2026-01-01, last: 2026-01-02}\n---\n# Tool %d has a trap\n\nIt looks right.\n\n**Fix**: tool%d --other\n", i, status, i, i, i, i, i)
		if err := os.WriteFile(filepath.Join(folder, fmt.Sprintf("tool-%05d.md", i)), []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}
