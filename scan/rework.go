package scan

import (
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/internal/shell"
	"github.com/lessons-cli/lessons/scan/transcript"
)

// touched says whether one of the steps changed the file of an edit.
func touched(steps []*Step, act *Step) bool { return act.Path != "" && edited(steps, act.Path) }

func edited(steps []*Step, file string) bool {
	return slices.ContainsFunc(steps, func(s *Step) bool { return s.Kind == transcript.ToolCall && isEdit(s.Tool) && s.Path == file })
}

// takesBack says whether the edits of a file remove at least half of the lines
// that the turn before had put into it.
func takesBack(turn, acts []*Step, file string) bool {
	if !edited(turn, file) {
		return false
	}
	added := map[string]bool{}
	for _, s := range turn {
		if isEdit(s.Tool) && s.Path == file {
			for _, l := range newLines(s) {
				added[l] = true
			}
		}
	}
	if len(added) == 0 {
		return false
	}
	gone := 0
	seen := map[string]bool{}
	for _, s := range acts {
		if !isEdit(s.Tool) || s.Path != file {
			continue
		}
		var still map[string]bool // once somebody asked
		made := s.change()
		old := made.old
		if s.Tool == "Write" {
			old = strings.Join(keysOf(added), "\n") // a rewrite takes back what it does not repeat
		}
		for l := range strings.Lines(old) {
			if l = strings.TrimSpace(l); !added[l] || seen[l] {
				continue
			}
			if still == nil {
				still = bareLines(made.new)
			}
			if !still[l] {
				seen[l] = true
				gone++
			}
		}
	}
	return 2*gone >= len(added)
}

func keysOf(m map[string]bool) []string {
	var keys []string
	for k := range m {
		keys = append(keys, k)
	}
	return keys
}

// bareLines are the lines of a text, without the blanks around them.
func bareLines(text string) map[string]bool {
	all := map[string]bool{}
	for l := range strings.Lines(text) {
		all[strings.TrimSpace(l)] = true
	}
	return all
}

// newLines returns the lines that an edit adds.
func newLines(s *Step) []string {
	made := s.change()
	had := bareLines(made.old)
	var lines []string
	for l := range strings.Lines(made.new) {
		if l = strings.TrimSpace(l); len(l) > 2 && !had[l] {
			lines = append(lines, l)
		}
	}
	return lines
}

// reverts says whether a command takes back files that the turn had changed.
func reverts(turn []*Step, act *Step) bool {
	for _, c := range act.line().Commands {
		if c.Program != "git" || len(c.Sub) == 0 {
			continue
		}
		switch c.Sub[0] {
		case "revert", "restore":
			return true
		case "checkout", "reset":
			if len(c.Operands) > 0 && slices.ContainsFunc(turn, func(s *Step) bool {
				return s.Path != "" && slices.ContainsFunc(c.Operands, func(o string) bool { return strings.HasSuffix(s.Path, o) })
			}) {
				return true
			}
		}
	}
	return false
}

// runsDifferently says whether a command is one of the turn with other words.
func runsDifferently(turn []*Step, act *Step) bool {
	for _, s := range turn {
		if !runs(s) {
			continue
		}
		now := mainCommand(act.line())
		if now == nil || plumbing[now.Program] || showsText(now) {
			return false
		}
		then := mainCommand(s.line())
		if then == nil || then.Name() != now.Name() {
			continue
		}
		r := compare(then, now)
		return r.edits() > 0 && r.edits() <= maxEdits
	}
	return false
}

// ranBefore says whether a command is one of the turn, word for word.
func ranBefore(turn []*Step, act *Step) bool {
	return act.Command != "" && slices.ContainsFunc(turn, func(s *Step) bool {
		return s.Kind == transcript.ToolCall && isShell(s.Tool) && s.Command == act.Command
	})
}

// runsInstead says whether a command runs another program than the turn did, and
// the words name one of the two.
func runsInstead(turn []*Step, act *Step, words string) bool {
	now := mainCommand(act.line())
	if now == nil || plumbing[now.Program] || showsText(now) {
		return false
	}
	for _, s := range turn {
		if s.Kind != transcript.ToolCall || !isShell(s.Tool) {
			continue
		}
		if then := mainCommand(s.line()); then != nil && then.Program != now.Program {
			return speaksOf(words, &shell.Command{Program: then.Program}) || speaksOf(words, &shell.Command{Program: now.Program})
		}
	}
	return false
}

// namesEdited says whether a message names a file that the agent had changed.
func namesEdited(sp *speech, o *occasion) bool {
	named := func(s *Step) bool {
		name := s.Path[strings.LastIndexByte(s.Path, '/')+1:]
		return s.Kind == transcript.ToolCall && isEdit(s.Tool) && len(name) > 3 && strings.Contains(sp.words, name)
	}
	return slices.ContainsFunc(o.turn, named) || slices.ContainsFunc(o.earlier, named)
}
