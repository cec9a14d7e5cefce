package shell

import (
	"cmp"
	"path"
	"strings"
)

func programName(written string) string {
	if strings.IndexByte(written, '/') < 0 && strings.IndexByte(written, '\\') < 0 && !strings.HasSuffix(written, "e") && !strings.HasSuffix(written, "E") && written != "" {
		return written // as nearly all
	}
	name := path.Base(strings.ReplaceAll(written, `\`, "/"))
	if base, ok := strings.CutSuffix(strings.ToLower(name), ".exe"); ok && base != "" {
		return base
	}
	return name
}

// classify sorts the words into program, of which the name is given, sub-command
// and target, flags and operands.
func (c *Command) classify(name string, ws []word) {
	c.Path, c.Program = ws[0].text, name
	if flags := countFlags(ws[1:]); flags > 0 {
		c.Flags = make([]Flag, 0, flags)
	}
	s := sorter{Command: c, program: programOf(name), ws: ws}
	s.awaits = s.runs != nil && s.runs.behind == ""
	for s.i = 1; s.i < len(ws); s.i++ {
		c.Dynamic = c.Dynamic || ws[s.i].dynamic
		s.word(ws[s.i])
	}
}

// sorter sorts the words of one command.
type sorter struct {
	*Command
	program
	ws     []word
	i      int
	awaits bool // the target comes next
	passes bool // what follows is given to the target
	dashed bool // no more flags follow
}

func (s *sorter) word(w word) {
	switch {
	case w.text == "":
	case w.text == "--" && !s.dashed:
		s.dashes()
	case !s.dashed && len(w.text) > 1 && w.text[0] == '-':
		s.flag(w)
	case w.dynamic:
		if len(s.Operands) == 0 {
			s.depth = len(s.Sub)
		}
		s.given()
	case s.awaits && !s.runs.flagged && isTarget(w.text), s.startsWithFile(w.text):
		s.target(w.text)
	case !s.awaits && !s.passes && !s.dashed && len(s.Sub) < s.depth && len(s.Operands) == 0 && isBareWord(w.text):
		s.sub(w.text)
	default:
		s.Operands = append(s.Operands, w.text)
		if w.text == "-" || s.awaits && s.runs.flagged {
			s.given()
		}
	}
}

// dashes reads "--". A program that runs a target gives it all that stands behind.
func (s *sorter) dashes() {
	switch {
	case s.runs == nil, s.awaits && !s.runs.flagged, s.passes && (s.runs.behind == "" || !s.runs.rest):
		s.dashed = true
	default:
		s.passes, s.awaits = true, false
	}
}

func (s *sorter) sub(text string) {
	s.Sub = append(s.Sub, text)
	if len(s.Sub) > 1 {
		return
	}
	if takesNext(s.deeper, text) {
		s.depth = 2
	}
	s.awaits = s.runs != nil && s.runs.behind != "" && takesNext(s.runs.behind, text)
}

// target takes the words that name what the program runs.
func (s *sorter) target(named ...string) {
	last := len(named) - 1
	if s.runs.file && (s.runs.behind == "" || strings.ContainsAny(named[last], "./")) {
		named[last] = inDir(s.Dir, named[last])
	}
	s.Sub = append(s.Sub, named...)
	s.awaits, s.passes, s.dashed, s.depth = false, s.runs.rest, false, 0
}

// given ends the wait for a target that the line does not name.
func (s *sorter) given() {
	s.passes = s.passes || s.awaits && (s.runs.rest || s.runs.flagged)
	s.awaits = false
}

// inDir is a file as seen from where the line starts, so that it has one name
// behind any cd of the line.
func inDir(dir, file string) string {
	if isElsewhere(file) || isElsewhere(dir) {
		return path.Clean(file)
	}
	return path.Join(dir, file)
}

// isElsewhere says whether a path does not start where the line does.
func isElsewhere(p string) bool { return path.IsAbs(p) || strings.HasPrefix(p, "~") }

// isTarget says whether a word can name a target: make takes assignments and
// numbers before it.
func isTarget(w string) bool { return w != "-" && !isDigits(w) && !isAssignment(w) }

// startsWithFile says whether a file stands where other programs have a
// sub-command: bun a.ts.
func (s *sorter) startsWithFile(w string) bool {
	return s.runs != nil && s.runs.file && s.runs.behind != "" && len(s.Sub)+len(s.Operands) == 0 && strings.ContainsAny(w, "./")
}

func (s *sorter) flag(w word) {
	f := flag(s.Program, w)
	f.Passed = s.passes
	last := s.i+1 == len(s.ws)
	if !last && !s.ws[s.i+1].dynamic && !strings.HasPrefix(s.ws[s.i+1].text, "-") {
		f.Next = s.ws[s.i+1].text
	}
	value := cmp.Or(f.Value, f.Next)
	switch {
	case s.passes:
	case s.awaits && value != "" && takesNext(s.runs.named, f.Name):
		if !f.HasValue {
			s.i++
		}
		s.target(f.Name, value)
	case s.awaits && s.runs.brings(f.Name):
		s.given()
	case last:
	case s.awaits && s.runs.takesNext(w.text), len(s.Sub) == 0 && s.depth > 0 && takesNext(globalValues, w.text),
		len(s.Sub) == 1 && s.Sub[0] == "compose" && takesNext(composeValues, w.text):
		s.i++
	case takesText(s.Program, w.text): // a message, whatever it begins with
		s.i++
		s.Dynamic = s.Dynamic || s.ws[s.i].dynamic
		if !s.ws[s.i].dynamic {
			f.Next = s.ws[s.i].text
			s.Operands = append(s.Operands, f.Next)
		}
	case s.Program == "git" && len(s.Sub) > 0:
		s.depth = len(s.Sub) // behind a flag there are operands
	}
	s.Flags = append(s.Flags, f)
}

// countFlags returns how many of the words look like flags.
func countFlags(ws []word) int {
	n := 0
	for i := range ws {
		if strings.HasPrefix(ws[i].text, "-") {
			n++
		}
	}
	return n
}

// flag reads a flag and the value that hangs on it: --depth=1, -n5, -v-1d.
func flag(program string, w word) Flag {
	name, value, has := strings.Cut(w.text, "=")
	switch {
	case w.dynamic:
		return Flag{Name: name, HasValue: has}
	case !has && holdsNumber(w.text) && !HasLongFlags(program):
		return Flag{Name: w.text[:2], Value: w.text[2:], HasValue: true, Glued: true}
	}
	return Flag{Name: name, Value: value, HasValue: has}
}

// holdsNumber says whether a flag is a letter with a number behind it.
func holdsNumber(flag string) bool {
	if len(flag) < 3 || (flag[1]|0x20) < 'a' || (flag[1]|0x20) > 'z' {
		return false
	}
	number := flag[2:]
	if number[0] == '-' || number[0] == '+' {
		number = number[1:]
	}
	return number != "" && number[0] >= '0' && number[0] <= '9'
}

// isBareWord says whether a word can be a sub-command's name.
func isBareWord(w string) bool {
	if w == "" || len(w) > 40 || w[0] < 'a' || w[0] > 'z' {
		return false
	}
	for _, r := range w {
		if (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != '-' && r != '_' && r != ':' {
			return false
		}
	}
	return true
}
