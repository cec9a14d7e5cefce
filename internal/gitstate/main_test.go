package gitstate

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestMain keeps the machine's git configuration away from the code under
// test, which starts git with its own process's environment.
func TestMain(m *testing.M) {
	home, err := os.MkdirTemp("", "gitstate-home-")
	if err != nil {
		panic(err)
	}
	for _, pair := range os.Environ() {
		if name, _, _ := strings.Cut(pair, "="); strings.HasPrefix(name, "GIT_") {
			os.Unsetenv(name)
		}
	}
	os.Setenv("HOME", home)
	os.Setenv("XDG_CONFIG_HOME", filepath.Join(home, ".config"))
	code := m.Run()
	os.RemoveAll(home)
	os.Exit(code)
}
