package weigh

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Tokens that stand for many.
const (
	code   = "~code"
	number = "~number"
)

// tokens are the words and marks of a sentence in lower case. What is written like code,
// and numbers, are one token each, whatever they say; a Chinese or Japanese character is a
// token of its own.
func tokens(sentence string) []string {
	var all []string
	sentence = strings.ReplaceAll(sentence, "’", "'")
	for sentence != "" {
		if sentence[0] == '`' {
			if end := strings.IndexByte(sentence[1:], '`'); end > 0 {
				all, sentence = append(all, code), sentence[end+2:]
				continue
			}
		}
		end := strings.IndexFunc(sentence, func(r rune) bool { return unicode.IsSpace(r) || r == '`' })
		switch {
		case end == 0:
			_, end = utf8.DecodeRuneInString(sentence)
		case end < 0:
			end = len(sentence)
			fallthrough
		default:
			all = appendWord(all, sentence[:end])
		}
		sentence = sentence[end:]
	}
	return all
}

// appendWord appends what stands between two blanks: the marks around it, and its words.
func appendWord(all []string, w string) []string {
	for w != "" {
		r, size := utf8.DecodeRuneInString(w)
		if isWordRune(r) || size == len(w) || r == '-' && strings.HasPrefix(w, "--") || r == '/' || r == '.' || r == '@' {
			break
		}
		all, w = append(all, w[:size]), w[size:]
	}
	inner := strings.TrimRightFunc(w, func(r rune) bool { return !isWordRune(r) && r != '/' && r != ')' })
	if open := strings.IndexByte(inner, '('); open <= 0 {
		inner = strings.TrimRight(inner, ")")
	}
	if inner == "" {
		inner = w
	}
	switch {
	case isCode(inner):
		all = append(all, code)
	default:
		all = appendParts(all, inner)
	}
	for _, r := range w[len(inner):] {
		all = append(all, string(r))
	}
	return all
}

// isCode says whether a word is a path, a name of a program's, a flag or an address.
func isCode(w string) bool {
	if strings.ContainsAny(w, "/_\\@#=<>{}[]$()*") || strings.HasPrefix(w, "--") {
		return true
	}
	lower := false
	for i, r := range w {
		switch {
		case r == '.' && i > 0 && i+1 < len(w) && !unicode.IsDigit(rune(w[i+1])):
			return true
		case unicode.IsUpper(r) && lower:
			return true
		}
		lower = unicode.IsLower(r)
	}
	return false
}

// appendParts appends the words of which a word consists: those around hyphens and other
// marks, and each character where no blanks stand between words.
func appendParts(all []string, w string) []string {
	for w != "" {
		r, size := utf8.DecodeRuneInString(w)
		switch {
		case unicode.IsDigit(r):
			end := len(w)
			if i := strings.IndexFunc(w, func(r rune) bool { return !unicode.IsDigit(r) && r != '.' && r != ',' && r != '%' }); i > 0 {
				end = i
			}
			all, w = append(all, number), w[end:]
		case IsDense(r) || !isWordRune(r):
			all, w = append(all, w[:size]), w[size:]
		default:
			end := len(w)
			if i := strings.IndexFunc(w, func(r rune) bool { return IsDense(r) || !isWordRune(r) }); i > 0 {
				end = i
			}
			all, w = append(all, strings.ToLower(w[:end])), w[end:]
		}
	}
	return all
}

func isWordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '\'' }

// IsDense says whether a character is Chinese or Japanese, where no blanks part words.
func IsDense(r rune) bool { return r >= 0x2e80 && (r < 0xa4d0 || r >= 0xf900) }
