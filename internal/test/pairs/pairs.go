// Package pairs reads pairs of commands: one that fails, and one that works instead. Their
// form is told in the folder that holds them, internal/test/e2e/testdata/pairs.
package pairs

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// Pair is a mistake and its fix, with the calls beside them that are right.
type Pair struct {
	Name           string
	Program        string
	Mistake, Fix   Call
	Again, Mending Call // the mistake with other arguments, and its fix; the same again where there are none
	Right          []Call
	Named          bool // the failure names the word that is wrong
}

// Call is a command line, and how its program ends.
type Call struct {
	Line   string
	Status int
	Output string
}

// Place is the folder to which the line changes first, "" when it does not.
func (c Call) Place() string {
	if to, _, ok := strings.Cut(c.Line, " && "); ok && strings.HasPrefix(to, "cd ") {
		return strings.TrimPrefix(to, "cd ")
	}
	return ""
}

// Program is the first word of what the line runs, behind "cd" and variables.
func (c Call) Program() string {
	line := c.Line
	if to := c.Place(); to != "" {
		line = strings.TrimPrefix(line, "cd "+to+" && ")
	}
	words := strings.Fields(line)
	for len(words) > 1 && strings.Contains(words[0], "=") {
		words = words[1:]
	}
	return words[0]
}

// Calls are all the calls of a pair.
func (p Pair) Calls() []Call {
	return append([]Call{p.Mistake, p.Fix, p.Again, p.Mending}, p.Right...)
}

// Fixed says whether a text tells the fix: a word that it brings in, or else one that it takes
// out, or else the first that it puts elsewhere.
func (p Pair) Fixed(text string) bool {
	fields := func(line string) []string {
		return strings.FieldsFunc(line, func(r rune) bool { return r == ' ' || r == '=' })
	}
	wrong, right := fields(p.Mistake.Line), fields(p.Fix.Line)
	words := without(right, wrong)
	if len(words) == 0 {
		words = without(wrong, right)
	}
	for i := 0; i < len(right) && len(words) == 0; i++ {
		if right[i] != wrong[i] {
			words = right[i : i+1]
		}
	}
	return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(text, strings.Trim(w, `"`)) })
}

func without(words, others []string) []string {
	return slices.DeleteFunc(slices.Clone(words), func(w string) bool { return slices.Contains(others, w) })
}

// Read reads the pairs of a folder.
func Read(t testing.TB, dir string) []Pair {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "*.txt"))
	if err != nil || len(names) == 0 {
		t.Fatalf("no pairs in %s (%v)", dir, err)
	}
	var all []Pair
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		p, err := read(string(data))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		p.Name = strings.TrimSuffix(filepath.Base(name), ".txt")
		all = append(all, p)
	}
	return all
}

const begin, end = "-- output --", "-- end --"

func read(text string) (p Pair, err error) {
	ended := &p.Mistake // the call whose end is told next
	var output strings.Builder
	inside := false
	for line := range strings.Lines(text) {
		plain := strings.TrimSuffix(line, "\n")
		key, value, _ := strings.Cut(plain, ": ")
		switch {
		case plain == end:
			ended.Output, inside = output.String(), false
			output.Reset()
		case inside:
			output.WriteString(line)
		case plain == begin:
			inside = true
		case strings.HasPrefix(plain, "#"):
		case key == "program":
			p.Program = value
		case key == "mistake":
			p.Mistake.Line, ended = value, &p.Mistake
		case key == "fix":
			p.Fix.Line, ended = value, &p.Fix
		case key == "status":
			if ended.Status, err = strconv.Atoi(value); err != nil {
				return p, err
			}
		case key == "again":
			p.Again.Line = value
		case key == "fixed-again":
			p.Mending.Line = value
		case key == "right":
			p.Right = append(p.Right, Call{Line: value})
		case key == "names":
			p.Named = value == "yes"
		default:
			return p, fmt.Errorf("what is %q?", plain)
		}
	}
	p.Again.Line, p.Again.Status, p.Again.Output = cmp.Or(p.Again.Line, p.Mistake.Line), p.Mistake.Status, p.Mistake.Output
	p.Mending.Line, p.Mending.Status, p.Mending.Output = cmp.Or(p.Mending.Line, p.Fix.Line), p.Fix.Status, p.Fix.Output
	return p, nil
}
