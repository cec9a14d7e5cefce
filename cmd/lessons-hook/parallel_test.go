package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
)

const (
	together   = 64
	stopID     = "01K000000000000000000000S0"
	informID   = "01K00000000000000000000000"
	criticalID = "01K000000000000000000000C0"
)

// TestOfManyHooksAtOnceOneDelivers starts 64 hooks of one session for the same
// call, a third of them in one sub-agent: each agent is stopped once and told
// each lesson once. LESSONS_TEST_ROUNDS is how many sessions are tried.
func TestOfManyHooksAtOnceOneDelivers(t *testing.T) {
	rounds := 3
	if text := os.Getenv("LESSONS_TEST_ROUNDS"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 {
			t.Fatalf("LESSONS_TEST_ROUNDS=%q", text)
		}
		rounds = n
	}
	w := newWorkTree(t, "LESSONS_DRY_RUN=1")
	const match = "triggers:\n  tools: [Bash]\n  commands: [\"make all\"]"
	w.lesson(stopID, "Stops once: "+stopID, "priority: high\naction: stop-once\n"+match)
	w.lesson(informID, "Informs: "+informID, "priority: medium\naction: inform\n"+match)
	w.lesson(criticalID, "Informs of the worst: "+criticalID, "priority: critical\naction: inform\n"+match)
	w.lessons("trust", "--yes")
	w.lessons("compile")

	for round := range rounds {
		session := fmt.Sprintf("session-%d", round)
		told, denied := map[string]int{}, map[string]int{}
		for i, answer := range atOnce(t, w, session) {
			agent := agentOf(i)
			if len(answer) == 0 {
				continue
			}
			text, decision := spoken(t, answer)
			if decision == "deny" {
				denied[agent]++
			}
			for _, id := range []string{stopID, informID, criticalID} {
				if strings.Contains(text, id) {
					told[agent+" "+id]++
				}
				if id != stopID && decision == "deny" && strings.Contains(text, id) {
					t.Errorf("%s: a lesson that informs denies: %s", session, text)
				}
			}
		}
		for _, agent := range []string{"", "sub-1"} {
			if denied[agent] != 1 {
				t.Errorf("%s, agent %q: denied %d times", session, agent, denied[agent])
			}
			for _, id := range []string{stopID, informID, criticalID} {
				if n := told[agent+" "+id]; n != 1 {
					t.Errorf("%s, agent %q: lesson %s was delivered %d times", session, agent, id, n)
				}
			}
		}
	}
	t.Logf("%d rounds of %d processes", rounds, together)
}

// agentOf is the agent of the i-th hook, "" for the main one.
func agentOf(i int) string {
	if i%3 == 2 {
		return "sub-1"
	}
	return ""
}

// atOnce runs the hooks of one session side by side and returns their answers.
func atOnce(t *testing.T, w *workTree, session string) [][]byte {
	t.Helper()
	answers, failed := make([][]byte, together), make([]error, together)
	begin := make(chan struct{})
	var all sync.WaitGroup
	for i := range together {
		payload := map[string]any{
			"session_id": session, "cwd": w.Dir, "hook_event_name": "PreToolUse", "tool_name": "Bash",
			"tool_input": map[string]string{"command": "make all"},
		}
		if agent := agentOf(i); agent != "" {
			payload["agent_id"], payload["agent_type"] = agent, "Explore"
		}
		input, err := json.Marshal(payload)
		if err != nil {
			t.Fatal(err)
		}
		all.Go(func() {
			cmd := w.hook("claude", "PreToolUse")
			cmd.Stdin = bytes.NewReader(input)
			<-begin
			answers[i], failed[i] = cmd.Output()
		})
	}
	close(begin)
	all.Wait()
	for i, err := range failed {
		if err != nil {
			t.Errorf("%s, hook %d: %v", session, i, err)
		}
	}
	return answers
}

// spoken is what an answer to Claude Code tells the model, and its decision.
func spoken(t *testing.T, answer []byte) (text, decision string) {
	t.Helper()
	var a struct {
		Hook struct {
			Context  string `json:"additionalContext"`
			Decision string `json:"permissionDecision"`
			Reason   string `json:"permissionDecisionReason"`
		} `json:"hookSpecificOutput"`
	}
	if err := json.Unmarshal(answer, &a); err != nil {
		t.Fatalf("%v: %s", err, answer)
	}
	return a.Hook.Context + a.Hook.Reason, a.Hook.Decision
}
