package inject

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// claimant makes this test binary a process that claims: at each line of its
// input "round id id …" it answers with the ids that it won.
const claimant = "LESSONS_TEST_CLAIMANT"

func init() { //nolint:gochecknoinits // the other side of the real-process test
	dir := os.Getenv(claimant)
	if dir == "" {
		return
	}
	in := bufio.NewScanner(os.Stdin)
	for in.Scan() {
		words := strings.Fields(in.Text())
		s := OpenSession(Places{GitDir: dir}, words[0], "")
		var won []string
		for _, id := range words[1:] {
			ok, err := s.Claim(id, true)
			if err != nil {
				fmt.Println("error", err)
			}
			stop, err := s.ClaimStop(id)
			if err != nil {
				fmt.Println("error", err)
			}
			if ok {
				won = append(won, "shown:"+id)
			}
			if stop {
				won = append(won, "stop:"+id)
			}
		}
		fmt.Println("won", strings.Join(won, " "))
	}
	os.Exit(0)
}

// rounds is how often the processes race; LESSONS_TEST_ROUNDS asks for more.
func testRounds(t *testing.T, normal int) int {
	if n, err := strconv.Atoi(os.Getenv("LESSONS_TEST_ROUNDS")); err == nil {
		return n
	}
	if testing.Short() {
		return 3
	}
	return normal
}

func TestParallelHookProcessesShowEachLessonExactlyOnce(t *testing.T) {
	const processes = 64
	rounds := testRounds(t, 50)
	dir := t.TempDir()
	type peer struct {
		in  io.Writer
		out *bufio.Scanner
	}
	var peers []peer
	for range processes {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), claimant+"="+dir)
		in, err := cmd.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = in.Close(); _ = cmd.Wait() })
		peers = append(peers, peer{in, bufio.NewScanner(out)})
	}
	for round := range rounds {
		for _, p := range peers {
			if _, err := fmt.Fprintf(p.in, "session-%d a b c\n", round); err != nil {
				t.Fatal(err)
			}
		}
		won := map[string]int{}
		for _, p := range peers {
			if !p.out.Scan() {
				t.Fatal("a process ended")
			}
			words := strings.Fields(p.out.Text())
			if words[0] != "won" {
				t.Fatal(p.out.Text())
			}
			for _, w := range words[1:] {
				won[w]++
			}
		}
		for _, id := range []string{"shown:a", "shown:b", "shown:c", "stop:a", "stop:b", "stop:c"} {
			if won[id] != 1 {
				t.Fatalf("round %d: %s was won %d times", round, id, won[id])
			}
		}
	}
}

func mustClaim(t *testing.T, s *Session, id string, renewed bool) bool {
	t.Helper()
	won, err := s.Claim(id, renewed)
	if err != nil {
		t.Fatal(err)
	}
	return won
}

func TestClaims(t *testing.T) {
	p := Places{GitDir: t.TempDir()}
	main, sub := OpenSession(p, "s", ""), OpenSession(p, "s", "sub")
	if main.Shown("a", true) {
		t.Error("shown before anything was")
	}
	if _, err := os.Lstat(filepath.Join(p.GitDir, "lessons")); err == nil {
		t.Error("asking created something")
	}
	if !mustClaim(t, main, "a", true) || mustClaim(t, main, "a", true) || !main.Shown("a", true) {
		t.Error("not once")
	}
	if !mustClaim(t, sub, "a", true) {
		t.Error("a sub-agent does not know what the main agent was shown")
	}
	if !mustClaim(t, OpenSession(p, "other", ""), "a", true) {
		t.Error("another session")
	}
}

func TestAfterCompactionOnlyWhatIsRenewedComesAgain(t *testing.T) {
	s := OpenSession(Places{GitDir: t.TempDir()}, "s", "")
	mustClaim(t, s, "high", true)
	mustClaim(t, s, "low", false)
	if _, err := s.ClaimStop("high"); err != nil {
		t.Fatal(err)
	}
	if err := s.Compacted(); err != nil {
		t.Fatal(err)
	}
	if s.Shown("high", true) || !s.EverShown("high") || !s.Shown("low", false) {
		t.Error("epoch")
	}
	if !mustClaim(t, s, "high", true) || mustClaim(t, s, "high", true) || mustClaim(t, s, "low", false) {
		t.Error("claims after a compaction")
	}
	if won, _ := s.ClaimStop("high"); won || !s.Stopped("high") {
		t.Error("a compaction makes no lesson stop a second time")
	}
}

func TestAfterClearEverythingIsForgotten(t *testing.T) {
	s := OpenSession(Places{GitDir: t.TempDir()}, "s", "")
	mustClaim(t, s, "a", false)
	if _, err := s.ClaimStop("a"); err != nil {
		t.Fatal(err)
	}
	if err := s.Cleared(); err != nil {
		t.Fatal(err)
	}
	if s.Shown("a", false) || s.EverShown("a") || s.Stopped("a") || !mustClaim(t, s, "a", false) {
		t.Error("remembered")
	}
}

func TestOnceMoreAfterItsMistakeHappened(t *testing.T) {
	s := OpenSession(Places{GitDir: t.TempDir()}, "s", "")
	met := func() {
		if err := s.Met("a", true); err != nil {
			t.Fatal(err)
		}
	}
	met() // not shown yet: nothing happened in spite of it
	if !mustClaim(t, s, "a", true) || mustClaim(t, s, "a", true) {
		t.Fatal("first")
	}
	met()
	if s.Shown("a", true) || !mustClaim(t, s, "a", true) || mustClaim(t, s, "a", true) {
		t.Error("once more")
	}
	met()
	if mustClaim(t, s, "a", true) {
		t.Error("only once more")
	}
}

