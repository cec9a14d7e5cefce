//go:build e2e

package e2e

import (
	"bufio"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/lessons-cli/lessons/internal/test/pairs"
)

// A fake stands in for a program. It is this test's own program by another name, and looks
// up in the table beside it how a call ends; calls that the table does not have run the real
// program. The shell itself tells what a command line runs, with which words and in which
// environment: each line is run once with the variable fakeEnds, and noted.
const (
	fakeTable = "table.jsonl"
	fakeEnds  = "FAKE_ENDS"
	fakeLooks = "FAKE_LOOKS" // the variables that count
)

// fakeCall is a line of the table.
type fakeCall struct {
	Args   []string // the program's name first
	Env    map[string]string
	Status int
	Output string
}

// assigned are variables that a command line sets.
var assigned = regexp.MustCompile(`\b([A-Z][A-Z_]*)=`)

// fakes puts fakes of the pairs' programs before the others on the site's PATH.
func (s *site) fakes(all []pairs.Pair) {
	s.t.Helper()
	dir, looks := s.t.TempDir(), map[string]bool{}
	self, err := os.Executable()
	if err != nil {
		s.t.Fatal(err)
	}
	for _, p := range all {
		for _, c := range p.Calls() {
			for _, m := range assigned.FindAllStringSubmatch(c.Line, -1) {
				looks[m[1]] = true
			}
		}
	}
	s.path = s.bin() + string(os.PathListSeparator) + dir + strings.TrimPrefix(s.path, s.bin())
	s.put(filepath.Join(s.home, ".bash_profile"), "export PATH='"+s.path+"'\n") // some agents' shells are login shells
	for _, p := range all {
		for _, c := range p.Calls() {
			if err := os.Symlink(self, filepath.Join(dir, c.Program())); err != nil && !os.IsExist(err) {
				s.t.Fatal(err)
			}
			s.note(c, slices.Sorted(maps.Keys(looks)))
		}
	}
}

// note runs a line in the site once, so that its fake learns how it ends.
func (s *site) note(c pairs.Call, looks []string) {
	s.t.Helper()
	if err := os.MkdirAll(filepath.Join(s.root, c.Place()), 0o755); err != nil {
		s.t.Fatal(err)
	}
	ends, err := json.Marshal(fakeCall{Status: c.Status, Output: c.Output})
	if err != nil {
		s.t.Fatal(err)
	}
	cmd := exec.Command("bash", "-c", c.Line)
	cmd.Dir, cmd.Env = s.root, append(s.env(), fakeEnds+"="+string(ends), fakeLooks+"="+strings.Join(looks, ","))
	if out, err := cmd.CombinedOutput(); err != nil {
		s.t.Fatalf("%s: %v\n%s", c.Line, err, out)
	}
}

// fake is what a fake does. Its status is the program's.
func fake(name string) (int, error) {
	self, err := exec.LookPath(name)
	if err != nil {
		return 0, err
	}
	table := filepath.Join(filepath.Dir(self), fakeTable)
	if ends := os.Getenv(fakeEnds); ends != "" {
		return 0, noteFake(table, name, ends)
	}
	file, err := os.Open(table)
	if err != nil {
		return 0, err
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		var c fakeCall
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			return 0, err
		}
		if c.made(name) {
			fmt.Print(c.Output)
			return c.Status, lines.Err()
		}
	}
	environment := os.Environ() // an agent that node runs finds the fakes, too
	others := slices.DeleteFunc(filepath.SplitList(os.Getenv("PATH")), func(dir string) bool { return dir == filepath.Dir(self) })
	if err := os.Setenv("PATH", strings.Join(others, string(os.PathListSeparator))); err != nil {
		return 0, err
	}
	real, err := exec.LookPath(name)
	if err != nil {
		return 127, err
	}
	return 0, syscall.Exec(real, append([]string{name}, os.Args[1:]...), environment)
}

// made says whether this is the call that is made now.
func (c fakeCall) made(name string) bool {
	for variable, value := range c.Env {
		if os.Getenv(variable) != value {
			return false
		}
	}
	return slices.Equal(c.Args, append([]string{name}, os.Args[1:]...))
}

// noteFake adds the call that is made now to the table.
func noteFake(table, name, ends string) error {
	var c fakeCall
	if err := json.Unmarshal([]byte(ends), &c); err != nil {
		return err
	}
	c.Args, c.Env = append([]string{name}, os.Args[1:]...), map[string]string{}
	for variable := range strings.SplitSeq(os.Getenv(fakeLooks), ",") {
		c.Env[variable] = os.Getenv(variable)
	}
	line, err := json.Marshal(c)
	if err != nil {
		return err
	}
	file, err := os.OpenFile(table, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	defer file.Close()
	_, err = file.Write(append(line, '\n'))
	return err
}

// TestMain is a fake under any other name than its own; else it takes away what was built.
func TestMain(m *testing.M) {
	if name := filepath.Base(os.Args[0]); !strings.HasSuffix(name, ".test") {
		status, err := fake(name)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
		}
		os.Exit(status)
	}
	status := m.Run()
	if dir, err := built(); err == nil {
		_ = os.RemoveAll(dir)
	}
	os.Exit(status)
}
