package flow

import (
	"path"
	"slices"
	"strconv"
	"strings"
)

// Handoff is a command from one agent to the next, with what holds before and after it.
type Handoff struct {
	Command struct {
		Agent   string `json:"agent"`
		Task    string `json:"task"`
		Context struct {
			Feature  string   `json:"feature_id"`
			Files    []string `json:"files_changed"`
			Previous string   `json:"previous_state"`
			Failure  string   `json:"last_failure"`
		} `json:"context"`
		Next string `json:"next_agent"`
	} `json:"command"`
	Artifacts []string `json:"artifacts"`
	Rollback  string   `json:"rollback"`
	Key       string   `json:"idempotency_key"`
	Timeout   float64  `json:"timeout_seconds"`

	hash  string
	Again bool `json:"-"` // it was noted before: safe to retry
}

// World is what a hand-off is held against.
type World struct {
	Features []Feature
	State    State
	Exists   func(path string) bool // a repository-relative path
}

// states are in the order in which a feature passes through them.
var states = []string{"init", "coding", "testing", "done"}

// CheckHandoff reads a hand-off and says what is wrong with it: its shape first, and what
// it names only where that is right.
func CheckHandoff(file string, data []byte, w World) (Handoff, []Fault) {
	var h Handoff
	if faults := parse("handoff", file, data, &h); len(faults) > 0 {
		return h, faults
	}
	h.hash = hashOf(data)
	used := w.State.hashes(h.Key)
	h.Again = slices.Contains(used, h.hash)
	c := checker{file: file}
	c.route(h)
	c.feature(h, w)
	c.paths("/command/context/files_changed", h.Command.Context.Files, w.Exists)
	c.paths("/artifacts", h.Artifacts, w.Exists)
	if len(used) > 0 && !h.Again {
		c.fault("/idempotency_key", "give every new hand-off a key of its own, such as "+h.Command.Context.Feature+":"+h.Command.Context.Previous+":2",
			"the key %s was used for a hand-off with other content", h.Key)
	}
	return h, c.faults
}

// route checks who comes next and where a failure leads back to.
func (c *checker) route(h Handoff) {
	if h.Command.Next == h.Command.Agent {
		c.fault("/command/next_agent", "name the agent that is told the result, such as "+Main, "next_agent is %s, so the agent would hand to itself", h.Command.Next)
	}
	previous := h.Command.Context.Previous
	if slices.Index(states, h.Rollback) > slices.Index(states, previous) {
		c.fault("/rollback", "name the state to go back to: "+previous+" or an earlier one", "rollback is %s, which comes after %s", h.Rollback, previous)
	}
}

// feature checks that the feature is where the next agent expects it.
func (c *checker) feature(h Handoff, w World) {
	ctx := h.Command.Context
	at := slices.IndexFunc(w.Features, func(f Feature) bool { return f.ID == ctx.Feature })
	switch {
	case at < 0:
		c.fault("/command/context/feature_id", "name one of its features, or add this one", "%s is not in %s", ctx.Feature, path.Base(ListPath))
	case h.Command.Agent == Tester && w.Features[at].Status != Completed:
		c.fault("/command/context/feature_id", `finish it and set its status to "completed" first`, "%s is %s, and must be completed before it is tested", ctx.Feature, w.Features[at].Status)
	}
	if h.Command.Agent == Coder && ctx.Previous == "testing" && strings.TrimSpace(ctx.Failure) == "" {
		c.fault("/command/context/last_failure", `write what the tests said: "last_failure": "test_name: expected 3, got 4"`, "last_failure is missing: who mends the feature has to know what failed")
	}
}

// paths checks that files are there, inside the repository.
func (c *checker) paths(at string, files []string, exists func(string) bool) {
	for i, name := range files {
		where := pointer(at, strconv.Itoa(i))
		slashed := strings.ReplaceAll(name, `\`, "/")
		clean := path.Clean(slashed)
		switch {
		case path.IsAbs(slashed), len(slashed) > 1 && slashed[1] == ':':
			c.fault(where, "write the path relative to the repository", "%s is an absolute path", name)
		case clean == "..", strings.HasPrefix(clean, "../"):
			c.fault(where, "put the file into the repository", "%s is outside of the repository", name)
		case !exists(clean):
			c.fault(where, "write the file first, or take it out of the list", "%s does not exist", name)
		}
	}
}
