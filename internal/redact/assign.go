package redact

import (
	"strings"

	"github.com/lessons-cli/lessons/internal/lists"
)

// nameRules find values given to names that say they are secret, in
// configuration, code, environments, headers, flags and JSON.
func nameRules() []rule {
	var rules []rule
	for _, n := range secretNames {
		for words := range strings.SplitSeq(n.words, ",") {
			for _, w := range joined(strings.TrimSpace(words)) {
				rules = append(rules, rule{text: w, fold: true, find: func(t *scanner, at int) int { return t.named(w, n.strength, at) }})
			}
		}
	}
	for _, w := range []string{"pass", "pw"} {
		rules = append(rules, rule{text: w, fold: true, find: func(t *scanner, at int) int { return t.shortName(w, at) }})
	}
	rules = append(rules, rule{text: "--password-stdin", find: (*scanner).piped}, rule{text: " identified by ", fold: true, find: (*scanner).identified}, rule{text: " pass:", find: (*scanner).passSource})
	// The last word of a name in camel case.
	return append(rules, rule{text: "Key", find: func(t *scanner, at int) int {
		if end := at + len("Key"); at == 0 || !lower.has(t.s[at-1]) || end < len(t.s) && nameChars.has(t.s[end]) {
			return end
		}
		return t.named("key", weak, at)
	}})
}

// shortName looks at words that mean many things: only where "=" or a quote
// follows at once is one a name.
func (t *scanner) shortName(w string, at int) int {
	end := at + len(w)
	if end+1 < len(t.s) && shortNameEnds.has(t.s[end]) && (t.s[end] == '=' || separator(t.s, closers.run(t.s, end)) != "") {
		return t.named(w, medium, at)
	}
	return end
}

var shortNameEnds = set("=\"'\\")

// piped redacts what a command line writes into a program that reads a password.
func (t *scanner) piped(at int) int {
	line := max(0, at-maxJudged) + strings.LastIndexByte(t.s[max(0, at-maxJudged):at], '\n') + 1
	for _, program := range []string{"echo ", "printf "} {
		i := strings.LastIndex(t.s[line:at], program)
		if i < 0 {
			continue
		}
		from := line + i + len(program)
		for strings.HasPrefix(t.s[from:at], "-") { // -n
			from = blank.run(t.s, from+strings.IndexByte(t.s[from:at]+" ", ' '))
		}
		if from, to, _, ok := t.value(from); ok && to <= at && to-from >= 6 && !placeholder(t.s[from:to]) {
			t.drop(from, to)
		}
	}
	return at + len("--password-stdin")
}

// identified redacts the password that SQL gives a user.
func (t *scanner) identified(at int) int {
	end := at + len(" identified by ")
	if from, to, quoted, ok := t.value(end); ok && quoted && !placeholder(t.s[from:to]) {
		t.drop(from, to)
	}
	return end
}

// passSource redacts the password that openssl takes as pass:….
func (t *scanner) passSource(at int) int {
	end := at + len(" pass:")
	if end < len(t.s) && !blank.has(t.s[end]) && strings.Contains(t.s[max(0, at-160):at], " -pass") {
		if from, to, _, ok := t.value(end); ok && !placeholder(t.s[from:to]) {
			t.drop(from, to)
		}
	}
	return end
}

// joined returns the spellings of a name of several words.
func joined(words string) []string {
	if i := strings.IndexByte(words, ' '); i <= 0 || i == len(words)-1 {
		return []string{words}
	}
	all := lists.Map([]string{" ", "_", "-", "."}, func(with string) string { return strings.ReplaceAll(words, " ", with) })
	return append(all, strings.ReplaceAll(words, " ", ""))
}

