package instructions

import (
	"strings"

	"github.com/lessons-cli/lessons/knowledge/frontmatter"
)

// properties reads the keys of front matter line by line. Cursor's is no YAML: its globs
// begin with a star and stand without quotes.
func properties(data []byte) (values map[string][]string, body int) {
	m, err := frontmatter.Find(data)
	if err != nil || m.Body == 0 {
		return nil, 0
	}
	values = map[string][]string{}
	key := ""
	for line := range strings.Lines(string(data[:m.Body])) {
		name, value, pair := strings.Cut(strings.TrimSpace(line), ":")
		switch item, listed := strings.CutPrefix(strings.TrimSpace(line), "- "); {
		case listed:
			value = item
		case pair && !strings.HasPrefix(line, " ") && !strings.HasPrefix(line, "\t"):
			key = name
		default:
			continue
		}
		values[key] = append(values[key], globsIn(value)...)
	}
	return values, m.Body
}

// globsIn splits a list of globs as people write it: by commas outside of braces, with or
// without brackets and quotes.
func globsIn(text string) []string {
	text = strings.TrimSpace(text)
	if strings.HasPrefix(text, "[") && strings.HasSuffix(text, "]") && !strings.HasPrefix(text, "[!") {
		text = text[1 : len(text)-1]
	}
	var globs []string
	depth := 0
	for glob := range strings.FieldsFuncSeq(text, func(r rune) bool {
		switch r {
		case '{':
			depth++
		case '}':
			depth--
		}
		return r == ',' && depth <= 0
	}) {
		if glob = strings.Trim(glob, "\"' \t\r"); glob != "" {
			globs = append(globs, glob)
		}
	}
	return globs
}

// everywhere are globs that leave nothing out.
var everywhere = map[string]bool{"*": true, "**": true, "**/*": true, "**/*.*": true}

// scopeOf turns globs of a file in a folder into those of the repository; none: it holds
// everywhere. A glob without a folder is about files of that name in any.
func scopeOf(folder string, globs []string) []string {
	prefix := ""
	if folder != "" {
		prefix = folder + "/"
	}
	var scope []string
	for _, glob := range globs {
		glob = strings.TrimPrefix(strings.TrimPrefix(glob, "./"), "/")
		if everywhere[glob] {
			scope = nil
			break
		}
		if strings.HasSuffix(glob, "/") {
			glob += "**"
		} else if !strings.Contains(glob, "/") {
			glob = "**/" + glob
		}
		scope = append(scope, prefix+glob)
	}
	if len(scope) == 0 && prefix != "" {
		return []string{prefix + "**"}
	}
	return scope
}
