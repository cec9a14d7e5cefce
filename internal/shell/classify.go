package shell

import (
	"path"
	"slices"
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

// classify sorts the words into program, of which the name is given, sub-command,
// flags and operands.
func (c *Command) classify(name string, ws []word) {
	c.Path, c.Program = ws[0].text, name
	depth := subDepth[c.Program]
	onlyOperands := false
	flags := countFlags(ws[1:])
	if flags > 0 {
		c.Flags = make([]Flag, 0, flags)
	}
	var others []string // the sub-command and the operands behind it
	if flags < len(ws)-1 {
		others = make([]string, 0, len(ws)-1-flags)
	}
	operand := func(text string) {
		others = append(others, text)
		c.Operands = others[len(c.Sub):]
	}
	for i := 1; i < len(ws); i++ {
		w := ws[i]
		c.Dynamic = c.Dynamic || w.dynamic
		switch {
		case w.text == "":
		case w.text == "--" && !onlyOperands:
			onlyOperands = true
		case !onlyOperands && len(w.text) > 1 && w.text[0] == '-':
			var next string
			if i+1 < len(ws) && !ws[i+1].dynamic && !strings.HasPrefix(ws[i+1].text, "-") {
				next = ws[i+1].text
			}
			c.Flags = append(c.Flags, flag(w, next))
			switch {
			case i+1 == len(ws):
			case len(c.Sub) == 0 && depth > 0 && takesNext(globalValues, w.text), len(c.Sub) == 1 && c.Sub[0] == "compose" && takesNext(composeValues, w.text):
				i++
			case takesText(c.Program, w.text): // a message, whatever it begins with
				i++
				c.Dynamic = c.Dynamic || ws[i].dynamic
				if !ws[i].dynamic {
					c.Flags[len(c.Flags)-1].Next = ws[i].text
					operand(ws[i].text)
				}
			case c.Program == "git" && len(c.Sub) > 0:
				depth = len(c.Sub) // behind a flag there are operands
			}
		case w.dynamic:
			if len(c.Operands) == 0 {
				depth = len(c.Sub)
			}
		case !onlyOperands && len(c.Sub) < depth && len(c.Operands) == 0 && isBareWord(w.text):
			others = append(others, w.text)
			c.Sub = others[:len(others):len(others)]
			if len(c.Sub) == 1 && slices.Contains(deeper[c.Program], w.text) {
				depth = len(c.Sub) + 1
			}
		default:
			operand(w.text)
		}
	}
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

func flag(w word, next string) Flag {
	name, value, has := strings.Cut(w.text, "=")
	if w.dynamic {
		return Flag{Name: name, HasValue: has, Next: next}
	}
	return Flag{Name: name, Value: value, HasValue: has, Next: next}
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
