package scan

import (
	"strings"
	"sync"

	"github.com/lessons-cli/lessons/internal/automata"
)

// The tags of the two explicit formats, each on a line of its own.
const (
	lessonOpen  = "#lesson"
	lessonClose = "#/lesson"
	cancelOpen  = "#lesson:cancel"
	cancelClose = "#/lesson:cancel"
	blockOpen   = "[PROCESS_KNOWLEDGE]"
	blockClose  = "[/PROCESS_KNOWLEDGE]"
)

// maxTagBytes bounds one tagged block; a longer one is a flaw, not a lesson. Of a
// text with more than maxTags blocks the rest is not read.
const (
	maxTagBytes = 16 << 10
	maxTags     = 100
)

// Flaw is something wrong with a tagged block. Line is 1-based within the text.
type Flaw struct {
	Line int
	Rule string // "lesson-tag" or "process-knowledge"
	Text string
}

// tagged is one block between its tags, before its fields are read.
type tagged struct {
	open  string // which tag opened it
	line  int    // of the opening tag, 1-based within the text
	lines []string
}

// extract finds the tagged blocks of an assistant's text that are meant as
// such. A block counts when it stands in running text or when a code fence
// holds nothing but blocks. It does not count inside any other fence, in a
// quotation, after a line that announces an example, or in a text that repeats
// a protocol: that is talk about the format. So is a fence inside of a fence.
func extract(text string) ([]tagged, []Flaw) {
	if !strings.Contains(text, lessonOpen) && !strings.Contains(text, blockOpen) {
		return nil, nil
	}
	lines := strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	if quotesProtocol(lines) {
		return nil, nil
	}
	return extractLines(lines, false)
}

func extractLines(lines []string, fenced bool) ([]tagged, []Flaw) {
	var (
		found  []tagged
		flaws  []Flaw
		before string // last line of running text with words in it
	)
	for i := 0; i < len(lines) && len(found)+len(flaws) < maxTags; i++ {
		line := lines[i]
		if mark := fenceMark(line); mark != "" {
			end := closingFence(lines, i+1, mark)
			if !fenced && onlyBlocks(lines[i+1:end]) && !announcesExample(before) {
				in, bad := extractLines(lines[i+1:end], true)
				for _, t := range in {
					t.line += i + 1
					found = append(found, t)
				}
				for _, f := range bad {
					f.Line += i + 1
					flaws = append(flaws, f)
				}
			}
			i = end
			continue
		}
		open := openingTag(line)
		if open == "" {
			if strings.TrimSpace(line) != "" {
				before = line
			}
			continue
		}
		end, flaw := closingTag(lines, i+1, open)
		switch {
		case announcesExample(before):
		case flaw != "":
			flaws = append(flaws, Flaw{i + 1, ruleOf(open), flaw})
		default:
			found = append(found, tagged{open, i + 1, lines[i+1 : end]})
		}
		i, before = end, ""
		if flaw != "" {
			i-- // the line that ended it may open the next one
		}
	}
	return found, flaws
}

func ruleOf(open string) string {
	if open == blockOpen {
		return "process-knowledge"
	}
	return "lesson-tag"
}

// openingTag returns the tag that a line consists of. Four spaces make a line
// code, so they do not open anything.
func openingTag(line string) string {
	if strings.HasPrefix(line, "    ") || strings.HasPrefix(line, "\t") {
		return ""
	}
	switch t := strings.TrimSpace(line); t {
	case lessonOpen, cancelOpen, blockOpen:
		return t
	}
	return ""
}

// closingTag returns the index of the line that closes the block opened before
// from, or what is wrong and the index of the first line behind the damage.
func closingTag(lines []string, from int, open string) (int, string) {
	closes := map[string]string{lessonOpen: lessonClose, cancelOpen: cancelClose, blockOpen: blockClose}[open]
	size := 0
	for i := from; i < len(lines); i++ {
		t := strings.TrimSpace(lines[i])
		if t == closes || open == cancelOpen && t == lessonClose {
			return i, ""
		}
		if openingTag(lines[i]) != "" || fenceMark(lines[i]) != "" {
			return i, open + " is not closed by " + closes + " before the next block"
		}
		if size += len(lines[i]) + 1; size > maxTagBytes {
			return i, open + " is longer than 16 KiB"
		}
	}
	return len(lines), open + " is not closed by " + closes
}

// fenceMark returns the characters that open a code fence, or "".
func fenceMark(line string) string {
	t := strings.TrimLeft(line, " ")
	if len(line)-len(t) > 3 {
		return ""
	}
	for _, c := range []string{"`", "~"} {
		n := len(t) - len(strings.TrimLeft(t, c))
		if n >= 3 && (c == "~" || !strings.Contains(t[n:], "`")) {
			return t[:n]
		}
	}
	return ""
}

// closingFence returns the index of the line that closes a fence, or the number
// of lines when nothing does.
func closingFence(lines []string, from int, mark string) int {
	for i := from; i < len(lines); i++ {
		t := strings.TrimSpace(lines[i])
		if len(t) >= len(mark) && strings.Trim(t, mark[:1]) == "" && fenceMark(lines[i]) != "" {
			return i
		}
	}
	return len(lines)
}

// onlyBlocks says whether lines hold at least one block and nothing else.
func onlyBlocks(lines []string) bool {
	any := false
	for i := 0; i < len(lines); i++ {
		if strings.TrimSpace(lines[i]) == "" {
			continue
		}
		open := openingTag(lines[i])
		if open == "" {
			return false
		}
		end, flaw := closingTag(lines, i+1, open)
		if flaw != "" {
			return any || end == len(lines)
		}
		any, i = true, end
	}
	return any
}

var exampleWords = sync.OnceValue(func() *automata.Pattern {
	return automata.New(`(?i)\b(examples?|e\.g|for instance|formats?|formatted|syntax|templates?|protocol|looks? like|like (this|so))\b`)
})

// announcesExample says whether a line introduces what follows as a specimen.
func announcesExample(line string) bool {
	t := strings.TrimRight(strings.TrimSpace(line), "*_ ")
	return strings.HasSuffix(t, ":") && exampleWords().MatchString(t)
}

var protocolHeading = sync.OnceValue(func() *automata.Pattern {
	return automata.New(`(?i)^\s*#{1,6}\s.*\blessons?\b.*\bprotocol\b`)
})

// quotesProtocol says whether a text repeats the instruction that teaches the
// tags, ours or an earlier tool's.
func quotesProtocol(lines []string) bool {
	for _, l := range lines {
		if protocolHeading().MatchString(l) {
			return true
		}
	}
	return false
}
