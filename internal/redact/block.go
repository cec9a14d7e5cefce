package redact

import "strings"

// maxBlock bounds a private key block, in bytes.
const maxBlock = 32 << 10

// blockRules find private keys between their lines, and blocks that lost their
// beginning or their end.
var blockRules = []rule{
	{text: "-----BEGIN ", find: (*scanner).blockFrom},
	{text: "-----END ", find: (*scanner).blockBefore},
	{text: "Private-Lines:", find: (*scanner).puttyBlock},
}

var (
	titleChars = set(uppers + digits + " ")
	lostChars  = set(digits + letters + "+/=\\ \t\r\n\"',")
)

// blockFrom redacts a block with its first and last lines.
func (t *scanner) blockFrom(at int) int {
	head := at + len("-----BEGIN ")
	title := titleChars.run(t.s, head)
	if !strings.Contains(t.s[head:title], "PRIVATE KEY") || !strings.HasPrefix(t.s[title:], "-----") {
		return title
	}
	from := title + len("-----")
	to := blockEnd(t.s, from)
	if alnum.any(strings.ReplaceAll(t.s[from:to], mark, "")) {
		t.drop(at, afterLastLine(t.s, to))
	}
	return to
}

// afterLastLine returns the end of a block's last line that begins at at, or at
// where it is missing.
func afterLastLine(s string, at int) int {
	if !strings.HasPrefix(s[at:], "-----END ") {
		return at
	}
	end := titleChars.run(s, at+len("-----END "))
	if strings.HasPrefix(s[end:], "-----") {
		return end + len("-----")
	}
	return end
}

// blockBefore redacts what stands before a block's last line, if the first one
// is missing.
func (t *scanner) blockBefore(at int) int {
	head := at + len("-----END ")
	title := titleChars.run(t.s, head)
	if !strings.Contains(t.s[head:title], "PRIVATE KEY") {
		return title
	}
	from := lostChars.back(t.s, at, maxBlock)
	if at-from > 24 && !strings.HasSuffix(t.s[:from], "-----") {
		t.drop(from, afterLastLine(t.s, at))
	}
	return title
}

// puttyBlock redacts the private lines of a PuTTY key.
func (t *scanner) puttyBlock(at int) int {
	from := at + len("Private-Lines:")
	to := min(len(t.s), from+maxBlock)
	rest, _, _ := strings.Cut(t.s[from:to], "Private-Lines:")
	if i := strings.Index(rest, "Private-MAC:"); i >= 0 {
		to = from + i
	} else {
		to = min(to, lostChars.run(t.s, from))
	}
	if len(strings.TrimSpace(t.s[from:to])) > 24 {
		t.drop(from, to)
	}
	return to
}

// blockEnd returns where the body of a block ends that begins at from: before
// its END line, or, where that is missing, where the text stops looking like a
// key.
func blockEnd(s string, from int) int {
	limit := min(len(s), from+maxBlock)
	rest, _, _ := strings.Cut(s[from:limit], "-----BEGIN ") // looked at once, however many begin
	if end := strings.Index(rest, "-----END "); end >= 0 {
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
	line = strings.Trim(line, " \t\r\"',+\\;>|*.")
	if line == "" || strings.HasPrefix(line, "Proc-Type:") || strings.HasPrefix(line, "DEK-Info:") || strings.HasPrefix(line, "Comment:") || strings.HasPrefix(line, "Version:") {
		return true
	}
	return base64std.only(strings.ReplaceAll(strings.ReplaceAll(line, `\n`, ""), `\r`, ""))
}
