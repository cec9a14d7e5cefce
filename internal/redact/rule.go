package redact

import (
	"cmp"
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
	// It does so only where this says yes of a literal from at to end; nil: anywhere.
	stands func(s string, at, end int) bool

	head head // of the literal, set by the index
}

// ruleIndex finds the rules by the first bytes of their literals.
type ruleIndex struct {
	rules []rule
	heads []head      // of the rules' literals
	begin [257]uint16 // the first rule of each slot
	first firstBytes  // of the rules' literals
	lower [256]byte   // ASCII letters in lower case
}

// head is up to four bytes with which a rule's literal begins, in lower case.
type head struct{ bytes, mask uint32 }

func headOf(text string) head {
	h := head{}
	for i := range 4 {
		h.bytes, h.mask = h.bytes<<8, h.mask<<8
		if i < len(text) {
			h.bytes, h.mask = h.bytes|uint32(text[i]), h.mask|0xff
		}
	}
	return h
}

func (h head) three() uint32 { return h.bytes >> 8 }

// at says whether a rule's literal may begin with four bytes.
func (h head) at(four uint32) bool { return four&h.mask == h.bytes }

// slot is where rules stand whose literals begin with the two upper bytes of three.
func slot(three uint32) uint8 { return uint8(three>>16*31 + three>>8) }

// index is built on first use: most processes redact nothing.
var index = sync.OnceValue(func() *ruleIndex {
	x := &ruleIndex{rules: slices.Concat(vendorRules(), shapeRules(), blockRules(), urlRules(), headerRules(), commandRules(), nameRules(), homeRules(), hostRules())}
	for i := range x.rules {
		x.rules[i].head = headOf(lowerASCII(x.rules[i].text))
	}
	slices.SortStableFunc(x.rules, func(a, b rule) int {
		return cmp.Or(cmp.Compare(slot(a.head.three()), slot(b.head.three())), cmp.Compare(a.head.bytes>>16, b.head.bytes>>16))
	})
	for i, r := range x.rules {
		x.heads = append(x.heads, r.head)
		x.first.addRule(r)
		x.begin[int(slot(r.head.three()))+1] = uint16(i + 1)
	}
	for i := 1; i < len(x.begin); i++ {
		x.begin[i] = max(x.begin[i], x.begin[i-1])
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
		three := threeAt(t.low, at)
		if !x.first.has(three) {
			continue
		}
		four := fourAt(t.low, at, three)
		for i := x.begin[slot(three)]; i < x.begin[int(slot(three))+1]; i++ {
			if !x.heads[i].at(four) {
				continue
			}
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