// named looks at a name that has a word for a secret in it at at.
func (t *scanner) named(secret string, s strength, at int) int {
	end := at + len(secret)
	if !startsWord(t.s, at) || !endsWord(t.s, end) {
		return end
	}
	begin, name := nameChars.back(t.s, at, 64), nameChars.run(t.s[:min(len(t.s), end+48)], end)
	full := strings.TrimRight(t.low[begin:name], "-.")
	if name-end > 40 || begin > 0 && t.s[begin-1] == '/' && s == strong {
		return end
	}
	from, to, quoted, ok := t.valueAfter(begin, name)
	if !ok {
		if s >= medium {
			from, to, ok = t.inWords(name)
		}
		if ok && !innocently(full, secret) {
			t.drop(from, to)
		}
		return end
	}
	call := !quoted && (code(t.s[from:to]) || strings.HasPrefix(t.s[to:], "("))
	if call && letter.has(t.s[from]) {
		t.fallback(to)
	}
	// What a variable of the environment is given is as good as quoted.
	assured := quoted || s == medium && to-from >= 12 && constant.only(t.s[begin:name]) && strings.HasPrefix(t.s[name:], "=")
	if call || !secretValue(t.s[from:to], full, s, assured, t.proseAfter(to)) || innocently(full, secret) {
		return end
	}
	to = t.valueEnd(from, to, quoted)
	t.drop(from, to)
	if quoted {
		t.others(to)
	}
	return to
}

// fallback redacts the value in quotes that code takes when the expression
// before it in the line gives none.
func (t *scanner) fallback(at int) {
	limit := min(len(t.s), at+80)
	otherwise := false
	for at < limit && t.s[at] != '\n' {
		for _, word := range []string{"||", "??", " or ", " else ", ", "} {
			otherwise = otherwise || strings.HasPrefix(t.s[at:], word)
		}
		if t.s[at] == '"' || t.s[at] == '\'' {
			from, to, _, ok := t.value(at)
			if ok && otherwise && random(t.s[from:to]) {
				t.drop(from, to)
			}
			at = max(at, to)
		}
		at++
	}
}

// others redacts the values that follow a quoted one in a list.
func (t *scanner) others(at int) {
	for range 32 {
		next := at + 1
		next = space.run(t.s, min(len(t.s), next))
		if next >= len(t.s) || t.s[next] != ',' {
			return
		}
		from, to, quoted, ok := t.value(space.run(t.s, next+1))
		if !ok || !quoted {
			return
		}
		if random(t.s[from:to]) {
			t.drop(from, to)
		}
		at = to
	}
}

// valueAfter returns the value of the name s[begin:end]: behind a separator, in
// quotes or up to a delimiter, in the next line where the separator ends its
// own.
func (t *scanner) valueAfter(begin, end int) (from, to int, quoted, ok bool) {
	s := t.s
	i := closers.run(s[:min(len(s), end+6)], end)
	closed := i > end
	if at, ok := t.beside(begin, i); ok {
		return t.value(at)
	}
	i = blank.run(s, i)
	if i == len(s) {
		return 0, 0, false, false
	}
	if i > end && !closed && t.taker(begin, end) {
		return t.value(i)
	}
	if !closed {
		i = t.typed(i)
	}
	sep := separator(s, i)
	if sep == "" || sep == "," && !closed || sep == ">" && (begin == 0 || s[begin-1] != '<') {
		return 0, 0, false, false
	}
	bare := sep == ":"
	i = blank.run(s, i+len(sep))
	switch sep {
	case ",", "==", "===", "!=", "!==":
		// An operand or a comparison gives a secret in quotes alone.
		from, to, quoted, ok := t.value(i)
		return from, to, quoted, ok && quoted
	}
	if block := yamlBlock.run(s, i); block > i && bare {
		i, bare = blank.run(s, block), false
	}
	if strings.HasPrefix(strings.TrimPrefix(s[i:min(len(s), i+2)], "\r"), "\n") {
		if i, ok = t.nextLine(begin, i, bare); !ok {
			return 0, 0, false, false
		}
	}
	return t.value(i)
}

var closers = set("\"'`])\\")

// separators stand between a name and its value, longer ones first.
var separators = []string{":::=", "::=", "===", "!==", "||=", ":=", "?=", "+=", ".=", "==", "!=", "=>", "= >", "<-", "=", ":-", ":", ">", ","}

