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

// fourAt adds the byte behind three of them.
func fourAt(s string, at int, three uint32) uint32 {
	four := three << 8
	if at+3 < len(s) {
		four |= uint32(s[at+3])
	}
	return four
}

func hashThree(three uint32) uint16 { return uint16(three * 0x9E3779B1 >> 16) }

// addRule takes a rule's literal in. One of two bytes stands before any third one
// that the rule asks for, or at the end of the text.
func (f *firstBytes) addRule(r rule) {
	three := r.head.three()
	if f.add(three); len(r.text) > 2 {
		return
	}
	for c := range 256 {
		if third := string([]byte{byte(c)}); r.next == (class{}) || r.next.has(third[0]) {
			f.add(three | uint32(lowerASCII(third)[0]))
		}
	}
}

// untouched says whether redaction leaves a text alone because there is nothing
// in it that a rule looks at.
func (r *Redactor) untouched(s string) bool {
	if len(s) < 2 {
		return true
	}
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
		if x.lower[s[at]] == user[0] && x.hasFolded(s[at:], user) {
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
	for at := 2; at < len(s); at++ {
		three = three<<8&0xffffff | uint32(x.lower[s[at]])
		if x.first.has(three) && x.literalAt(s, at-2, three) {
			return true
		}
	}
	three = three << 8 & 0xffffff
	return x.first.has(three) && x.literalAt(s, len(s)-2, three)
}

// literalAt says whether a rule's literal stands at at, where the three bytes are,
// as the rule asks for.
func (x *ruleIndex) literalAt(s string, at int, three uint32) bool {
	four := three << 8
	if at+3 < len(s) {
		four |= uint32(x.lower[s[at+3]])
	}
	for i := x.begin[slot(three)]; i < x.begin[int(slot(three))+1]; i++ {
		if x.heads[i].at(four) && x.mayTake(&x.rules[i], s, at) {
			return true
		}
	}
	return false
}

// mayTake says whether a rule may take something out at at.
func (x *ruleIndex) mayTake(r *rule, s string, at int) bool {
	if !strings.HasPrefix(s[at:], r.text) && !(r.fold && x.hasFolded(s[at:], r.text)) {
		return false
	}
	end := at + len(r.text)
	if len(s)-end < r.least || r.next != (class{}) && (end == len(s) || !r.next.has(s[end])) {
		return false
	}
	return r.stands == nil || r.stands(s, at, end)
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
