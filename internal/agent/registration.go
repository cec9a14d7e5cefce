package agent

import (
	"cmp"
	"regexp"
	"slices"

	"github.com/lessons-cli/lessons/internal/settings/hookfile"
)

// Settings is the file in which hooks are registered: the team's, or the
// person's own (local). Both are the same where an agent knows only one.
func (c *Client) Settings(local bool) string {
	if local && c.own != "" {
		return c.own
	}
	return c.team
}

// SettingsFiles lists the files in which hooks may be registered.
func (c *Client) SettingsFiles() []string {
	if c.own != "" {
		return []string{c.team, c.own}
	}
	return []string{c.team}
}

// Events are the events that AddHooks registers, in the agent's words.
func (c *Client) Events() []EventName {
	var events []EventName
	for _, h := range c.hooks {
		if !h.known && !slices.Contains(events, h.native) {
			events = append(events, h.native)
		}
	}
	return events
}

// Hears says whether the agent asks a registered hook (in its words) about a tool.
func (c *Client) Hears(e EventName, tool string) bool {
	return slices.ContainsFunc(c.hooks, func(h hook) bool {
		return h.native == e && (h.matcher == "" || regexp.MustCompile("^(?:"+h.matcher+")$").MatchString(tool))
	})
}

// Command is what the agent is told to run at an event (in its words).
func (c *Client) Command(e EventName) string {
	if c.refuses {
		return hookfile.Spared(c.Name, string(e))
	}
	return hookfile.Command(c.Name, string(e))
}

// AddHooks returns a settings document with lessons' hooks registered; a document
// that has them is returned as it is. Empty stands for a file that does not exist.
func (c *Client) AddHooks(doc []byte) ([]byte, error) {
	var hooks []hookfile.Hook
	for _, e := range c.Events() {
		h := c.hooks[slices.IndexFunc(c.hooks, func(h hook) bool { return h.native == e })]
		timeout := cmp.Or(h.timeout, defaultTimeout)
		if c.milliseconds {
			timeout *= 1000
		}
		hooks = append(hooks, hookfile.Hook{Event: string(e), Matcher: h.matcher, Name: c.label, Command: c.Command(e), Timeout: timeout})
	}
	return c.file.Add(doc, c.Name, hooks)
}

// RemoveHooks returns a settings document without lessons' hooks, and without the
// containers that became empty by that; nil: nothing is left of the file.
func (c *Client) RemoveHooks(doc []byte) ([]byte, error) { return c.file.Remove(doc, c.Name) }

// Registered lists the events for which lessons' hook is in a settings document,
// once per registration.
func (c *Client) Registered(doc []byte) ([]string, error) {
	all, err := c.file.Commands(doc)
	var events []string
	for _, p := range all {
		if hookfile.Ours(c.Name, p.Command) {
			events = append(events, p.Event)
		}
	}
	return events, err
}

// Foreign lists the hooks of other tools that keep the same files as lessons:
// they are reported, never run beside ours.
func (c *Client) Foreign(doc []byte) []string {
	all, _ := c.file.Commands(doc) // a file that cannot be read names none
	return hookfile.Foreign(all)
}
