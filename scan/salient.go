package scan

import (
	"strings"

	"github.com/lessons-cli/lessons/internal/automata"
)

var particulars = automata.New(`(?:~|\.{1,2}|(?:^|[\s'"(=` + "`" + `])|[A-Za-z]:\\)/?[^\s:'"()` + "`" + `]*[/\\]([\w.@+-]+\.[a-z]\w{0,4}\b)|(?:~|\B/)[^\s:'"` + "`" + `]*[/\\]|:\d+(?::\d+)?|\b[0-9a-f]{7,64}\b|\[?\b\d+(?:\.\d+)?(?:ms|s|m)?\b\]?`)

var shellPrefix = automata.New(`^(?:\(eval\)|-?(?:bash|zsh|sh)|/(?:usr/)?bin/\w+)(?::\d+|: line \d+|: -c|: \d+)*: `)

// normalSalient takes from an error line what differs from session to session:
// folders, positions, hashes, durations and numbers.
func normalSalient(line string) string {
	line = shellPrefix.ReplaceAllString(line, "the shell: ")
	line = particulars.ReplaceAllStringFunc(line, func(m string) string {
		if !strings.ContainsAny(m, `/\`) {
			return "" // no name of a file, which is all that stays
		}
		if sub := particulars.FindStringSubmatch(m); sub != nil && sub[1] != "" {
			if strings.ContainsAny(m[:1], " \t'\"(=`") {
				return m[:1] + sub[1]
			}
			return sub[1]
		}
		return ""
	})
	if line = onOneLine(line); strings.ContainsAny(line, "\"'`(:") {
		line = emptied.Replace(line)
	}
	return strings.TrimSpace(line)
}

// emptied takes away what masking left empty: quotes, backquotes, parentheses, and the
// blank before a colon.
var emptied = strings.NewReplacer(` "" `, " ", ` '' `, " ", "``", "", "()", "", " :", ":")
