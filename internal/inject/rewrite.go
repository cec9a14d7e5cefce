package inject

import (
	"encoding/json"
	"fmt"
	"strings"
)

// commandKey is what every agent whose input can be changed calls the command
// line of its shell tool.
const commandKey = "command"

// replacement reads the two texts of a guard's replace.
func replacement(value any) ([]string, error) {
	words, err := texts(value)
	if err != nil {
		return nil, err
	}
	if len(words) != 2 || strings.TrimSpace(words[0]) == "" || words[0] == words[1] {
		return nil, fmt.Errorf("expected two texts that differ: what is wrong, and what is right")
	}
	return words, nil
}

// corrected is the call's command line with the guard's words replaced wherever
// they stand by themselves; empty when there is nothing to replace.
func (in Input) corrected(g Guard) string {
	if !in.Can.ChangeInput || in.At != AtCall {
		return ""
	}
	var args map[string]json.RawMessage
	var command string
	if json.Unmarshal(in.Args, &args) != nil || json.Unmarshal(args[commandKey], &command) != nil {
		return ""
	}
	right := replaceWords(command, g.Replace[0], g.Replace[1])
	if right == command || replaceText(in.Args, commandKey, right) == nil {
		return ""
	}
	return right
}

// replaceWords replaces what stands between blanks, quotes and shell operators.
func replaceWords(line, from, to string) string {
	var b strings.Builder
	done := 0
	for at := 0; ; {
		i := strings.Index(line[at:], from)
		if i < 0 {
			return b.String() + line[done:]
		}
		start, end := at+i, at+i+len(from)
		if wordEnd(line, start-1) && wordEnd(line, end) {
			b.WriteString(line[done:start] + to)
			done = end
		}
		at = end
	}
}

// wordEnd says whether the byte at i ends a word of a command line.
func wordEnd(line string, i int) bool {
	return i < 0 || i >= len(line) || strings.IndexByte(" \t\n;|&()<>'\"", line[i]) >= 0
}

// PatchFiles reads the body of an apply_patch call: the files that it adds,
// changes, removes and moves, and the lines that it adds. ok is false when the
// text holds no patch.
func PatchFiles(text string) (paths []string, added string, ok bool) {
	start := strings.Index(text, "*** Begin Patch")
	if start < 0 {
		return nil, "", false
	}
	var b strings.Builder
	for line := range strings.Lines(text[start:]) {
		line = strings.TrimRight(line, "\r\n")
		if strings.HasPrefix(line, "*** End Patch") {
			break
		}
		if name, found := patchedFile(line); found {
			paths = append(paths, name)
		} else if rest, found := strings.CutPrefix(line, "+"); found && b.Len() < maxText {
			b.WriteString(rest)
			b.WriteByte('\n')
		}
	}
	return paths, b.String(), len(paths) > 0
}

func patchedFile(line string) (string, bool) {
	for _, head := range [...]string{"*** Update File: ", "*** Add File: ", "*** Delete File: ", "*** Move to: "} {
		if name, ok := strings.CutPrefix(line, head); ok && strings.TrimSpace(name) != "" {
			return strings.TrimSpace(name), true
		}
	}
	return "", false
}
