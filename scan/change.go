package scan

import (
	"slices"
	"strings"
)

// maxChange is the longest line of a change that is shown, in bytes.
const maxChange = 100

// lineChange is a line that was changed. One that came in has no old form, one that went
// out no new one.
type lineChange struct{ old, now string }

// String says it in words.
func (c lineChange) String() string {
	switch {
	case c == lineChange{}:
		return ""
	case c.old == "":
		return shownLine(c.now) + " came in"
	case c.now == "":
		return shownLine(c.old) + " went out"
	}
	return shownLine(c.old) + " became " + shownLine(c.now)
}

// shownLine is a line of a source as Markdown's code: between more backquotes than it has.
func shownLine(line string) string {
	fence, pad := "`", ""
	for strings.Contains(line, fence) {
		fence, pad = fence+"`", " "
	}
	return fence + pad + line + pad + fence
}

// oneChange is how an edit changed a line, nothing when it did more than that.
func oneChange(made replacement) lineChange {
	if made.old == "" {
		return lineChange{} // a file that was written
	}
	old, now := changedLines(apart(made.old, made.new))
	if len(old) > 1 || len(now) > 1 || slices.ContainsFunc(slices.Concat(old, now), tooLong) {
		return lineChange{}
	}
	var c lineChange
	if len(old) == 1 {
		c.old = old[0]
	}
	if len(now) == 1 {
		c.now = now[0]
	}
	return c
}

func tooLong(line string) bool { return len(line) > maxChange }

// apart leaves the lines out with which both texts begin and end.
func apart(a, b string) (string, string) {
	from, n := 0, min(len(a), len(b))
	for i := 0; i < n && a[i] == b[i]; i++ {
		if a[i] == '\n' {
			from = i + 1
		}
	}
	a, b = a[from:], b[from:]
	end, n := 0, min(len(a), len(b))
	for i := 1; i <= n && a[len(a)-i] == b[len(b)-i]; i++ {
		if a[len(a)-i] == '\n' {
			end = i
		}
	}
	return a[:len(a)-end], b[:len(b)-end]
}

// changedLines returns the lines of either text that the other lacks, nothing when
// one has so many more that several changed.
func changedLines(a, b string) (gone, came []string) {
	before, after := trimmedLines(a), trimmedLines(b)
	if more := len(before) - len(after); more < -1 || more > 1 {
		return nil, nil
	}
	return less(before, after), less(after, before)
}

// trimmedLines are the lines of a text that are not blank, without their indentation.
func trimmedLines(text string) []string {
	var all []string
	for l := range strings.Lines(text) {
		if l = strings.TrimSpace(l); l != "" {
			all = append(all, l)
		}
	}
	return all
}
