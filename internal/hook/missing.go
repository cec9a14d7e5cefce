package hook

import (
	"slices"
	"strings"
)

// noSuchFile are the words in which programs say that a path is not there.
var noSuchFile = []string{"No such file or directory", "no such file or directory"}

// namedMissing lists the paths, each once, that a command's output says are not
// there.
func namedMissing(output string) []string {
	var paths []string
	for line := range strings.Lines(output) {
		for _, words := range noSuchFile {
			before, after, ok := strings.Cut(line, words)
			if !ok {
				continue
			}
			if p := missingPath(before, after); p != "" && !slices.Contains(paths, p) {
				paths = append(paths, p)
			}
			break
		}
	}
	return paths
}

// missingPath reads the path that stands before or behind the words:
//
//	cat: a/b: No such file or directory
//	ls: cannot access 'a/b': No such file or directory
//	open a/b: no such file or directory
//	[Errno 2] No such file or directory: 'a/b'
//	ENOENT: no such file or directory, open 'a/b'
func missingPath(before, after string) string {
	after = strings.TrimRight(after, "\r\n ")
	if p, ok := strings.CutPrefix(after, ": "); ok {
		return unquoted(p)
	}
	if call, ok := strings.CutPrefix(after, ", "); ok {
		return quotedIn(call)
	}
	before = strings.TrimSpace(before)
	if at := strings.LastIndex(before, "[Errno "); at > 0 {
		before = strings.TrimSpace(before[:at])
	}
	before, ok := strings.CutSuffix(before, ":")
	if !ok {
		return ""
	}
	if p := quotedIn(before); p != "" {
		return p
	}
	p := before[strings.LastIndex(before, ": ")+1:]
	p = strings.TrimSpace(p)
	for _, call := range []string{"open ", "stat ", "lstat ", "chdir "} {
		p = strings.TrimPrefix(p, call)
	}
	return p
}

// quotes are the pairs in which programs put a path.
var quotes = [][2]string{{"'", "'"}, {`"`, `"`}, {"‘", "’"}, {"`", "`"}}

// quotedIn is the last quoted text; empty when there is none.
func quotedIn(text string) string {
	last, path := -1, ""
	for _, q := range quotes {
		end := strings.LastIndex(text, q[1])
		if end <= 0 {
			continue
		}
		if start := strings.LastIndex(text[:end], q[0]); start >= 0 && end > last {
			last, path = end, text[start+len(q[0]):end]
		}
	}
	return path
}

func unquoted(text string) string {
	for _, q := range quotes {
		if inner, ok := strings.CutPrefix(text, q[0]); ok {
			if end := strings.Index(inner, q[1]); end >= 0 {
				return inner[:end]
			}
		}
	}
	return text
}
