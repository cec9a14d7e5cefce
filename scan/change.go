package scan

import (
	"slices"
	"strings"
)

// maxChange is the longest line of a change that is shown, in bytes.
const maxChange = 100

// oneChange says in words how an edit changed a line, or nothing when it did
// more than that.
func oneChange(before, after string) string {
	if before == "" {
		return "" // a file that was written
	}
	a, b := apart(before, after)
	old, now := changedLines(a, b)
	if old == nil && now == nil {
		return ""
	}
	shown := func(line string) string { return "`" + strings.ReplaceAll(line, "`", "'") + "`" }
	for _, l := range append(slices.Clone(old), now...) {
		if len(l) > maxChange {
			return ""
		}
	}
	switch {
	case len(old) == 1 && len(now) == 1:
		return shown(old[0]) + " became " + shown(now[0])
	case len(old) == 0 && len(now) == 1:
		return shown(now[0]) + " came in"
	case len(old) == 1 && len(now) == 0:
		return shown(old[0]) + " went out"
	}
	return ""
}

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
	lines := func(s string) []string {
		var all []string
		for l := range strings.Lines(s) {
			if l = strings.TrimSpace(l); l != "" {
				all = append(all, l)
			}
		}
		return all
	}
	before, after := lines(a), lines(b)
	if more := len(before) - len(after); more < -1 || more > 1 {
		return nil, nil
	}
	return less(before, after), less(after, before)
}
