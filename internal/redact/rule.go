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

	// Where the rule takes something out, at least so many bytes follow its
	// literal, and the first is one of these; zero values: anything follows.
	least int
	next  class
}

// ruleIndex finds the rules by the first two bytes of their literals.
type ruleIndex struct {
	rules []rule
	pairs []int           // of the rules' literals, in lower case
	begin [1 << 16]uint16 // first rule of a pair of bytes, plus one
	first firstBytes      // of the rules' literals
	lower [256]byte       // ASCII letters in lower case
}

func pair(s string, at int) int { return int(s[at])<<8 | int(s[at+1]) }

// index is built on first use: most processes redact nothing.
var index = sync.OnceValue(func() *ruleIndex {
	x := &ruleIndex{rules: slices.Concat(vendorRules(), shapeRules(), blockRules(), urlRules(), headerRules(), commandRules(), nameRules(), homeRules(), hostRules())}
	slices.SortStableFunc(x.rules, func(a, b rule) int {
		return pair(lowerASCII(a.text), 0) - pair(lowerASCII(b.text), 0)
	})
	for i, r := range x.rules {
		two := pair(lowerASCII(r.text), 0)
		x.pairs = append(x.pairs, two)
		x.first.addRule(lowerASCII(r.text))
		if x.begin[two] == 0 {
			x.begin[two] = uint16(i + 1)
		}
	}
	for c := range x.lower {
		x.lower[c] = byte(c)
		if 'A' <= c && c <= 'Z' {
			x.lower[c] += 'a' - 'A'
		}
	}
	return x
})

// scan walks over the text once and applies every rule where its literal
// stands.
func (t *scanner) scan() {
	x := index()
	var again *[]int // from where a rule looks on; most texts need none
	for at := 0; at+1 < len(t.low); at++ {
		if at = t.sign(at); at+1 >= len(t.low) {
			return
		}
		if !x.first.has(threeAt(t.low, at)) {
			continue
		}
		two := pair(t.low, at)
		for i := int(x.begin[two]) - 1; i >= 0 && i < len(x.rules) && x.pairs[i] == two; i++ {
			r := &x.rules[i]
			text := t.s
			if r.fold {
				text = t.low
			}
			if strings.HasPrefix(text[at:], r.text) && (again == nil || at >= (*again)[i]) {
				if again == nil {
					again = places.Get().(*[]int)
					clear(*again)
					defer places.Put(again)
				}
				(*again)[i] = r.find(t, at)
			}
		}
	}
}

// sign looks closer at a sign that begins no rule's literal, and returns where the
// walk goes on. What it takes out, [Redactor.untouched] must ask for too.
func (t *scanner) sign(at int) int {
	switch t.low[at] {
	case '@':
		t.mail(at)
	case '|':
		t.appToken(at)
	case ';':
		return t.picture(at)
	}
	return at
}

// places are kept from one text to the next: a place in the text for each rule.
var places = sync.Pool{New: func() any { p := make([]int, len(index().rules)); return &p }}

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
