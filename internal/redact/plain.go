package redact

import "strings"

// Most texts hold nothing that any rule begins with: those are known by one
// walk that costs a fraction of the rules.

// firstBytes tells by the first three bytes of a text, in lower case, whether a
// rule's literal may stand there. It is a set of hashes: it may say yes for
// nothing.
type firstBytes [1 << 10]uint64

func (f *firstBytes) add(three uint32) {
	h := hashThree(three)
	f[h>>6] |= 1 << (h & 63)
}

func (f *firstBytes) has(three uint32) bool {
	h := hashThree(three)
	return f[h>>6]&(1<<(h&63)) != 0
}

// threeAt returns three bytes of a text, 0 for what is behind its end.
func threeAt(s string, at int) uint32 {
	three := uint32(s[at])<<16 | uint32(s[at+1])<<8
	if at+2 < len(s) {
		three |= uint32(s[at+2])
	}
	return three
}

func hashThree(three uint32) uint16 { return uint16(three * 0x9E3779B1 >> 16) }

// addRule takes a rule's literal in. One of two bytes stands before any third
// one, or at the end of the text.
func (f *firstBytes) addRule(text string) {
	three := uint32(text[0])<<16 | uint32(text[1])<<8
	if len(text) > 2 {
		f.add(three | uint32(text[2]))
		return
	}
	for c := range uint32(256) {
		f.add(three | c)
	}
}

// untouched says whether redaction leaves a text alone because there is nothing
// in it that a rule looks at.
func (r *Redactor) untouched(s string) bool {
	if strings.IndexByte(s, '@') >= 0 || numberBeforeBar(s) || escapeIn(s) >= 0 || index().beginsIn(s) {
		return false
	}
	return r == nil || !r.mentioned(s)
}

// mentioned says whether a text names the person at the machine.
func (r *Redactor) mentioned(s string) bool {
	for home := range spellings(r.Home) {
		if strings.Contains(s, home) {
			return true
		}
	}
	if !telling(r.User) {
		return false
	}
	x, user := index(), lowerASCII(r.User)
	for at := range max(0, len(s)-len(user)+1) {
		if x.hasFolded(s[at:], user) {
			return true
		}
	}
	return false
}

// numberBeforeBar says whether an application's token may be there.
func numberBeforeBar(s string) bool {
	for at := 0; ; at++ {
		i := strings.IndexByte(s[at:], '|')
		if i < 0 {
			return false
		}
		if at += i; at > 0 && digit.has(s[at-1]) {
			return true
		}
	}
}

// beginsIn says whether a rule's literal stands anywhere in a text.
func (x *ruleIndex) beginsIn(s string) bool {
	if len(s) < 2 {
		return false
	}
	three := uint32(x.lower[s[0]])<<8 | uint32(x.lower[s[1]])
	for at := range len(s) - 1 {
		three = three << 8 & 0xffffff
		if at+2 < len(s) {
			three |= uint32(x.lower[s[at+2]])
		}
		if x.first.has(three) && x.literalAt(s, at, int(three>>8)) {
			return true
		}
	}
	return false
}

// literalAt says whether a rule's literal stands at at, where the two bytes are,
// before what the rule asks for.
func (x *ruleIndex) literalAt(s string, at, two int) bool {
	for i := int(x.begin[two]) - 1; i >= 0 && i < len(x.rules) && x.pairs[i] == two; i++ {
		r := &x.rules[i]
		if !strings.HasPrefix(s[at:], r.text) && !(r.fold && x.hasFolded(s[at:], r.text)) {
			continue
		}
		rest := s[at+len(r.text):]
		if len(rest) >= r.least && (r.next == class{} || rest != "" && r.next.has(rest[0])) {
			return true
		}
	}
	return false
}

// hasFolded says whether s begins with a text in lower case, whatever its own
// case.
func (x *ruleIndex) hasFolded(s, text string) bool {
	if len(s) < len(text) {
		return false
	}
	for i := range len(text) {
		if x.lower[s[i]] != text[i] {
			return false
		}
	}
	return true
}
