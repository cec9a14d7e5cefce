package redact

import (
	"math"
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/internal/lists"
)

// placeholder says whether a value stands for a secret instead of being one:
// a variable, a template, a mark, a word of documentation.
func placeholder(v string) bool {
	v = strings.Trim(v, "\"'`")
	if v == "" || strings.Contains(v, mark) || strings.HasPrefix(v, markUser) {
		return true
	}
	switch v[0] {
	case '$', '<', '{', '%', '[', '(', '&', '*', '@', '#', '!', '|', '~':
		if !strongMix(v) || variable(v) {
			return true
		}
	}
	if strings.Contains(v, "${") || strings.Contains(v, "{{") || strings.Contains(v, "$(") || strings.Contains(v, "...") || strings.Contains(v, "…") || strings.Contains(v, "<") && strings.Contains(v, ">") {
		return true
	}
	if dummy(v) {
		return true
	}
	const longest = 64 // of values made of words
	if len(v) > longest {
		return false
	}
	low := lowerASCII(v)
	return knownDummies()[strings.Trim(low, "-_.*#:,;!?")] || madeUp(low)
}

// madeUp says whether a value is made of words, one of which says that it stands
// for another, as in mock-token-1.
func madeUp(v string) bool {
	said := false
	for part := range strings.FieldsFuncSeq(v, func(c rune) bool { return strings.ContainsRune("-_. ", c) }) {
		name := strings.TrimRight(part, digits)
		if len(part) > 12 || len(part)-len(name) > 3 || name != "" && !lower.only(name) {
			return false
		}
		said = said || standIns()[name]
	}
	return said
}

// standIns are the words by which documentation and tests mark such values.
var standIns = lists.LazyWords(`mock fake dummy example sample placeholder your my changeme replace insert test todo xxx xxxx`)

// variable says whether a value only names a variable, as $TOKEN, %TOKEN% or
// <token> do.
func variable(v string) bool {
	inner := strings.Trim(v, "$%<>{}[]()&*@#!|~")
	return variableChars.only(inner) && v[0] != inner[0] && !(digit.any(inner) && upper.any(inner) && lower.any(inner)) || inner == ""
}

var variableChars = set(digits + letters + "_-. :/'\"")

func strongMix(v string) bool { return len(v) >= 8 && digit.any(v) && alnum.any(v) }

// knownDummies are words that are never a secret where one is expected.
var knownDummies = lists.LazyWords(`true false null none nil undefined void yes no on off enabled disabled required optional
	string str text bytes byte number int integer boolean bool object array any unknown char varchar interface error
	password passwd pass pwd passphrase secret token tokens key apikey api_key api-key credential credentials user username
	name value default example sample dummy fake test testing changeme change_me todo fixme tbd hidden masked redacted removed
	your_password yourpassword your-password your_token your-token your_key your-key your_api_key your-api-key yourapikey your_secret
	xxx xxxx xxxxx abc foo bar baz foobar here this that the a an it is and or not for from with input prompt file env environment
	var const let function func return new await async self import export class struct type public private static final
	public_key private_key bearer basic digest oauth oauth2 jwt admin root postgres mysql localhost`)

// code says whether an unquoted value is an expression of a programming
// language: a call, an index, a path of names.
func code(v string) bool {
	if strings.ContainsAny(v, "()[]{}<>") || strings.Contains(v, "::") || strings.Contains(v, "->") || strings.HasPrefix(v, ".") || strings.HasPrefix(v, "/") && !strings.ContainsAny(v, "+=") || strings.HasPrefix(v, "./") || strings.HasPrefix(v, "!") && !strongMix(v) || strings.HasPrefix(v, "&") || strings.HasPrefix(v, "=") {
		return true
	}
	if strings.Contains(v, ".") && len(v) < 60 {
		return !slices.ContainsFunc(strings.Split(v, "."), func(part string) bool { return !word.only(part) || digit.has(part[0]) || digits3(part) })
	}
	return false
}

// digits3 says whether a name has three digits or more, as names rarely do.
func digits3(s string) bool {
	n := 0
	for i := range len(s) {
		if digit.has(s[i]) {
			n++
		}
	}
	return n >= 3
}

// random says whether a value looks as if a machine had drawn it: long, of
// several kinds of characters, with little repetition.
func random(v string) bool {
	if len(v) < 16 || !digit.any(v) || !letter.any(v) || uuid(v) || pathLike(v) {
		return false
	}
	if low := lowerASCII(v); strings.Contains(low, "abcdefgh") || strings.Contains(low, "0123456789") {
		return false // an alphabet
	}
	if hexChars.only(v) {
		return len(v) >= 24 && entropy(v) >= 2.8
	}
	return entropy(v) >= 3.3
}

// entropy is Shannon's, in bits per byte of v.
func entropy(v string) float64 {
	var count [256]int
	for i := range len(v) {
		count[v[i]]++
	}
	sum := 0.0
	for _, n := range count {
		if n > 0 {
			p := float64(n) / float64(len(v))
			sum -= p * math.Log2(p)
		}
	}
	return sum
}

// uuid says whether v has the form of a UUID. Most are names of things, not
// secrets.
func uuid(v string) bool {
	if len(v) != 36 {
		return false
	}
	for i := range len(v) {
		if dash := i == 8 || i == 13 || i == 18 || i == 23; dash != (v[i] == '-') || !dash && !hexChars.has(v[i]) {
			return false
		}
	}
	return true
}

// pathLike says whether v is a path, an address or a dotted or dashed list of
// words.
func pathLike(v string) bool {
	if strings.HasPrefix(v, "/") && strings.Count(v, "/") > 1 && !strings.ContainsAny(v, "+=") || strings.HasPrefix(v, "~/") || strings.HasPrefix(v, "./") || strings.HasPrefix(v, "../") || strings.Contains(v, "://") || strings.Contains(v, `:\`) {
		return true
	}
	parts := strings.FieldsFunc(v, func(c rune) bool { return strings.ContainsRune("/-_.:@", c) })
	if len(parts) < 2 {
		return false
	}
	plain := 0
	for _, p := range parts {
		if len(p) >= 20 && digits3(p) && letter.any(p) {
			return false
		}
		if lower.only(strings.ToLower(p)) && entropy(lowerASCII(p)) < 3.3 || digit.only(p) && len(p) < 9 {
			plain++
		}
	}
	return plain*10 >= len(parts)*7
}
