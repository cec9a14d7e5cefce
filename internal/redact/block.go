package redact

import "strings"

// maxBlock bounds a private key block, in bytes.
const maxBlock = 32 << 10

// blockChars is what a key block may consist of, also where it was quoted,
// escaped, indented or numbered.
var blockChars = set(digits + letters + "+/=\\ \t\r\n\"',:;.>|*()-_")

// keyBlocks finds private keys between their lines, and blocks that lost their
// beginning or their end.
func (t *scanner) keyBlocks() {
	each(t.s, "-----BEGIN ", func(at int) int {
		head := at + len("-----BEGIN ")
		title := set(uppers+digits+" ").run(t.s, head)
		if !strings.Contains(t.s[head:title], "PRIVATE KEY") || !strings.HasPrefix(t.s[title:], "-----") {
			return head
		}
		from := title + len("-----")
		to := blockEnd(t.s, from)
		if strings.TrimSpace(t.s[from:to]) != mark && keyBody.any(t.s[from:to]) {
			t.drop(from, to)
		}
		return to
	})
	each(t.s, "-----END ", func(at int) int {
		head := at + len("-----END ")
		title := set(uppers+digits+" ").run(t.s, head)
		if strings.Contains(t.s[head:title], "PRIVATE KEY") {
			from := set(digits+letters+"+/=\\ \t\r\n\"',").back(t.s, at, maxBlock)
			if strings.Count(t.s[from:at], "") > 24 && !strings.HasSuffix(t.s[:from], "-----") {
				t.drop(from, at)
			}
		}
		return title
	})
	each(t.s, "PuTTY-User-Key-File-", func(at int) int {
		i := strings.Index(t.s[at:], "Private-Lines:")
		if i < 0 {
			return at + 1
		}
		from := at + i + len("Private-Lines:")
		to := min(len(t.s), from+maxBlock)
		if j := strings.Index(t.s[from:to], "Private-MAC:"); j >= 0 {
			to = from + j
		} else {
			to = min(to, blockChars.run(t.s, from))
		}
		t.drop(from, to)
		return to
	})
}

var keyBody = alnum

// blockEnd returns where the body of a block ends that begins at from: before
// its END line, or, where that is missing, where the text stops looking like a
// key.
func blockEnd(s string, from int) int {
	limit := min(len(s), from+maxBlock)
	rest := s[from:limit]
	end := strings.Index(rest, "-----END ")
	if next := strings.Index(rest, "-----BEGIN "); end >= 0 && (next < 0 || end < next) {
		return from + end
	}
	at := from
	for at < limit {
		nl := strings.IndexByte(s[at:limit], '\n')
		line := s[at:limit]
		if nl >= 0 {
			line = s[at : at+nl]
		}
		if !keyLine(line) {
			break
		}
		at += len(line)
		if nl < 0 {
			break
		}
		at++
	}
	return at
}

// keyLine says whether a line can belong to a key block: base64, a header such
// as Proc-Type, or nothing.
func keyLine(line string) bool {
	line = strings.Trim(line, " \t\r\"',+\\;>|*")
	if line == "" || strings.HasPrefix(line, "Proc-Type:") || strings.HasPrefix(line, "DEK-Info:") || strings.HasPrefix(line, "Comment:") || strings.HasPrefix(line, "Version:") {
		return true
	}
	return base64std.only(strings.ReplaceAll(strings.ReplaceAll(line, `\n`, ""), `\r`, ""))
}
