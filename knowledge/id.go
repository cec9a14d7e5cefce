package knowledge

import (
	"cmp"
	"crypto/sha256"
	"encoding/base32"
	"encoding/hex"
	"strings"
	"unicode"
)

// base32Lower is the alphabet of ids: lower case, no padding.
var base32Lower = base32.NewEncoding("abcdefghijklmnopqrstuvwxyz234567").WithPadding(base32.NoPadding)

const idDigits = 10

// digest returns the first n base32 characters of the SHA-256 of the parts,
// behind a prefix. A NUL stands between parts, so that ("ab","c") and ("a","bc")
// differ.
func digest(prefix string, n int, parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return prefix + base32Lower.EncodeToString(sum[:])[:n]
}

// observationID names an observation: "obs_" and ten base32 characters over type,
// canonical trigger (or, without one, the normalised title) and the smallest of
// the evidence hashes (rulings 1).
func observationID(t Type, trigger *Trigger, title, hash string) string {
	about := CanonicalTrigger(trigger)
	if about == "" {
		about = NormaliseTitle(title)
	}
	return digest("obs_", idDigits, string(t), about, hash)
}

// EvidenceHash is the hash by which a quote takes part in an observation id
// and by which the quotes that are kept are chosen.
func EvidenceHash(quote string) string {
	sum := sha256.Sum256([]byte(quote))
	return hex.EncodeToString(sum[:])
}

// SessionHash is the form in which a session id is stored: a prefix of its
// hash, enough to count sessions and too little to name one (rulings 7).
// The empty id has the empty hash.
func SessionHash(session string) string {
	if session == "" {
		return ""
	}
	return digest("", 12, "session", session)
}

// derivedID says whether the id has the form that [observationID] gives. Other
// forms (an earlier tool's six characters, manual_…) are accepted as they are
// and never change.
func derivedID(id string) bool {
	rest, ok := strings.CutPrefix(id, "obs_")
	return ok && len(rest) == idDigits && strings.Trim(rest, "abcdefghijklmnopqrstuvwxyz234567") == ""
}

// NormaliseTitle reduces a title to what makes two titles the same: lower-case
// words of letters, digits, "_", "+" and "#", joined by one blank. A title
// without any such word is compared as it is.
func NormaliseTitle(title string) string {
	if words := titleWords(title); len(words) > 0 {
		return strings.Join(words, " ")
	}
	return strings.ToLower(strings.TrimSpace(title))
}

// titleWords returns the words by which titles are compared and found.
func titleWords(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !titleRune(r) })
}

func titleRune(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) || r == '_' || r == '+' || r == '#'
}

// NormaliseFix reduces a fix to what makes two fixes the same: code marks,
// quotes and closing punctuation go, as do the words that only introduce it,
// blanks are single and numbers that stand alone are one number. Flags keep
// their case and dashes: -r and -R are different fixes.
func NormaliseFix(fix string) string {
	var words []string
	for _, word := range strings.FieldsFunc(strings.ReplaceAll(fix, "**", " "), betweenFixWords) {
		word = strings.TrimRight(word, ".,;:!")
		if !strings.HasPrefix(word, "-") {
			word = strings.ToLower(word)
		}
		if word != "" && strings.Trim(word, digits) == "" {
			word = "0"
		}
		if word != "" {
			words = append(words, word)
		}
	}
	for len(words) > 1 && introducesFix(words[0]) {
		words = words[1:]
	}
	return strings.Join(words, " ")
}

func betweenFixWords(r rune) bool { return unicode.IsSpace(r) || r == '`' || r == '"' || r == '\'' }

func introducesFix(word string) bool {
	switch word {
	case "use", "run", "try", "instead", "please", "always", "just", "the", "a", "command", "call":
		return true
	}
	return false
}

// CanonicalTrigger is the text by which two triggers are the same: the hard
// slots with their elements trimmed, sorted and unique. The soft slots
// (keywords, context) count only where no hard slot is declared, and unless
// never: it says when the trigger is silent and follows from the fix. The
// empty text means that nothing is declared.
func CanonicalTrigger(t *Trigger) string {
	if t == nil {
		return ""
	}
	hard := slotTexts(
		slot{"tools", t.Tools, false}, slot{"commands", t.Commands, false},
		slot{"commandPatterns", t.CommandPatterns, false}, slot{"paths", t.Paths, false},
		slot{"content", t.Content, false}, slot{"agents", t.Agents, false})
	if hard != "" {
		return hard
	}
	return slotTexts(slot{"keywords", t.Keywords, true}, slot{"context", t.Context, true})
}

// TriggerHash is a hash of the canonical trigger, under which projects are
// counted that met it (rulings 9). It is empty when nothing is declared.
func TriggerHash(t *Trigger) string {
	text := CanonicalTrigger(t)
	if text == "" {
		return ""
	}
	return digest("", 16, "trigger", text)
}

type slot struct {
	name     string
	elements []string
	fold     bool // case does not matter
}

func slotTexts(slots ...slot) string {
	var texts []string
	for _, s := range slots {
		var elements []string
		for _, e := range s.elements {
			if e = strings.Join(strings.Fields(e), " "); s.fold {
				e = strings.ToLower(e)
			}
			if e != "" {
				elements = append(elements, e)
			}
		}
		if len(elements) > 0 {
			texts = append(texts, s.name+"="+strings.Join(sortedSet(elements), "\x1f"))
		}
	}
	return strings.Join(texts, "\x1e")
}

// ContentKey identifies what an observation says, whoever saw it: two people's
// independent observations of one lesson have different ids and one key
// (reconcile.md section 3, "key"). It is made from trigger and fix, or without
// those from the title (rulings 22).
func ContentKey(o *Observation) string { return cmp.Or(triggerKey(o), titleKey(o)) }

// ContentKeys returns every key under which the observation is known: its own
// two and those of the members of its cluster. The result is sorted.
func ContentKeys(o *Observation) []string { return memberOf(o).keys }

func triggerKey(o *Observation) string {
	trigger, fix := CanonicalTrigger(o.Trigger), NormaliseFix(o.Fix)
	if trigger == "" || fix == "" {
		return ""
	}
	return digest("L-", idDigits, string(o.Type), "trigger", trigger, fix)
}

func titleKey(o *Observation) string {
	title := NormaliseTitle(o.Pattern)
	if title == "" {
		return ""
	}
	return digest("L-", idDigits, string(o.Type), "title", title)
}
