package scan

import (
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/internal/automata"
)

// The tags of the blocks, each on a line of its own. noneTag is a line by itself; a
// reason may follow it.
const (
	lessonOpen    = "#lesson"
	lessonClose   = "#/lesson"
	decisionOpen  = "#decision"
	decisionClose = "#/decision"
	cancelOpen    = "#lesson:cancel"
	cancelClose   = "#/lesson:cancel"
	noneTag       = "#lesson:none"
	blockOpen     = "[PROCESS_KNOWLEDGE]"
	blockClose    = "[/PROCESS_KNOWLEDGE]"
)

var closing = map[string]string{
	lessonOpen: lessonClose, decisionOpen: decisionClose, cancelOpen: cancelClose, blockOpen: blockClose,
}

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
// such: those that stand in running text. A block in a code fence or a
// quotation, after a line that announces an example, or in a text that repeats
// a protocol is talk about the format.
func extract(text string) ([]tagged, []Flaw) {
	if !mayHoldBlocks(text) {
		return nil, nil
	}
	lines := strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	if quotesProtocol(lines) {
		return nil, nil
	}
	var (
		found  []tagged
		flaws  []Flaw
		before string // last line of running text with words in it
	)
	for i := 0; i < len(lines) && len(found)+len(flaws) < maxTags; i++ {
		line := lines[i]
		if mark := fenceMark(line); mark != "" {
			i = closingFence(lines, i+1, mark)
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
			found = append(found, tagged{open, i + 1, lines[i+1 : max(i+1, end)]})
		}
		i, before = end, ""
		if flaw != "" {
			i-- // the line that ended it may open the next one
		}
	}
	return found, flaws
}

func mayHoldBlocks(text string) bool {
	return strings.Contains(text, lessonOpen) || strings.Contains(text, decisionOpen) || strings.Contains(text, blockOpen)
}

func ruleOf(open string) string {
	if open == blockOpen {
		return "process-knowledge"
	}
	return "lesson-tag"
}

// IsTag says whether a line is the first one of a block in which agents report.
func IsTag(line string) bool { return openingTag(line) != "" }

// openingTag returns the tag that a line consists of. Four spaces make a line
// code, so they do not open anything.
func openingTag(line string) string {
	if strings.HasPrefix(line, "    ") || strings.HasPrefix(line, "\t") {
		return ""
	}
	t := strings.TrimSpace(line)
	if _, known := closing[t]; known {
		return t
	}
	if rest, ok := strings.CutPrefix(t, noneTag); ok && (rest == "" || rest[0] == ' ') {
		return noneTag
	}
	return ""
}

// closingTag returns the index of the line that closes the block opened before
// from, or what is wrong and the index of the first line behind the damage.
func closingTag(lines []string, from int, open string) (int, string) {
	if open == noneTag {
		return from - 1, ""
	}
	closes, size := closing[open], 0
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

var exampleWords = automata.New(`(?i)\b(examples?|e\.g|for instance|formats?|formatted|syntax|templates?|protocol|looks? like|like (this|so))\b`)

// announcesExample says whether a line introduces what follows as a specimen.
func announcesExample(line string) bool {
	t := strings.TrimRight(strings.TrimSpace(line), "*_ ")
	return strings.HasSuffix(t, ":") && exampleWords.MatchString(t)
}

var protocolHeading = automata.New(`(?i)^\s*#{1,6}\s.*\blessons?\b.*\bprotocol\b`)

// quotesProtocol says whether a text repeats the instruction that teaches the
// tags, ours or an earlier tool's.
func quotesProtocol(lines []string) bool {
	return slices.ContainsFunc(lines, func(l string) bool { return protocolHeading.MatchString(l) })
}
