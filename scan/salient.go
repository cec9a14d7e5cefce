package scan

import (
	"strings"

	"github.com/lessons-cli/lessons/internal/automata"
)

var particulars = automata.New(`(?:~|\.{1,2}|(?:^|[\s'"(=` + "`" + `])|[A-Za-z]:\\)/?[^\s:'"()` + "`" + `]*[/\\]([\w.@+-]+\.[a-z]\w{0,4}\b)|(?:~|\B/)[^\s:'"` + "`" + `]*[/\\]|:\d+(?::\d+)?|\b[0-9a-f]{7,64}\b|\[?\b\d+(?:\.\d+)?(?:ms|s|m)?\b\]?`)

var shellPrefix = automata.New(`^(?:\(eval\)|-?(?:bash|zsh|sh)|/(?:usr/)?bin/\w+)(?::\d+|: line \d+|: -c|: \d+)*: `)

// normalSalient leaves of an error line what is the same in every session: folders,
// positions and times in brackets go, dots stand for hashes and numbers.
func normalSalient(line string) string {
	line = shellPrefix.ReplaceAllString(line, "the shell: ")
	line = particulars.ReplaceAllStringFunc(line, func(m string) string {
		switch {
		case m[0] == ':' || m[0] == '[':
			return "" // a position, a time
		case !strings.ContainsAny(m, `/\`):
			return "…"
		}
		if sub := particulars.FindStringSubmatch(m); sub != nil && sub[1] != "" {
			if strings.ContainsAny(m[:1], " \t'\"(=`") {
				return m[:1] + sub[1]
			}
			return sub[1]
		}
		return ""
	})
	line = manyDots.ReplaceAllString(line, "…")
	if line = onOneLine(line); strings.ContainsAny(line, "\"'`(:") {
		line = emptied.Replace(line)
	}
	return strings.TrimSpace(line)
}

// manyDots is a number of several parts, as an address.
var manyDots = automata.New(`…(?:[.:,]?…)+`)

// emptied takes away what masking left empty: quotes, backquotes, parentheses, and the
// blank before a colon.
var emptied = strings.NewReplacer(` "" `, " ", ` '' `, " ", "``", "", "()", "", " :", ":")