func separator(s string, at int) string {
	if at >= len(s) || strings.IndexByte(":=!|?+.<>,", s[at]) < 0 {
		return ""
	}
	for _, sep := range separators {
		if strings.HasPrefix(s[at:], sep) {
			if again := at + len(sep); again < len(s) && strings.IndexByte(":=>", s[again]) >= 0 {
				return "" // another operator
			}
			return sep
		}
	}
	return ""
}

// typed passes over the type that code gives a name, in "name: string = " or
// "name string = ", and returns i where there is none.
func (t *scanner) typed(i int) int {
	s := t.s[:min(len(t.s), i+48)]
	from := i
	if from < len(s) && s[from] == ':' {
		from = blank.run(s, from+1)
	}
	to := typeChars.run(s, from)
	eq := blank.run(s, to)
	if to == from && from == i || to > from && !letter.has(s[from]) && s[from] != '&' || !strings.HasPrefix(s[eq:], "=") || strings.HasPrefix(s[eq:], "==") || strings.HasPrefix(s[eq:], "=>") {
		return i
	}
	return eq
}

var typeChars = set(letters + "_&.?[]<>|")

// beside returns where the value stands that is written beside its name, as in
// {"name": "TOKEN", "value": "…"}.
func (t *scanner) beside(begin, at int) (int, bool) {
	limit := min(len(t.s), at+48)
	i := between.run(t.s[:limit], at)
	lead := t.low[max(0, begin-12):begin]
	if i == at || !strings.HasPrefix(t.low[i:limit], "value") || !strings.Contains(lead, "name") && !strings.Contains(lead, "key") {
		return 0, false
	}
	i = closers.run(t.s[:limit], i+len("value"))
	i = blank.run(t.s, i)
	sep := separator(t.s, i)
	if sep != ":" && sep != "=" && sep != "=>" {
		return 0, false
	}
	return blank.run(t.s, i+len(sep)), true
}

var between = set(" \t\r\n\"'\\,;-")

// taker says whether what stands before a name makes the next word its value:
// an option, a setting's command.
func (t *scanner) taker(begin, end int) bool {
	if strings.HasPrefix(t.s[begin:end], "-") {
		return true
	}
	lead := t.low[max(0, begin-24):begin]
	if !strings.HasSuffix(lead, " ") && !strings.HasSuffix(lead, ".") {
		return false
	}
	for _, w := range []string{"env ", "arg ", "set ", "setx ", "-gx ", "-x ", "-ux ", "config ", "config --global ", "--global "} {
		if rest, ok := strings.CutSuffix(lead, w); ok && (rest == "" || !letter.has(rest[len(rest)-1])) {
			return true
		}
	}
	return false
}

// nextLine returns where the value stands of a name whose separator ends its
// line and whose value has the next line to itself. A bare colon ends many other
// lines: the name must begin its line then.
func (t *scanner) nextLine(begin, at int, bare bool) (int, bool) {
	lead := t.s[max(0, begin-40):begin]
	lead = lead[strings.LastIndexByte(lead, '\n')+1:]
	if bare && strings.Trim(lead, " \t\"'-") != "" {
		return 0, false
	}
	line := at + strings.IndexByte(t.s[at:], '\n') + 1
	i := blank.run(t.s, line)
	_, to, _, ok := t.value(i)
	rest := t.s[to:min(len(t.s), to+8)]
	rest, _, _ = strings.Cut(rest, "\n")
	return i, ok && i > line && strings.Trim(rest, " \t\r\"',;") == ""
}

// value reads the value that begins at i.
func (t *scanner) value(i int) (from, to int, quoted, ok bool) {
	s := t.s
	for _, lead := range []string{"!!binary ", "str(", "b\"", "b'", "f\"", "r\"", "u\"", "u'", "Bearer ", "bearer ", "Basic ", "token "} {
		if strings.HasPrefix(s[i:], lead) {
			i += len(strings.TrimRight(lead, "\"'"))
			break
		}
	}
	if i >= len(s) {
		return 0, 0, false, false
	}
	open := ""
	for _, q := range []string{`\\\"`, `\"`, `"""`, `"`, `'`, "`"} {
		if strings.HasPrefix(s[i:], q) {
			open = q
			break
		}
	}
	from = i + len(open)
	to = quotedEnd(s, from, min(len(s), from+maxJudged), open)
	if open == "" {
		for to > i && strings.IndexByte(".:?!", s[to-1]) >= 0 {
			to--
		}
	}
	return from, to, open != "", to > from
}

