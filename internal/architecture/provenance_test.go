package architecture

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// judges are the files that may say who stands for what a repository holds: the gate, and
// what joins lists that it parted. A check takes all for trusted, as it shows nothing to
// an agent.
var judges = []string{
	"internal/project/trusting.go", "internal/project/effective.go", "internal/project/checking.go", "knowledge/lesson/scope.go",
}

// Whatever reaches an agent comes in a provenance.List, and only the gate makes one.
func TestProvenanceIsJudgedInOnePlace(t *testing.T) {
	makes := regexp.MustCompile(`provenance\.(Sort|Parted)\(`)
	reads := regexp.MustCompile(`inject\.(ReadTrust|ParseTrust)\(`)
	err := filepath.WalkDir("../..", func(name string, d fs.DirEntry, err error) error {
		path := strings.TrimPrefix(filepath.ToSlash(name), "../../")
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || strings.HasPrefix(path, "tools/") {
			return err
		}
		code, err := os.ReadFile(name)
		if makes.Match(code) && !slices.Contains(judges, path) {
			t.Errorf("%s says itself what is trusted: take a provenance.List", path)
		}
		if reads.Match(code) && path != judges[0] {
			t.Errorf("%s reads what is trusted: ask the gate of %s", path, judges[0])
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
