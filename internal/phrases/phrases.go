// Package phrases reads regular expressions from files that list one phrase a line:
//
//	# A comment.
//	[define team]
//	we|our team|everybody
//
//	[standing]
//	\bfrom now on\b
//	\b(?:{team}) (?:
//	  always|never
//	  only ever
//	) \w
//
//	[later begins: after before]
//	^(?:after|before) each\b
//
// The lines of a section are the alternatives of one expression. One that is too long for a
// line is broken behind a parenthesis that opens and before one that closes; the lines
// between are alternatives too. Blanks at both ends of a line do not count: write "[ ]".
// {name} stands for what the section "define name", or the first of that name, says. A name
// has two letters or more.
package phrases

import (
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/internal/automata"
)

// File is what a file says, by section.
type File struct {
	sections map[string][]Section // by name; what defines a name is under "define NAME"
}

// Section is one list of phrases. Several may have the same name.
type Section struct {
	// Condition is what stands behind the name, and Value what stands behind its colon.
	Condition, Value string

	text string
	file *File
}

// Must reads a file that is part of the program, and panics where it is not well formed.
func Must(text string) *File {
	f, err := Parse(text)
	if err != nil {
		panic(err)
	}
	return f
}

// Parse parts a file into its sections. What a section says is read when it is asked for: a
// hook asks few. An error names what stands where nothing may.
func Parse(text string) (*File, error) {
	f := &File{sections: map[string][]Section{}}
	line, next := nextHeader(text)
	for l := range strings.Lines(text[:len(text)-len(next)-len(line)]) {
		if l = strings.TrimSpace(l); l != "" && l[0] != '#' {
			return nil, fmt.Errorf("%q stands before the first section", l)
		}
	}
	for line != "" {
		name, s := header(strings.TrimRight(line, "\r\n"))
		rest := next
		line, next = nextHeader(rest)
		s.text, s.file = rest[:len(rest)-len(next)-len(line)], f
		f.sections[name] = append(f.sections[name], s)
	}
	return f, nil
}

// nextHeader finds the first header of a text and what follows it; "" where there is none.
func nextHeader(text string) (line, rest string) {
	for at := 0; at < len(text); {
		if text[at] == '[' {
			line, rest, _ = strings.Cut(text[at:], "\n")
			if isHeader(strings.TrimRight(line, "\r")) {
				return text[at : len(text)-len(rest)], rest
			}
		}
		next := strings.Index(text[at:], "\n[")
		if next < 0 {
			break
		}
		at += next + 1
	}
	return "", ""
}

// isHeader tells "[later has: always|never]" from a class of characters, which seldom is
// all that stands in a line: a name is a word of letters.
func isHeader(line string) bool {
	if line[0] != '[' || line[len(line)-1] != ']' {
		return false
	}
	word, _, _ := strings.Cut(line[1:len(line)-1], " ")
	return len(word) > 1 && strings.Trim(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") == ""
}

func header(line string) (string, Section) {
	text := line[1 : len(line)-1]
	if strings.HasPrefix(text, "define ") {
		return text, Section{}
	}
	name, condition, _ := strings.Cut(text, " ")
	condition, value, _ := strings.Cut(condition, ": ")
	return name, Section{Condition: condition, Value: value}
}

// Names are the names of the sections, in alphabetical order.
func (f *File) Names() []string { return slices.Sorted(maps.Keys(f.sections)) }

// Sections are the sections of a name, in their order.
func (f *File) Sections(name string) []Section { return f.sections[name] }

// Section is the first section of a name; one that says nothing where there is none.
func (f *File) Section(name string) Section {
	if all := f.sections[name]; len(all) > 0 {
		return all[0]
	}
	return Section{}
}

// Pattern is the expression of the only section of a name, without regard to case. It panics
// where there is none.
func (f *File) Pattern(name string) *automata.Pattern { return f.only(name).Pattern() }

// Optional is the same; nil, which matches nothing, where there is none.
func (f *File) Optional(name string) *automata.Pattern {
	if len(f.sections[name]) == 0 {
		return nil
	}
	return f.Pattern(name)
}

// Expr is the expression of the only section of a name. It panics where there is none.
func (f *File) Expr(name string) string { return f.only(name).Expr() }

// Set is the set of the patterns of the named sections.
func (f *File) Set(names map[automata.Members]string) *automata.Set {
	patterns := map[automata.Members]*automata.Pattern{}
	for one, name := range names {
		patterns[one] = f.Pattern(name)
	}
	return automata.SetOf(patterns)
}

func (f *File) only(name string) Section {
	if len(f.sections[name]) != 1 {
		panic("no section, or several, with the name " + name)
	}
	return f.sections[name][0]
}

// Pattern is the expression of a section, without regard to case.
func (s Section) Pattern() *automata.Pattern {
	return automata.From(func() string { return "(?i)" + s.Expr() })
}

// Words are the words of a section that is no expression but a list of words.
func (s Section) Words() map[string]bool {
	all := map[string]bool{}
	for line := range s.lines() {
		for word := range strings.FieldsSeq(line) {
			all[word] = true
		}
	}
	return all
}

// lines are the lines that say something.
func (s Section) lines() iter.Seq[string] {
	return func(yield func(string) bool) {
		for line := range strings.Lines(s.text) {
			if line = strings.Trim(line, " \r\n"); line != "" && line[0] != '#' && !yield(line) {
				return
			}
		}
	}
}

// Expr is the expression of a section.
func (s Section) Expr() string {
	var b strings.Builder
	last := ""
	for line := range s.lines() {
		if last != "" && !opens(last) && line[0] != ')' {
			b.WriteByte('|')
		}
		s.write(&b, line)
		last = line
	}
	return b.String()
}

// opens says whether a line ends with a parenthesis that opens a group.
func opens(line string) bool {
	at := strings.LastIndexByte(line, '(')
	if at < 0 || at > 0 && line[at-1] == '\\' {
		return false
	}
	group := line[at+1:]
	return group == "" || group[0] == '?' && strings.IndexByte(group, ':') == len(group)-1
}

// write writes a line, and in the place of a name in braces what is defined.
func (s Section) write(b *strings.Builder, line string) {
	for {
		before, rest, found := strings.Cut(line, "{")
		name, after, _ := strings.Cut(rest, "}")
		b.WriteString(before)
		defined := s.file.Section("define " + name)
		if defined.file == nil {
			defined = s.file.Section(name)
		}
		switch {
		case !found:
			return
		case defined.file != nil:
			b.WriteString(defined.Expr())
			line = after
		default:
			b.WriteByte('{') // a number of times
			line = rest
		}
	}
}