func TestAStopIsHeldTwiceAtMost(t *testing.T) {
	s := OpenSession(Places{GitDir: t.TempDir()}, "s", "")
	for i, want := range []bool{true, true, false, false} {
		if got, err := s.ClaimHold("g"); got != want || err != nil {
			t.Errorf("hold %d: %v %v", i, got, err)
		}
	}
}

func TestClaimsFallBackWhereTheGitDirectoryCannotBeWritten(t *testing.T) {
	blocked := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(blocked, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	run, tmp := t.TempDir(), t.TempDir()
	for name, p := range map[string]Places{
		"runtime": {GitDir: blocked, RuntimeDir: run, TempDir: blocked},
		"temp":    {GitDir: blocked, RuntimeDir: blocked, TempDir: tmp},
	} {
		s := OpenSession(p, "s", "")
		if !mustClaim(t, s, "a", true) || mustClaim(t, s, "a", true) || !s.Shown("a", true) {
			t.Error(name)
		}
	}
	none := OpenSession(Places{GitDir: blocked}, "s", "")
	if won, err := none.Claim("a", true); won || err == nil || none.Shown("a", true) {
		t.Error("claimed without a place")
	}
	unknown := OpenSession(Places{GitDir: t.TempDir()}, "", "")
	if won, err := unknown.Claim("a", true); won || err == nil {
		t.Error("claimed without a session")
	}
}

func TestClaimsKeepOutOfFoldersThatOthersCanWrite(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("permission bits")
	}
	for name, spoil := range map[string]func(sessions string) error{
		"a link": func(d string) error { return os.Symlink(t.TempDir(), d) },
		"open to others": func(d string) error {
			if err := os.Mkdir(d, 0o700); err != nil {
				return err
			}
			return os.Chmod(d, 0o777)
		},
	} {
		dir := t.TempDir()
		if err := os.Mkdir(filepath.Join(dir, "lessons"), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := spoil(filepath.Join(dir, "lessons", "sessions")); err != nil {
			t.Fatal(err)
		}
		s := OpenSession(Places{GitDir: dir}, "s", "")
		if won, err := s.Claim("a", true); won || err == nil {
			t.Errorf("%s: claimed", name)
		}
	}
	link := t.TempDir()
	if err := os.Symlink(t.TempDir(), filepath.Join(link, "lessons")); err != nil {
		t.Fatal(err)
	}
	if won, err := OpenSession(Places{GitDir: link}, "s", "").Claim("a", true); won || err == nil {
		t.Error("claimed through a linked folder")
	}
}

func TestNamesSayNothingAboutTheSession(t *testing.T) {
	dir := t.TempDir()
	s := OpenSession(Places{GitDir: dir}, "secret-session", "secret-agent")
	mustClaim(t, s, "../../../escape", true)
	err := filepath.WalkDir(dir, func(path string, _ os.DirEntry, err error) error {
		if strings.Contains(path, "secret") || strings.Contains(path, "escape") {
			t.Error(path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestSweepRemovesOldSessionsOnly(t *testing.T) {
	p := Places{GitDir: t.TempDir()}
	for i := range 5 {
		mustClaim(t, OpenSession(p, fmt.Sprint("old", i), ""), "a", true)
	}
	root := filepath.Join(p.GitDir, "lessons", "sessions")
	past := time.Now().Add(-8 * 24 * time.Hour)
	err := filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
		if err != nil || path == root {
			return err
		}
		return os.Chtimes(path, past, past)
	})
	if err != nil {
		t.Fatal(err)
	}
	young := OpenSession(p, "young", "")
	mustClaim(t, young, "a", true)
	foreign := filepath.Join(root, "not-ours")
	if err := os.Mkdir(foreign, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(foreign, past, past); err != nil {
		t.Fatal(err)
	}
	week := time.Now().Add(-7 * 24 * time.Hour)
	if n, err := Sweep(p, week, 3); n != 3 || err != nil {
		t.Errorf("swept %d, %v", n, err)
	}
	if n, err := Sweep(p, week, 100); n != 2 || err != nil {
		t.Errorf("swept %d, %v", n, err)
	}
	if !young.Shown("a", true) || !exists(foreign) {
		t.Error("swept too much")
	}
}

// Whatever the order of events: a lesson is never given twice between two
// events that renew it.
func TestClaimsNeverRepeatWithoutAReason(t *testing.T) {
	dir := t.TempDir()
	n := 0
	rapid.Check(t, func(t *rapid.T) {
		n++
		s := OpenSession(Places{GitDir: dir}, fmt.Sprint("s", n), "")
		given, extra, allowed := false, false, true // allowed: the next claim must be won
		for range rapid.IntRange(1, 20).Draw(t, "steps") {
			var err error
			switch rapid.IntRange(0, 3).Draw(t, "step") {
			case 0:
				var won bool
				if won, err = s.Claim("a", true); won != allowed {
					t.Fatalf("won %v, want %v", won, allowed)
				}
				given, allowed = true, false
			case 1:
				err = s.Met("a", true)
				if given && !extra && !allowed {
					extra, allowed = true, true
				}
			case 2:
				err = s.Compacted()
				given, extra, allowed = false, false, true
			case 3:
				err = s.Cleared()
				given, extra, allowed = false, false, true
			}
			if err != nil {
				t.Fatal(err)
			}
		}
	})
}
