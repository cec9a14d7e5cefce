package redact

import "strings"

// secretValue decides whether v is a secret, given to a name that promises one.
func secretValue(v, name string, s strength, quoted, prose bool) bool {
	if len(v) < 4 || placeholder(v) || strings.HasPrefix(v, "http://") || strings.HasPrefix(v, "https://") && !strings.Contains(v, "hooks") {
		return false
	}
	if quoted && strings.Count(v, " ") > 2 && s < strong {
		return false // a sentence
	}
	if s > weak && random(v) {
		return true
	}
	switch s {
	case strong:
		return strongValue(v, quoted, prose)
	case medium:
		if uuid(v) {
			return strings.Contains(name, "secret") || strings.Contains(name, "token") || strings.Contains(name, "api")
		}
		if digit.only(v) {
			return len(v) >= 15 // no count and no time
		}
		if pathLike(v) || len(v) < 8 || screaming(v) {
			return false
		}
		return digit.any(v) && letter.any(v) && (quoted || !word.only(v) || digits3(v)) || len(v) >= 20 && mixed(v) && entropy(v) > 3.5 && !strings.Contains(v, " ") && !camelWords(v)
	}
	return random(v) && entropy(v) >= 3.5 && !uuid(v) && !hash(v)
}

// strongValue decides for names such as password.
func strongValue(v string, quoted, prose bool) bool {
	plain := letter.only(v)
	switch {
	case screaming(v):
		return false
	case quoted:
		return strings.Count(v, " ") < 5 || digit.any(v)
	case plain && prose, plain && !lower.any(v):
		return false // a sentence, or a constant
	case plain:
		return len(v) >= 6 && !(lower.has(v[0]) && upper.any(v) && camelWords(v))
	case strings.HasPrefix(v, "-"), pathLike(v) && !digit.any(v):
		return false
	case digit.only(v):
		return len(v) >= 4 && v != "0000"
	}
	return true
}

// camelWords says whether a value without digits is made of words, as names in
// code are: its runs of lower-case letters are long.
func camelWords(v string) bool {
	if digit.any(v) {
		return false
	}
	runs, length := 0, 0
	for i := range len(v) {
		if lower.has(v[i]) {
			length++
			if i == 0 || !lower.has(v[i-1]) {
				runs++
			}
		}
	}
	return runs > 0 && length >= 3*runs
}

// screaming says whether v is a constant's name.
func screaming(v string) bool {
	return constant.only(v) && strings.ContainsAny(v, "_-") && !digits3(v)
}

// hash says whether v has the length of a commit or a checksum.
func hash(v string) bool {
	return hexChars.only(v) && (len(v) == 40 || len(v) == 64 || len(v) == 32)
}
