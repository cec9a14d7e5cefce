package migrate

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/lessons-cli/lessons/internal/fsx"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/config"
	"github.com/lessons-cli/lessons/knowledge/entry"
	"github.com/lessons-cli/lessons/knowledge/manifest"
)

// Limits of a path in an export, in bytes.
const (
	maxExportPath = 1024
	maxExportName = 255
)

// ExportPath says whether a file of that path may be in an export: it lies in a
// folder of lessons, is of a kind that lessons keeps there, and is a name on
// every system. An import writes no other.
func ExportPath(p string) error {
	if err := fsx.ValidPath(p); err != nil {
		return err
	}
	if len(p) > maxExportPath {
		return fmt.Errorf("a path of %d bytes; %d are the most", len(p), maxExportPath)
	}
	for name := range strings.SplitSeq(p, "/") {
		if err := portableName(name); err != nil {
			return err
		}
	}
	if !exportable(p) {
		return fmt.Errorf("%s is no place in which lessons keeps knowledge", p)
	}
	return nil
}

// portableName refuses what some file system takes for another file.
func portableName(name string) error {
	stem, _, _ := strings.Cut(strings.ToLower(name), ".")
	switch {
	case len(name) > maxExportName:
		return fmt.Errorf("a name of %d bytes; %d are the most", len(name), maxExportName)
	case strings.TrimRight(name, ". ") != name:
		return fmt.Errorf("%q ends in a dot or a space", name)
	case strings.ContainsAny(name, `<>"|?*`):
		return fmt.Errorf("%q holds a character that file systems refuse", name)
	case deviceName().MatchString(strings.TrimRight(stem, " ")):
		return fmt.Errorf("%q is the name of a device on Windows", name)
	}
	return nil
}

// deviceName is a name that Windows keeps for a device, whatever its ending.
var deviceName = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:con|prn|aux|nul|conin\$|conout\$|clock\$|(?:com|lpt)[0-9\x{b9}\x{b2}\x{b3}])$`)
})

// exportable knows the places of files.
func exportable(p string) bool {
	dir, name := path.Split(p)
	parts := strings.Split(p, "/")
	markdown := strings.HasSuffix(name, ".md") && !strings.HasPrefix(name, ".")
	switch {
	case p == config.File, p == manifest.Path:
		return true
	case dir == manifest.Folder+"/":
		return strings.HasSuffix(name, ".json")
	case dir == ".lessons/", dir == ".memory/knowledge/":
		return markdown
	case dir == entry.Dir(knowledge.KindADR)+"/", dir == entry.Dir(knowledge.KindPF)+"/":
		return markdown
	case strings.HasPrefix(p, ".lessons/skills/"):
		return len(parts) >= 4 && !slices.ContainsFunc(parts[2:], func(s string) bool { return strings.HasPrefix(s, ".") })
	case strings.HasPrefix(p, ".claude/commands/"):
		return markdown
	case strings.HasPrefix(p, ".claude/skills/"), strings.HasPrefix(p, ".agents/skills/"):
		return len(parts) == 4 && name == "SKILL.md"
	}
	return false
}

// agentFile says whether a path is one that agents read as it is: a slash
// command or a published skill. There an import takes only what lessons made.
func agentFile(p string) bool {
	return strings.HasPrefix(p, ".claude/") || strings.HasPrefix(p, ".agents/")
}
