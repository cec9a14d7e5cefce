package inject

import (
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/internal/shell"
)

// where tests the slots that bind to one place of the call: commands, command
// patterns, unless and paths have to hold for the same simple command. For a
// file tool paths and patterns of unless are tested. The reasons are those of
// the command that came furthest; where none came anywhere they name all commands.
func (p *prepared) where(t *Trigger) []Reason {
	if len(t.Commands)+len(t.CommandPatterns)+len(t.Paths)+len(t.Unless) == 0 {
		return nil
	}
	best, far := p.inPlace(t, nil), -1
	if len(t.Commands)+len(t.CommandPatterns) == 0 {
		if n := passed(best); n == len(best) {
			return best
		}
	}
	for _, c := range p.Line.All {
		reasons := p.inPlace(t, c)
		if n := passed(reasons); n > far {
			best, far = reasons, n
			if n == len(reasons) {
				break
			}
		}
	}
	if far == 0 && p.explaining {
		for i := range best {
			if best[i].Slot == SlotCommands || best[i].Slot == SlotPatterns {
				best[i].Value = strings.Join(lists.Map(p.Line.All, func(c *shell.Command) string { return c.Source }), "; ")
			}
		}
	}
	return best
}

func passed(reasons []Reason) int {
	return lists.Count(reasons, func(r Reason) bool { return r.OK })
}

// inPlace tests one simple command, or with nil what the call says without one: the
// files of a file tool.
func (p *prepared) inPlace(t *Trigger, c *shell.Command) []Reason {
	var out []Reason
	if len(t.Commands) > 0 {
		out = append(out, p.specs(t.Commands, c))
	}
	if len(t.CommandPatterns) > 0 {
		out = append(out, p.commandPatterns(t.CommandPatterns, c))
	}
	if len(t.Paths) > 0 {
		out = append(out, p.paths(t.Paths, c))
	}
	if len(t.Unless) > 0 && passed(out) == len(out) {
		out = append(out, p.unless(t.Unless, c))
	}
	return out
}

func (p *prepared) specs(list []Spec, c *shell.Command) Reason {
	r := Reason{Slot: SlotCommands, Note: "no command"}
	if c != nil {
		if i := slices.IndexFunc(list, func(s Spec) bool { return p.holds(&s, c) }); i >= 0 {
			return Reason{Slot: SlotCommands, OK: true, Element: list[i].Text, Value: c.Source}
		}
		r.Value, r.Note = c.Source, ""
	}
	r.Element = joined(list, func(s Spec) string { return s.Text })
	return r
}

func (p *prepared) commandPatterns(list []Pattern, c *shell.Command) Reason {
	switch {
	case c == nil:
		return Reason{Slot: SlotPatterns, Element: sources(list), Note: "no command"}
	case c.Wrapper:
		return Reason{Slot: SlotPatterns, Note: "a wrapper"}
	}
	return p.anyPattern(SlotPatterns, list, c.Source, c.Source)
}

func sources(list []Pattern) string { return joined(list, func(p Pattern) string { return p.Source }) }

func joined[T any](list []T, text func(T) string) string {
	return strings.Join(lists.Map(list, text), ", ")
}

// paths tests globs against the files of a command, or of the call itself.
func (p *prepared) paths(globs []string, c *shell.Command) Reason {
	var seen []string
	for _, t := range p.targets() {
		if t.command != c {
			continue
		}
		for _, g := range globs {
			if Glob(g, t.path) {
				return Reason{Slot: SlotPaths, OK: true, Element: g, Value: t.path}
			}
		}
		if len(seen) < 3 {
			seen = append(seen, t.path)
		}
	}
	r := Reason{Slot: SlotPaths, Element: strings.Join(globs, ", "), Value: strings.Join(seen, ", ")}
	if len(seen) == 0 {
		r.Note = "no file"
	}
	return r
}

// unless tests what silences a lesson: OK says that nothing does.
func (p *prepared) unless(list []Unless, c *shell.Command) Reason {
	var texts []string
	for i := range list {
		u := &list[i]
		name, value, holds := u.Spec.Text, "", false
		switch {
		case u.Pattern.Source == "" && c != nil:
			holds = p.holds(&u.Spec, c)
		case u.Pattern.Source == "":
			holds = strings.Contains(p.content, u.Spec.Text)
		case c != nil:
			if value, holds = p.meter.find(u.Pattern, c.Source); !holds && len(c.Env)+len(c.Wrappers) > 0 { // of a line or a text around it
				value, holds = p.meter.find(u.Pattern, strings.Join(slices.Concat(c.Env, c.Wrappers), " "))
			}
		default:
			value, holds = p.meter.find(u.Pattern, p.content)
		}
		if holds {
			if c != nil && value == "" {
				value = c.Source
			}
			return Reason{Slot: SlotUnless, Element: name, Value: value}
		}
		if u.Pattern.Source != "" && p.meter.spent {
			return Reason{Slot: SlotUnless, Element: name, Note: outOfTime}
		}
		texts = append(texts, name)
	}
	return Reason{Slot: SlotUnless, OK: true, Element: strings.Join(texts, ", ")}
}

const outOfTime = "not tested: the time for patterns was used up"

func (p *prepared) anyPattern(slot Slot, list []Pattern, text, shown string) Reason {
	for _, pattern := range list {
		if found, ok := p.meter.find(pattern, text); ok {
			return Reason{Slot: slot, OK: true, Element: pattern.Source, Value: found}
		}
	}
	r := Reason{Slot: slot, Element: sources(list), Value: headOf(shown, 200)}
	if p.meter.spent {
		r.Note = outOfTime
	}
	return r
}
