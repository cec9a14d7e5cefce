package shell

import "strings"

// readWords reads a line that the parser refuses, such as PowerShell or a line
// that was cut: quotes, separators, comments and heredocs are known, the rest
// is words.
func readWords(line string) (all []statement) {
	for rest := line; rest != "" && len(all) < maxCommands; {
		start := len(line) - len(rest)
		var ws []word
		var heredoc string
		ws, heredoc, rest = wordsUpTo(rest)
		end := len(line) - len(rest)
		if heredoc != "" {
			rest = behindHeredoc(rest, heredoc)
		}
		if len(ws) == 0 {
			continue
		}
		s := statement{source: strings.TrimSpace(strings.TrimRight(line[start:end], ";|&\n "))}
		ws, s.redirects = splitRedirects(ws)
		for len(ws) > 0 && reserved[ws[0].text] {
			ws = ws[1:]
		}
		if s.words = ws; len(ws) > 0 {
			all = append(all, s)
		}
	}
	return all
}

// reserved are words of the shell's grammar that stand before a command.
var reserved = map[string]bool{
	"if": true, "then": true, "else": true, "elif": true, "fi": true, "do": true, "done": true, "while": true, "until": true,
	"!": true, "{": true, "}": true, "time": true, "esac": true,
}

// wordsUpTo returns the words up to the next separator, the delimiter of a
// heredoc among them, and the rest of the text.
func wordsUpTo(text string) (ws []word, heredoc, rest string) {
	var b strings.Builder
	inWord, dynamic := false, false
	flush := func() {
		if !inWord {
			return
		}
		ws = append(ws, word{text: b.String(), dynamic: dynamic})
		b.Reset()
		inWord, dynamic = false, false
	}
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case c == '\\' && i+1 < len(text):
			i++
			if text[i] != '\n' {
				b.WriteByte(text[i])
				inWord = true
			}
		case c == '\'' || c == '"':
			end := closing(text[i+1:], c)
			quoted := text[i+1 : i+1+end]
			if c == '"' {
				dynamic = dynamic || strings.ContainsAny(quoted, "$`")
				quoted = unescapeQuoted(quoted)
			}
			b.WriteString(quoted)
			inWord = true
			i += end + 1
		case c == '#' && !inWord:
			flush()
			end := strings.IndexByte(text[i:], '\n')
			if end < 0 {
				return ws, heredoc, ""
			}
			return ws, heredoc, text[i+end+1:]
		case c == '<' && strings.HasPrefix(text[i:], "<<") && !strings.HasPrefix(text[i:], "<<<") && heredoc == "":
			flush()
			var used int
			heredoc, used = delimiter(text[i+2:])
			i += 1 + used
		case c == ';' || c == '\n' || c == '|' || c == '&' && !strings.HasSuffix(b.String(), ">"), c == '(' || c == ')':
			flush()
			if heredoc != "" && c != '\n' { // the body starts behind the line
				end := strings.IndexByte(text[i:], '\n')
				if end < 0 {
					return ws, "", ""
				}
				i += end
			}
			return ws, heredoc, text[i+1:]
		case c == ' ' || c == '\t' || c == '\r':
			flush()
		default:
			dynamic = dynamic || c == '$' || c == '`'
			b.WriteByte(c)
			inWord = true
		}
	}
	flush()
	return ws, heredoc, ""
}

// closing returns the offset of the quote that ends, or the text's length.
func closing(text string, quote byte) int {
	for i := 0; i < len(text); i++ {
		if text[i] == '\\' && quote == '"' {
			i++
			continue
		}
		if text[i] == quote {
			return i
		}
	}
	return len(text)
}

// delimiter reads the word behind "<<".
func delimiter(text string) (word string, used int) {
	trimmed := strings.TrimLeft(text, "- \t")
	used = len(text) - len(trimmed)
	end := strings.IndexAny(trimmed, " \t\n;|&<>()")
	if end < 0 {
		end = len(trimmed)
	}
	return strings.Trim(trimmed[:end], `'"\`), used + end
}

// behindHeredoc skips the body of a heredoc.
func behindHeredoc(text, word string) string {
	for text != "" {
		var line string
		line, text, _ = strings.Cut(text, "\n")
		if strings.TrimSpace(line) == word {
			return text
		}
	}
	return ""
}

// splitRedirects takes redirections out of words.
func splitRedirects(ws []word) (rest []word, files []string) {
	for i := 0; i < len(ws); i++ {
		op := strings.TrimLeft(ws[i].text, "0123456789")
		if ws[i].dynamic || !strings.HasPrefix(op, ">") && !strings.HasPrefix(op, "<") {
			rest = append(rest, ws[i])
			continue
		}
		target := strings.TrimLeft(op, "<>")
		if target == "" && i+1 < len(ws) {
			i++
			target = ws[i].text
		}
		if target != "" && !strings.HasPrefix(target, "&") {
			files = append(files, target)
		}
	}
	return rest, files
}
