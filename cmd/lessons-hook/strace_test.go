//go:build linux

package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/lessons-cli/lessons/internal/test/gittest"
)

// traced are the system calls that start programs, reach other machines, or
// open and change files; "?" marks those that not every processor has.
const traced = "trace=execve,?execveat,clone,?clone3,?fork,?vfork,socket,connect,bind,?open,openat,?openat2,?creat,truncate,?unlink,unlinkat,?rmdir,?rename,?renameat,renameat2," +
	"?mkdir,mkdirat,?mknod,mknodat,?link,linkat,?symlink,symlinkat,?chmod,fchmodat,?chown,fchownat,?utimensat,?utime,?utimes"

// TestNothingInARepositoryMakesAHookLeaveItsPlaces watches the program itself,
// and all that it starts, over a repository that was made to lead it astray:
// once with git's configuration and guards alone, so that everything is read and
// git is asked, and once with links and pipes where lessons looks.
func TestNothingInARepositoryMakesAHookLeaveItsPlaces(t *testing.T) {
	needStrace(t)
	for _, links := range []bool{false, true} {
		trap := newTrap(t)
		if links {
			trap.links()
		}
		runs, calls := 0, 0
		for _, p := range trap.payloads() {
			log := trap.trace(p)
			runs++
			calls += len(log)
			for _, v := range trap.violations(log) {
				t.Errorf("links %v: %s %s %.120s:\n%s", links, p.client, p.event, p.input, v)
			}
		}
		trap.untouched(t)
		if trap.said < 10 || len(trap.gitRan) == 0 || !links && trap.gitRan["log"] == 0 {
			t.Errorf("links %v: %d answers, git ran %v: too little was tried", links, trap.said, trap.gitRan)
		}
		t.Logf("links %v: %d hooks, %d answered, %d system calls watched, git ran %v", links, runs, trap.said, calls, trap.gitRan)
	}
}

// TestTheWatchSeesWhatItForbids: each of these calls is one too many.
func TestTheWatchSeesWhatItForbids(t *testing.T) {
	tr := &trap{workTree: &workTree{Repo: gittest.New(t), t: t, bin: "/bin-of-test"}, outside: "/outside", home: "/home-of-test", temp: "/temp-of-test", gitRan: map[string]int{}}
	const first = `1 execve("/bin-of-test/lessons-hook", ["lessons-hook"], 0x1 /* 9 vars */) = 0` + "\n"
	in := tr.Dir
	for line, want := range map[string]int{
		`1 connect(7<socket:[1]>, {sa_family=AF_INET}, 16) = 0`:                                                   1,
		`1 socket(AF_UNIX, SOCK_STREAM, 0) = 7<socket:[1]>`:                                                       1,
		`1 execve("/bin/sh", ["sh", "-c", "true"], 0x1 /* 9 vars */) = 0`:                                         1,
		`1 execve("/usr/bin/git", ["/usr/bin/git", "fetch"], 0x1 /* 9 vars */) = 0`:                               1,
		`1 openat(AT_FDCWD<` + in + `>, "a", O_WRONLY|O_CREAT, 0644) = 3<` + in + `/a>`:                           1,
		`1 openat(AT_FDCWD<` + in + `>, ".git/lessons/a", O_WRONLY|O_CREAT, 0644) = 3<` + in + `/.git/lessons/a>`: 0,
		`1 openat(AT_FDCWD<` + in + `>, ".git/lessons/a", O_WRONLY|O_CREAT, 0644) = 3</elsewhere/a>`:              1,
		`1 openat(AT_FDCWD<` + in + `>, "a", O_RDWR) = -1 EACCES (Permission denied)`:                             1,
		`1 openat(AT_FDCWD<` + in + `>, "a", O_RDONLY) = 3<` + in + `/a>`:                                         0,
		`1 openat(AT_FDCWD<` + in + `>, "a", O_RDONLY) = 3</outside/a>`:                                           1,
		`1 unlink("a") = 0`: 1,
		`1 renameat(AT_FDCWD<` + in + `>, ".git/lessons/a", AT_FDCWD<` + in + `>, "b") = 0`: 1,
		`1 mkdirat(AT_FDCWD<` + in + `>, "/home-of-test/a", 0777) = 0`:                      0,
		`1 mkdirat(AT_FDCWD<` + in + `>, ".memory", 0777) = 0`:                              1,
		"1 clone(flags=0) = 2\n" + `2 execve("/bin-of-test/lessons", ["/bin-of-test/lessons", "scan", "--quiet", "--render"], 0x1) = 0` + "\n2 clone(flags=0 <unfinished ...>\n" +
			`3 mkdirat(AT_FDCWD<` + in + `>, ".memory", 0777) = 0` + "\n2 <... clone resumed>) = 3": 0,
	} {
		if bad := tr.violations(wholeCalls(first + line + "\n")); len(bad) != want {
			t.Errorf("%s:\n%q, want %d", line, bad, want)
		}
	}
}