// maxJudged is how much of a value is looked at to decide whether it is a
// secret, in bytes.
const maxJudged = 512

// valueEnd returns where a value ends of which s[from:to] was looked at.
func (t *scanner) valueEnd(from, to int, quoted bool) int {
	if to-from < maxJudged-4 {
		return to
	}
	open := ""
	if quoted {
		open = t.s[from-1 : from]
	}
	return quotedEnd(t.s, from, len(t.s), open)
}

// quotedEnd returns where a value ends that begins at from: at the quote that
// opened it or at the end of the line, and without a quote at a delimiter.
func quotedEnd(s string, from, limit int, open string) int {
	to := from
	for to < limit {
		switch {
		case open == "":
			if s[to] == '|' && digit.only(s[from:to]) && to+1 < limit && base64url.has(s[to+1]) {
				break // an application's number and its secret
			}
			if strings.IndexByte(" \t\r\n\"'`,;&<>)}|", s[to]) >= 0 || literalEscape(s, to) {
				return to
			}
		case strings.HasPrefix(s[to:], open), s[to] == '\n' && len(open) < 3:
			return to
		case open == `"` && s[to] == '\\' && to+1 < limit:
			to++
		}
		to++
	}
	return limit
}

// literalEscape says whether a backslash and a letter at i stand for a line's
// end or a quote inside of a longer literal.
func literalEscape(s string, i int) bool {
	return s[i] == '\\' && i+1 < len(s) && strings.IndexByte("nrt\"'", s[i+1]) >= 0
}

// proseAfter says whether the line goes on with words behind a value, as a
// sentence does.
func (t *scanner) proseAfter(at int) bool {
	next := blank.run(t.s, at)
	return next > at && next < len(t.s) && letter.has(t.s[next])
}

var (
	secretChars = set(digits + letters + "+/=_-.~")
	yamlBlock   = set("|>-+")
	constant    = set(uppers + digits + "_-")
)

// nearbyBytes is how far behind the word for a secret a value may stand in
// running text.
const nearbyBytes = 64

// inWords returns the value that running text gives behind a word like "token":
// what it says it is, or what looks random.
func (t *scanner) inWords(at int) (from, to int, ok bool) {
	if lead := t.s[at:min(len(t.s), at+5)]; strings.HasPrefix(lead, " is ") || lead == " was " || strings.HasPrefix(lead, " '") || strings.HasPrefix(lead, ` "`) {
		from, to, _, ok := t.value(blank.run(t.s, at+1+letter.run(lead[1:], 0)))
		if v := t.s[from:to]; ok && len(v) >= 8 && digit.any(v) && letter.any(v) && !strings.Contains(v, " ") && !placeholder(v) && !code(v) && entropy(v) >= 2.5 {
			return from, to, true
		}
	}
	end := min(len(t.s), at+nearbyBytes)
	for i := at; i < end && t.s[i] != '\n'; i++ {
		if !secretChars.has(t.s[i]) {
			continue
		}
		to := secretChars.run(t.s, i)
		v := strings.TrimRight(t.s[i:to], ".=-")
		called := to < len(t.s) && t.s[to] == '('
		if len(v) >= 20 && !called && random(v) && entropy(v) >= 3.5 && !hash(v) && !code(v) && mixedThree(v) {
			return i, i + len(v), true
		}
		i = to
	}
	return 0, 0, false
}

// mixedThree says whether v has digits and letters of both cases, or is hex.
func mixedThree(v string) bool {
	return digits3(v) && (upper.any(v) && lower.any(v) || hexChars.only(v))
}
