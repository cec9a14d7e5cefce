package redact

import "strings"

// maxManifest is how far the data of a Secret may stand from its kind, in bytes.
const maxManifest = 4096

// kubernetesSecret redacts the data of a manifest whose kind is Secret, in YAML
// and in JSON: there any name may hold one.
func (t *scanner) kubernetesSecret(at int) int {
	end := at + len("kind")
	i := set(" \t\"':").run(t.s[:min(len(t.s), end+8)], end)
	if !strings.HasPrefix(t.low[i:], "secret") || i+6 < len(t.s) && word.has(t.s[i+6]) || !strings.Contains(t.s[end:i], ":") {
		return end
	}
	from, to := manifest(t.s, at)
	for _, field := range []string{"stringdata", "data"} {
		each(t.low[from:to], field, func(found int) int {
			t.manifestData(from+found, from+found+len(field), to)
			return found + len(field)
		})
	}
	return to
}

// manifest returns the document round at.
func manifest(s string, at int) (from, to int) {
	from, to = max(0, at-maxManifest), min(len(s), at+maxManifest)
	if i := strings.LastIndex(s[from:at], "\n---"); i >= 0 {
		from += i
	}
	if i := strings.Index(s[at:to], "\n---"); i >= 0 {
		to = at + i
	}
	return from, to
}

// manifestData redacts the values of the names below the field s[begin:at], up
// to where the field ends.
func (t *scanner) manifestData(begin, at, limit int) {
	s := t.s[:limit]
	i := set(" \t\"':").run(s, at)
	json := strings.HasPrefix(s[i:], "{")
	if begin > 0 && word.has(s[begin-1]) || !strings.Contains(s[at:i], ":") || !json && !strings.HasPrefix(s[i:], "\n") {
		return
	}
	depth := indent(s, begin)
	for i < len(s) {
		i++
		if json && s[i-1] == '}' || !json && s[i-1] == '\n' && indent(s, blank.run(s, i)) <= depth {
			return
		}
		if s[i-1] != ':' {
			continue
		}
		from, to, _, ok := t.value(blank.run(t.s, i))
		if ok && to <= limit && to-from >= 8 && !placeholder(t.s[from:to]) {
			t.drop(from, to)
			i = to
		}
	}
}

// indent is how far a line's first word is from its beginning, of the line that
// at stands in.
func indent(s string, at int) int {
	line := strings.LastIndexByte(s[:at], '\n') + 1
	return blank.run(s, line) - line
}
