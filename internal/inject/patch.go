package inject

import "strings"

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