// TestABorrowedRepositoryIsNotTouched: a .git file whose commondir names
// somebody else's repository, and one whose lessons folder leads outside.
func TestABorrowedRepositoryIsNotTouched(t *testing.T) {
	needStrace(t)
	trap := newTrap(t)
	trap.links()
	victim := newWorkTree(t)
	before := listing(t, victim.Dir)

	// The work tree's own git directory claims to be one of the victim's.
	w := trap.workTree
	fake := filepath.Join(w.Dir, "fake")
	must(t, os.MkdirAll(fake, 0o755))
	must(t, os.WriteFile(filepath.Join(fake, "HEAD"), []byte("ref: refs/heads/main\n"), 0o644))
	must(t, os.WriteFile(filepath.Join(fake, "commondir"), []byte(filepath.Join(victim.Dir, ".git")+"\n"), 0o644))
	must(t, os.WriteFile(filepath.Join(fake, "gitdir"), []byte(filepath.Join(w.Dir, ".git")+"\n"), 0o644))
	must(t, os.RemoveAll(filepath.Join(w.Dir, ".git")))
	must(t, os.WriteFile(filepath.Join(w.Dir, ".git"), []byte("gitdir: fake\n"), 0o644))
	for _, p := range trap.payloads()[:8] {
		for _, v := range trap.violations(trap.trace(p)) {
			t.Errorf("commondir: %s %s:\n%s", p.client, p.event, v)
		}
	}
	if after := listing(t, victim.Dir); after != before {
		t.Errorf("the other repository changed:\n%s\nto\n%s", before, after)
	}
	trap.untouched(t)
}

// TestALessonsFolderThatIsALinkIsNotFollowed, nor a compiled index that is one.
func TestALessonsFolderThatIsALinkIsNotFollowed(t *testing.T) {
	needStrace(t)
	for _, linked := range []string{".lessons", ".git/lessons/index", ".git/lessons"} {
		trap := newTrap(t)
		must(t, os.RemoveAll(trap.Path(linked)))
		target, tried := trap.outside, trap.payloads()[:8]
		if filepath.Base(linked) == "index" { // which only calls read
			target, tried = filepath.Join(trap.outside, "index"), tried[1:4]
		}
		must(t, os.Symlink(target, trap.Path(linked)))
		for _, p := range tried {
			for _, v := range trap.violations(trap.trace(p)) {
				t.Errorf("%s: %s %s:\n%s", linked, p.client, p.event, v)
			}
		}
		trap.untouched(t)
	}
}

// TestAnIndexThatIsAPipeIsNotWaitedFor: to open a pipe waits for who writes.
func TestAnIndexThatIsAPipeIsNotWaitedFor(t *testing.T) {
	needStrace(t)
	strace, err := exec.LookPath("strace")
	must(t, err)
	w := hostileTree(t)
	index := w.Path(".git/lessons/index")
	must(t, os.Remove(index))
	must(t, syscall.Mkfifo(index, 0o600))
	log := filepath.Join(t.TempDir(), "log")
	cmd := w.hook("claude", "PreToolUse")
	cmd.Args = append([]string{"strace", "-f", "-e", "trace=open,openat", "-o", log, cmd.Path}, cmd.Args[1:]...)
	cmd.Path = strace
	cmd.Stdin = strings.NewReader(`{"session_id":"s","tool_name":"Bash","tool_input":{"command":"ls"}}`)
	judged(t, cmd, "a pipe")
	calls, err := os.ReadFile(log)
	must(t, err)
	for call := range strings.Lines(string(calls)) {
		if strings.Contains(call, "/lessons/index\"") && !strings.Contains(call, "O_NONBLOCK") {
			t.Errorf("waits for a writer: %s", call)
		}
	}
}

