package scan

import (
	"slices"
	"strings"
)

// title says what goes wrong, in words of the trigger.
func (s *shaper) title() string {
	t := s.trigger()
	w := s.wrapper()
	switch {
	case s.replaced() && s.cannotRun():
		return "`" + spelt(s.f) + "` cannot be run here: use `" + s.instead() + "`"
	case s.replaced():
		return "`" + t.Commands[0] + "` fails here: use `" + s.instead() + "`"
	case w != nil && w.new != "":
		return "`" + t.Commands[0] + "` needs `" + launcher(w.new) + "`"
	case len(t.CommandPatterns) > 0 && len(t.Commands) > 0:
		return "`" + t.Commands[0] + "` fails with an unquoted `" + s.edits[0].old + "`"
	case len(t.CommandPatterns) > 0:
		return "`NAME=value " + s.edits[0].old + "` fails"
	case len(t.Unless) > 0:
		return "`" + t.Commands[0] + "` fails without " + s.lacks()
	}
	return "`" + t.Commands[0] + "` fails"
}

// lacks names what came in.
func (s *shaper) lacks() string {
	for _, e := range s.edits {
		switch {
		case e.kind == endEdit:
			return "`--`"
		case e.kind == emptyEdit:
			return "an empty argument behind `" + e.flag + "`"
		case e.new != "":
			return "`" + strings.TrimSpace(e.new+" "+assigned(e.newVal)) + "`"
		}
	}
	return "what it needs"
}

// assigned is a value that is a setting by itself.
func assigned(value string) string {
	if strings.Contains(value, "=") {
		return value
	}
	return ""
}

// instead names the program that took the other's place, with the sub-commands
// that the other did not have.
func (s *shaper) instead() string {
	g := slices.Clone(s.g.Sub)
	for n := min(len(g), len(s.f.Sub)); s.cannotRun() && n > 0; n-- {
		if slices.Equal(g[len(g)-n:], s.f.Sub[len(s.f.Sub)-n:]) {
			g = g[:len(g)-n]
			break
		}
	}
	var parts []string
	for _, r := range runners(s.g) {
		parts = append(parts, launcher(r))
	}
	parts = append(append(parts, s.g.Path), g...)
	if slices.Contains(s.g.Operands, s.f.Path) && s.f.Path != s.f.Program {
		parts = append(parts, s.f.Path)
	}
	return strings.Join(parts, " ")
}

// fix says what to do instead, without the words of the one occasion.
func (s *shaper) fix() string {
	w := s.wrapper()
	switch {
	case s.replaced() && s.cannotRun():
		return "Use `" + s.instead() + "` instead of `" + spelt(s.f) + "`"
	case s.replaced():
		return "Use `" + s.instead() + "` instead of `" + s.trigger().Commands[0] + "`"
	case w != nil && w.new != "":
		return "Use `" + launcher(w.new) + " " + s.trigger().Commands[0] + "`"
	case w != nil && strings.Contains(s.g.Path, "/"):
		return "Use `" + s.g.Path + "`"
	case w != nil:
		return "Use `" + s.f.Program + "` without `" + launcher(w.old) + "`"
	}
	kept := s.named()
	if len(kept) == 0 {
		kept = s.edits
	}
	var told []string
	for _, e := range kept {
		if text := s.tell(e); text != "" && !slices.Contains(told, text) {
			told = append(told, text)
		}
	}
	return strings.Join(told, "; ")
}

// tell says one edit as an instruction.
func (s *shaper) tell(e change) string {
	name := s.f.Name()
	switch e.kind {
	case subEdit:
		parts := append([]string{s.g.Name()}, s.flagsIn()...)
		return "Use `" + strings.Join(parts, " ") + "` instead of `" + name + "`"
	case flagEdit:
		fresh := e.new
		if e.newVal != "" && (e.old != "" || strings.Contains(e.newVal, "=")) && !instance(e.newVal) {
			fresh += " " + e.newVal
		}
		switch {
		case e.moved:
			return "Put `" + e.old + "` behind `--`"
		case e.new == "" && len(s.flagsIn()) > 0:
			return "Use `" + name + " " + strings.Join(s.flagsIn(), " ") + "` instead of `" + e.old + "`"
		case e.new == "":
			return "Leave out `" + e.old + "`"
		case e.old == "":
			return "Use `" + name + " " + fresh + "`"
		}
		return "Use `" + name + " " + fresh + "` instead of `" + e.old + "`"
	case valueEdit:
		return "Use `" + name + " " + e.flag + " " + e.new + "` instead of `" + e.old + "`"
	case operandEdit:
		return s.tellOperand(e)
	case envEdit:
		if e.new == "" {
			return "Leave out `" + e.old + "`"
		}
		return "Use `" + e.new + " " + name + "`"
	case endEdit:
		return "Put `--` before what the command is to run"
	case emptyEdit:
		return "Give `" + e.flag + "` an empty argument: `" + name + " " + e.flag + " ''`"
	case quoteEdit:
		return "Put quotes around words with `" + e.old + "`"
	case orderEdit:
		return "Put `" + e.old + "` before the assignment"
	}
	return ""
}

func (s *shaper) tellOperand(e change) string {
	switch {
	case e.new == "":
		return "Leave out `" + e.old + "`"
	case e.old == "" && !instance(e.new):
		return "Use `" + s.f.Name() + "` with `" + e.new + "`"
	case e.old == "":
		return ""
	}
	old, fresh := e.old, e.new
	if strings.Contains(old, "/") && strings.Contains(fresh, "/") {
		if shape := pathShape(fresh, old); shape != "" {
			fresh = shape
		}
		if shape := pathShape(old, e.new); shape != "" {
			old = shape
		}
	}
	return "Use `" + fresh + "` instead of `" + old + "`"
}

// flagsIn are the flags that only came in.
func (s *shaper) flagsIn() []string {
	var in []string
	for _, e := range s.edits {
		if e.kind == flagEdit && e.old == "" {
			in = append(in, e.new)
		}
	}
	return in
}
