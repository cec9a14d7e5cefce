package redact

import (
	"slices"
	"strings"
	"sync"
)

// rule looks closer wherever a literal stands in the text.
type rule struct {
	text string // at least two bytes; in lower case if case does not matter
	fold bool   // case does not matter
	// find looks at the place and returns where this rule has to look again,
	// which keeps the work linear: what it has walked over, it need not walk over
	// a second time.
	find func(t *scanner, at int) int
}

// ruleIndex finds the rules by the first bytes of their literals, in lower case.
type ruleIndex struct {
	rules []rule
	byTwo map[uint32][]int // the rules of each two bytes
	three firstThree
}

// firstThree says of three bytes whether a rule's literal may begin with them. It
// is a set of hashes: it may say yes for nothing.
type firstThree [1 << 10]uint64

func (f *firstThree) bit(three uint32) (word *uint64, bit uint64) {
	h := uint16(three * 0x9E3779B1 >> 16)
	return &f[h>>6], 1 << (h & 63)
}

func (f *firstThree) add(three uint32) {
	word, bit := f.bit(three)
	*word |= bit
}

func (f *firstThree) has(three uint32) bool {
	word, bit := f.bit(three)
	return *word&bit != 0
}

// threeAt returns three bytes of a text, 0 for what is behind its end.
func threeAt(s string, at int) (three uint32) {
	if at+2 < len(s) {
		return uint32(s[at])<<16 | uint32(s[at+1])<<8 | uint32(s[at+2])
	}
	for i := range 3 {
		if three <<= 8; at+i < len(s) {
			three |= uint32(s[at+i])
		}
	}
	return three
}

// index is built on first use: most processes redact nothing.
var index = sync.OnceValue(func() *ruleIndex {
	return indexOf(vendorRules(), shapeRules(), blockRules, urlRules(), headerRules(), commandRules(), nameRules(), homeRules(), hostRules())
})

// knownForms are the rules that know a secret by its own form, wherever it stands.
var knownForms = sync.OnceValue(func() *ruleIndex { return indexOf(vendorRules(), shapeRules(), blockRules) })

func indexOf(rules ...[]rule) *ruleIndex {
	x := &ruleIndex{byTwo: map[uint32][]int{}, rules: slices.Concat(rules...)}
	for i, r := range x.rules {
		text := lowerASCII(r.text)
		three := threeAt(text, 0)
		x.byTwo[three>>8] = append(x.byTwo[three>>8], i)
		if x.three.add(three); len(text) == 2 {
			for third := range uint32(256) {
				x.three.add(three | third)
			}
		}
	}
	return x
}

// scan applies every rule.
func (t *scanner) scan() { t.walk(index(), true) }

// walk walks over the text once and applies rules where their literals stand, and
// those for personal data where they are asked for.
func (t *scanner) walk(x *ruleIndex, personal bool) {
	var again map[int]int // from where a rule looks on; most texts need none
	for at := 0; at+1 < len(t.low); at++ {
		switch t.low[at] { // signs that begin no rule's literal
		case '@':
			if personal {
				t.mail(at)
			}
		case '|':
			t.appToken(at)
		case ';':
			at = t.picture(at)
		}
		three := threeAt(t.low, at)
		if !x.three.has(three) {
			continue
		}
		for _, i := range x.byTwo[three>>8] {
			r, text := &x.rules[i], t.s
			if r.fold {
				text = t.low
			}
			if !strings.HasPrefix(text[at:], r.text) {
				continue
			}
			if again == nil {
				again = map[int]int{}
			}
			if at >= again[i] {
				again[i] = r.find(t, at)
			}
		}
	}
}

// picture returns where the content of a data address ends whose ";base64," is
// at at, or at: pictures and fonts hold no secret, and any rule's letters.
func (t *scanner) picture(at int) int {
	const sign = ";base64,"
	if !strings.HasPrefix(t.low[at:], sign) || !strings.Contains(t.low[max(0, at-48):at], "data:") {
		return at
	}
	return max(at, base64std.run(t.s, at+len(sign))-1)
}

// each calls f with every place of a literal in a text. F returns where to go
// on.
func each(text, literal string, f func(at int) int) {
	for at := 0; at < len(text); {
		i := strings.Index(text[at:], literal)
		if i < 0 {
			return
		}
		at = max(f(at+i), at+i+1)
	}
}