func needStrace(t *testing.T) {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("NOT RUN: system calls are watched with strace, which is Linux's")
	}
	if err := exec.Command("strace", "-f", "-y", "-e", "trace=execve", "-o", os.DevNull, "true").Run(); err != nil {
		t.Skipf("NOT RUN: strace does not work here (%v): what hooks open and start was NOT watched", err)
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// trap is a repository that was made to lead hooks astray.
type trap struct {
	*workTree
	outside string // where nothing may be read or written
	before  string // what lay there
	home    string
	temp    string
	evil    string // a program that configuration names
	gitRan  map[string]int
	said    int // hooks that were answered
}

const guardID = "01K00000000000000000000000"

func newTrap(t *testing.T) *trap {
	t.Helper()
	base, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	tr := &trap{outside: filepath.Join(base, "outside"), home: filepath.Join(base, "home"), temp: filepath.Join(base, "temp"), gitRan: map[string]int{}}
	for _, dir := range []string{tr.outside, filepath.Join(tr.outside, "skills"), tr.home, tr.temp} {
		must(t, os.MkdirAll(dir, 0o700))
	}
	w := newWorkTree(t)
	w.env = isolated(w.bin, tr.home, tr.temp)
	tr.workTree = w
	tr.evil = filepath.Join(tr.outside, "evil")
	must(t, os.WriteFile(tr.evil, []byte("#!/bin/sh\ntouch "+filepath.Join(tr.outside, "evil-ran")+"\ncat\n"), 0o755))
	const secret = "---\nid: 01K00000000000000000000099\nkind: warning\npriority: critical\nstatus: active\naction: inform\ntriggers:\n  tools: [Bash]\n  commandPatterns: [\".\"]\n---\n# Borrowed words\n\ntop secret\n"
	for _, name := range []string{"secret.md", "skills/SKILL.md", "secret.jsonl", "secret.json", "index", "log.log"} {
		must(t, os.WriteFile(filepath.Join(tr.outside, name), []byte(secret), 0o600))
	}
	tr.trustedLessons()
	tr.programs()
	tr.before = listing(t, tr.outside)
	return tr
}

// trustedLessons are guards that ask for files outside, trusted so that their
// gates are tested.
func (tr *trap) trustedLessons() {
	guard := func(n int, when, gates string) {
		id := fmt.Sprintf("%s%02d", guardID[:24], n)
		tr.lesson(id, fmt.Sprintf("Guard %d", n), "priority: high\naction: deny\ntriggers:\n"+when+"\nrequire:\n"+gates)
	}
	up := strings.Repeat("../", 12)
	any := "  tools: [Bash, Read, Edit, Write]"
	guard(1, any, "  artifact: [\""+up+"**\", \""+up+"etc/*\"]")
	guard(2, any, "  artifact: [\""+filepath.Join(tr.outside, "**")+"\"]")
	guard(3, any, "  artifact: [\"leads-out/**\"]")
	guard(4, "  tools: [Read]\n  paths: [\"**\"]", "  lines: \"<=1\"")
	guard(5, "  tools: [Write, Edit]\n  paths: [\"**\", \""+up+"**\"]", "  redirect: "+tr.outside)
	guard(6, any, "  read: [\""+up+"etc/passwd\", \"@target\", \"leads-out/secret.md\"]")
	guard(7, any, "  at: [stop, subagent-stop]\n  artifact: [\""+up+"**\"]")
	tr.lesson("01K00000000000000000000050", "Patterns", "priority: critical\naction: stop-once\ntriggers:\n  commandPatterns: [\"(a*)*b\", \"(x+x+)+y\", \".\"]\n  paths: [\""+up+"**\", \"**/../**\"]")
	tr.lessons("trust", "--yes")
	// What git is asked about: one that is there, one that a commit removed, one
	// that is gone without.
	for i, title := range []string{"Money is integer cents", "Names are in English", "Times are in UTC"} {
		tr.lessons("add", title, "--command", fmt.Sprintf("tool%d", i), "--mistake", "wrong "+title, "--fix", "right "+title)
	}
	tr.lessons("add", "Amounts are integers", "--type", "decision", "--decision", "cents", "--because", "floats lose some")
	tr.Commit("what is there")
	tr.removeLesson("names-are")
	tr.Commit("without one")
	tr.removeLesson("times-are")
	tr.lessons("compile")
}

func (tr *trap) removeLesson(slug string) {
	found, err := filepath.Glob(tr.Path(".lessons/" + slug + "*.md"))
	if err != nil || len(found) != 1 {
		tr.t.Fatal(slug, found, err)
	}
	must(tr.t, os.Remove(found[0]))
}

// links puts links, a pipe and something huge where lessons looks.
func (tr *trap) links() {
	t := tr.t
	link := func(target, name string) {
		t.Helper()
		must(t, os.MkdirAll(filepath.Dir(tr.Path(name)), 0o755))
		_ = os.RemoveAll(tr.Path(name))
		must(t, os.Symlink(target, tr.Path(name)))
	}
	link(filepath.Join(tr.outside, "secret.md"), ".lessons/borrowed.md")
	link("../../../../../../../../../../etc/passwd", ".lessons/passwd.md")
	link(filepath.Join(tr.outside, "skills"), ".lessons/skills")
	link(filepath.Join(tr.outside, "secret.jsonl"), ".memory/learning-log.jsonl")
	link(filepath.Join(tr.outside, "secret.json"), ".memory/.learning-manifest.json")
	link(filepath.Join(tr.outside, "secret.md"), ".memory/knowledge/decisions.md")
	link(tr.outside, ".claude/skills")
	link(tr.outside, ".agents/skills")
	link(tr.outside, "leads-out")
	link(filepath.Join(tr.outside, "log.log"), "log.log")
	must(t, syscall.Mkfifo(tr.Path(".lessons/pipe.md"), 0o644))
	must(t, syscall.Mkfifo(tr.Path("pipe.log"), 0o644))
	huge, err := os.Create(tr.Path(".lessons/huge.md"))
	must(t, err)
	_, err = huge.WriteString("---\nid: 01K00000000000000000000077\n---\n# Huge\n")
	must(t, err)
	must(t, huge.Truncate(256<<20)) // of which the disk holds nothing
	must(t, huge.Close())
}

// programs has git's configuration name a program wherever it can.
func (tr *trap) programs() {
	evil := tr.evil
	tr.Write("tracked.txt", "text\n")
	tr.Write("other.md", "text\n")
	tr.Git("add", "tracked.txt", "other.md")
	tr.CommitStaged("files")
	tr.Write(".gitattributes", "* filter=evil diff=evil merge=evil\n")
	for _, s := range [][2]string{
		{"core.fsmonitor", evil},
		{"core.hooksPath", tr.outside},
		{"core.pager", evil},
		{"core.editor", evil},
		{"core.sshCommand", evil},
		{"core.askPass", evil},
		{"core.gitProxy", evil},
		{"pager.log", evil},
		{"pager.status", evil},
		{"sequence.editor", evil},
		{"filter.evil.clean", evil},
		{"filter.evil.smudge", evil},
		{"filter.evil.process", evil},
		{"filter.evil.required", "true"},
		{"diff.external", evil},
		{"diff.evil.command", evil},
		{"diff.evil.textconv", evil},
		{"merge.evil.driver", evil},
		{"credential.helper", "!" + evil},
		{"gpg.program", evil},
		{"log.showSignature", "true"},
		{"interactive.diffFilter", evil},
		{"alias.log", "!" + evil},
		{"alias.ls-files", "!" + evil},
		{"uploadpack.packObjectsHook", evil},
		{"trailer.x.command", evil},
		{"include.path", filepath.Join(tr.outside, "secret.json")},
		{"protocol.ext.allow", "always"},
		{"core.alternateRefsCommand", evil},
		{"remote.origin.url", "ext::" + evil},
		{"remote.origin.promisor", "true"},
		{"remote.origin.partialclonefilter", "blob:none"},
		{"remote.origin.fetch", "+refs/heads/*:refs/remotes/origin/*"},
		{"core.untrackedCache", "true"},
		{"feature.manyFiles", "true"},
	} {
		if s[0] == "include.path" {
			continue // git refuses a file that is no configuration, at once: a trap of its own
		}
		tr.Git("config", s[0], s[1])
	}
	// Files that git has to look into, because their times are not the index's.
	for _, name := range []string{"tracked.txt", "other.md", ".lessons/README.md"} {
		text := tr.Read(name)
		must(tr.t, os.Remove(tr.Path(name)))
		tr.Write(name, text)
	}
	for _, hook := range []string{"post-index-change", "reference-transaction", "fsmonitor-watchman"} {
		must(tr.t, os.Symlink(evil, filepath.Join(tr.outside, hook)))
	}
}

// payloads are all events, with calls of every tool that lead outside.
func (tr *trap) payloads() []payload {
	var all []payload
	n := 0
	add := func(client, event, more string) {
		n++
		all = append(all, payload{client: client, event: event, input: fmt.Appendf(nil,
			`{"session_id":"s%d","cwd":%q,"hook_event_name":%q,"transcript_path":%q,%s}`, n%5, tr.Dir, event, tr.Path(".lessons/pipe.md"), more)})
	}
	add("claude", "SessionStart", `"source":"startup"`)
	add("claude", "PreToolUse", `"tool_name":"Bash","tool_input":{"command":"cat ../outside/secret.md > leads-out/x; make all"}`)
	add("claude", "PreToolUse", fmt.Sprintf(`"tool_name":"Read","tool_input":{"file_path":%q}`, tr.Path("log.log")))
	add("claude", "PreToolUse", fmt.Sprintf(`"tool_name":"Write","tool_input":{"file_path":%q,"content":"x"}`, tr.Path("leads-out/new.md")))
	add("claude", "Stop", `"stop_hook_active":false`)
	add("claude", "SubagentStart", `"agent_id":"a1","agent_type":"Explore"`)
	add("claude", "SessionEnd", `"reason":"other"`)
	add("claude", "SessionStart", `"source":"compact"`)
	for _, file := range []string{"pipe.log", ".lessons/pipe.md", "../outside/secret.md", ".lessons/borrowed.md", "/etc/passwd", "leads-out/log.log"} {
		path := tr.Path(file)
		add("claude", "PreToolUse", fmt.Sprintf(`"tool_name":"Read","tool_input":{"file_path":%q}`, path))
		add("claude", "PreToolUse", fmt.Sprintf(`"tool_name":"Edit","tool_input":{"file_path":%q,"old_string":"a","new_string":"b"}`, path))
	}
	add("claude", "PostToolUse", fmt.Sprintf(`"tool_name":"Write","tool_input":{"file_path":%q,"content":"x"},"tool_response":{"filePath":"x"}`, tr.Path(".lessons/borrowed.md")))
	add("claude", "PostToolUse", `"tool_name":"Bash","tool_input":{"command":"git commit -m x"},"tool_response":{"stdout":"x"}`)
	add("claude", "PostToolUseFailure", `"tool_name":"Bash","tool_input":{"command":"cat leads-out/nothing.md"},"error":"cat: leads-out/nothing.md: No such file or directory"`)
	add("claude", "PostToolUseFailure", fmt.Sprintf(`"tool_name":"Read","tool_input":{"file_path":%q},"error":"File does not exist."`, tr.Path("leads-out/secre.md")))
	add("claude", "UserPromptSubmit", `"prompt":"read ../outside/secret.md"`)
	add("claude", "SubagentStop", `"agent_id":"a1"`)
	add("claude", "PreCompact", `"trigger":"manual"`)
	add("codex", "SessionStart", `"source":"startup"`)
	add("codex", "PreToolUse", `"tool_name":"apply_patch","tool_input":{"command":"*** Begin Patch\n*** Update File: leads-out/secret.md\n@@\n-a\n+b\n*** End Patch"}`)
	add("codex", "Stop", `"stop_hook_active":false`)
	add("gemini", "SessionStart", `"source":"startup"`)
	add("gemini", "BeforeTool", fmt.Sprintf(`"tool_name":"read_file","tool_input":{"file_path":%q}`, tr.Path("log.log")))
	add("gemini", "BeforeAgent", `"prompt":"secret"`)
	add("opencode", "tool.execute.before", fmt.Sprintf(`"input":{"tool":"read","sessionID":"s","callID":"c"},"output":{"args":{"filePath":%q}},"directory":%q`, tr.Path("log.log"), tr.Dir))
	return all
}

// trace runs one hook and returns the system calls of all that it started, the
// halves of interrupted ones put together.
func (tr *trap) trace(p payload) []sysCall {
	t := tr.t
	t.Helper()
	log := filepath.Join(t.TempDir(), "log")
	var out []byte
	var err error
	var errs bytes.Buffer
	for range 3 { // on a busy machine strace itself may lose a thread that ends
		errs.Reset()
		cmd := exec.Command("strace", "-f", "-y", "-s", "4000", "--seccomp-bpf", "-e", traced, "-e", "signal=none", "-o", log,
			filepath.Join(tr.bin, "lessons-hook"), p.client, p.event)
		cmd.Dir, cmd.Env, cmd.Stdin, cmd.Stderr = tr.Dir, tr.env, bytes.NewReader(p.input), &errs
		if out, err = cmd.Output(); !bytes.Contains(errs.Bytes(), []byte("strace: ptrace(")) {
			break
		}
	}
	if err != nil {
		t.Errorf("%s %s: %v\n%s", p.client, p.event, err, errs.Bytes())
	}
	if bytes.Contains(out, []byte("top secret")) || bytes.Contains(out, []byte("Borrowed words")) {
		t.Errorf("%s %s tells what lies outside: %s", p.client, p.event, out)
	}
	tr.said += min(len(out), 1)
	data, err := os.ReadFile(log)
	must(t, err)
	return wholeCalls(string(data))
}

var (
	unfinished = regexp.MustCompile(`^(\d+) +(.*) <unfinished \.\.\.>$`)
	resumed    = regexp.MustCompile(`^(\d+) +<\.\.\. \w+ resumed>(.*)$`)
	ended      = regexp.MustCompile(`^\d+ +\?+\(`) // killed before it could be told what it called
	finished   = regexp.MustCompile(`^(\d+) +(\w+\(.*)$`)
)

// sysCall is one system call, whole, and the thread that made it.
type sysCall struct{ thread, text string }

func wholeCalls(log string) []sysCall {
	open := map[string]string{}
	var calls []sysCall
	for line := range strings.Lines(log) {
		line = strings.TrimRight(line, "\n")
		if ended.MatchString(line) {
			continue
		}
		if m := unfinished.FindStringSubmatch(line); m != nil {
			open[m[1]] = m[2]
		} else if m := resumed.FindStringSubmatch(line); m != nil {
			calls = append(calls, sysCall{m[1], open[m[1]] + m[2]})
			delete(open, m[1])
		} else if m := finished.FindStringSubmatch(line); m != nil {
			calls = append(calls, sysCall{m[1], m[2]})
		}
	}
	for thread, call := range open { // a process that was ended in the middle
		calls = append(calls, sysCall{thread, call})
	}
	return calls
}

// renderers are the threads of the processes that write what git tracks, because
// it is their task: lessons scan --render, which runs beside the end of a session.
func renderers(calls []sysCall) func(thread string) bool {
	parent, program := map[string]string{}, map[string]string{}
	for _, c := range calls {
		switch m := clonedForm.FindStringSubmatch(c.text); {
		case m != nil:
			parent[m[1]] = c.thread
		case strings.HasPrefix(c.text, "execve("):
			program[c.thread] = c.text
		}
	}
	return func(thread string) bool {
		for program[thread] == "" && parent[thread] != "" {
			thread = parent[thread]
		}
		return strings.Contains(program[thread], `/lessons", "scan", "--quiet", "--render"`)
	}
}

var (
	callForm   = regexp.MustCompile(`^(\w+)\((.*)$`)
	pathForm   = regexp.MustCompile(`(?:(AT_FDCWD|\d+)<([^>]*)>, )?"((?:[^"\\]|\\.)*)"`)
	openedForm = regexp.MustCompile(`\) += \d+<([^>]*)>$`)
	clonedForm = regexp.MustCompile(`^(?:clone3?|v?fork)\(.*\) += (\d+)$`)
	failedForm = regexp.MustCompile(`\) += -1 E`)
)

// violations are the calls that a hook must not make.
func (tr *trap) violations(calls []sysCall) []string {
	var bad []string
	if len(calls) == 0 || !strings.HasPrefix(calls[0].text, "execve(") {
		return []string{"nothing was watched"}
	}
	renders := renderers(calls)
	for _, c := range calls {
		if strings.HasPrefix(c.text, "syscall_0x") {
			continue // strace met a thread at its end
		}
		m := callForm.FindStringSubmatch(c.text)
		if m == nil {
			bad = append(bad, "not understood: "+c.text)
			continue
		}
		places := tr.places()
		if renders(c.thread) {
			places = append(places, tr.Path(".lessons"), tr.Path(".memory"))
		}
		switch m[1] {
		case "clone", "clone3", "fork", "vfork":
		case "connect", "bind", "socket":
			bad = append(bad, c.text)
		case "execve", "execveat":
			if !tr.mayRun(c.text) {
				bad = append(bad, c.text)
			}
		case "open", "openat", "openat2":
			bad = append(bad, tr.opened(c.text, places)...)
		default:
			bad = append(bad, tr.changed(c.text, places)...)
		}
	}
	return bad
}

// readOnly are git's commands that change nothing and start nothing.
var readOnly = []string{"rev-parse", "cat-file", "ls-files", "ls-tree", "log", "rev-list", "for-each-ref", "merge-base", "diff-index", "diff-tree", "config", "version", "check-ignore", "symbolic-ref", "show-ref", "grep"}

func (tr *trap) mayRun(call string) bool {
	m := pathForm.FindStringSubmatch(call)
	if m == nil {
		return false
	}
	if program := m[3]; program == filepath.Join(tr.bin, "lessons-hook") || program == filepath.Join(tr.bin, "lessons") {
		return true
	} else if git, err := exec.LookPath("git"); err != nil || program != git {
		return false
	}
	for _, word := range pathForm.FindAllStringSubmatch(call, -1)[2:] {
		if slices.Contains(readOnly, word[3]) {
			tr.gitRan[word[3]]++
			return true
		}
	}
	return false
}

// opened judges an open: for writing inside the places only, and nothing
// outside, wherever links led.
func (tr *trap) opened(call string, places []string) []string {
	name := tr.named(call)[0]
	if m := openedForm.FindStringSubmatch(call); m != nil {
		name = m[1]
	} else if !strings.Contains(call, ") ") && strings.Contains(call, "O_RDONLY") {
		return nil // the program ended within the call
	} else if !failedForm.MatchString(call) && !strings.Contains(call, "= ?") {
		return []string{"not understood: " + call}
	}
	writes := strings.Contains(call, "O_WRONLY") || strings.Contains(call, "O_RDWR") || strings.Contains(call, "O_CREAT") || strings.Contains(call, "O_TRUNC")
	switch {
	case writes && !lies(name, places) && name != os.DevNull:
		return []string{"opened for writing: " + call}
	case !failedForm.MatchString(call) && within(tr.outside, name):
		return []string{"read outside: " + call}
	}
	return nil
}

// changed judges the calls that make, move and remove.
func (tr *trap) changed(call string, places []string) []string {
	for _, name := range tr.named(call) {
		if parent, err := filepath.EvalSymlinks(filepath.Dir(name)); err == nil {
			name = filepath.Join(parent, filepath.Base(name))
		}
		if !lies(name, places) {
			return []string{"changed: " + call}
		}
	}
	return nil
}

// named are the paths of a call, absolute; those of a folder that the trace does
// not tell come out as they are, and are no place of ours.
func (tr *trap) named(call string) []string {
	var names []string
	for _, m := range pathForm.FindAllStringSubmatch(call, -1) {
		name := m[3]
		if !filepath.IsAbs(name) && m[2] != "" {
			name = filepath.Join(m[2], name)
		}
		names = append(names, name)
	}
	if len(names) == 0 {
		names = []string{""}
	}
	return names
}

// places are where a hook may write.
func (tr *trap) places() []string {
	return []string{tr.Path(".git/lessons"), tr.Path("fake/lessons"), tr.home, tr.temp}
}

func lies(name string, places []string) bool {
	return slices.ContainsFunc(places, func(dir string) bool { return within(dir, name) })
}

func within(dir, name string) bool { return name == dir || strings.HasPrefix(name, dir+"/") }

// untouched: outside lies what lay there.
func (tr *trap) untouched(t *testing.T) {
	t.Helper()
	if after := listing(t, tr.outside); after != tr.before {
		t.Errorf("outside changed:\n%s\nto\n%s", tr.before, after)
	}
}

// listing is every file below a folder with its size and time.
func listing(t *testing.T, root string) string {
	t.Helper()
	var b strings.Builder
	must(t, filepath.Walk(root, func(name string, info os.FileInfo, err error) error {
		if err == nil {
			fmt.Fprintln(&b, name, info.Mode(), info.Size(), info.ModTime().UnixNano())
		}
		return err
	}))
	return b.String()
}
